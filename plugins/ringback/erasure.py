"""What is to be forgotten, what went, and what keeps it from coming back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from ringback.records import Fact, Role, content_id

BLOT = "\u2588"
"""Stands for one forgotten character of a turn that stays."""


class Forgotten(StrEnum):
    """What an erasure is about."""

    FACT = "fact"
    CALL = "call"
    PROFILE = "profile"


@dataclass(frozen=True, slots=True)
class Redaction:
    """A turn's words with the forgotten ones blotted out, character by character.

    The length stays, so that other facts' evidence still points at its words.
    """

    call_id: str
    position: int
    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Erasure:
    """What is to be deleted, in one transaction."""

    tenant: str
    what: Forgotten
    target_id: str
    """The fact's, the call's or the profile's id."""
    caller_id: str | None
    at: datetime
    fact_ids: tuple[str, ...] = ()
    """Of a fact: all its versions, and what repeats it."""
    redactions: tuple[Redaction, ...] = ()
    """Each of these calls is summarised anew."""
    summarised_anew: tuple[str, ...] = ()
    """Further calls whose summary goes, by id: they told it, but their turns are gone."""
    reworded: tuple[tuple[str, str], ...] = ()
    """Facts that stay, by id, and their evidence's words as they stand in the turn now."""
    restored: tuple[Fact, ...] = ()
    """Facts that are current again because what had replaced them goes."""
    tombstones: tuple[str, ...] = ()
    """See `fact_tombstone` and `call_tombstone`."""

    @property
    def changed_calls(self) -> tuple[str, ...]:
        """Calls that stay and are read anew, by id."""
        redacted = (one.call_id for one in self.redactions)
        return tuple(dict.fromkeys((*redacted, *self.summarised_anew)))


@dataclass(frozen=True, slots=True)
class ErasureReceipt:
    """What went, exactly: numbers and ids, never words."""

    tenant: str
    what: Forgotten
    target_id: str
    caller_id: str | None
    at: datetime
    removed: tuple[tuple[str, int], ...]
    """Place by place (see `ringback.places`), how much."""
    call_ids: tuple[str, ...]
    """The calls that were deleted, for whoever keeps something beside this memory."""
    scrub_ms: int
    """How long it took to clear indexes, logs and free pages."""


@dataclass(frozen=True, slots=True)
class Look:
    """One read path, asked again after something was forgotten."""

    path: str
    """E.g. `recall`, `briefing`, `history`, `files`."""
    is_clean: bool
    detail: str = ""
    """How often and where it still answered; without speech."""


@dataclass(frozen=True, slots=True)
class Erased:
    """What was forgotten, and what every read path answers since."""

    receipt: ErasureReceipt
    looks: tuple[Look, ...]

    @property
    def is_clean(self) -> bool:
        """Nothing answers any more."""
        return all(look.is_clean for look in self.looks)


def fact_tombstone(tenant: str, call_id: str, position: int, key: str, subject: str) -> str:
    """Where a forgotten fact was said, and under which key: nothing of what it said."""
    return content_id("fact", tenant, call_id, position, key, subject)


def call_tombstone(tenant: str, call_id: str) -> str:
    """A forgotten call."""
    return content_id("call", tenant, call_id)
