"""Which keys of a schema a question asks for: "where do I live?" asks for the address.

A schema has hundreds of phrases, so they are found by words first: each phrase waits for the
rarest words that it cannot do without, and only those whose words are in the question are
looked at. Nothing goes back and forth in the text: time grows with its length alone.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from ringback.core.recall.scripts import SIMPLIFIED
from ringback.schemas import Schema
from ringback.schemas.asking_pattern import MAX_GAP, Part, Piece, pieces
from ringback.terms import terms
from ringback.text import one_line, plain

SCHEMAS_KEPT = 32  # a process has a handful

_CJK = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_LETTER = rf"[^\W_{_CJK}]"
_WITHIN = re.compile(f"(?<={_LETTER}){_LETTER}")
_TOKEN = re.compile(rf"{_LETTER}+|[{_CJK}]+")
_CJK_SIGN = re.compile(f"[{_CJK}]")
_CJK_SPACE = re.compile(f"(?<=[{_CJK}]) | (?=[{_CJK}])")
_SENTENCE_END = re.compile(r"[?!。]+|\.(?:\s|$)")


@dataclass(frozen=True, slots=True)
class _Phrase:
    """One way to ask for a key."""

    place: int
    """Of the key in the schema."""
    pieces: tuple[Piece, ...]
    needs: tuple[frozenset[str], ...]
    """Words, or one or two signs: one of each set stands in the question if the phrase does."""


@dataclass(frozen=True, slots=True)
class _Listening:
    """What a schema listens for."""

    labels: tuple[frozenset[str], ...]
    """Of each field, the terms of its label."""
    waiting: Mapping[str, tuple[_Phrase, ...]]
    """By each word of the set that the fewest phrases need."""
    wordless: tuple[_Phrase, ...]
    """Phrases that need none."""


def keys_asked(question: str, schema: Schema) -> tuple[str, ...]:
    """Which keys of the schema a question asks for, in the schema's order.

    A key is asked for by one of the field's `asked_by`, within one sentence, or by all terms
    of its label.
    """
    listening = _listening(schema)
    asked = set(terms(question))
    found = {place for place, label in enumerate(listening.labels) if label and label <= asked}
    line = _comparable(question)
    sentences = [part for part in _SENTENCE_END.split(line) if part]
    for phrase in _candidates(line, listening):
        if phrase.place not in found and any(_stands_in(phrase, part) for part in sentences):
            found.add(phrase.place)
    return tuple(field.key for place, field in enumerate(schema.fields) if place in found)


def _comparable(text: str) -> str:
    """One form for what is asked and for what is listened for."""
    line = one_line(plain(text)).casefold().replace("e-mail", "email").replace("-", " ")
    return _CJK_SPACE.sub("", line).translate(SIMPLIFIED)


def _candidates(line: str, listening: _Listening) -> Iterator[_Phrase]:
    """Phrases that may stand in a line: all words that they cannot do without do."""
    words = {word for match in _TOKEN.finditer(line) for word in _tokens(match[0])}
    waiting = [phrase for word in words for phrase in listening.waiting.get(word, ())]
    for phrase in (*listening.wordless, *waiting):
        if not any(map(words.isdisjoint, phrase.needs)):
            yield phrase


def _tokens(run: str) -> Iterator[str]:
    """A word, or the signs of a run and every two neighbours."""
    if not _CJK_SIGN.match(run):
        yield run
        return
    yield from run
    for place in range(len(run) - 1):
        yield run[place : place + 2]


def _stands_in(phrase: _Phrase, sentence: str) -> bool:
    """All pieces stand there in order, each close enough behind one before it."""
    reached: list[int] | None = None
    for piece in phrase.pieces:
        spans = _spans(piece, sentence)
        reached = sorted(
            {end for start, end in spans if reached is None or _is_close(start, reached)}
        )
        if not reached:
            return False
    return True


def _is_close(start: int, reached: list[int]) -> bool:
    """The last end that is not behind it is at most the gap away."""
    place = bisect_right(reached, start)
    return place > 0 and start - reached[place - 1] <= MAX_GAP


def _spans(piece: Piece, sentence: str) -> set[tuple[int, int]]:
    """Where a piece stands, from word edge to word edge."""
    first, *rest = piece
    found = {span for option in first if option in sentence for span in _finds(option, sentence)}
    for part in rest:
        found = {
            (start, end + len(option))
            for start, end in found
            for option in part
            if sentence.startswith(option, end)
        }
    return {span for span in found if _is_edge(sentence, span[1])}


def _finds(option: str, sentence: str) -> Iterator[tuple[int, int]]:
    place = sentence.find(option)
    while place >= 0:
        if _is_edge(sentence, place):
            yield place, place + len(option)
        place = sentence.find(option, place + 1)


def _is_edge(sentence: str, place: int) -> bool:
    """Not in the midst of a word that has letters."""
    return not _WITHIN.match(sentence, place)


@lru_cache(maxsize=SCHEMAS_KEPT)
def _listening(schema: Schema) -> _Listening:
    spoken = [
        (place, tuple(_comparable_piece(piece) for piece in pieces(pattern)))
        for place, field in enumerate(schema.fields)
        for pattern in field.asked_by
    ]
    wholes = [tuple(part for piece in found for part in _whole_words(piece)) for _, found in spoken]
    common = Counter(
        word for parts in wholes for part in parts for option in part for word in option
    )
    waiting: dict[str, list[_Phrase]] = {}
    wordless: list[_Phrase] = []
    for (place, found), parts in zip(spoken, wholes, strict=True):
        needs = tuple(_rarest(part, common) for part in parts)
        phrase = _Phrase(place, found, needs)
        for word in min(needs, key=lambda words: sum(map(common.__getitem__, words)), default=()):
            waiting.setdefault(word, []).append(phrase)
        wordless += [] if needs else [phrase]
    return _Listening(
        tuple(frozenset(terms(field.label)) for field in schema.fields),
        MappingProxyType({word: tuple(found) for word, found in waiting.items()}),
        tuple(wordless),
    )


def _comparable_piece(piece: Piece) -> Piece:
    """A piece in the form that questions have."""
    has_signs = any(_CJK_SIGN.search(option) for part in piece for option in part)
    first, *rest = (
        tuple(_comparable_option(option, is_spaced=not has_signs) for option in part)
        for part in piece
    )
    return (first, *(part for part in rest if part != ("",)))


def _comparable_option(option: str, *, is_spaced: bool) -> str:
    """Spaces at its edges count, but where questions lose them: beside signs."""
    words = _comparable(option)
    if not is_spaced or not words:
        return words if not is_spaced else " " * bool(option)
    return " " * option.startswith(" ") + words + " " * option.endswith(" ")


def _whole_words(piece: Piece) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Parts of which every alternative holds a whole word: of each, its whole words."""
    for place, part in enumerate(piece):
        before = piece[place - 1] if place else None
        after = piece[place + 1] if place + 1 < len(piece) else None
        options = tuple(tuple(_whole(option, before=before, after=after)) for option in part)
        if all(options):
            yield options


def _whole(option: str, *, before: Part | None, after: Part | None) -> Iterator[str]:
    """Words of an alternative that no neighbour makes longer; signs stand for themselves."""
    for match in _TOKEN.finditer(option):
        is_open = (match.start() == 0 and _may_join(before, -1)) or (
            match.end() == len(option) and _may_join(after, 0)
        )
        if _CJK_SIGN.match(match[0]) or not is_open:
            yield from _tokens(match[0])


def _may_join(neighbour: Part | None, edge: int) -> bool:
    return neighbour is not None and any(
        not option or option[edge].isalnum() for option in neighbour
    )


def _rarest(part: tuple[tuple[str, ...], ...], common: Counter[str]) -> frozenset[str]:
    """Of each alternative the word that is in the fewest phrases."""
    return frozenset(min(option, key=common.__getitem__) for option in part)
