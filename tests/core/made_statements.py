"""Made statements, their schema, and a store as simple as a store can be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from ringback.core.promotion import decide
from ringback.records import (
    Assurance,
    Call,
    Candidate,
    Cardinality,
    Decision,
    Evidence,
    Fact,
    Kind,
    Scope,
    Sensitivity,
    Source,
    Status,
)
from ringback.schemas import Field, Schema
from ringback.schemas.declaration import ANYONE, Promotion

START = datetime(2026, 3, 3, 12, 0, tzinfo=UTC)
MANY = Cardinality.MANY
CURRENT = (Status.ACTIVE, Status.PROVISIONAL)


def made_field(key: str, **options: object) -> Field:
    named: dict[str, object] = {"label": key, "sentence": f"{key} is {{value}}", "sources": ANYONE}
    return Field(key=key, **(named | options))  # type: ignore[arg-type]


RULES = Schema(
    "rules",
    (
        made_field("name"),
        made_field("car"),
        made_field("fault", cardinality=MANY, kind=Kind.TASK, scope=Scope.CASE, ttl_days=90),
        made_field("visit", is_agreed=True),
        made_field("address", sensitivity=Sensitivity.SENSITIVE),
        made_field("allergy", cardinality=MANY, sensitivity=Sensitivity.SENSITIVE),
        made_field("code", promotion=Promotion.CONFIRMED),
        made_field("dose", cardinality=MANY, promotion=Promotion.CONFIRMED),
        made_field(
            "remedy",
            cardinality=MANY,
            promotion=Promotion.CONFIRMED,
            sensitivity=Sensitivity.SENSITIVE,
        ),
        made_field("employer", object_kind="firm"),
        made_field("likes", cardinality=MANY, object_kind="thing"),
        made_field("pin", sensitivity=Sensitivity.SECRET, is_speakable=False),
    ),
)


def stated(
    key: str = "car",
    value: str = "Fiat",
    *,
    minute: int = 0,
    call: str = "call-1",
    source: Source = Source.CALLER,
    confidence: float = 0.9,
    **changes: object,
) -> Candidate:
    """A statement in a call's turn; a turn a minute."""
    made = Candidate(
        key=key,
        value=value,
        source=source,
        confidence=confidence,
        observed_at=START + timedelta(minutes=minute),
        evidence=Evidence(call, minute, value or "x", 0, len(value or "x")),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def withdrawn(key: str = "car", value: str = "Fiat", **changes: object) -> Candidate:
    return replace(stated(key, value, **changes), is_withdrawal=True)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Said:
    """What one call said."""

    candidates: tuple[Candidate, ...]
    assurance: Assurance = Assurance.CLAIMED
    call: str = "call-1"


class Kept:
    """Facts by id: one that is there is left as it is, one that is superseded ends."""

    def __init__(self, schema: Schema = RULES) -> None:
        self.facts: dict[str, Fact] = {}
        self.schema = schema

    def take(self, said: Said) -> tuple[Decision, ...]:
        call = Call(said.call, "acme", START, caller_id="dana", assurance=said.assurance)
        decisions = decide(
            said.candidates,
            tuple(self.facts.values()),
            call=call,
            recorded_at=START + timedelta(days=1),
            schema=self.schema,
        )
        for decision in decisions:
            self._write(decision)
        return decisions

    def say(
        self, *candidates: Candidate, call: str = "call-1", assurance: Assurance = Assurance.CLAIMED
    ) -> tuple[Decision, ...]:
        return self.take(Said(in_call(candidates, call), assurance, call))

    def _write(self, decision: Decision) -> None:
        if decision.fact is not None:
            if decision.fact.id in self.facts:
                return
            self.facts[decision.fact.id] = decision.fact
        if decision.superseded is not None:
            known, now = self.facts[decision.superseded.id], decision.superseded
            self.facts[known.id] = replace(
                known,
                status=now.status,
                valid_from=now.valid_from,
                valid_to=now.valid_to,
                expires_at=now.expires_at,
            )

    def current(self, key: str = "") -> list[Fact]:
        return sorted(
            (
                fact
                for fact in self.facts.values()
                if fact.status in CURRENT and key in ("", fact.key)
            ),
            key=lambda fact: (fact.key, fact.subject, fact.value, fact.id),
        )

    def values(self, key: str = "car") -> list[str]:
        return [fact.value for fact in self.current(key)]


def in_call(candidates: Sequence[Candidate], call: str) -> tuple[Candidate, ...]:
    return tuple(replace(one, evidence=replace(one.evidence, call_id=call)) for one in candidates)


def after(calls: Iterable[Said], schema: Schema = RULES) -> set[tuple[str, ...]]:
    """What is current after these calls were processed in this order."""
    kept = Kept(schema)
    for said in calls:
        kept.take(said)
    return {
        (fact.key, fact.subject, fact.object, fact.value, fact.status, fact.id)
        for fact in kept.current()
    }
