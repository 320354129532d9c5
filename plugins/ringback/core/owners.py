"""Whose a value is, by the words around it: "mine", "my mother's", "his"."""

from __future__ import annotations

import re

from ringback.core.entities import PERSON
from ringback.core.ground import Ground
from ringback.core.relatives import CHINESE, ENGLISH, NAMED, person_before, person_ref, relation
from ringback.records import Candidate
from ringback.text import Span

NOT_SAID = "?"
"""Somebody else's, but nobody says whose."""

_IS = (
    r"\s+(?:is|was|has|had|takes|lives|works|likes|loves|enjoys|hates|dislikes|eats|speaks|smokes|"
    r"weighs|prefers|needs|can't|cannot|doesn't|isn't|moved)\b"
)
_SELF = re.compile(
    rf"\b(?:mine|i|me|we|us|this is|(?:my|our)(?!\s+(?:\w+\s+)?{ENGLISH}))\b"
    rf"|我(?!(?:的)?{CHINESE})",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    rf"\b(?:my|our)\s+(?:\w+\s+)?(?P<english>{ENGLISH})(?P<name>{NAMED}?)(?:'s\b|{_IS})"
    rf"|我(?:的)?(?P<chinese>{CHINESE})(?=[的是對对有住在])",
    re.IGNORECASE,
)
_THEIRS = re.compile(
    r"\b(?:his|their|her)(?=\s+(?!(?:my|our|the|an?)\b)[a-z])|[他她](?:們|们)?(?=的)",
    re.IGNORECASE,
)
_THEY = re.compile(rf"\b(?:he|she)(?='s\b|{_IS})|[他她](?:們|们)?(?=[是對对有住在])", re.IGNORECASE)
_AFTER = re.compile(
    r"[\s,;-]*(?:(?:but|and)\s+)?(?:that's|that is|it's|it is|that was)\s+(?:for\s+)?"
    rf"(?:(?P<not>not\s+(?:mine|me)\b)|(?:my|our)\s+(?:\w+\s+)?(?P<english>{ENGLISH})(?P<name>{NAMED}?))",
    re.IGNORECASE,
)
_ANY_RELATIVE = re.compile(rf"\bmy\s+(?:\w+\s+)?{ENGLISH}|我(?:的)?{CHINESE}", re.IGNORECASE)
_YOUR = re.compile(r"\byour\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[,;，；]|\b(?:and|but|so|because)\b", re.IGNORECASE)  # noqa: RUF001


def owner_of(candidate: Candidate, ground: Ground) -> str:
    """Whose a value is, if its sentence says that it is not the caller's own.

    Returns:
        The person's reference, `NOT_SAID`, or "" when the words leave it the caller's.
    """
    found = ground.sentence_of(candidate)
    if found is None:
        return ""
    text, sentence = found
    value = _place_of(candidate, text)
    after = _AFTER.match(text, value.end, sentence.end)
    if after and not candidate.is_withdrawal:  # "I'm not, that's my sister" is of both
        return NOT_SAID if after["not"] else _ref(after)
    cues = [
        cue
        for pattern in (_SELF, _RELATIVE, _THEIRS, *(() if _names_a_person(ground) else (_THEY,)))
        for cue in pattern.finditer(text, sentence.start, value.start)
    ]
    cue = max(cues, key=lambda match: (match.end(), match.start()), default=None)
    if cue is None or cue.re is _SELF or _CLAUSE.search(text, cue.end(), value.start):
        return ""
    if cue.re is _RELATIVE:
        return "" if _is_asked_for(cue, ground) else _ref(cue)
    return person_spoken_of(candidate, ground) or NOT_SAID


def _names_a_person(ground: Ground) -> bool:
    """The value is itself a person: "she is called Rosa" is of her whom it names."""
    return ground.field is not None and ground.field.object_kind == PERSON


def _is_asked_for(cue: re.Match[str], ground: Ground) -> bool:
    """The field is about that very person: "my mother's name is Rosa" is of `mother`."""
    word = (cue["english"] or cue["chinese"]).lower()
    field = ground.field
    return field is not None and (
        field.key == relation(word) or any(word in phrase for phrase in field.phrases)
    )


def person_spoken_of(candidate: Candidate, ground: Ground) -> str:
    """Whom "he" or "she" means: the one person that was spoken of last.

    Returns:
        Their reference; "" when nobody was spoken of, or two in the same turn.
    """
    for _, text in ground.before(candidate, end=candidate.evidence.end):
        of_caller = _YOUR.sub("my", text)  # the agent says "your mother"
        ref = person_before(of_caller, 0, len(of_caller))
        if ref or _ANY_RELATIVE.search(of_caller):
            return ref
    people = [
        ref
        for one in ground.said
        for ref in (one.subject, one.object)
        if ref.startswith(f"{PERSON}:")
    ]
    return people[-1] if people else ""


def _place_of(candidate: Candidate, text: str) -> Span:
    """Where the value stands within its evidence; the end of it when it is said otherwise."""
    evidence = candidate.evidence
    start = text.lower().find(candidate.value.lower(), evidence.start, evidence.end)
    if start < 0:
        return Span(evidence.end, evidence.end)
    return Span(start, start + len(candidate.value))


def _ref(match: re.Match[str]) -> str:
    groups = match.groupdict()
    word = groups.get("english") or groups.get("chinese") or ""
    return person_ref(f"{word} {(groups.get('name') or '').strip(' ,')}")
