"""What a few dozen lines of search find: plain pipelines, for comparison on the same questions.

Nothing of this is in the library. Each gives every turn of a conversation a score for a
question; see Robertson and Zaragoza 2009 for BM25, Cormack, Clarke, Buettcher 2009 for
reciprocal ranks with their constant of 60.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ringback.protocols import Embedder
from ringback.terms import terms
from ringback_ops.bench.locomo_set import Conversation

Scores = npt.NDArray[np.float64]

K1, B = 1.2, 0.75
RRF_K = 60
NAMED_SPEAKER = 1.1  # times, for turns of the person that the question names
PLAIN = ("bm25", "dense", "rrf", "recipe")


class Plain:
    """Plain pipelines over one conversation; lives as long as its questions are asked.

    Args:
        conversation: Whose turns are looked through.
        embedder: Makes the vectors.
    """

    def __init__(self, conversation: Conversation, embedder: Embedder) -> None:
        self._turns = conversation.turns
        self._embedder = embedder
        self._speakers = tuple(dict.fromkeys(turn.speaker for turn in self._turns))
        texts = [turn.text for turn in self._turns]
        pairs = [
            f"{before.text} {turn.text}" if before is not None else turn.text
            for before, turn in zip([None, *self._turns], self._turns, strict=False)
        ]
        self._words, self._pairs = _Bm25(texts), _Bm25(pairs)
        self._texts = texts, pairs

    async def prepare(self) -> None:
        """Embed the turns, each with its speaker, alone, and with the one before it."""
        named = [f"{turn.speaker}: {turn.text}" for turn in self._turns]
        self._named = await self._embedder.embed(named)
        self._alone = await self._embedder.embed(self._texts[0])
        self._paired = await self._embedder.embed(self._texts[1])

    async def ranked(self, question: str) -> Mapping[str, list[str]]:
        """Turn ids, best first, by each plain pipeline.

        `recipe` is the strongest that was measured before this project: reciprocal ranks of
        BM25 and vectors, over turns alone and with the one before, without names, and with
        what the named speaker said put first.
        """
        nameless = question
        for speaker in self._speakers:
            nameless = re.sub(rf"\b{re.escape(speaker)}\b(?:'s)?", "", nameless)
        as_is, bare = await self._embedder.embed_query([question, nameless])
        words, dense = self._words.scores(question), self._named @ as_is
        recipe = _fused(
            [
                self._words.scores(nameless),
                self._alone @ bare,
                self._pairs.scores(nameless),
                self._paired @ bare,
            ]
        )
        named = [one for one in self._speakers if re.search(rf"\b{re.escape(one)}\b", question)]
        if len(named) == 1:
            is_theirs = np.array([turn.speaker == named[0] for turn in self._turns])
            recipe = recipe * np.where(is_theirs, NAMED_SPEAKER, 1.0)
        found = dict(zip(PLAIN, (words, dense, _fused([words, dense]), recipe), strict=True))
        return {name: self._ids(scores) for name, scores in found.items()}

    def _ids(self, scores: Scores) -> list[str]:
        return [self._turns[place].id for place in np.argsort(-scores, kind="stable")[:20]]


class _Bm25:
    def __init__(self, texts: Sequence[str]) -> None:
        held = [Counter(terms(text)) for text in texts]
        self._lengths = np.array([one.total() for one in held], float)
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for place, one in enumerate(held):
            for term, times in one.items():
                self._postings[term].append((place, times))

    def scores(self, question: str) -> Scores:
        found = np.zeros(len(self._lengths))
        bound = K1 * (1 - B + B * self._lengths / self._lengths.mean())
        for term in set(terms(question)):
            held = self._postings.get(term, [])
            weight = math.log(1 + (len(found) - len(held) + 0.5) / (len(held) + 0.5))
            for place, times in held:
                found[place] += weight * times * (K1 + 1) / (times + bound[place])
        return found


def _fused(channels: Sequence[Scores]) -> Scores:
    total = np.zeros(len(channels[0]))
    for scores in channels:
        ranks = np.empty(len(scores))
        ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
        total += np.where(scores > 0, 1 / (RRF_K + ranks), 0)
    return total
