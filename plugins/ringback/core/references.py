"""Checks on whom and what a candidate is about: no pronoun, no "here", nobody else's value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from ringback.core.chinese import dates as chinese_dates
from ringback.core.chinese.signs import has_chinese, simplified
from ringback.core.dates import find_dates
from ringback.core.entities import PERSON, entity_ref
from ringback.core.ground import Ground, Verdict, dropped, passed, repaired
from ringback.core.owners import NOT_SAID, owner_of, person_spoken_of
from ringback.core.pointing import Aim, Pointer, pointed_at, pointer
from ringback.core.quantities import DOSES
from ringback.core.reading import ANY_VALUE
from ringback.core.relatives import ENGLISH
from ringback.core.spoken_codes import read_code
from ringback.records import SELF, Candidate, Kind, Outcome, Source, Turn
from ringback.schemas import Field
from ringback.schemas.declaration import ValueType
from ringback.text import folded

_PERSONS = frozenset("he him his she her hers they them their 他 她 他們 她們 他们 她们".split())  # noqa: SIM905
_THINGS = frozenset(
    [
        *"it this that these those one same 它 這個 那個 这个 那个 這筆 那筆 这笔 那笔".split(),  # noqa: SIM905
        *("this one", "that one", "the one", "the same", "the same one", "the other one"),
    ]
)
_IT_FIRST = re.compile(
    r"(?:it|this|that)(?='s\b|\s+(?:is|was|has|keeps?|does|doesn't|isn't|won't|can't|stopped|"
    r"broke|went|drops|dropped|fails|failed|crashed|just|still|always)\b)",
    re.IGNORECASE,
)
_ONE_FIRST = re.compile(r"(?:this|that|the \w+) one\b", re.IGNORECASE)
_MY_THING = re.compile(
    r"\b((?:my|our)\s+[a-z]{2,20}(?:\s+[a-z]{2,20})?)(?=\s+(?:is|was|has|had|have|keeps?|just|"
    r"still|stopped|broke|went|dropped|doesn't|isn't|won't|can't|again)\b|\s*[,.;!?]|\s*$)",
    re.IGNORECASE,
)
_PICKS = re.compile(r"\b(?:one|option|choice|former|latter)\b|[個个者]", re.IGNORECASE)
_WORD_START = re.compile(r"(?<![\w-])(?=\w)")

_DOSE = re.compile(rf"\s+\d[\d.,]*\s?(?:{'|'.join(sorted(DOSES))})\b.*", re.IGNORECASE)
"""What stands behind a medicine's name: another dose is of the same medicine."""

_PLACE_KEYS = frozenset({"address", "place", "location"})
_PLACE = (
    r"(?:(?:right|over|out|in|from|to|at)\s+)?(?:here|there)|(?:at |to )?(?:the )?(?:same|usual)"
    r" (?:place|address)(?: as (?:before|always|last time))?"
    r"|這裡|这里|這邊|这边|那裡|那里|那邊|那边|同一個地址|同一个地址|一樣的地址|一样的地址|老地方"
)
_NO_PLACE = re.compile(_PLACE)
_HAS_NO_PLACE = re.compile(rf"\b(?:{_PLACE})\b|(?:at |my )?home|my place")
_ADDRESS = re.compile(
    r"\b\d{1,5}[a-z]?\s+(?:[A-Z][\w'.]{0,20}\s+){1,4}?(?i:street|st|lane|ln|road|rd|avenue|ave|"
    r"drive|dr|court|place|boulevard|way|close|square|terrace|crescent|hill|gardens|row)\b"
    r"(?:,\s+[A-Z][a-z]{1,20}(?:\s[A-Z][a-z]{1,20})?)?"
    r"|[\u4e00-\u9fff]{1,12}[路街道](?:[一二三四五六七八九十\d]{1,3}段)?(?:\d{1,5}巷)?(?:\d{1,5}弄)?\d{1,5}[號号]"
)


def entity(candidate: Candidate, ground: Ground) -> Verdict:
    """It says whom and what it is about: a pronoun is put into words, or it is dropped."""
    if candidate.source is Source.SYSTEM:
        return passed(candidate)
    about = _subject(candidate, ground)
    if about.candidate is None:
        return about
    value = _value(about.candidate, ground)
    return about if value.outcome is Outcome.PASSED else value


def _subject(candidate: Candidate, ground: Ground) -> Verdict:
    name = folded(candidate.subject.rpartition(":")[2])
    if name in _PERSONS:
        ref = person_spoken_of(candidate, ground)
    elif name in _THINGS:
        things = [one.object for one in ground.said if one.object and not _is_person(one.object)]
        ref = things[-1] if things else ""
    else:
        return passed(candidate)
    if not ref:
        return dropped("whom it is about is not said")
    return repaired(candidate, "its subject was a pronoun", subject=ref)


def _value(candidate: Candidate, ground: Ground) -> Verdict:
    value, field = folded(candidate.value), ground.field
    is_of_person = field is not None and (
        field.type is ValueType.PERSON or field.object_kind == PERSON
    )
    if value in _PERSONS or (value in _THINGS and is_of_person):
        return _person_value(candidate, ground)
    if value in _THINGS:
        return _thing_value(candidate, ground)
    pointing = None if _is_unplaced(candidate) else pointer(candidate.value)
    if pointing is not None and not _is_of_place(candidate):
        return _pointed(candidate, ground, pointing)
    if field is not None and field.is_quoted and _is_of_dates(candidate, ground):
        return dropped("what it is about is not said")
    first = _IT_FIRST.match(candidate.value) if field is not None and field.is_quoted else None
    if first is None or ground.spoken(candidate) is None:
        return passed(candidate)
    thing = _thing_before(candidate, ground)
    if not thing:
        return dropped("what it is about is not said")
    named = thing + candidate.value[first.end() :]
    return repaired(candidate, "its value began with a pronoun", value=named)


def _person_value(candidate: Candidate, ground: Ground) -> Verdict:
    ref = person_spoken_of(candidate, ground)
    if not ref:
        return dropped("whom it names is not said")
    name = ref.rpartition(":")[2]
    shown = name if re.fullmatch(ENGLISH, name) else name.title()
    is_relation = ground.field is not None and ground.field.object_kind == PERSON
    linked = ref if is_relation else candidate.object
    return repaired(candidate, "its value was a pronoun", value=shown, object=linked)


def _thing_value(candidate: Candidate, ground: Ground) -> Verdict:
    same = [one for one in ground.said if one.key == candidate.key]
    if same:
        value, linked = same[-1].value, same[-1].object
        return repaired(candidate, "its value was a pronoun", value=value, object=linked)
    return _pointed(candidate, ground, Pointer(Aim.CALL))


def _pointed(candidate: Candidate, ground: Ground, pointing: Pointer) -> Verdict:
    """Put what words point at in their place; nothing is kept of what another call said."""
    if pointing.aim is Aim.CALL and any(one.key == candidate.key for one in ground.said):
        return _thing_value(candidate, ground)
    kind = ground.field.type if ground.field is not None else ValueType.TEXT
    if pointing.aim is Aim.CHOICE and kind not in _OPTIONS and not _PICKS.search(candidate.value):
        return passed(candidate)  # "the second floor", "later"
    is_date = kind is ValueType.DATE
    value = pointed_at(
        pointing, _options_before(candidate, ground), time_of=str if is_date else None
    )
    if value is None:
        return dropped("what it names is not said")
    return repaired(candidate, "its value was a pronoun", value=value)


def _options_before(candidate: Candidate, ground: Ground) -> list[str]:
    """The codes or dates of the nearest turn that has any, each once, in order."""
    read = _OPTIONS.get(ground.field.type) if ground.field is not None else None
    turn = ground.spoken(candidate)
    if read is None or turn is None:
        return []
    for _, text in ground.before(candidate, end=candidate.evidence.start):
        options = list(dict.fromkeys(read(text, turn, ground)))
        if options:
            return options
    return []


def _is_of_dates(candidate: Candidate, ground: Ground) -> bool:
    """It speaks of one of the dates that were offered: "the second one doesn't work"."""
    turn = ground.spoken(candidate)
    if turn is None or not _ONE_FIRST.match(candidate.value):
        return False
    _, *earlier = ground.before(candidate, end=candidate.evidence.start)
    return bool(earlier) and any(_dates(earlier[0][1], turn, ground))


def _codes(text: str, _turn: Turn, _ground: Ground) -> Iterator[str]:
    place = 0
    for start in _WORD_START.finditer(text):
        code = read_code(text, start.start()) if start.start() >= place else None
        if code is not None:
            place = code.end
            yield code.value


def _dates(text: str, turn: Turn, ground: Ground) -> Iterator[str]:
    reader = chinese_dates.find_dates if has_chinese(text) else find_dates
    for found in reader(simplified(text), turn.at, ground.call.zone, start=0, end=len(text)):
        yield found.value


_OPTIONS: Mapping[ValueType, Callable[[str, Turn, Ground], Iterator[str]]] = MappingProxyType(
    {ValueType.CODE: _codes, ValueType.DATE: _dates}
)


def _thing_before(candidate: Candidate, ground: Ground) -> str:
    """The caller's thing that was spoken of last: "my router"."""
    for _, text in ground.before(candidate, end=candidate.evidence.start):
        things = _MY_THING.findall(text)
        if things:
            return str(things[-1]).lower()
    return ""


def place(candidate: Candidate, ground: Ground) -> Verdict:
    """An address is an address: "here" and "the same place" are put into words, or dropped."""
    if candidate.source is Source.SYSTEM or not _is_unplaced(candidate):
        return passed(candidate)
    pointing = pointer(candidate.value)
    is_elsewhere = pointing is not None and pointing.aim is Aim.ELSEWHERE
    address = "" if is_elsewhere else _address_before(candidate, ground)
    if not address:
        return dropped("the place it names is not said")
    return repaired(candidate, "its place was not put into words", value=address)


def _is_unplaced(candidate: Candidate) -> bool:
    value = folded(candidate.value)
    if _NO_PLACE.fullmatch(value):
        return True
    if not _is_of_place(candidate):
        return False
    return bool(_HAS_NO_PLACE.search(value)) or pointer(value) is not None


def _is_of_place(candidate: Candidate) -> bool:
    return bool(_PLACE_KEYS & set(candidate.key.split("_")))


def _address_before(candidate: Candidate, ground: Ground) -> str:
    """The address that this call spoke of last; "" for none, or for two in one turn."""
    found = [
        (one.evidence.position, one.value)
        for one in ground.said
        if _is_of_place(one) and one.subject == candidate.subject
    ][-1:]
    for position, text in ground.before(candidate, end=candidate.evidence.start):
        if found and position <= found[0][0]:
            break
        addresses = set(_ADDRESS.findall(text))
        if addresses:
            return addresses.pop() if len(addresses) == 1 else ""
    return found[0][1] if found else ""


def relation(candidate: Candidate, ground: Ground) -> Verdict:
    """It is about the person that its words are about, and a relation names both ends."""
    owner = _owner(candidate, ground)
    if owner == NOT_SAID:
        return dropped("it is somebody else's, and whose is not said")
    subject = owner or candidate.subject
    linked = candidate.object or _object(candidate, ground.field)
    if (subject, linked) == (candidate.subject, candidate.object):
        return passed(candidate)
    reason = "its words are about somebody else" if owner else "what it names had no entity"
    return repaired(candidate, reason, subject=subject, object=linked)


def _owner(candidate: Candidate, ground: Ground) -> str:
    """Whose it is by the words, where it was taken for the caller's own; "" if it may be."""
    field = ground.field
    is_matter = field is not None and (
        field.is_quoted or field.is_agreed or field.kind is Kind.TASK
    )
    if candidate.subject != SELF or is_matter or candidate.source is Source.AGENT:
        return ""
    return owner_of(candidate, ground)


def _object(candidate: Candidate, field: Field | None) -> str:
    if field is None or not field.object_kind or candidate.value in ("", ANY_VALUE):
        return ""
    return entity_ref(field.object_kind, _DOSE.sub("", candidate.value))


def _is_person(ref: str) -> bool:
    return ref.startswith(f"{PERSON}:")
