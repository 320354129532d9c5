"""The state of what a call is about: records that tools returned, and which of them is meant.

A tool's result is data of the application. What looks like a record in it (a mapping with an
id or a number of its own) is kept for as long as the call lasts, so that "the other one" is a
record that was looked up and not a guess.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ringback.core.staging import topical
from ringback.core.wording import rough_tokens, safe
from ringback.records import ToolUse
from ringback.text import folded

MAX_RECORDS = 24  # of a call; those go that no tool has returned for longest
MAX_FIELDS = 6  # of a record, those first that tell it from others
MAX_FIELD_CHARACTERS = 48
MAX_DEPTH = 6
MAX_RESULT_CHARACTERS = 200_000  # of a result that came as text
CASE_TOKENS = 80  # of the lines together

CASE_HEAD = "Looked up earlier in this call:"

_ID = re.compile(
    r"^(?:id|no|nr|number|code|reference|ref|sku|uuid|key)$|(?:_|-)(?:id|no|nr|number|code|ref|reference|sku)$"
    r"|(?<=[a-z])(?:Id|ID|No|Number|Code|Ref)$|編號$|编号$|單號$|单号$|號碼$|号码$"
)
_VERBS = frozenset(
    "get find search look lookup up fetch list read show query load check retrieve call by for all my".split()  # noqa: SIM905
)
_OTHER = re.compile(
    r"\b(?:the|that|this|my|your|our)\s+other\b(?!\s+(?:day|time|week|night|hand|side|end|way|person|guy|"
    r"line|people|thing|things)\b)|\banother one\b"
    r"|另外?的?[一那這这]?[筆笔個个張张件份支台單单]|另外(?:那|的|一)|[別别]的?那?[筆笔個个張张件份單单]|其他那[筆笔個个張张件]",
    re.IGNORECASE,
)
_NTH = (
    (0, re.compile(r"\bthe (?:first|former)(?: \w+)?\b|第一[筆笔個个張张件份支單单]|前者", re.I)),
    (1, re.compile(r"\bthe second(?: \w+)?\b|第二[筆笔個个張张件份支單单]", re.I)),
    (2, re.compile(r"\bthe third(?: \w+)?\b|第三[筆笔個个張张件份支單单]", re.I)),
    (
        -1,
        re.compile(
            r"\bthe (?:last|latter)(?: one)\b|最後一?[筆個張件]|最后一?[笔个张件]|後者|后者", re.I
        ),
    ),
)
_BY_WORD = re.compile(
    r"\b(?:the|that|my)\s+(?P<what>[\w' -]{2,40}?)\s+(?:one|order|booking|ticket|item|case|claim|"
    r"appointment|account|invoice|package|parcel|reservation|policy|subscription)\b"
    r"|(?P<zh>[\u4e00-\u9fff]{1,8}?)的?[那這这]一?[筆笔個个張张件份支台單单]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class CaseRecord:
    """One thing of the application that a tool returned in this call."""

    kind: str
    """In one word, from the field or the tool: `order`; "" where nothing says it."""
    id: str
    fields: tuple[tuple[str, str], ...]
    """Names and values, without the id; capped."""
    turn: int
    """How many turns had been observed when it was last returned."""

    @property
    def text(self) -> str:
        """In one line: "order 7714: item filter cup; total 25.00"."""
        told = "; ".join(f"{name} {value}" for name, value in self.fields)
        return f"{self.kind or 'record'} {self.id}" + (f": {told}" if told else "")


class CaseState:
    """The records of one call, and what is spoken of now; a state machine, bounded."""

    def __init__(self) -> None:
        self._records: dict[tuple[str, str], CaseRecord] = {}  # as they were first returned
        self._returned: dict[tuple[str, str], None] = {}  # the newest last
        self._spoken_of: list[tuple[str, str]] = []  # the newest last

    @property
    def records(self) -> tuple[CaseRecord, ...]:
        """All of them, as they were first returned."""
        return tuple(self._records.values())

    def take(self, use: ToolUse, *, turn: int) -> None:
        """Note what a tool returned; a record that is known is as it is returned now."""
        found = records_in(use, turn=turn)
        for record in found:
            key = (record.kind, record.id)
            self._records[key] = record
            self._returned.pop(key, None)
            self._returned[key] = None
        while len(self._records) > MAX_RECORDS:
            gone = next(iter(self._returned))
            del self._records[gone], self._returned[gone]
            self._spoken_of = [one for one in self._spoken_of if one != gone]
        named = _strings(use.arguments)
        asked_for = [one for one in found if one.id in named]
        if len(found) == 1 or asked_for:
            self._focus((asked_for or found)[0])

    def mention(self, text: str) -> None:
        """Note which record a turn names, by its id or by a value that it alone has."""
        if self._records:
            for record in self._named_in(text):
                self._focus(record)

    def meant(self, said: str) -> CaseRecord | None:
        """The record that words point at which do not name it; None where that is not clear."""
        if not self._records or self._by_id(said):
            return None
        if _OTHER.search(said):
            return self._other()
        of_kind = self._of_one_kind()
        for place, words in _NTH:
            if words.search(said):
                return of_kind[place] if len(of_kind) > max(place, 0) and len(of_kind) > 1 else None
        named = self._named_in(said) if _BY_WORD.search(said) else ()
        return named[0] if len(named) == 1 else None

    def forget(self) -> None:
        """Know no record any more."""
        self._records.clear()
        self._returned.clear()
        self._spoken_of.clear()

    def _focus(self, record: CaseRecord) -> None:
        key = (record.kind, record.id)
        self._spoken_of = [one for one in self._spoken_of if one != key] + [key]

    def _other(self) -> CaseRecord | None:
        """The one of the same kind that is not spoken of; of several, the one before it."""
        if not self._spoken_of:
            return None
        present = self._spoken_of[-1]
        others = [key for key in self._records if key != present and key[0] == present[0]]
        if len(others) == 1:
            return self._records[others[0]]
        earlier = [key for key in self._spoken_of[:-1] if key in others]
        return self._records[earlier[-1]] if len(earlier) == 1 else None

    def _of_one_kind(self) -> list[CaseRecord]:
        kinds = {record.kind for record in self.records}
        kind = self._spoken_of[-1][0] if self._spoken_of else next(iter(kinds), "")
        return [record for record in self.records if record.kind == kind]

    def _by_id(self, text: str) -> tuple[CaseRecord, ...]:
        words = folded(text)
        return tuple(one for one in self.records if _holds(words, folded(one.id)))

    def _named_in(self, text: str) -> tuple[CaseRecord, ...]:
        """Records that a text names: by id; else the only one that shares its words."""
        if by_id := self._by_id(text):
            return by_id
        words = topical(text)
        shared = {
            record: len(words & topical(" ".join(value for _, value in record.fields)))
            for record in self.records
        }
        most = max(shared.values(), default=0)
        best = [record for record, count in shared.items() if count == most]
        return (best[0],) if most and len(best) == 1 else ()


def render_cases(records: Sequence[CaseRecord], *, max_tokens: int = CASE_TOKENS) -> str:
    """Records in a line each, the newest first, as far as they fit; empty without any."""
    lines = [CASE_HEAD]
    for record in sorted(records, key=lambda one: -one.turn):
        line = f"- {record.text}"
        if rough_tokens("\n".join([*lines, line])) > max_tokens:
            break
        lines.append(line)
    return "\n".join(lines) if len(lines) > 1 else ""


def render_meant(record: CaseRecord) -> str:
    """Say which record the caller's words point at."""
    return f"Here the caller means {record.text}."


def records_in(use: ToolUse, *, turn: int = 0) -> tuple[CaseRecord, ...]:
    """The records in what a tool returned: mappings with an id of their own, at any depth.

    Args:
        use: The tool's name gives the kind where no field does (`get_order`).
        turn: See `CaseRecord.turn`.
    """
    result = _parsed(use.result)
    kind = _kind_of_tool(use.name)
    found = {(record.kind, record.id): record for record in _records(result, kind, turn, MAX_DEPTH)}
    return tuple(found.values())[:MAX_RECORDS]


def _parsed(result: Any) -> Any:
    if not isinstance(result, str):
        return result
    try:
        return json.loads(result) if len(result) <= MAX_RESULT_CHARACTERS else None
    except (ValueError, RecursionError):
        return None


def _records(value: Any, kind: str, turn: int, depth: int) -> Iterator[CaseRecord]:
    if depth == 0:
        return
    if isinstance(value, Mapping):
        record = _record(value, kind, turn)
        if record is not None:
            yield record
        for name, inner in value.items():
            if isinstance(inner, Mapping | list | tuple):
                yield from _records(inner, _singular(str(name)), turn, depth - 1)
    elif isinstance(value, list | tuple):
        for inner in value[: MAX_RECORDS * 2]:
            yield from _records(inner, kind, turn, depth - 1)


def _record(value: Mapping[Any, Any], kind: str, turn: int) -> CaseRecord | None:
    plain = {
        str(name): _plain(inner)
        for name, inner in value.items()
        if isinstance(inner, str | int | float) and not isinstance(inner, bool)
    }
    ids = [name for name in plain if _ID.search(name) and plain[name]]
    if not ids or len(plain) < 2:
        return None
    of_kind = next((name for name in ids if kind and folded(name).startswith(folded(kind))), "")
    own = of_kind or next((name for name in ids if name.lower() in ("id", "number")), ids[0])
    named = re.sub(r"[_-]?(?:id|no|nr|number|code|ref|reference|sku)$", "", own, flags=re.I)
    fields = tuple((_label(name), text) for name, text in plain.items() if name != own and text)
    return CaseRecord(_label(named) or kind, plain[own], fields[:MAX_FIELDS], turn)


def _plain(value: object) -> str:
    return safe(str(value), MAX_FIELD_CHARACTERS)


def _label(name: str) -> str:
    return safe(re.sub(r"[_-]+", " ", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)).lower(), 24)


def _kind_of_tool(name: str) -> str:
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower().split("_")
    told = [word for word in words if word and word not in _VERBS]
    return _singular(told[-1]) if told else ""


def _singular(name: str) -> str:
    plain = _label(name)
    if plain in ("results", "result", "items", "data", "records", "rows", "response"):
        return ""
    return re.sub(r"(?<=[^s])s$", "", re.sub(r"ies$", "y", plain))


def _strings(value: object, depth: int = MAX_DEPTH) -> frozenset[str]:
    inner: Iterable[object] = ()
    if isinstance(value, Mapping):
        inner = value.values()
    elif isinstance(value, list | tuple):
        inner = value
    if inner:
        deeper = (_strings(one, depth - 1) for one in inner) if depth else ()
        return frozenset().union(*deeper)
    return frozenset({str(value)}) if isinstance(value, str | int) else frozenset()


def _holds(words: str, name: str) -> bool:
    """The name stands in the words by itself, with no digit or letter at either side."""
    return bool(re.search(rf"(?<![0-9a-z]){re.escape(name)}(?![0-9a-z])", words))
