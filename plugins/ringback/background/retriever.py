"""Asks a profile a question: each channel in turn, by a deadline, and one fused answer."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from ringback.core import recalling
from ringback.errors import StoreError
from ringback.protocols import Store
from ringback.recollection import Channel, Cue, Hit, Recall
from ringback.schemas import Schema
from ringback.terms import terms

CANDIDATES = 20  # of each channel; the fused answer is shorter


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and of whom."""

    text: str
    tenant: str
    caller_id: str
    at: datetime
    limit: int
    deadline_ms: int


async def recall(store: Store, question: Question, schema: Schema) -> Recall:
    """Answer a question from one profile.

    Channels are asked one after the other, cheapest first. One that has not answered at
    the deadline, or that failed, is named in `Recall.missed`; what the others found is
    returned. An empty answer without anything missed means that nothing is known.
    """
    channels: dict[Channel, tuple[Hit, ...]] = {}
    with suppress(TimeoutError):
        async with asyncio.timeout(question.deadline_ms / 1000):
            with suppress(StoreError):
                channels[Channel.KEY] = await _by_key(store, question, schema)
            with suppress(StoreError):
                channels |= await _by_text(store, question)
    found = recalling.fused(
        channels,
        question=question.text,
        tenant=question.tenant,
        schema=schema,
        limit=question.limit,
    )
    return Recall(found, missed=tuple(c for c in Channel if c not in channels))


async def _by_key(store: Store, question: Question, schema: Schema) -> tuple[Hit, ...]:
    if not recalling.asked_keys(question.text, schema):
        return ()
    facts = await store.facts(question.tenant, caller_id=question.caller_id)
    current = [f for f in facts if f.expires_at is None or f.expires_at > question.at]
    return recalling.key_hits(question.text, current, schema)


async def _by_text(store: Store, question: Question) -> dict[Channel, tuple[Hit, ...]]:
    asked = terms(question.text)
    if not asked:
        return {Channel.FACTS: (), Channel.TURNS: ()}
    cue = Cue(question.tenant, question.caller_id, asked, question.at, limit=CANDIDATES)
    hits = await store.find(cue)
    return {
        Channel.FACTS: tuple(hit for hit in hits if hit.fact is not None),
        Channel.TURNS: tuple(
            kept
            for hit in hits
            if hit.turn is not None and (kept := recalling.up_to_date(hit, asked)) is not None
        ),
    }
