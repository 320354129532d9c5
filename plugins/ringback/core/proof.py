"""The check that a candidate stands on what was said: its words, its numbers, its type."""

from __future__ import annotations

from dataclasses import replace

from ringback.core.chinese.clauses import is_assent
from ringback.core.chinese.number_parts import part_at
from ringback.core.chinese.signs import simplified
from ringback.core.confirmations import is_yes
from ringback.core.ground import Ground, Verdict, dropped, passed, repaired
from ringback.core.heard import has_chinese, is_mended, missing
from ringback.core.number_parts import part_in
from ringback.core.reading import ANY_VALUE
from ringback.core.value_types import fitted
from ringback.records import Candidate, Evidence, Outcome, Source, Turn
from ringback.schemas.declaration import ValueType
from ringback.text import plain

MAX_AROUND = 4_000  # characters on either side of the evidence; a turn of hours is not read
MAX_TURNS = 40  # before the cited one, where a value may be put together from several
_ACROSS_TURNS = (ValueType.EMAIL, ValueType.PERSON)  # spelled and put right over several turns


def verifiable(candidate: Candidate, ground: Ground) -> Verdict:
    """Its words stand in the turn that it cites, and its value in those words."""
    if not candidate.value.strip():
        return passed(candidate)
    typed = _typed(candidate, ground)
    if typed.candidate is None:
        return typed
    if candidate.source is Source.SYSTEM:
        return typed
    if not ground.turns:
        return typed if _is_whole(candidate.evidence) else dropped("without evidence")
    placed = _placed(typed.candidate, ground)
    if placed.candidate is None:
        return placed
    lacking = _lacking(placed.candidate, candidate, ground)
    if lacking:
        return dropped(f"{lacking} in its value was not said")
    return placed if placed.outcome is not Outcome.PASSED else typed


def _typed(candidate: Candidate, ground: Ground) -> Verdict:
    field = ground.field
    if field is None or (candidate.is_withdrawal and candidate.value == ANY_VALUE):
        return passed(candidate)
    value = fitted(candidate.value, field, ground.call.zone)
    if value is None:
        is_choice = field.type is ValueType.CHOICE
        return dropped(
            "its value is none of the field's choices"
            if is_choice
            else f"its value is no {field.type}"
        )
    if value == candidate.value:
        return passed(candidate)
    return repaired(candidate, f"its value was put as {field.type}", value=value)


def _placed(candidate: Candidate, ground: Ground) -> Verdict:
    """Its words are where it says; else where they are in the same turn."""
    evidence = candidate.evidence
    if not evidence.words:
        return dropped("without evidence")
    turn = ground.turn_of(candidate)
    if turn is None:
        return dropped("it cites no turn of whoever is to have said it")
    if turn.text[evidence.start : evidence.end] == evidence.words and _is_whole(evidence):
        return passed(candidate)
    start = _nearest(evidence, turn)
    if start is None:
        return dropped("its words are not in the turn that it cites")
    end = start + len(evidence.words)
    moved = replace(evidence, words=turn.text[start:end], start=start, end=end)
    return repaired(candidate, "its words stand elsewhere in the turn", evidence=moved)


def _is_whole(evidence: Evidence) -> bool:
    return bool(evidence.words) and evidence.end - evidence.start == len(evidence.words)


def _nearest(evidence: Evidence, turn: Turn) -> int | None:
    """Where in the turn the words stand, closest to where they were said to be."""
    text, words = plain(turn.text), plain(evidence.words)
    if len(text.lower()) == len(text) and len(words.lower()) == len(words):
        text, words = text.lower(), words.lower()
    starts = []
    start = text.find(words)
    while start >= 0:
        starts.append(start)
        start = text.find(words, start + 1)
    return min(starts, key=lambda one: abs(one - evidence.start), default=None)


def _lacking(candidate: Candidate, before: Candidate, ground: Ground) -> str:
    """What of the value was not said, in the words that it may rest on."""
    turn, field = ground.turn_of(candidate), ground.field
    is_chosen = field is not None and field.type is ValueType.CHOICE
    if turn is None or is_chosen:  # a choice is one of a few words of ours
        return ""
    # An earlier check may have put words of earlier turns into it.
    is_of_more = (
        is_assent(candidate.evidence.words)
        or is_yes(candidate.evidence.words)
        or before.value != ground.given.value
        or (field is not None and (field.type in _ACROSS_TURNS or field.is_agreed))
    )
    evidence = candidate.evidence
    text = plain(turn.text)[max(0, evidence.start - MAX_AROUND) : evidence.end + MAX_AROUND]
    if is_of_more or "@" in candidate.value:
        earlier = [one for one in ground.turns if one.position < turn.position]
        said = [plain(one.text[:MAX_AROUND]) for one in earlier[-MAX_TURNS:]]
        text = " . ".join([*said, text])
    lacking = missing(candidate.value, text, at=turn.at, zone=ground.call.zone)
    if lacking == "a number" and _is_put_right(candidate, text, ground):
        return ""
    if lacking == "a name" and has_chinese(candidate.evidence.words):
        return ""  # 中文 is "Mandarin"
    return lacking


def _is_put_right(candidate: Candidate, text: str, ground: Ground) -> bool:
    """Its words put a part of a number right that was said before: "the last digit is a 7"."""
    words = plain(candidate.evidence.words)
    chinese = part_at(simplified(words), 0, len(words))
    part = part_in(words) or (chinese[0] if chinese else None)
    if part is None:
        return False
    position = candidate.evidence.position
    earlier = [one.text[:MAX_AROUND] for one in ground.turns if one.position < position]
    said = " . ".join([*map(plain, earlier[-MAX_TURNS:]), text])
    return is_mended(candidate.value, part, said)
