"""Checks on sense: nobody's echo, an event with its reason, something worth keeping."""

from __future__ import annotations

import re

from ringback.core.correction import exact
from ringback.core.ground import Ground, Verdict, dropped, passed, repaired
from ringback.core.heard import in_digits
from ringback.core.reading import ANY_VALUE
from ringback.core.timing import iso_day
from ringback.records import SELF, Candidate, Evidence, Kind, Source, Turn
from ringback.schemas import Field
from ringback.schemas.declaration import ValueType
from ringback.text import Span, is_filler, plain

TELLING_DIGITS = 3  # a value with fewer belongs to nobody in particular
MAX_REASON_CHARACTERS = 160

_OWN = re.compile(r"\b(?:my|mine|our|ours)\b|我的", re.IGNORECASE)
_REASON = re.compile(
    r"\b(?:because|due to|on account of|as a result of|owing to|thanks to)\b[^,.;!?]*"
    r"|(?:因為|因为|由於|由于)[^,，。;；!！?？]*",  # noqa: RUF001
    re.IGNORECASE,
)
_REASON_END = re.compile(r"\s+(?:and|so|but)\s+(?:i|we|you|they|can|could|now)\b.*", re.IGNORECASE)
_RULE = re.compile(
    r"\b(?:always|whenever|every ?time|each time|from now on|in general|as a rule|policy|"
    r"policies|entitled)\b|一律|每次|總是|总是|凡是|以後都|以后都",
    re.IGNORECASE,
)
_NOTHING = frozenset(
    [
        *"nothing none unknown unspecified something anything whatever n/a null 沒有 没有 無 无".split(),  # noqa: SIM905
        *("not sure", "no idea", "i don't know", "don't know", "not specified", "not provided"),
        *("不知道", "不清楚", "未知"),
    ]
)
_HESITATION = re.compile(
    r"(?:\b(?:uh|um|er|erm|hm|mm)\b[\s,.]*|\b(?:well|okay|ok|yes|yeah|so|right),\s*"
    r"|(?:嗯|呃|那個|那个)[,，\s]*)+",  # noqa: RUF001
    re.IGNORECASE,
)


def consistent(candidate: Candidate, ground: Ground) -> Verdict:
    """It does not contradict what the same call said: no echo, nobody else's number."""
    field = ground.field
    value = exact(candidate.value)
    same = [one for one in ground.said if one.key == candidate.key and exact(one.value) == value]
    is_agreed = field is not None and field.is_agreed
    is_echo = candidate.source is Source.AGENT and not is_agreed
    if is_echo and any(one.source is Source.CALLER for one in same):
        return dropped("the agent repeats what the caller said")
    owners = sorted({one.subject for one in same})
    if candidate.subject != SELF or not owners or SELF in owners or not _is_telling(candidate):
        return passed(candidate)
    found = ground.sentence_of(candidate)
    if found is not None and _OWN.search(found[0], found[1].start, found[1].end):
        return passed(candidate)
    if len(owners) > 1:
        return dropped("its value is of two others")
    return repaired(candidate, "its value is of somebody else in this call", subject=owners[0])


def _is_telling(candidate: Candidate) -> bool:
    """Two people do not share it by chance: a number, an address to write to."""
    return sum(map(str.isdigit, candidate.value)) >= TELLING_DIGITS or "@" in candidate.value


def cause(candidate: Candidate, ground: Ground) -> Verdict:
    """An event keeps the reason that was given for it, and never becomes a rule."""
    turn = ground.spoken(candidate)
    if turn is None:
        return passed(candidate)
    if _RULE.search(candidate.value) and not _RULE.search(turn.text):
        return dropped("a rule was made of what happened once")
    field = ground.field
    is_event = Kind.EVENT in (candidate.kind, field.kind if field else candidate.kind)
    if not is_event or not _is_told(candidate, field):
        return passed(candidate)
    reason = _reason_for(candidate, ground)
    if reason is None:
        return passed(candidate)
    text = plain(turn.text)
    words = text[reason.start : reason.end]
    if exact(words) in exact(candidate.value):
        return passed(candidate)
    return repaired(
        candidate,
        "the reason that was given belongs to it",
        value=f"{candidate.value.rstrip(' .')} {_lower_first(words)}".strip(),
        evidence=_widened(candidate.evidence, reason, turn),
    )


def _is_told(candidate: Candidate, field: Field | None) -> bool:
    """It is told in words, so that a reason can stand behind it."""
    return (field is None or field.type is ValueType.TEXT) and iso_day(candidate.value) is None


def _reason_for(candidate: Candidate, ground: Ground) -> Span | None:
    """The reason in the sentence of an event; not one that the event is the reason of."""
    found = ground.sentence_of(candidate)
    if found is None:
        return None
    text, sentence = found
    evidence = candidate.evidence
    for match in _REASON.finditer(text, sentence.start, sentence.end):
        words = _REASON_END.sub("", match.group()).rstrip()
        span = Span(match.start(), match.start() + len(words))
        is_reason_itself = span.start <= evidence.start and evidence.end <= span.end
        if not is_reason_itself and len(words) <= MAX_REASON_CHARACTERS:
            return span
    return None


def _widened(evidence: Evidence, reason: Span, turn: Turn) -> Evidence:
    start, end = min(evidence.start, reason.start), max(evidence.end, reason.end)
    return Evidence(
        call_id=evidence.call_id,
        position=evidence.position,
        words=turn.text[start:end],
        start=start,
        end=end,
        started_ms=evidence.started_ms,
        ended_ms=evidence.ended_ms,
    )


def _lower_first(words: str) -> str:
    return words[0].lower() + words[1:]


def important(candidate: Candidate, ground: Ground) -> Verdict:
    """It says something, and its turn says it once."""
    field = ground.field
    value = candidate.value.strip()
    if not value:
        return dropped("withdraws nothing" if candidate.is_withdrawal else "without a value")
    is_chosen = field is not None and field.type is ValueType.CHOICE
    is_of_all = candidate.is_withdrawal and value == ANY_VALUE
    if not is_chosen and not is_of_all and (is_filler(value) or exact(value) in _NOTHING):
        return dropped("it says nothing")
    if any(_is_repeat(one, candidate) for one in ground.said):
        return dropped("said already in the same turn")
    plain_value = value
    if candidate.source is not Source.SYSTEM and field is not None and field.is_quoted:
        plain_value = _HESITATION.sub("", value, count=1) if _HESITATION.match(value) else value
    if plain_value == value or not plain_value:
        return passed(candidate)
    return repaired(candidate, "hesitation is no part of it", value=plain_value)


def _is_repeat(one: Candidate, candidate: Candidate) -> bool:
    return (
        (one.key, one.subject, one.object, one.source, one.is_withdrawal)
        == (
            candidate.key,
            candidate.subject,
            candidate.object,
            candidate.source,
            candidate.is_withdrawal,
        )
        and one.evidence.position == candidate.evidence.position
        and in_digits(exact(one.value)) == in_digits(exact(candidate.value))
    )
