"""Decisions as every back-end keeps them, and what keeps a forgotten one out."""

from __future__ import annotations

from datetime import datetime

from ringback.erasure import call_tombstone, fact_tombstone
from ringback.records import Decision, DecisionMade, Fact, content_id
from ringback.stores.checks import storable


def decision_made(
    tenant: str, decision: Decision, *, caller_id: str | None, at: datetime
) -> DecisionMade:
    """What is kept of a decision: whether, why and where, but never a value."""
    candidate, fact = decision.candidate, decision.fact
    return DecisionMade(
        tenant=tenant,
        call_id=storable(fact.call_id if fact else candidate.evidence.call_id),
        caller_id=caller_id,
        position=candidate.evidence.position,
        key=storable(candidate.key),
        action=decision.action,
        reason=storable(decision.reason),
        at=at,
        fact_id=fact.id if fact else None,
        superseded_id=decision.superseded.id if decision.superseded else None,
        checks=decision.checks,
    )


def decision_id(tenant: str, decision: Decision) -> str:
    """Address a decision by what was decided about which words; a job done twice adds none."""
    candidate, fact, superseded = decision.candidate, decision.fact, decision.superseded
    return content_id(
        tenant,
        candidate.evidence.call_id,
        candidate.evidence.position,
        candidate.evidence.start,
        candidate.evidence.end,
        candidate.key,
        candidate.subject,
        decision.action,
        decision.reason,
        fact.id if fact else None,
        superseded.id if superseded else None,
    )


def tombstones_over(tenant: str, decision: Decision) -> tuple[str, ...]:
    """What would say that the words of a decision were forgotten."""
    candidate = decision.candidate
    of_fact = tombstones_over_fact(decision.fact) if decision.fact else ()
    place = candidate.evidence
    return (
        *of_fact,
        call_tombstone(tenant, place.call_id),
        fact_tombstone(tenant, place.call_id, place.position, candidate.key, candidate.subject),
    )


def tombstones_over_fact(fact: Fact) -> tuple[str, ...]:
    """What would say that a fact was forgotten."""
    place = fact.evidence
    return (
        call_tombstone(fact.tenant, fact.call_id),
        call_tombstone(fact.tenant, place.call_id),
        fact_tombstone(fact.tenant, place.call_id, place.position, fact.key, fact.subject),
    )
