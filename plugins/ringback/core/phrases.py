"""Facts that a schema's own phrases find: any field, in English and in Chinese.

A field says how callers put it ("I'm allergic to {value}"); this reads it from a turn. So a
schema needs nothing here to be changed. What is asked, supposed or somebody else's is not
the caller's: a question or an "if" gives nothing, "my mother is" gives a fact about her, "I
might be" a guess, and "I'm not" a withdrawal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time
from functools import lru_cache

from ringback.core.dates import zone_of
from ringback.core.entities import entity_ref
from ringback.core.full_dates import read_since
from ringback.core.phrase_attitude import is_mocking, just_named
from ringback.core.phrase_context import Clause, clauses, hedged_after, lead_stance
from ringback.core.phrase_denial import Denial, denial, denied, label_pattern
from ringback.core.phrase_pattern import Phrase, Stance, chinese_stance, compiled, parsed, stance
from ringback.core.phrase_text import ANYTHING, NOTHING, REACH
from ringback.core.phrase_value import Place, Value, read_values
from ringback.core.reading import AMBIGUOUS, ANY_VALUE, Found, Reading
from ringback.core.relatives import named_before, person_before, person_ref
from ringback.records import SELF, Kind, Scope, Source
from ringback.schemas import Field, Schema
from ringback.schemas.declaration import ValueType
from ringback.text import folded

SCHEMAS_KEPT = 16  # parsed; a process has one or two

_CASE_NAMED = re.compile(
    r"\b(?P<kind>order|ticket|case|claim|booking|invoice|contract|shipment)\s{1,3}"
    r"(?:number\s{1,3}|no\.?\s{1,3}|#)?(?P<code>[a-z0-9]{0,12}(?:-?\d[a-z0-9]{0,12}){1,4}|(?-i:[A-Z])\b)",
    re.IGNORECASE,
)
_DONE_ONCE = re.compile(
    r"\b(?:waiv\w+|refund\w*|let you|letting you|keep\w*|kept|extend\w*|credit\w*|reduc\w+|remov\w+|"
    r"cancel\w*|allow\w*|gave you|give you|giving you|accept\w*|replac\w+|cover\w*|skip\w*)\b",
    re.IGNORECASE,
)
_EXCEPT = re.compile(
    r"[\s,]{1,4}(?:but|except(?: for)?|besides|apart from|other than|aside from)\s{1,3}",
    re.IGNORECASE,
)
_SINCE = re.compile(r"[\s,]{0,3}since\s{1,3}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Spoken:
    """A field with its phrases, ready to be looked for."""

    field: Field
    phrases: tuple[Phrase, ...]
    denial: Denial


@dataclass(frozen=True, slots=True)
class _Said:
    """A phrase where it was said: of whom, in which sense, and with what at its place."""

    start: int
    end: int
    """Of the words, the value's and those behind it included."""
    subject: str
    stance: Stance
    values: tuple[Value, ...]


def reader(schema: Schema, source: Source) -> Callable[[Reading], Iterator[Found]]:
    """Make the extractor of a schema's phrases for the turns of one side.

    Args:
        schema: Fields without phrases are left to other extractors.
        source: Whose turns these are; fields that it may not state are not looked for.

    Returns:
        An extractor. In a turn, of two finds for one key whose words overlap, the first is
        kept; `ANY_VALUE` is the value where everything is denied.
    """
    spoken = _spoken(schema, source)
    return lambda reading: _read(reading, spoken)


@lru_cache(maxsize=SCHEMAS_KEPT)
def _spoken(schema: Schema, source: Source) -> tuple[_Spoken, ...]:
    return tuple(
        _Spoken(field, tuple(parsed(phrase) for phrase in field.phrases), denial(field))
        for field in schema.fields
        if field.phrases and (source in field.sources or not field.sources)
    )


def _read(reading: Reading, spoken: tuple[_Spoken, ...]) -> Iterator[Found]:
    for clause in clauses(reading.text):
        for one in spoken:
            taken: list[Found] = []
            for found in _in_clause(reading, clause, one):
                if not any(found.start < other.end and other.start < found.end for other in taken):
                    taken.append(found)
            yield from taken


def _in_clause(reading: Reading, clause: Clause, spoken: _Spoken) -> Iterator[Found]:
    field = spoken.field
    yield from _denied(reading, clause, spoken)
    for phrase in spoken.phrases:
        if phrase.anchor in clause.lowered:
            for said in _matches(reading, clause, phrase, field):
                yield from _founds(reading, said, phrase, field)


def _denied(reading: Reading, clause: Clause, spoken: _Spoken) -> Iterator[Found]:
    """Everything denied at once, or all but what is excepted: that is stated."""
    key = spoken.field.key
    for span in denied(reading.text, clause, spoken.denial):
        subject = _subject(reading.text, span.who, span.start)
        if not subject:
            continue
        is_guess = span.confidence == AMBIGUOUS
        found = Found(
            key, "", span.start, span.end, span.confidence, subject, is_speculation=is_guess
        )
        excepted = _excepted(reading, span.end, clause.end, spoken.field)
        for value in excepted:
            yield replace(found, value=value.value, start=value.start, end=value.end)
        if not excepted:
            yield replace(found, value=ANY_VALUE, is_withdrawal=True)


def _excepted(reading: Reading, start: int, end: int, field: Field) -> tuple[Value, ...]:
    """What is left out of a denial: of "nothing but penicillin", penicillin."""
    cue = _EXCEPT.match(reading.text, start, end)
    return read_values(field, reading, Place(cue.end(), end, "", False)) if cue else ()


def _matches(reading: Reading, clause: Clause, phrase: Phrase, field: Field) -> Iterator[_Said]:
    if not phrase.before:
        yield from _behind_value(reading, clause, phrase, field)
        return
    text = reading.text
    for match in compiled(phrase.before).finditer(text, clause.start, clause.end):
        subject = _subject(text, match.groupdict().get("who") or "", match.start())
        if not subject or (subject != SELF and field.type is ValueType.PERSON):
            continue  # another person's name is a relation's to give
        limit = min(clause.end, match.end() + REACH)
        after = compiled(phrase.after).search(text, match.end(), limit) if phrase.after else None
        if phrase.after and after is None:
            continue
        sense = _stance(text, clause, phrase, match, after)
        if phrase.is_naming and field.type is ValueType.PERSON:
            sense = Stance()  # "if my daughter Ana finds a job" has a daughter
        if sense is None or is_mocking(text, clause, match, field):
            continue
        place = Place(
            match.end(), after.start() if after else clause.end, phrase.last_word, phrase.is_chinese
        )
        values = read_values(field, reading, place) or just_named(reading, clause, match, field)
        if values and (after is None or _reaches(text, values[-1].end, after.start())):
            end = after.end() if after else values[-1].end
            said = _Said(match.start(), end, subject, sense, values)
            yield _but_for(reading, clause, said, field)


def _but_for(reading: Reading, clause: Clause, said: _Said, field: Field) -> _Said:
    """Turn "I'm not allergic to anything but nuts" into what it states: nuts."""
    first, *more = said.values
    is_denied = said.stance.is_negated != (first.value.lower() in NOTHING)
    if more or not is_denied or not _is_anything(first, field):
        return said
    excepted = _excepted(reading, said.end, clause.end, field)
    if not excepted:
        return said
    sense = replace(said.stance, is_negated=False)
    return replace(said, values=excepted, end=excepted[-1].end, stance=sense)


def _behind_value(
    reading: Reading, clause: Clause, phrase: Phrase, field: Field
) -> Iterator[_Said]:
    """Read phrases that begin with the value: "{value} makes me sick"."""
    text = reading.text
    for after in compiled(phrase.after).finditer(text, clause.start, clause.end):
        start = clause.part_start(text, after.start())
        sense = lead_stance(text, clause, start)
        values = read_values(field, reading, Place(start, after.start(), "", phrase.is_chinese))
        if sense and values and _reaches(text, values[-1].end, after.start()):
            yield _Said(values[0].start, after.end(), SELF, sense, values)


def _reaches(text: str, end: int, after: int) -> bool:
    """Nothing stands between a value and the words behind it: "I'm 34 and I'm tall" is no height."""
    return not text[end:after].strip(" ,的了")


def _stance(
    text: str,
    clause: Clause,
    phrase: Phrase,
    match: re.Match[str],
    after: re.Match[str] | None,
) -> Stance | None:
    """The sense of the whole: from the words before it, in it, and behind it."""
    lead = lead_stance(text, clause, match.start())
    group = match.groupdict().get("group") or ""
    if phrase.is_chinese:
        own: Stance | None = chinese_stance(group + (after["tail"] if after else ""))
    else:
        own = stance(group, phrase.verb)
    if lead is None or own is None:
        return None
    return Stance(
        is_negated=own.is_negated != lead.is_negated,
        is_hedged=own.is_hedged or lead.is_hedged,
        is_over=own.is_over,
    )


def _subject(text: str, who: str, place: int) -> str:
    """Of whom it is said; empty when that cannot be told."""
    said = who.lower()
    if said in {"", "i", "my", "mine", "我", "我們", "我们"}:
        return SELF
    if said in {"he", "she", "his", "her", "hers", "他", "她"}:
        return person_before(text, 0, place) or named_before(text, place)
    person = re.sub(r"^(?:my\s+|我的?)|'s$", "", who, flags=re.IGNORECASE)
    return person_ref(person)


def _founds(reading: Reading, said: _Said, phrase: Phrase, field: Field) -> Iterator[Found]:
    """Finds of one phrase: the first holds its words, further ones of a list their own."""
    sense = said.stance
    subject = _case_subject(reading.text, said, field)
    if not subject or not _is_clear(sense, phrase):
        return
    is_against = sense.is_negated or sense.is_over or phrase.is_withdrawal
    is_denial = is_against or phrase.is_negative  # "not nuts or eggs" leaves no choice
    is_hedged = sense.is_hedged or hedged_after(reading.text, said.end)
    valid_from = _since(reading, said.end)
    for place, value in enumerate(said.values):
        read = _fitted(value, field, is_against=is_against)
        if read is None:
            continue
        fitted, is_withdrawal = read
        is_unsure = is_hedged or (value.is_alternative and not is_denial)
        yield Found(
            field.key,
            fitted,
            value.start if place else said.start,
            said.end if len(said.values) == 1 else value.end,
            min(value.confidence, AMBIGUOUS) if is_unsure else value.confidence,
            subject=subject,
            object=entity_ref(field.object_kind, value.name) if _is_named(value, field) else "",
            is_withdrawal=is_withdrawal,
            is_speculation=is_unsure,
            valid_from=None if is_withdrawal else valid_from,
        )


def _is_clear(sense: Stance, phrase: Phrase) -> bool:
    """Denied once at most: "I never used to" and "I don't hate" say neither yes nor no."""
    return sense.is_negated + sense.is_over + phrase.is_withdrawal <= 1


def _is_named(value: Value, field: Field) -> bool:
    return bool(value.name and field.object_kind)


def _fitted(value: Value, field: Field, *, is_against: bool) -> tuple[str, bool] | None:
    """The value and whether it is withdrawn; None when it is no value."""
    if _is_anything(value, field):
        is_none = value.value.lower() in NOTHING
        return (ANY_VALUE, True) if is_against != is_none else None
    if field.type is ValueType.TEXT and compiled(label_pattern(field.label)).fullmatch(value.value):
        return None  # "I take medication"
    if is_against and field.type is ValueType.CHOICE:
        opposites = {f"not {folded(value.value)}", f"non-{folded(value.value)}"}
        opposite = next((one for one in field.choices if folded(one) in opposites), "")
        if opposite:
            return opposite, False
    return value.value, is_against


def _is_anything(value: Value, field: Field) -> bool:
    return field.type is ValueType.TEXT and bool(ANYTHING.fullmatch(value.value))


def _case_subject(text: str, said: _Said, field: Field) -> str:
    """An event of one case speaks of the order, claim, ... that its words name.

    Where they name none, they must say what was done: "let you keep the old price". A bare
    "I've made an exception for you" would be a rule, and speaks of nothing.
    """
    if field.kind is not Kind.EVENT or field.scope is not Scope.CASE or said.subject != SELF:
        return said.subject
    named = _CASE_NAMED.search(text, said.start, said.end)
    if named:
        return entity_ref(named["kind"].lower(), named["code"])
    return SELF if _DONE_ONCE.search(text, said.start, said.end) else ""


def _since(reading: Reading, end: int) -> datetime | None:
    """From when on it is said to hold: "since January 2024"."""
    cue = _SINCE.match(reading.text, end)
    if cue is None:
        return None
    zone = zone_of(reading.zone) or UTC
    first = read_since(reading.text, cue.end(), reading.at.astimezone(zone).date())
    if first is None or first.day > reading.at.astimezone(zone).date():
        return None
    return datetime.combine(first.day, time(), zone).astimezone(UTC)
