"""What a schema says about each fact that there may be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from ringback.errors import SettingsError
from ringback.records import Cardinality, Durability, Kind, Scope, Sensitivity, Source
from ringback.schemas.asking_pattern import fault_of

ANYONE = (Source.CALLER, Source.AGENT, Source.INFERENCE)
_KEY = re.compile(r"[a-z][a-z0-9_]{0,39}")


class ValueType(StrEnum):
    """What a value looks like; the checks refuse what does not."""

    TEXT = "text"
    """Somebody's words, or a normalised phrase."""
    CODE = "code"
    """Digits and letters that count one by one: an account, an order, a contract."""
    NUMBER = "number"
    """A quantity, with its unit if it has one."""
    DATE = "date"
    """`2026-03-06`, or with a time and an offset."""
    PHONE = "phone"
    """E.164, or the digits as they were said."""
    EMAIL = "email"
    CHOICE = "choice"
    """One of the field's `choices`."""
    PERSON = "person"
    """A name."""
    CARD = "card"
    """A payment card: masked before it is written, unless a schema has such a field."""
    NATIONAL_ID = "national id"
    """As with cards."""
    BANK_ACCOUNT = "bank account"
    """An IBAN; as with cards."""


class Promotion(StrEnum):
    """When a candidate of this key becomes a fact."""

    STATED = "when it is stated"
    CONFIRMED = "provisional until it is said again or confirmed"
    REFUSED = "never: it is recognised so that it can be refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One key of a schema.

    Raises:
        SettingsError: It contradicts itself; the message names the key and the field.
    """

    key: str
    """E.g. `account_number`."""
    label: str
    """For people: "account number"."""
    sentence: str
    """For a language model, with `{value}`: short, plain, without a full stop."""
    sources: tuple[Source, ...]
    """Who may state it. The system of record always may."""
    type: ValueType = ValueType.TEXT
    choices: tuple[str, ...] = ()
    """Of a `CHOICE`, all its values."""
    cardinality: Cardinality = Cardinality.ONE
    kind: Kind = Kind.FACT
    scope: Scope = Scope.CALLER
    sensitivity: Sensitivity = Sensitivity.PERSONAL
    """Decides who may hear it; see `ringback.core.assurance`."""
    durability: Durability = Durability.LASTING
    promotion: Promotion = Promotion.STATED
    ttl_days: int | None = None
    """How long it holds: from the value's date if it is one, else from when it was said."""
    is_speakable: bool = True
    """False: never put into words for a caller."""
    is_agreed: bool = False
    """Caller and agent settle it together: the newest word counts, whoever said it."""
    is_quoted: bool = False
    """The value is somebody's own words, not a normalised value."""
    is_evidence: bool = False
    """For a language model, the words that were said stand in the place of the value."""
    look_up: str = ""
    """What to look up again before acting on it, where it is an event; "" is its label."""
    object_kind: str = ""
    """The value names an entity of this kind (`person`, `order`): the fact is a relation."""
    phrases: tuple[str, ...] = ()
    """How callers say it, each with one `{value}`: "I'm allergic to {value}"."""
    asked_by: tuple[str, ...] = field(default=(), hash=False)  # long; keys differ anyway
    """How people ask for it, in any language.

    Pieces with `…` between them stand in this order, at most 40 characters apart;
    alternatives in a piece are separated by `/` inside parentheses: `where … (live/stay)`,
    `住…哪`. Whole words for letters, case does not count; signs of Chinese, Japanese, Korean
    anywhere.
    """

    def __post_init__(self) -> None:
        for name, is_wrong, what in (
            ("key", not _KEY.fullmatch(self.key), "is lower case letters, digits and _"),
            ("sentence", self.sentence.count("{value}") != 1, "needs {value} once"),
            ("sources", not self.sources and not self._is_refused(), "names nobody"),
            ("choices", (self.type is ValueType.CHOICE) != bool(self.choices), "go with CHOICE"),
            ("ttl_days", self.ttl_days is not None and self.ttl_days < 1, "is at least 1"),
            ("is_agreed", self.is_agreed and len(self.sources) < 2, "needs two sources"),
            (
                "is_speakable",
                self.is_speakable and self.sensitivity is Sensitivity.SECRET,
                "contradicts a sensitivity of secret",
            ),
            (
                "kind",
                self.kind is Kind.INSTRUCTION and set(self.sources) - {Source.SYSTEM},
                "of an instruction is for the system of record alone",
            ),
            (
                "phrases",
                any(phrase.count("{value}") != 1 for phrase in self.phrases),
                "need {value} once each",
            ),
            ("asked_by", bool(fault := fault_of(self.asked_by)), fault),
        ):
            if is_wrong:
                raise SettingsError(f"schema field {self.key!r}: {name} {what}")

    def _is_refused(self) -> bool:
        return self.promotion is Promotion.REFUSED


@dataclass(frozen=True, slots=True)
class Schema:
    """The facts that may be kept.

    A closed schema refuses every other key; an open one keeps them as plain facts of the
    caller, each value once.

    Raises:
        SettingsError: Two fields have one key, or there is no field.
    """

    name: str
    fields: tuple[Field, ...]
    is_closed: bool = True
    _by_key: Mapping[str, Field] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_key", {field.key: field for field in self.fields})
        keys = [field.key for field in self.fields]
        twice = sorted({key for key in keys if keys.count(key) > 1})
        if twice:
            raise SettingsError(f"schema {self.name!r}: fields: two have the key {twice[0]!r}")
        if not keys and self.is_closed:
            raise SettingsError(f"schema {self.name!r}: fields: a closed schema needs one")

    def field(self, key: str) -> Field | None:
        """Look a key up; None when it is outside the schema."""
        found = self._by_key.get(key)
        if found is None and not self.is_closed and _KEY.fullmatch(key):
            return _plain_field(key)
        return found


def _plain_field(key: str) -> Field:
    label = key.replace("_", " ")
    return Field(
        key=key,
        label=label,
        sentence=f"The caller's {label} is {{value}}",
        sources=ANYONE,
        cardinality=Cardinality.MANY,
    )
