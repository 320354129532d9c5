"""What memory is made of: frozen records, and the words for them.

One word for one thing, here and everywhere:

- *call*: one conversation with one line; *turn*: what one speaker said in one go;
  *speaker*: whoever is heard; *caller*: a person who calls; *handle*: a claim of who is
  calling (a number, a SIP URI, a CRM id, a device, a web user).
- *fact*: one thing kept about a caller, with the *evidence* it came from; *candidate*: a
  fact that nobody has decided on yet; *schema*: which facts there may be.
- *case*: an open matter: what is unresolved, and what was promised about it.
- *briefing*: what is ready before the first word; *journal*: what happened and is not
  settled yet; *job*: work that follows from it; *receipt*: when a turn is on disk.
- *profile*: what is kept about a caller, an agent or a team, under one id;
  *entity*: what a fact speaks of inside a profile (`self`, `person:rosa`, `order:a-17`).
- *supersede*, *retire*, *expire*, *forget*: ways in which a fact ends; *tombstone*: what
  keeps late work from bringing a forgotten thing back, without holding it.
- *cue*: what retrieval is asked with; *recall*: its answer; *staged*: ready for the next turn.

All times are aware and in UTC unless a field says otherwise; `_ms` counts from the start of the
call. Ids are content-addressed: the same conversation gives the same records.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

ID_CHARACTERS = 32  # hexadecimal, 128 bits: no two records of a store meet
SELF = "self"
"""The entity that a profile is about."""


class Role(StrEnum):
    """Who said a turn."""

    CALLER = "caller"
    AGENT = "agent"


class Assurance(StrEnum):
    """How sure it is who is calling."""

    UNKNOWN = "unknown"
    CLAIMED = "claimed"
    """By a handle, or by the caller's own word."""
    VERIFIED = "verified"
    """By the application."""


class HandleKind(StrEnum):
    """What a handle is."""

    PHONE, SIP, CRM, DEVICE, WEB = "phone", "sip", "crm", "device", "web"


class Kind(StrEnum):
    """What sort of thing a fact says."""

    FACT = "fact"
    EVENT = "event"
    INSTRUCTION = "instruction"
    """Only from an operator or an application; never from what a caller said."""
    TASK = "task"


class Scope(StrEnum):
    """What a fact holds for."""

    CASE = "case"
    CALLER = "caller"
    ORGANISATION = "organisation"


class Source(StrEnum):
    """Where a fact comes from; earlier members outweigh later ones."""

    SYSTEM = "system of record"
    CALLER = "statement by the caller"
    AGENT = "statement by the agent"
    INFERENCE = "inference"


class Status(StrEnum):
    """Where a fact is in its life."""

    PROVISIONAL = "provisional"
    ACTIVE = "active"
    SUPERSEDED = "superseded"
    RETIRED = "retired"
    EXPIRED = "expired"


class Sensitivity(StrEnum):
    """How careful to be with a fact; see `ringback.core.assurance` for what follows."""

    OPEN = "open"  # anybody may hear it: a language, a product
    PERSONAL = "personal"
    """The caller's own: a name, an account number, what they called about."""
    SENSITIVE = "sensitive"
    """Told to nobody who is not verified: an address, health, amounts of money."""
    SECRET = "secret"  # noqa: S105 - a word, not a password
    """Never said aloud to anybody."""


class Durability(StrEnum):
    """How long a statement will be of use."""

    LASTING = "lasting"
    """Until it is corrected: a name, a preference."""
    CASE = "case"
    """Until its matter is closed."""
    MOMENT = "moment"
    """A state that passes: "I'm in the car", "I'm annoyed"."""


class ProfileKind(StrEnum):
    """Whom a profile is about."""

    CALLER, AGENT, TEAM = "caller", "agent", "team"


class Cardinality(StrEnum):
    """How many current values a schema key may have for one entity."""

    ONE = "one"
    MANY = "many"


@dataclass(frozen=True, slots=True)
class Handle:
    """A claim of who is calling, normalised so that equal claims are equal."""

    kind: HandleKind
    value: str
    """E.g. `+15551234567`, `sip:dana@example.org`."""


@dataclass(frozen=True, slots=True)
class Caller:
    """A person who calls one tenant, as far as is known."""

    id: str
    tenant: str
    handles: tuple[Handle, ...] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """One conversation."""

    id: str
    tenant: str
    started_at: datetime
    zone: str = "UTC"
    """The caller's time zone, an IANA name: what "tomorrow" means."""
    handles: tuple[Handle, ...] = ()
    caller_id: str | None = None
    assurance: Assurance = Assurance.UNKNOWN
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker said in one go, as far as it was heard."""

    role: Role
    text: str
    at: datetime
    """When it was said."""
    position: int = -1
    """Its place in the call: the later, the higher, mostly from 0; -1 until it has been given one."""
    speaker: str = ""
    """Who it was, where that is known apart from the role."""
    started_ms: int | None = None
    ended_ms: int | None = None
    interrupted: bool = False
    """The agent was cut off; `text` ends where playout stopped."""
    partial: bool = False
    """The line went dead in mid-turn; the words may be incomplete."""
    ref: str = ""
    """What identifies it in a conversation that is ingested again: the message's own id,
    or the address of its words as they came."""


@dataclass(frozen=True, slots=True)
class ToolUse:
    """What a tool of the agent returned in a call."""

    name: str
    """E.g. `get_order`."""
    arguments: Mapping[str, Any]
    result: Any
    """As the tool gave it: mappings and lists, or a text that holds them as JSON."""
    at: datetime


@dataclass(frozen=True, slots=True)
class Evidence:
    """The words that a fact rests on."""

    call_id: str
    position: int
    """The turn's place in the call."""
    words: str
    """As they stand in the turn."""
    start: int
    end: int
    """Where: `turn.text[start:end] == words`."""
    started_ms: int | None = None
    ended_ms: int | None = None
    """Where in the call's audio the turn lies, if that is known."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A fact that was read from a turn and that nobody has decided on yet."""

    key: str
    """A schema key, e.g. `account_number`."""
    value: str
    """Normalised: `4821`, `text`, `2026-03-06T14:00:00-06:00`."""
    source: Source
    confidence: float
    """In [0, 1], higher is better."""
    observed_at: datetime
    evidence: Evidence
    kind: Kind = Kind.FACT
    scope: Scope = Scope.CALLER
    cardinality: Cardinality = Cardinality.ONE
    subject: str = SELF
    """The entity it speaks of."""
    object: str = ""
    """The entity that the value names, where the fact is a relation; "" elsewhere."""
    speaker: str = ""
    """Who said it, where that is known apart from the role."""
    sensitivity: Sensitivity | None = None
    """None: as the schema has it."""
    durability: Durability | None = None
    """None: as the schema has it."""
    is_speculation: bool = False
    """"It might be the router": a guess, not a statement."""
    is_withdrawal: bool = False
    """The value no longer holds: "it works again", "I have sold that car"."""
    valid_from: datetime | None = None
    """Since when it is true, where the words say so; else it is since they were said."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is kept, why, since when and how long."""

    id: str
    tenant: str
    call_id: str
    caller_id: str | None
    """None until the call is known to be somebody's."""
    key: str
    value: str
    source: Source
    confidence: float
    observed_at: datetime
    """When it was said."""
    recorded_at: datetime
    """When it was learnt here."""
    evidence: Evidence
    kind: Kind = Kind.FACT
    scope: Scope = Scope.CALLER
    cardinality: Cardinality = Cardinality.ONE
    status: Status = Status.ACTIVE
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    supersedes: str | None = None
    """The id of the fact that this one replaced."""
    subject: str = SELF
    object: str = ""
    speaker: str = ""
    sensitivity: Sensitivity = Sensitivity.PERSONAL
    is_speakable: bool = True
    """False: known to the application, never put into words for a caller."""
    is_withdrawal: bool = False
    """It says that the value no longer holds; retired while it heads its chain."""
    uses: int = 0
    """How often it was put before somebody."""
    last_used_at: datetime | None = None


class Action(StrEnum):
    """What is done with a candidate."""

    ADD = "add"
    UPDATE = "update"
    """Added, and another fact is superseded by it."""
    RETIRE = "retire"
    """What was known no longer holds; the chain keeps both."""
    SKIP = "skip"


class Outcome(StrEnum):
    """What a check made of a candidate."""

    PASSED = "passed"
    REPAIRED = "repaired"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Check:
    """One of the checks that a candidate goes through before it is decided on."""

    name: str
    """E.g. `time`, `verifiable`; see `ringback.core.checks`."""
    outcome: Outcome
    reason: str = ""
    """One clause, without speech; empty when passed."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of a candidate, and why."""

    action: Action
    reason: str
    """One clause, without speech."""
    candidate: Candidate
    fact: Fact | None = None
    """The new fact; None when skipped."""
    superseded: Fact | None = None
    """What it replaces, as it is from now on."""
    checks: tuple[Check, ...] = ()
    """What the candidate went through, in order; ends with the check that dropped it."""


@dataclass(frozen=True, slots=True)
class DecisionMade:
    """A decision as it is kept: whether, why and where, but never a value.

    A value that was skipped because it is sensitive must not be kept by way of its refusal;
    the words stand in the turn, if anywhere.
    """

    tenant: str
    call_id: str
    caller_id: str | None
    position: int
    """The turn's place in the call."""
    key: str
    action: Action
    reason: str
    at: datetime
    fact_id: str | None = None
    superseded_id: str | None = None
    checks: tuple[Check, ...] = ()


@dataclass(frozen=True, slots=True)
class Summary:
    """A whole call in a few sentences; the next briefing's last interaction."""

    call_id: str
    tenant: str
    caller_id: str | None
    at: datetime
    """When the call began."""
    text: str
    resolved: bool | None = None
    """None: nobody said."""
    promises: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    """Key numbers and dates, exactly as in the call."""


@dataclass(frozen=True, slots=True)
class Briefing:
    """What is ready before the first word."""

    assurance: Assurance
    caller_id: str | None = None
    facts: tuple[Fact, ...] = ()
    last_interaction: Summary | None = None
    recent: tuple[Turn, ...] = ()
    """The last words of calls that are not settled yet, oldest first."""
    is_complete: bool = True
    """False: an earlier call of this caller is known not to be fully on record."""
    outdated: tuple[str, ...] = ()
    """Values that hold no more; the last interaction may still speak of them."""
    withheld: tuple[Fact, ...] = ()
    """Of every status: what this caller may not be told, nor anything that gives it away."""
    names: tuple[str, ...] = ()
    """What the caller goes by; whoever calls themselves otherwise is another person."""
    is_shared: bool = False
    """What the call came with leads to several people: nothing of any of them is told."""


@dataclass(frozen=True, slots=True)
class Context:
    """What memory adds to one request to the language model."""

    briefing: str
    """Goes into the stable prefix; the same text for the whole call once it is there."""
    block: str
    """Goes directly before the newest user message; may be empty, never into history."""


class JobKind(StrEnum):
    """Work that follows from the journal."""

    EXTRACT = "extract"
    """Read facts from a call's turns."""
    SUMMARISE = "summarise"
    """Summarise a call that has ended."""
    DEEPEN = "deepen"
    """Read a call with a language model; opened by whoever has one, and waited for by nobody."""


OF_RULES = (JobKind.EXTRACT, JobKind.SUMMARISE)
"""Without these done a call is not settled."""


@dataclass(frozen=True, slots=True)
class ModelUse:
    """What a language model has cost a call, and how far it has read it."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    read_to: int = -1
    """The position of the last turn that was read."""

    @property
    def tokens(self) -> int:
        """Of both sides."""
        return self.prompt_tokens + self.completion_tokens

    def plus(self, other: ModelUse) -> ModelUse:
        """Both together."""
        return ModelUse(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            max(self.read_to, other.read_to),
        )


@dataclass(frozen=True, slots=True)
class Job:
    """One piece of work, kept beside the journal until it is done or given up."""

    id: str
    kind: JobKind
    tenant: str
    call_id: str
    due_at: datetime
    attempts: int = 0
    reason: str = ""
    """Why it failed last: an error's class, without speech."""


@dataclass(frozen=True, slots=True)
class CallView:
    """A call with its turns, e.g. one that is not settled yet."""

    call: Call
    turns: tuple[Turn, ...] = field(default=())


def content_id(*parts: str | int | None) -> str:
    """Address a record by its content: the first 128 bits of a SHA-256.

    Args:
        parts: What makes the record itself, in a fixed order; lengths keep them apart.
    """
    digest = hashlib.sha256()
    for part in parts:
        text = "" if part is None else str(part)
        digest.update(f"{len(text)}:{text}".encode())
    return digest.hexdigest()[:ID_CHARACTERS]


def turn_id(tenant: str, call_id: str, turn: Turn) -> str:
    """A turn is its place, not its text: a second real "yes" is a second turn."""
    return content_id(tenant, call_id, turn.position, turn.role)


def fact_id(tenant: str, candidate: Candidate) -> str:
    """A fact is where it was said, under which key, with which value."""
    evidence, entities = candidate.evidence, (candidate.subject, candidate.object)
    return content_id(
        tenant,
        evidence.call_id,
        evidence.position,
        candidate.key,
        candidate.value,
        *(entities if entities != (SELF, "") else ()),
        *(("withdrawn",) if candidate.is_withdrawal else ()),
    )
