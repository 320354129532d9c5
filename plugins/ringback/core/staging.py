"""What is retrieved for the next turn: when to ask, with what, and whether the answer still fits."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields

import numpy as np

from ringback.core.recall.wanted import wanted_terms
from ringback.core.wording import rough_tokens
from ringback.recollection import Vector
from ringback.terms import terms
from ringback.text import folded, is_filler

MAX_CUE_CHARACTERS = 600  # the last of what was said; a question is at its end
NEW_TERMS = 2  # that interim words must bring before they are worth another look
FEW_TERMS = 2  # an utterance with fewer goes on with what the one before was about
EVERY_TURNS = 3  # a topic that goes on is looked up again, for it has moved a little each time
SHARED_PART = 4  # one of so many topical terms must be shared for a topic to go on
DRIFT = 0.12  # likeness of two cues below which they have nothing to do with each other

_WEAK = frozenset(
    terms(
        "hello hi okay yes yeah please thanks thank sorry sure right well actually really maybe "
        "want need tell ask call say said talk speak hear help check look see find give get take "
        "make put let go come keep try use think know mean guess believe remember remind wonder "
        "question something anything everything thing things one ones way lot bit time today now "
        "still already first last next other another good great fine nice kind sort "
        "problem issue matter stuff bye goodbye wait moment minute second "
        "嗯 呢 啊 喔 哦 欸 呃 好 對 对 是 有 嗎 吗 吧 的 了 那 這 这 好的 對啊 对啊 沒錯 没错 謝謝 谢谢 請問 请问"
    )
)
"""Stems that a sentence about anything may hold; they show no topic."""
_POINTS = re.compile(
    r"\b(?:the|that|this|my|what about the|and the) (?:other|same|first|second|third|last|latter|"
    r"former|previous)(?: (?:one|ones))?\b|\b(?:this|that|these|those|it|its|they|them)\b"
    r"|[那這这]?另[外一]?[那這这]?[一]?[筆笔個个張张件份支台單单]?|[那這这][筆笔個个張张件份支台單单]"
    r"|第[一二三四][筆笔個个張张件份支台單单]|前[一面]?[筆笔個个張张件]|其他的?",
    re.IGNORECASE,
)
"""Words that name nothing and point at what was spoken of: the topic goes on."""


@dataclass(frozen=True, slots=True)
class SpokenCue:
    """What retrieval for a turn is asked with, and the terms by which its answer is judged."""

    text: str
    topic: frozenset[str] = field(default=frozenset())
    is_of_caller: bool = True
    """False: a label that the application gave."""


@dataclass(frozen=True, slots=True)
class Staged:
    """A recall that is ready for the next turn, with the cue that it was made for."""

    cue: SpokenCue
    lines: tuple[str, ...]
    """As a language model reads them; the first is the guard line."""
    topic: frozenset[str]
    """Terms of the cue, of what was found, and of the names in both."""
    fact_ids: tuple[str, ...] = ()
    is_summary: bool = False
    """Nothing was found: it is the last call's summary, for who asks about that."""

    @property
    def text(self) -> str:
        """The whole of it."""
        return "\n".join(self.lines)


@dataclass(slots=True)
class StagingCounts:
    """What became of what was retrieved for turns."""

    staged: int = 0
    """Answers that were put in place."""
    empty: int = 0
    """Cues to which nothing was known."""
    failed: int = 0
    """Cues that could not be looked up."""
    used_same_turn: int = 0
    """Used in the turn whose words they were retrieved with."""
    used_later: int = 0
    """Used in a later turn."""
    stale: int = 0
    """Discarded: the caller spoke of something else."""
    wasted: int = 0
    """Replaced, or left at the end of the call, without having been used."""

    def add(self, other: StagingCounts) -> None:
        """Add another call's."""
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))


def topical(text: str) -> frozenset[str]:
    """The terms of a text that show what it is about; none of "okay, and the other one?"."""
    plain = _POINTS.sub(" ", text[-MAX_CUE_CHARACTERS:])
    return frozenset() if is_filler(plain) else frozenset(wanted_terms(plain)) - _WEAK


def fits(staged: Staged, said: str) -> bool:
    """What was retrieved is about what was just said; a stale memory is worse than none.

    Lexical, on sets that were made with the cue: words that show no topic go on with the one
    before; a code that nobody spoke of, or too few words in common, is another topic.
    """
    own = topical(said)
    if not own:
        return not staged.is_summary
    if any(_is_code(term) and term not in staged.topic for term in own):
        return False
    return len(own & staged.topic) * SHARED_PART >= len(own)


def is_of_turn(staged: Staged, said: str) -> bool:
    """The cue was these very words, or the beginning of them."""
    cue, words = folded(staged.cue.text), folded(said)
    return bool(words) and (words in cue or cue in words)


def drifted(before: Vector, now: Vector, likeness_from: tuple[float, float]) -> bool:
    """Two cues have nothing to do with each other, by their vectors.

    Args:
        before: float32 [dimensions], unit norm.
        now: The same of the newer cue.
        likeness_from: See `Embedder.likeness_from`.
    """
    nothing, same = likeness_from
    return float((np.dot(before, now) - nothing) / (same - nothing)) < DRIFT


def lines_within(
    lines: Sequence[str], max_tokens: int, count: Callable[[str], int] = rough_tokens
) -> tuple[str, ...]:
    """The first lines that fit; none where only the guard line would."""
    kept = list(lines)
    while kept and count("\n".join(kept)) > max_tokens:
        kept.pop()
    return tuple(kept) if len(kept) > 1 else ()


class Cueing:
    """Decides when retrieval is asked, and with what, from what is heard of the caller.

    One per call; a state machine without a clock. Interim words and the pause are asked with
    early so that the answer is there in the same turn; a settled turn that says nothing new
    is not asked with again.
    """

    def __init__(self) -> None:
        self._asked: frozenset[str] = frozenset()  # terms of the last cue
        self._before = ""  # the last utterance with a topic
        self._since = 0  # turns since the last cue

    def heard(self, words: str) -> SpokenCue | None:
        """Interim words of a turn that goes on: a cue when they bring something new."""
        new = topical(words) - self._asked
        if len(new) < NEW_TERMS and not any(_is_code(term) for term in new):
            return None
        return self._cue(words)

    def paused(self, words: str) -> SpokenCue | None:
        """The caller pauses after these words: a cue when any of them is new."""
        return self._cue(words) if topical(words) - self._asked else None

    def said(self, text: str) -> SpokenCue | None:
        """A turn of the caller is settled."""
        self._since += 1
        own = topical(text)
        if not own or is_filler(text):
            return None
        is_short = len(own) < FEW_TERMS and not any(_is_code(term) for term in own)
        asked = f"{self._before} {text}" if is_short and self._before else text
        self._before = text
        if not own - self._asked and self._since < EVERY_TURNS:
            return None
        return self._cue(asked)

    def labelled(self, topic: str) -> SpokenCue | None:
        """The application names the topic."""
        cue = self._cue(topic)
        return SpokenCue(cue.text, cue.topic, is_of_caller=False) if cue.topic else None

    def ask_again(self) -> None:
        """The last cue could not be looked up: its terms are new again."""
        self._asked = frozenset()

    def forget(self) -> None:
        """Know nothing of what was said any more."""
        self._asked, self._before, self._since = frozenset(), "", 0

    def _cue(self, text: str) -> SpokenCue:
        cue = SpokenCue(text[-MAX_CUE_CHARACTERS:].strip(), topical(text))
        self._asked, self._since = cue.topic, 0
        return cue


def _is_code(term: str) -> bool:
    return any(sign.isdigit() for sign in term)
