"""A turn without its hesitations, for a language model that reads facts from it.

The rules read turns as they are; a small model reads better without "uh", "I I I" and false
starts. Signs are only taken out, never changed or added, and each that stays knows where it
stood, so that words cited from the cleaned text are found in the turn. English and Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ringback.text import DIGITS, REPEATS, TEENS, TENS, Span

_NUMBER = "|".join([*DIGITS, *TEENS, *TENS, *REPEATS, "hundred", r"\d+"])
_PAUSE = ",，、…—"  # noqa: RUF001
_STOP = ".!?。！？"  # noqa: RUF001
_APART = rf"[\s{_PAUSE}-]+"  # between a word and the same word again
_AHEAD = rf"(?=\s*(?:[{_PAUSE}{_STOP}]|$))"
_BEHIND = rf"(?:^|(?<=[{_PAUSE}{_STOP}])|(?<=[{_PAUSE}{_STOP}]\s))"

_ENGLISH = re.compile(r"\b(?:the|i|i'm|i've|i'd|my|it|it's|to|you|with)\b", re.IGNORECASE)
"""What shows that "um" and "er" are no words: in German and Portuguese they are."""
_HESITATION = re.compile(
    r"(?<![\w'-])(?:[Uu]+h+|[Uu]h*m+|[Ee]rm*|[Hh]m+)(?:-+(?!\w)|\.\.+)?(?![\w'-])"
)
_PLAIN_HESITATION = re.compile(r"[Uu]+h+|[Uu]hm+|[Ee]rm+|[Hh]m+")  # a word in no language
_BEFORE_ASIDE = "|".join(
    rf"(?<=\b{word} )"
    for word in ("is", "was", "are", "it's", "i'm", "just", "really", "my", "the", "to", "of")
)
_ASIDE = re.compile(
    rf"{_BEHIND}(?:you know|like)(?=\s*[{_PAUSE}])"
    rf"|(?<=[{_PAUSE}]\s)you know{_AHEAD}"
    rf"|(?:{_BEFORE_ASIDE})you know(?= )"
    r"(?! (?:my|the|that|this|what|how|who|where|when|why|if|about|him|her|me|it|your|our|a|i)\b)",
    re.IGNORECASE,
)
_CHINESE_ASIDE = re.compile(
    rf"[呃嗯]+|{_BEHIND}(?:(?:[那這这][個个])+|就是[說说]?)(?=\s*[{_PAUSE}])"
    rf"|{_BEHIND}(?:(?:那[個个])+|就是[說说])(?=[我你您請请])"
)

_STUTTERED = (
    r"i(?:'m|'ve|'d|'ll)?|my|the|a|an|and|but|to|for|from|of|with|we(?:'re|'ve)?|he|she|they|"
    r"it's|that's|there's|this|our|your|their|need|want|because|"
    r"what|when|how|if|or|just"
)
"""Words that nobody says twice on purpose; unlike "very", "no", "bye", numbers and names."""
_HELPING = r"was|can|could|would|have|has"  # after a pause they ask back: "it was, was it"
_STUTTER = re.compile(
    rf"(?<![\w'-])(?:({_STUTTERED}){_APART}(?:\1{_APART})*(?=\1(?![\w']|-\w*\d))"
    rf"|({_HELPING})[\s-]+(?:\2[\s-]+)*(?=\2(?![\w'])))",
    re.IGNORECASE,
)
_NO_TURN = rf"(?!(?:{_NUMBER}|not|never|no|wait|sorry|actually)\b|\w+n't\b)"
"""No word that counts, denies or corrects comes here."""
_RESTART = re.compile(
    rf"(?<![\w'-])((?:{_STUTTERED}|{_HELPING}) +{_NO_TURN}[a-z']+(?: {_NO_TURN}[a-z']+)?)"
    rf"{_APART}(?=\1(?![\w'-]))",
    re.IGNORECASE,
)
"""Two or three words, and the same words again."""
_NEAR_NUMBER = frozenset({"to", "for", "a", "i"})  # may be digits or letters being told
_TOLD_BEFORE = re.compile(rf"(?:\b(?:{_NUMBER})|(?<![\w'])(?![aiAI]\b)[A-Za-z])\W*$", re.IGNORECASE)
_TOLD_AFTER = re.compile(rf"[\w']+\W+(?:(?:{_NUMBER})\b|(?![ai]\b)[a-z](?![\w']))", re.IGNORECASE)
_CUT_WORD = re.compile(
    r"(?<![\w'-])([a-z]+)-+(?:\s+|(?=\1-))(?=(?:[a-z']+\s+){0,2}\1)", re.IGNORECASE
)
_CUT_LETTERS = re.compile(r"(?<![\w'-])([a-z])-(?:\1-)*(?=\1[a-z])", re.IGNORECASE)
_CORRECTS = re.compile(r"(?:no|sorry|wait|actually|or|and|to|i mean|rather)\b", re.IGNORECASE)
_FALSE_START = re.compile(
    rf"{_BEHIND}(?P<who>i|i'm|we|my|it|he|she|they|the|can|could)"
    rf"(?: {_NO_TURN}[a-z]+){{0,3}}"
    rf" (?P<joint>to|a|an|the|my|is|was|of|for|with|are)(?:[{_PAUSE}]|\s*-)+\s*"
    rf"(?=(?P=who) (?:[a-z']+ ){{0,3}}(?P=joint) \w)",
    re.IGNORECASE,
)
_CHINESE_STUTTER = re.compile(
    rf"([我你您他她](?:[們们]的?|想要|需要|[的想要])?|[這这那][個个]?)(?:[{_PAUSE}\s]*\1)+"
)
_JOINTS = ("因為", "因为", "但是", "所以", "可是", "然後", "然后", "就是", "不過", "不过")


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A text without hesitations, and where its signs stood."""

    text: str
    origin: tuple[int, ...]
    """For each sign, its place in the original; rising."""

    def original_span(self, start: int, end: int) -> Span:
        """Where words of the cleaned text stand in the original, with what lay between them.

        Raises:
            ValueError: The span is empty or not in the text.
        """
        if not 0 <= start < end <= len(self.text):
            raise ValueError("the span is not in the cleaned text")
        return Span(self.origin[start], self.origin[end - 1] + 1)


def cleaned(text: str) -> Cleaned:
    """Take out fillers, stutters and false starts.

    What is said twice on purpose stays ("very very", "no no no", digits, 慢慢), and so does
    every correction with what it corrects: "4812, no wait, 4821". A text of nothing but
    fillers stays as it is: it may be an answer.
    """
    origin = list(range(len(text)))
    left = text
    while True:
        before = left
        for rule in _RULES:
            for span in reversed(_apart(rule(left))):
                left = left[: span.start] + left[span.end :]
                del origin[span.start : span.end]
        if left == before:
            break
    if not any(sign.isalnum() for sign in left):
        return Cleaned(text, tuple(range(len(text))))
    return Cleaned(left, tuple(origin))


def _apart(spans: Iterator[Span]) -> list[Span]:
    """Those that do not begin in an earlier one."""
    found: list[Span] = []
    for span in spans:
        if span.start < span.end and (not found or span.start >= found[-1].end):
            found.append(span)
    return found


def _hesitations(text: str) -> Iterator[Span]:
    is_english = bool(_ENGLISH.search(text))
    for match in _HESITATION.finditer(text):
        around = text[: match.start()].rstrip(), text[match.end() :].lstrip()
        is_by_itself = all(not side or side[at] in _PAUSE + _STOP for side, at in _sides(around))
        if is_english or is_by_itself or _PLAIN_HESITATION.fullmatch(match.group()):
            yield _with_signs(text, match)


def _sides(around: tuple[str, str]) -> tuple[tuple[str, int], tuple[str, int]]:
    return (around[0], -1), (around[1], 0)


def _asides(text: str) -> Iterator[Span]:
    return (_with_signs(text, match) for match in _ASIDE.finditer(text))


def _chinese_asides(text: str) -> Iterator[Span]:
    return (_with_signs(text, match) for match in _CHINESE_ASIDE.finditer(text))


def _with_signs(text: str, match: re.Match[str]) -> Span:
    """A filler with the spaces and pauses that are there for it alone."""
    start, end = match.span()
    before = text[:start].rstrip()
    pauses = len(text[end:]) - len(text[end:].lstrip(_PAUSE + " \t\n"))
    is_first = not before or before[-1] in _STOP
    if is_first:
        rest = text[end:]
        return Span(start, end + len(rest) - len(rest.lstrip(_PAUSE + _STOP + " \t\n")))
    if text[end + pauses : end + pauses + 1] in _STOP:  # or at the end of the text
        return Span(len(before.rstrip(_PAUSE + " ")), end + pauses)
    if before[-1] in _PAUSE:
        return Span(start, end + pauses)
    if text[end:].lstrip()[:1] in _PAUSE:
        return Span(len(before), end)
    return Span(start, end + pauses)


def _stutters(text: str) -> Iterator[Span]:
    for match in _STUTTER.finditer(text):
        is_told = (match[1] or "").casefold() in _NEAR_NUMBER and (
            _TOLD_BEFORE.search(text[max(match.start() - 12, 0) : match.start()])
            or _TOLD_AFTER.match(text, match.end())
        )
        if not is_told:
            yield Span(*match.span())


def _restarts(text: str) -> Iterator[Span]:
    return (Span(*match.span()) for match in _RESTART.finditer(text))


def _cut_words(text: str) -> Iterator[Span]:
    for match in _CUT_WORD.finditer(text):
        if not _CORRECTS.match(text, match.end()):
            yield Span(*match.span())


def _cut_letters(text: str) -> Iterator[Span]:
    return (Span(*match.span()) for match in _CUT_LETTERS.finditer(text))


def _false_starts(text: str) -> Iterator[Span]:
    return (Span(*match.span()) for match in _FALSE_START.finditer(text))


def _chinese_stutters(text: str) -> Iterator[Span]:
    for match in _CHINESE_STUTTER.finditer(text):
        word, start = match[1], match.start()
        before = text[:start]
        is_first = not before or not before[-1].isalnum() or before.endswith(_JOINTS)
        is_whole = len(word) > 1 and not set(match.group()) & {*_PAUSE}
        if is_first or is_whole or match.group().count(word) > 2:  # not "give me my": 給我我的
            yield Span(start, match.end() - len(word))


_RULES: tuple[Callable[[str], Iterator[Span]], ...] = (
    _hesitations,
    _asides,
    _chinese_asides,
    _cut_words,
    _cut_letters,
    _stutters,
    _restarts,
    _false_starts,
    _chinese_stutters,
)
