"""Loops: where speech recognition got stuck and wrote the same words over and over."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ringback.text import DIGITS, REPEATS, TEENS, TENS, Span

TIMES = 4  # people say a thing twice or three times
MAX_LOOP_WORDS = 40
MAX_CHARACTERS = 4_000  # of a longer text, the beginning is looked at
MAX_SIGNS = 8  # "?!", "..."
LOOP_WORDS = 2  # "no no no no" is a person
LOOP_SIGNS = 3  # as few of a script without spaces between words

_UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0eff"
_TOKEN = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+(?:['’][^\W_{_UNSPACED}]+)*")  # noqa: RUF001
_SIGN = re.compile(rf"[{_UNSPACED}]")
_SENTENCE_SIGNS = ".!?。！？"  # noqa: RUF001
_NUMERIC = frozenset(
    [*DIGITS, *TEENS, *TENS, *REPEATS, "hundred", "thousand", "o", "dash", "dot", "point", "plus"]
).union(["and", "then", "uh", "um", "er"], "零〇一二三四五六七八九十百千萬万兩两點点號号杠嗯呃")


@dataclass(frozen=True, slots=True)
class _Word:
    said: str
    start: int
    end: int


def words_of(text: str) -> tuple[str, ...]:
    """Words in small letters; of a script without spaces, its signs one by one."""
    return tuple(word.said for word in _words(text))


def has_enough(words: Sequence[str], *, at_least: int, signs: int) -> bool:
    """So many words, or so many signs of a script without spaces between them."""
    alone = sum(1 for word in words if _SIGN.fullmatch(word))
    return alone >= signs or len(words) - alone >= at_least


def loops(text: str) -> tuple[Span, ...]:
    """Find what a text says again, of a clause that it says at least `TIMES` times in a row.

    The clause itself stands once outside the spans: where it was said first, or, where the
    sentence goes on behind the last one, there. Digits and letters in a row are how people
    say and spell numbers and names, and are no loop.
    """
    words = _words(text)
    if not words or max(Counter(word.said for word in words).values()) < TIMES:
        return ()
    found: list[tuple[int, int, int]] = []
    for size in range(1, min(MAX_LOOP_WORDS, len(words) // TIMES) + 1):
        for first, end in _periodic(words, size):
            unit = [word.said for word in words[first : first + size]]
            if _is_clause(unit) and not any(first < b and a < end for a, b, _ in found):
                found.append((first, end, size))
    return tuple(_span(text, words, *one) for one in sorted(found))


def once(text: str) -> str:
    """The text without what it says again."""
    for span in reversed(loops(text)):
        before, after = text[: span.start].rstrip(), text[span.end :].lstrip()
        text = f"{before} {after}" if before and after[:1].isalnum() else before + after
    return text


def blanked(text: str) -> str:
    """The text with spaces for what it says again: what is left stays where it was.

    A full stop goes before the spaces, so that nobody reads on across them.
    """
    for span in loops(text):
        before = text[: span.start].rstrip()
        stop = "." if before and before[-1] not in _SENTENCE_SIGNS else " "
        text = text[: span.start] + stop.ljust(span.end - span.start) + text[span.end :]
    return text


def _words(text: str) -> list[_Word]:
    return [
        _Word(match.group().casefold(), *match.span())
        for match in _TOKEN.finditer(text[:MAX_CHARACTERS])
    ]


def _periodic(words: Sequence[_Word], size: int) -> Iterator[tuple[int, int]]:
    """Where words repeat with a period of `size`, at least `TIMES` times: from, to."""
    first = 0
    for place in range(len(words)):
        following = place + size
        if following < len(words) and words[place].said == words[following].said:
            continue
        end = min(following, len(words))
        if end - first >= TIMES * size and place > first:
            yield first, end
        first = place + 1


def _is_clause(unit: Sequence[str]) -> bool:
    if not has_enough(unit, at_least=LOOP_WORDS, signs=LOOP_SIGNS):
        return False
    return not all(word in _NUMERIC or word.isdecimal() or _is_letter(word) for word in unit)


def _is_letter(word: str) -> bool:
    return len(word) == 1 and word.isascii()


def _span(text: str, words: Sequence[_Word], first: int, end: int, size: int) -> Span:
    """What to leave out of a loop from word `first` to before word `end`."""
    start = words[first + size - 1].end
    signs = _signs_from(text, start)
    rest = (end - first) % size
    if _is_cut_word(words, end, size):
        return Span(start + signs, words[end].end)
    last = words[end - 1].end
    closing = _signs_from(text, last)
    if end == len(words) or closing:
        return Span(start + signs, last + (closing if signs else 0))
    if rest:
        return Span(start + signs, words[end - rest].start)
    return Span(words[first].start, words[end - size].start)


def _signs_from(text: str, place: int) -> int:
    """How many signs that end a sentence stand there."""
    rest = text[place : place + MAX_SIGNS]
    return len(rest) - len(rest.lstrip(_SENTENCE_SIGNS))


def _is_cut_word(words: Sequence[_Word], end: int, size: int) -> bool:
    """The text ends in the first letters of what the loop would have said next."""
    return end == len(words) - 1 and words[end - size].said.startswith(words[end].said)
