"""Whatever comes in whatever order: both back-ends answer the same, and keep their word."""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from ringback.clock import SystemClock
from ringback.erasure import Erasure, Forgotten, Redaction, fact_tombstone
from ringback.protocols import FactsUsed, TurnAmended
from ringback.recollection import Cue, Hit
from ringback.records import Assurance, JobKind, Status
from ringback.stores import MemoryStore, SqliteStore
from ringback.testing.made_index import HASH, made_of, near
from ringback.testing.made_records import (
    LATER_AT,
    LEASE_MS,
    TENANT,
    Backend,
    added,
    ended,
    fact,
    opened,
    record,
    said,
    summary,
)
from tests.stores.made import locked, until

pytestmark = pytest.mark.server

CALLS = st.sampled_from(["c1", "c2", "c3"])
CALLERS = st.sampled_from(["dana", "erik"])
PLACES = st.integers(0, 3)
MANY = 100
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("open"), CALLS),
        st.tuples(st.just("say"), CALLS, PLACES),
        st.tuples(st.just("amend"), CALLS, PLACES),
        st.tuples(st.just("end"), CALLS),
        st.tuples(st.just("attach"), CALLS, CALLERS),
        st.tuples(st.just("lease")),
        st.tuples(st.just("settle"), PLACES),
        st.tuples(st.just("write"), CALLERS, PLACES),
        st.tuples(st.just("use"), CALLS, PLACES),
        st.tuples(st.just("forget fact"), CALLS, PLACES),
        st.tuples(st.just("forget call"), CALLS),
        st.tuples(st.just("forget profile"), CALLERS),
        st.tuples(st.just("sweep")),
        st.tuples(st.just("embed"), st.integers(1, 4)),
        st.tuples(st.just("spill"), st.lists(st.tuples(CALLS, PLACES), max_size=3)),
    ),
    max_size=14,
)


def words(call_id: str, place: int) -> str:
    return f"said {call_id} lamp{place} word{call_id}{place}"


def value_of(call_id: str, place: int) -> str:
    return f"word{call_id}{place}"


def fact_of(call_id: str, place: int):
    value = value_of(call_id, place)
    made = fact(value, key="note", position=place, call_id=call_id)
    start = words(call_id, place).index(value)
    evidence = replace(made.evidence, start=start, end=start + len(value))
    return replace(made, evidence=evidence)


def rounded(hit: Hit) -> Hit:
    return replace(hit, score=round(hit.score, 9), bm25=round(hit.bm25, 9))


class StoppedClock(SystemClock):
    """It is always the same moment; what takes time is measured all the same."""

    def now_at(self) -> datetime:
        return LATER_AT


class Play:
    """Plays steps on one store, and keeps what it was told and asked to forget."""

    def __init__(self, store: Backend, path: Path | None) -> None:
        self.store = store
        self.path = path
        self.job: Any = None
        self.told: set[tuple[str, int]] = set()
        self.forgotten_calls: set[str] = set()
        self.forgotten_words: set[str] = set()

    async def step(self, name: str, *given: Any) -> None:
        match name, given:
            case "open", (call_id,):
                await record(self.store, opened(call_id))
            case "say", (call_id, place):
                await self._say([(call_id, place)])
            case "amend", (call_id, place):
                text = words(call_id, place).replace("said", "▒▒▒▒")
                turn = said(place, text, call_id=call_id).turn
                await record(self.store, TurnAmended(TENANT, call_id, turn))
                self._heard(call_id, place)
            case "end", (call_id,):
                await record(self.store, ended(call_id))
            case "attach", (call_id, caller_id):
                await self.store.attach(
                    TENANT, call_id, caller_id=caller_id, assurance=Assurance.CLAIMED
                )
            case "use", (call_id, place):
                used = FactsUsed(TENANT, (fact_of(call_id, place).id,), LATER_AT)
                await record(self.store, used)
            case "sweep", ():
                await self.store.sweep(now_at=LATER_AT, words_before=None)
            case "embed", (limit,):
                waiting = await self.store.unindexed(HASH.name, limit=MANY)
                some = sorted(waiting, key=lambda one: one.id)[:limit]
                await self.store.put_vectors(HASH.name, [await made_of(one, HASH) for one in some])
            case "spill", (said_meanwhile,):
                await self._spill(said_meanwhile)
            case _:
                await self._think(name, *given)

    async def _think(self, name: str, *given: Any) -> None:
        match name, given:
            case "lease", ():
                self.job = await self.store.lease(now_at=LATER_AT, lease_ms=LEASE_MS)
            case "settle", (place,) if self.job is not None:
                if self.job.kind is JobKind.EXTRACT:
                    await self.store.settle(self.job, added(fact_of(self.job.call_id, place)))
                else:
                    await self.store.put_summary(self.job, summary(self.job.call_id))
            case "write", (caller_id, place):
                mine = replace(fact_of(f"app-{caller_id}", place), caller_id=caller_id)
                await self.store.write(TENANT, added(mine))
            case "forget fact", (call_id, place):
                await self._forget_fact(call_id, place)
            case "forget call", (call_id,):
                await self._forget(Forgotten.CALL, call_id)
            case "forget profile", (caller_id,):
                await self._forget(Forgotten.PROFILE, caller_id)

    async def _say(self, pairs: list[tuple[str, int]]) -> None:
        entries = [said(place, words(call_id, place), call_id=call_id) for call_id, place in pairs]
        await record(self.store, *entries)
        for call_id, place in pairs:
            self._heard(call_id, place)

    def _heard(self, call_id: str, place: int) -> None:
        if call_id not in self.forgotten_calls:
            self.told.add((call_id, place))

    async def _spill(self, pairs: list[tuple[str, int]]) -> None:
        if self.path is None:
            await self._say(pairs)
            return
        assert isinstance(self.store, SqliteStore)
        with locked(self.path):
            await self._say(pairs)
        store = self.store
        await until(lambda: store.statistics().spill_pending == 0)

    async def _forget(self, what: Forgotten, target_id: str) -> None:
        erasure = Erasure(TENANT, what, target_id, None, LATER_AT)
        receipt = await self.store.forget(erasure)
        self.forgotten_calls.update(receipt.call_ids)
        self.told = {one for one in self.told if one[0] not in self.forgotten_calls}

    async def _forget_fact(self, call_id: str, place: int) -> None:
        view = await self.store.call(TENANT, call_id)
        turns = [turn for turn in view.turns if turn.position == place] if view else []
        if not turns:
            return
        gone, value = fact_of(call_id, place), value_of(call_id, place)
        texts = [turn.text.replace(value, "█" * len(value)) for turn in turns]
        await self.store.forget(
            Erasure(
                TENANT,
                Forgotten.FACT,
                gone.id,
                None,
                LATER_AT,
                fact_ids=(gone.id,),
                redactions=tuple(
                    Redaction(call_id, place, turn.role, text)
                    for turn, text in zip(turns, texts, strict=True)
                ),
                tombstones=(fact_tombstone(TENANT, call_id, place, gone.key, gone.subject),),
            )
        )
        self.forgotten_words.add(value)

    async def keeps_its_word(self) -> None:
        """Nothing told and not forgotten is lost; nothing is twice; nothing comes back."""
        there = []
        for call in await self.store.calls(TENANT):
            view = await self.store.call(TENANT, call.id)
            assert view is not None
            places = [turn.position for turn in view.turns]
            assert places == sorted(places)
            assert len(set(places)) == len(places)
            there += [(call.id, place) for place in places]
        assert set(there) == self.told
        gone = [*self.forgotten_words, *(f"said {one}" for one in self.forgotten_calls)]
        assert await self.store.residue(gone) == 0

    async def has_only_current_things_near(self) -> None:
        """What is near is this profile's, current, and in the words it has now."""
        for caller_id in ("dana", "erik"):
            facts = await self.store.facts(TENANT, caller_id=caller_id)
            calls = await self.store.calls(TENANT, caller_id=caller_id)
            views = [await self.store.call(TENANT, call.id) for call in calls]
            turns = [(view.call.id, turn) for view in views if view for turn in view.turns]
            for hit in await near(self.store, "said lamp0", caller_id=caller_id, limit=MANY):
                assert hit.fact in facts if hit.fact else (hit.call_id, hit.turn) in turns

    async def answers(self) -> list[Any]:
        """What every path answers."""
        store, everything = self.store, tuple(Status)
        answers: list[Any] = [await store.calls(TENANT), await store.open_count()]
        for call_id in ("c1", "c2", "c3"):
            answers.append(await store.call(TENANT, call_id))
            answers.append(await store.facts(TENANT, call_id=call_id, statuses=everything))
        for caller_id in ("dana", "erik"):
            answers.append(await store.caller(TENANT, caller_id))
            answers.append(await store.facts(TENANT, caller_id=caller_id, statuses=everything))
            answers.append(await store.last_interaction(TENANT, caller_id))
            made = await store.decisions(TENANT, caller_id=caller_id)
            answers.append(sorted((one.fact_id or "", one.action, one.call_id) for one in made))
            terms = ("lamp0", "lamp1", "wordc10", "wordc21", "said")
            hits = await store.find(Cue(TENANT, caller_id, terms, LATER_AT, exchanges=True))
            answers.append([rounded(hit) for hit in hits])
            answers.append(await near(store, "lamp1 wordc10", caller_id=caller_id))
        waiting = await store.unindexed(HASH.name, limit=MANY)
        answers.append(sorted((one.id, one.revision) for one in waiting))
        answers.append(await store.indexed_with())
        receipts = await store.erasures()
        answers.append([replace(receipt, scrub_ms=0) for _, receipt in receipts])
        return answers


@given(STEPS)
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
def test_both_back_ends_answer_the_same_and_keep_their_word(steps):
    async def play() -> None:
        with tempfile.TemporaryDirectory() as folder:
            path, clock = Path(folder) / "memory.db", StoppedClock()
            async with (
                await SqliteStore.open(path, clock=clock) as store,
                MemoryStore(clock=clock) as twin,
            ):
                plays = Play(store, path), Play(twin, None)
                for step in steps:
                    for one in plays:
                        await one.step(*step)
                for one in plays:
                    await one.keeps_its_word()
                    await one.has_only_current_things_near()
                assert await plays[0].answers() == await plays[1].answers()

    asyncio.run(play())
