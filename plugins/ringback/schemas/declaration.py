"""What a schema says about each fact that there may be."""

from __future__ import annotations

from dataclasses import dataclass

from ringback.records import Cardinality, Kind, Scope, Sensitivity, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One key of a schema."""

    key: str
    """E.g. `account_number`."""
    label: str
    """For people: "account number"."""
    sentence: str
    """For a language model, with `{value}`: short, plain, without a full stop."""
    sources: tuple[Source, ...]
    """Who may state it. The system of record always may."""
    cardinality: Cardinality = Cardinality.ONE
    kind: Kind = Kind.FACT
    scope: Scope = Scope.CALLER
    ttl_days: int | None = None
    """How long it holds: from the value's date if it is one, else from when it was said."""
    sensitivity: Sensitivity = Sensitivity.PERSONAL
    """Decides who may hear it; see `ringback.core.assurance`."""
    is_agreed: bool = False
    """Caller and agent settle it together: the newest word counts, whoever said it."""
    is_quoted: bool = False
    """The value is somebody's own words, not a normalised value."""
    is_evidence: bool = False
    """For a language model, the words that were said stand in the place of the value."""


@dataclass(frozen=True, slots=True)
class Schema:
    """The facts that may be kept; anything else is refused."""

    name: str
    fields: tuple[Field, ...]

    def field(self, key: str) -> Field | None:
        """Look a key up; None when it is outside the schema."""
        return next((field for field in self.fields if field.key == key), None)
