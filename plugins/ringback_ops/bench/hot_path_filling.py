"""One caller of a support desk with any number of facts, and a call for them to be used in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import cycle
from pathlib import Path

import numpy as np

from ringback.protocols import CallEnded, CallOpened, Embedder
from ringback.records import (
    SELF,
    Action,
    Assurance,
    Call,
    Candidate,
    Decision,
    Evidence,
    Fact,
    Handle,
    HandleKind,
    Role,
    Source,
    Status,
    ToolUse,
    fact_id,
)
from ringback.schemas import SUPPORT
from ringback.stores.sqlite import SqliteStore
from ringback_ops.bench import recall_scale_filling as texts
from ringback_ops.bench.extraction_set import read_set
from ringback_ops.bench.recall_scale_filling import Vocabulary
from ringback_ops.bench.vector_search import made_vectors
from ringback_ops.bench.vector_ways import Vectors

TENANT, CALLER = "bench", "caller-1"
FILLED = "application"  # calls whose ids begin so are these facts'
FACTS_OF_A_CALL = 20
PHONE = ("phone", "+15550100199")
BEGIN_AT = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
SEED = 17
STEP = 2_000  # facts in one transaction
WITHHELD_OF = 100  # one fact in so many may not be told to a caller who is not verified
_KEYS = ("open_matter", "promise", "exception")  # of which there may be any number


async def fill(path: Path, said: Vocabulary, facts: int, embedder: Embedder, real: Vectors) -> None:
    """Make a store with one caller who has so many facts, embedded."""
    sentences = texts.sentences(said, np.random.default_rng(SEED))
    handle = Handle(HandleKind.PHONE, PHONE[1])
    call = Call("call-0", TENANT, BEGIN_AT, handles=(handle,))
    async with await SqliteStore.open(path) as store:
        store.record_nowait(CallOpened(call))
        store.record_nowait(CallEnded(TENANT, call.id, BEGIN_AT + timedelta(minutes=30)))
        await store.flush()
        await store.attach(
            TENANT, call.id, caller_id=CALLER, assurance=Assurance.CLAIMED, handles=[handle]
        )
        for start in range(0, facts, STEP):
            numbers = range(start, min(start + STEP, facts))
            await store.write(TENANT, [_decision(n, next(sentences)) for n in numbers])
        await texts.index(store, embedder, iter(made_vectors(real, 2 * facts)))


def lines() -> Iterator[tuple[Role, str]]:
    """What callers and agents say, for ever: the labelled dialogues of support calls."""
    said = [
        (turn.role, turn.text)
        for dialogue in read_set()
        if dialogue.language == "en" and dialogue.schema is SUPPORT
        for turn in dialogue.turns
    ]
    return cycle(said)


def orders(number: int, at: datetime) -> ToolUse:
    """What a tool of the agent's returned: two records, so that there is another one."""
    result = [
        {"order_id": f"7{number}{place}", "item": item, "status": "on its way"}
        for place, item in enumerate(("grinder", "filter cup"))
    ]
    return ToolUse("list_orders", {}, {"orders": result}, at)


def _decision(number: int, text: str) -> Decision:
    key, subject, words = _KEYS[number % len(_KEYS)], SELF, text.rstrip(".")
    if number % WITHHELD_OF == 0:
        key, subject = "address", f"person:person {number}"
    at = BEGIN_AT + timedelta(minutes=5 * number)
    call_id = f"{FILLED}:{number // FACTS_OF_A_CALL}"
    field = SUPPORT.field(key)
    assert field is not None  # noqa: S101 - a key of the schema
    candidate = Candidate(
        key=key,
        value=words,
        source=Source.SYSTEM,
        confidence=1.0,
        observed_at=at,
        evidence=Evidence(call_id, 2 * number + 1, words, 0, len(words)),
        cardinality=field.cardinality,
        subject=subject,
    )
    fact = Fact(
        id=fact_id(TENANT, candidate),
        tenant=TENANT,
        call_id=call_id,
        caller_id=CALLER,
        key=key,
        value=words,
        source=Source.SYSTEM,
        confidence=1.0,
        observed_at=at,
        recorded_at=at,
        evidence=candidate.evidence,
        kind=field.kind,
        scope=field.scope,
        cardinality=field.cardinality,
        sensitivity=field.sensitivity,
        status=Status.ACTIVE,
        subject=subject,
    )
    return Decision(Action.ADD, "new", candidate, fact)


def first_half(words: str) -> str:
    """What has been heard of a turn while it goes on."""
    heard: Sequence[str] = words.split()
    return " ".join(heard[: len(heard) // 2])
