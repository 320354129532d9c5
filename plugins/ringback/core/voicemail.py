"""A recorded greeting among a caller's turns: a machine said it, so it is nobody's word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from ringback.records import Role, Turn
from ringback.text import plain

MAX_TURN_CHARACTERS = 2_000  # of a longer turn, the beginning is looked at
_MACHINE = re.compile(
    r"\byou(?:'ve| have)\s+reached\b"
    r"|\bthe\s+(?:person|party|number|customer|subscriber)\s+(?:(?:that|whom?)\s+)?you\s+"
    r"(?:are\s+|have\s+)?(?:call|dial|try|ask)"
    r"|\b(?:can't|cannot|can not|(?:am|are|is)\s+unable\s+to)\s+"
    r"(?:(?:come|get)\s+to\s+the\s+phone|(?:take|answer)\s+(?:your|the)\s+call)"
    r"\s+(?:right\s+now|at\s+the\s+moment|just\s+now|at\s+this\s+time)\b"
    r"|\b(?:voice\s?mail(?:box)?|mailbox|answering\s+machine)\s+(?:of|for)\b"
    r"|您(?:所)?[拨撥](?:打)?的|[无無]法接[听聽]|(?:语音|語音)信箱",
    re.IGNORECASE,
)
"""Nobody says so who is on the line: who speaks "right now" can come to the phone."""
_AWAY = re.compile(
    r"\b(?:can't|cannot|can not|unable\s+to)\s+(?:(?:come|get)\s+to|take|answer)\b"
    r"|\b(?:not|un)\s?available\b|\baway\b|\bout\s+of\s+(?:the\s+)?(?:office|town)\b"
    r"|\bon\s+(?:holiday|vacation)\b|\bclosed\b|不方便接|不在",
    re.IGNORECASE,
)
_MESSAGE = re.compile(
    r"(?:^|[,.;:!?-]\s*|\b(?:please|kindly|and|so|or|then|tone|beep)\s+)(?:just\s+)?"
    r"leave\s+(?:(?:us|me|him|her|them)\s+)?(?:a|an|your)\s+(?:\w+\s+){0,2}?messages?\b"
    r"|(?:请|請).{0,12}留[言下]",
    re.IGNORECASE,
)
_TONE = re.compile(
    r"\b(?:at|after|following|wait\s+for)\s+the\s+(?:tone|beep)\b"
    r"|[嘀哔嗶]的?[一]?[声聲]|提示音",
    re.IGNORECASE,
)
_RECORD = re.compile(
    r"\brecord\s+your\s+message\b|\bleave\s+(?:us\s+|me\s+)?your\s+name\b", re.IGNORECASE
)
_TOLD = re.compile(
    r"\b(?:i|we)(?:'ve|\s+have)?\s+(?:just\s+|only\s+|always\s+)?"
    r"(?:called|tried|rang|phoned|got|get|left|heard|hear|keep)\b"
    r"|\b(?:it|they|he|she|that|voice|machine)\s+(?:just\s+|only\s+|always\s+)?(?:said|says|told)\b",
    re.IGNORECASE,
)
"""Somebody tells of a greeting."""


def greeting(turns: Sequence[Turn]) -> frozenset[int]:
    """Find the turns that a machine said: that nobody is there, and to leave a message.

    A greeting comes in several turns where recognition cuts it up or the agent talks into
    it; it goes from the first of them to the last that has a cue.

    Returns:
        Places in `turns`.
    """
    found: set[int] = set()
    for places in _stretches(turns):
        cues = {place: _cues(turns[place].text) for place in places}
        if _is_machine(frozenset().union(*cues.values())):
            last = max(place for place in places if cues[place])
            found.update(place for place in places if place <= last)
    return frozenset(found)


def _stretches(turns: Sequence[Turn]) -> Iterator[list[int]]:
    """The caller's turns, run by run; runs that all have a cue are one stretch."""
    stretch: list[int] = []
    for role, run in groupby(range(len(turns)), key=lambda place: turns[place].role):
        if role is not Role.CALLER:
            continue
        places = list(run)
        has_cue = any(_cues(turns[place].text) for place in places)
        if stretch and not has_cue:
            yield stretch
            stretch = []
        stretch += places if has_cue else []
    if stretch:
        yield stretch


def _is_machine(heard: frozenset[re.Pattern[str]]) -> bool:
    """A beep alone is no greeting, nor is somebody away: washing machines beep as well."""
    return (
        {_MESSAGE, _TONE} <= heard
        or (_MACHINE in heard and not heard.isdisjoint({_MESSAGE, _TONE, _RECORD}))
        or (_RECORD in heard and not heard.isdisjoint({_AWAY, _TONE}))
    )


def _cues(text: str) -> frozenset[re.Pattern[str]]:
    words = plain(text[:MAX_TURN_CHARACTERS])
    if _TOLD.search(words):
        return frozenset()
    return frozenset(
        cue for cue in (_MACHINE, _AWAY, _MESSAGE, _TONE, _RECORD) if cue.search(words)
    )


def without_greeting(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The turns that somebody said."""
    recorded = greeting(turns)
    return tuple(turn for place, turn in enumerate(turns) if place not in recorded)
