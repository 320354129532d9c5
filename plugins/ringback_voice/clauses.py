"""The first clause of a reply goes to the speech synthesis before the sentence is complete.

A local voice gives its first sound when a piece is synthesised whole, and a local language
model takes a while for a sentence. So the first clause is a piece of its own, and the
caller hears it while the rest of the sentence is written and spoken.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

from pipecat.processors.aggregators.llm_text_processor import LLMTextProcessor
from pipecat.utils.string import SENTENCE_ENDING_PUNCTUATION
from pipecat.utils.text.base_text_aggregator import Aggregation, BaseTextAggregator, TextType
from pipecat.utils.text.simple_text_aggregator import SimpleTextAggregator

WORDS_BEFORE = 4  # without a comma: a piece that is shorter sounds chopped
BEGINS_PHRASE = (  # words that a speaker may pause before; never one that ends a verb, as "on"
    "about after and as at because before but for from if or since so that to unless until "
    "when where which while who with"
)
_COMMA = re.compile(r"[,:](?=\s)|[\uff0c\u3001\uff1a]")  # in "4,821" and "8:30" there is none
_PHRASE = re.compile(
    rf"\s*(?:\S+\s+){{{WORDS_BEFORE},}}?(?=(?:{'|'.join(BEGINS_PHRASE.split())})\s)", re.IGNORECASE
)


def first_clause_first() -> LLMTextProcessor:
    """Make Pipecat's text processor cut a reply so; goes between language model and TTS."""
    return LLMTextProcessor(text_aggregator=FirstClause())


def end_of_clause(text: str) -> int | None:
    """Where the first clause of a sentence ends; None where the sentence ends before, or not yet."""
    ends = [found.end() for found in (_COMMA.search(text), _PHRASE.match(text)) if found]
    end = min(ends, default=None)
    return None if _has_sentence_end(text[:end]) else end


class FirstClause(BaseTextAggregator):
    """Gives a reply's first clause as soon as it ends, and then sentences as Pipecat does.

    Lives as long as its processor and holds the text of at most one sentence.
    """

    def __init__(self) -> None:
        super().__init__()
        self._sentences = SimpleTextAggregator()
        self._begun: str | None = ""  # None: past the first clause

    @property
    def text(self) -> Aggregation:
        """What waits for its end."""
        return self._sentences.text if self._begun is None else _piece(self._begun)

    async def aggregate(self, text: str) -> AsyncIterator[Aggregation]:
        """Take text in; give what is complete."""
        if self._begun is not None:
            begun = self._begun + text
            end = end_of_clause(begun)
            if end is None and not _has_sentence_end(begun):
                self._begun = begun
                return
            clause, text, self._begun = begun[: end or 0], begun[end or 0 :], None
            if clause:
                yield _piece(clause)
        async for sentence in self._sentences.aggregate(text):
            yield sentence

    async def flush(self) -> Aggregation | None:
        """Give what is left: the reply is over."""
        begun, self._begun = self._begun, ""
        rest = await self._sentences.flush()
        return _piece(begun) if begun else rest

    async def handle_interruption(self) -> None:
        """Forget the reply."""
        await self.reset()

    async def reset(self) -> None:
        """Forget the reply."""
        self._begun = ""
        await self._sentences.reset()


def _has_sentence_end(text: str) -> bool:
    return not SENTENCE_ENDING_PUNCTUATION.isdisjoint(text)


def _piece(text: str) -> Aggregation:
    return Aggregation(text.strip(), TextType.SENTENCE)
