"""What every store's vector index does, one fact per function."""
# ruff: noqa: S101, D103 - a suite asserts, and its names are sentences

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import numpy as np

from ringback.erasure import Erasure, Forgotten, Redaction
from ringback.errors import UsageError
from ringback.protocols import TurnAmended
from ringback.recollection import Cue, Facet, Hit, PassageVectors, VectorCue
from ringback.records import Fact, Kind, Status
from ringback.testing.hash_embedder import HashEmbedder
from ringback.testing.made_index import HASH, index_all, made_of, near, text_of
from ringback.testing.made_records import (
    LATER_AT,
    START_AT,
    TENANT,
    Backend,
    added,
    attach,
    ended,
    fact,
    leased,
    opened,
    record,
    said,
    updated,
)

MANY = 1_000


def _texts(hits: Sequence[Hit]) -> list[str]:
    return [text_of(hit) for hit in hits]


def _note(value: str, position: int = 0, **fields: object) -> Fact:
    made = fact(value, key="note", position=position, call_id="application:1")
    return replace(made, caller_id="dana", **fields)  # type: ignore[arg-type]


async def _waiting(store: Backend, embedder: HashEmbedder = HASH) -> list[str]:
    found = await store.unindexed(embedder.name, limit=MANY)
    return [one.fact.value if one.fact else one.turn.text if one.turn else "" for one in found]


async def facts_and_turns_of_profiles_wait_newest_first(store: Backend) -> None:
    await record(store, opened(), said(0, "a red lamp"), said(3, "a blue door"))
    await record(store, opened("c2"), said(1, "of nobody", call_id="c2"))
    await attach(store)
    await store.write(TENANT, added(_note("an oak table", 2)))

    assert await _waiting(store) == ["a blue door", "an oak table", "a red lamp"]
    assert len(await store.unindexed(HASH.name, limit=2)) == 2


async def a_passage_has_the_turn_before_it_in_its_call(store: Backend) -> None:
    await record(store, opened(), said(0, "which lamp?"), said(1, "the red one"))
    await record(store, opened("c2"), said(2, "elsewhere", call_id="c2"))
    await attach(store)
    await attach(store, "c2")

    found = {
        one.turn.text: (one.before.text if one.before else "", one.call_id, one.caller_id)
        for one in await store.unindexed(HASH.name, limit=9)
        if one.turn
    }

    assert found == {
        "which lamp?": ("", "c1", "dana"),
        "the red one": ("which lamp?", "c1", "dana"),
        "elsewhere": ("", "c2", "dana"),
    }


async def what_has_vectors_waits_no_more(store: Backend) -> None:
    await record(store, opened(), said(0, "a red lamp"))
    await attach(store)

    done = await index_all(store)

    state = await store.index_state(HASH.name)
    assert done == 1
    assert await _waiting(store) == []
    assert await store.indexed_with() == {HASH.name: 1}
    assert (state.dimensions, state.indexed, state.waiting) == (64, 1, 0)


async def a_passage_without_texts_is_done_as_well(store: Backend) -> None:
    await record(store, opened(), said(0, ""))
    await attach(store)
    (waiting,) = await store.unindexed(HASH.name, limit=1)

    await store.put_vectors(HASH.name, [PassageVectors(waiting, ())])

    assert await _waiting(store) == []
    assert await near(store, "lamp") == ()


async def the_same_vectors_twice_are_kept_once(store: Backend) -> None:
    await store.write(TENANT, added(_note("red lamp")))
    made = [await made_of(one, HASH) for one in await store.unindexed(HASH.name, limit=1)]

    await store.put_vectors(HASH.name, made)
    await store.put_vectors(HASH.name, made)

    receipt = await store.forget(Erasure(TENANT, Forgotten.PROFILE, "dana", "dana", LATER_AT))
    assert dict(receipt.removed)["vector"] == len(made[0].vectors)


async def the_nearest_come_first_facts_before_turns(store: Backend) -> None:
    await record(store, opened(), said(0, "a red lamp"), said(2, "an old door"))
    await attach(store)
    await store.write(TENANT, added(_note("red lamp shade"), _note("oak table", 2)))
    await index_all(store)

    hits = await near(store, "red lamp", facets=(Facet.TEXT,))

    assert _texts(hits) == ["red lamp shade", "oak table", "a red lamp", "an old door"]
    assert hits[2].similarity > 0.98
    assert 0.7 < hits[0].similarity < 0.9
    assert all(0 <= hit.similarity == hit.score <= 1 for hit in hits)
    assert (hits[2].call_id, hits[2].facet) == ("c1", Facet.TEXT)


async def a_hit_says_which_of_its_texts_is_nearest(store: Backend) -> None:
    await record(store, opened(), said(0, "which lamp?"), said(1, "the red one"))
    await attach(store)
    await store.write(TENANT, added(_note("oak table")))
    await index_all(store)

    asked = (await near(store, "note"))[0]
    exchange = [hit for hit in await near(store, "red lamp") if text_of(hit) == "the red one"]

    assert (text_of(asked), asked.facet) == ("oak table", Facet.QUESTION)
    assert [hit.facet for hit in exchange] == [Facet.EXCHANGE]
    narrowed = await near(store, "note", facets=(Facet.TEXT,))
    assert {hit.facet for hit in narrowed} == {Facet.TEXT}


async def facets_are_looked_for_apart_where_the_cue_says_so(store: Backend) -> None:
    await record(store, opened(), said(0, "which lamp?"), said(1, "the red one"))
    await attach(store)
    await store.write(TENANT, added(_note("red lamp"), _note("oak table", 2)))
    await index_all(store)
    facets = (Facet.TEXT, Facet.EXCHANGE, Facet.QUESTION)

    hits = await near(store, "red lamp", facets=facets, is_apart=True, limit=1)

    alone = [await near(store, "red lamp", facets=(facet,), limit=1) for facet in facets]
    facts = [hit for some in alone for hit in some if hit.fact is not None]
    turns = [hit for some in alone for hit in some if hit.turn is not None]
    assert list(hits) == [*facts, *turns]
    assert {hit.facet for hit in turns} == {Facet.TEXT, Facet.EXCHANGE}


async def the_best_of_several_query_vectors_counts(store: Backend) -> None:
    await store.write(TENANT, added(_note("red lamp"), _note("oak table", 2)))
    await index_all(store)
    vectors = tuple(await HASH.embed_query(["red lamp", "oak table"]))

    hits = await store.nearest(VectorCue(TENANT, "dana", HASH.name, vectors, LATER_AT))

    assert [hit.similarity > 0.98 for hit in hits] == [True, True]


async def only_so_many_of_each_are_given(store: Backend) -> None:
    await record(store, opened(), *(said(n, f"lamp {n}") for n in range(4)))
    await attach(store)
    await store.write(TENANT, added(*(_note(f"lamp {n}", n) for n in range(4))))
    await index_all(store)

    hits = await near(store, "lamp 2", limit=2)

    assert _texts(hits)[::2] == ["lamp 2", "lamp 2"]
    assert [hit.fact is None for hit in hits] == [False, False, True, True]


async def nothing_of_another_profile_or_tenant_is_near(store: Backend) -> None:
    await store.write(TENANT, added(replace(_note("red lamp"), caller_id="erik")))
    await store.write("other", added(replace(_note("red lamp"), tenant="other")))
    await store.write(TENANT, added(_note("oak table", 2)))
    await index_all(store)

    assert _texts(await near(store, "red lamp")) == ["oak table"]
    assert await near(store, "red lamp", caller_id="nobody") == ()


async def kinds_subjects_and_times_narrow_before_ranking(store: Backend) -> None:
    rosa = _note("red lamp", 0, subject="person:rosa")
    event = _note("red lamp today", 2, kind=Kind.EVENT)
    over = _note("red lamp once", 3, expires_at=LATER_AT)
    await store.write(TENANT, added(rosa, event, over, _note("red lamp again", 4)))
    await index_all(store)

    async def found(**fields: object) -> set[str]:
        return set(_texts(await near(store, "red lamp", **fields)))  # type: ignore[arg-type]

    since_at = START_AT + timedelta(seconds=2)
    assert await found(subjects=("person:rosa",)) == {"red lamp"}
    assert await found(kinds=(Kind.EVENT,)) == {"red lamp today"}
    assert await found() == {"red lamp", "red lamp today", "red lamp again"}
    assert await found(at=START_AT) == {*await found(), "red lamp once"}
    assert await found(since_at=since_at) == {"red lamp today", "red lamp again"}
    assert await found(until_at=since_at) == {"red lamp"}
    assert await found(statuses=(Status.PROVISIONAL,)) == set()


async def a_time_window_narrows_turns(store: Backend) -> None:
    await record(store, opened(), *(said(n, f"lamp {n}") for n in range(4)))
    await attach(store)
    await index_all(store)
    since_at, until_at = START_AT + timedelta(seconds=1), START_AT + timedelta(seconds=3)

    hits = await near(store, "lamp", since_at=since_at, until_at=until_at)

    assert set(_texts(hits)) == {"lamp 1", "lamp 2"}


async def what_is_superseded_leaves_the_index(store: Backend) -> None:
    old, new = _note("red lamp"), _note("green lamp", 2)
    await store.write(TENANT, added(old))
    await index_all(store)

    await store.write(TENANT, updated(new, replace(old, status=Status.SUPERSEDED)))

    assert await near(store, "red lamp") == ()
    assert await _waiting(store) == ["green lamp"]
    assert await store.indexed_with() == {HASH.name: 0}


async def what_is_current_again_waits_again(store: Backend) -> None:
    old, new = _note("red lamp"), _note("green lamp", 2)
    await store.write(TENANT, added(old))
    await store.write(TENANT, updated(new, replace(old, status=Status.SUPERSEDED)))
    await index_all(store)

    await store.forget(
        Erasure(
            TENANT, Forgotten.FACT, new.id, "dana", LATER_AT, fact_ids=(new.id,), restored=(old,)
        )
    )

    assert await _waiting(store) == ["red lamp"]


async def what_expires_leaves_the_index(store: Backend) -> None:
    await store.write(TENANT, added(_note("red lamp", expires_at=START_AT)))
    await index_all(store)

    await store.sweep(now_at=LATER_AT, words_before=None)

    assert await store.indexed_with() == {HASH.name: 0}
    assert await _waiting(store) == []


async def a_call_takes_its_vectors_along_to_another_profile(store: Backend) -> None:
    await record(store, opened(), said(0, "a red lamp"))
    await attach(store)
    await store.settle(await leased(store), added(fact("blue lamp", key="note")))
    await index_all(store)

    await attach(store, caller_id="dora")

    assert await near(store, "lamp") == ()
    assert _texts(await near(store, "lamp", caller_id="dora")) == ["blue lamp", "a red lamp"]
    assert await _waiting(store) == []


async def a_call_that_becomes_somebodys_waits(store: Backend) -> None:
    await record(store, opened(), said(0, "a red lamp"))
    await index_all(store)

    await attach(store)

    assert await _waiting(store) == ["a red lamp"]


async def a_turn_whose_words_change_waits_again_with_the_one_after_it(store: Backend) -> None:
    turns = [said(n, f"lamp {n}") for n in range(3)]
    await record(store, opened(), *turns)
    await attach(store)
    await index_all(store)

    await record(store, TurnAmended(TENANT, "c1", said(0, "door 0").turn))

    assert _texts(await near(store, "lamp")) == ["lamp 2"]
    assert await _waiting(store) == ["lamp 1", "door 0"]


async def a_turn_that_comes_late_makes_the_one_after_it_wait(store: Backend) -> None:
    await record(store, opened(), said(0, "lamp 0"), said(2, "lamp 2"))
    await attach(store)
    await index_all(store)

    await record(store, said(1, "lamp 1"))

    assert await _waiting(store) == ["lamp 2", "lamp 1"]


async def vectors_of_what_changed_meanwhile_are_dropped(store: Backend) -> None:
    old, new = _note("red lamp"), _note("green lamp", 2)
    await record(store, opened(), said(0, "a red lamp"), said(1, "an old door"))
    await attach(store)
    await store.write(TENANT, added(old))
    made = [await made_of(one, HASH) for one in await store.unindexed(HASH.name, limit=9)]

    await store.write(TENANT, updated(new, replace(old, status=Status.RETIRED)))
    await record(store, TurnAmended(TENANT, "c1", said(0, "a *** lamp").turn))
    await store.put_vectors(HASH.name, made)

    assert await near(store, "red lamp") == ()
    assert await _waiting(store) == ["green lamp", "an old door", "a *** lamp"]


async def what_is_forgotten_leaves_the_index_and_the_receipt_counts_it(store: Backend) -> None:
    await record(store, opened(), said(0, "a red lamp"), said(1, "an old door"), ended())
    await attach(store)
    await store.write(TENANT, added(_note("red lamp")))
    made = [await made_of(one, HASH) for one in await store.unindexed(HASH.name, limit=9)]
    await index_all(store)

    receipt = await store.forget(Erasure(TENANT, Forgotten.PROFILE, "dana", "dana", LATER_AT))
    await store.put_vectors(HASH.name, made)

    assert dict(receipt.removed)["vector"] == 5
    assert await near(store, "red lamp") == ()
    assert await store.indexed_with() == {HASH.name: 0}
    assert await _waiting(store) == []


async def a_redacted_turn_loses_its_vectors_and_is_indexed_anew(store: Backend) -> None:
    await record(store, opened(), said(0, "a red lamp"), said(1, "an old door"))
    await attach(store)
    await index_all(store)
    blotted = Redaction("c1", 0, said(0).turn.role, "a ███ lamp")

    receipt = await store.forget(
        Erasure(TENANT, Forgotten.FACT, "f", "dana", LATER_AT, redactions=(blotted,))
    )

    assert dict(receipt.removed)["vector"] == 3
    assert await near(store, "red lamp") == ()
    assert await _waiting(store) == ["an old door", "a ███ lamp"]


async def a_fact_whose_evidence_is_reworded_is_indexed_anew(store: Backend) -> None:
    kept = _note("red lamp")
    await store.write(TENANT, added(kept))
    await index_all(store)
    reworded = ((kept.id, "a ███ lamp"),)

    receipt = await store.forget(
        Erasure(TENANT, Forgotten.FACT, "f", "dana", LATER_AT, reworded=reworded)
    )

    assert dict(receipt.removed)["vector"] == 2
    assert await near(store, "red lamp") == ()
    assert await _waiting(store) == ["red lamp"]


async def vectors_of_two_embedders_are_never_compared(store: Backend) -> None:
    other = HashEmbedder("other", 64)
    await store.write(TENANT, added(_note("red lamp")))
    await index_all(store)

    assert await near(store, "red lamp", by=other) == ()
    assert await _waiting(store, other) == ["red lamp"]
    await index_all(store, other)
    assert await store.indexed_with() == {"hash": 1, "other": 1}
    assert [hit.similarity > 0.98 for hit in await near(store, "red lamp", by=other)] == [True]
    assert [hit.similarity > 0.98 for hit in await near(store, "red lamp")] == [True]


async def what_is_written_meanwhile_waits_for_every_embedder(store: Backend) -> None:
    other = HashEmbedder("other", 64)
    await store.write(TENANT, added(_note("red lamp")))
    await index_all(store)
    await index_all(store, other)

    await store.write(TENANT, added(_note("oak table", 2)))

    assert await _waiting(store) == await _waiting(store, other) == ["oak table"]


async def other_dimensions_of_one_embedder_take_the_place_of_all(store: Backend) -> None:
    wider = HashEmbedder(HASH.name, 96)
    await store.write(TENANT, added(_note("red lamp"), _note("oak table", 2)))
    await index_all(store)
    passages = await store.unindexed("none", limit=2)

    await store.put_vectors(HASH.name, [await made_of(passages[0], wider)])

    assert await near(store, "lamp") == ()
    assert _texts(await near(store, "lamp", by=wider)) == ["oak table"]
    assert await _waiting(store) == ["red lamp"]


async def all_embedders_but_those_named_are_dropped_and_full_text_stays(store: Backend) -> None:
    other = HashEmbedder("other", 32)
    await store.write(TENANT, added(_note("red lamp")))
    await index_all(store)
    await index_all(store, other)

    await store.drop_index(besides={"other"})
    kept = await store.indexed_with()
    await store.drop_index()

    assert kept == {"other": 1}
    assert await store.indexed_with() == {}
    assert await _waiting(store) == await _waiting(store, other) == ["red lamp"]
    hits = await store.find(Cue(TENANT, "dana", ("lamp",), LATER_AT))
    assert _texts(hits) == ["red lamp"]


async def vectors_without_one_shape_or_a_direction_are_refused(store: Backend) -> None:
    await store.write(TENANT, added(_note("red lamp")))
    (passage,) = await store.unindexed(HASH.name, limit=1)
    for vectors in (
        [np.zeros(4)],
        [np.ones(4), np.ones(5)],
        [np.ones((2, 4))],
        [np.full(4, np.nan)],
    ):
        given = tuple((Facet.TEXT, one.astype(np.float32)) for one in vectors)
        try:
            await store.put_vectors(HASH.name, [PassageVectors(passage, given)])
        except UsageError:
            continue
        raise AssertionError("was not refused")


async def a_question_without_vectors_finds_nothing(store: Backend) -> None:
    await store.write(TENANT, added(_note("red lamp")))
    await index_all(store)

    assert await store.nearest(VectorCue(TENANT, "dana", HASH.name, (), LATER_AT)) == ()


async def the_nearest_of_many_are_found(store: Backend) -> None:
    notes = [_note(f"lamp {n % 50} word{n}", n % 7) for n in range(2_400)]
    await store.write(TENANT, added(*notes, _note("oak table", 2)))
    await index_all(store)

    hits = await near(store, "oak table", facets=(Facet.TEXT,), limit=3)
    mine = await near(store, "word777", facets=(Facet.TEXT,), limit=1)

    assert _texts(hits)[0] == "oak table"
    assert len(hits) == 3
    assert _texts(mine) == ["lamp 27 word777"]
