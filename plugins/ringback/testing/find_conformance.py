"""What every store finds, and how it ranks, one fact per function."""
# ruff: noqa: S101, D103 - a suite asserts, and its names are sentences

from __future__ import annotations

import math
from dataclasses import replace
from datetime import timedelta

from ringback.errors import UsageError
from ringback.protocols import TurnAmended
from ringback.recollection import Cue, Facet, Hit
from ringback.records import Fact, Kind, Status
from ringback.terms import terms
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
    settle_all,
)


def _cue(text: str, *, caller_id: str = "dana", **fields: object) -> Cue:
    limits = {"at": LATER_AT, **fields}
    return Cue(TENANT, caller_id, terms(text), **limits)  # type: ignore[arg-type]


def _note(value: str, position: int = 0, **fields: object) -> Fact:
    made = fact(value, key="note", position=position, call_id="application:1")
    return replace(made, caller_id="dana", **fields)  # type: ignore[arg-type]


async def _found(store: Backend, cue: Cue) -> list[str]:
    return [_text(hit) for hit in await store.find(cue)]


def _text(hit: Hit) -> str:
    return hit.fact.value if hit.fact else hit.turn.text if hit.turn else ""


def _is(score: float, expected: float) -> bool:
    return abs(score - expected) < 1e-9


def _bm25(*held: tuple[float, int], length: int, mean: float) -> float:
    bound = 1.2 * (1 - 0.75 + 0.75 * length / mean)
    return sum(weight * times * 2.2 / (times + bound) for weight, times in held)


async def facts_come_first_and_then_turns(store: Backend) -> None:
    await record(store, opened(), said(0, "my lamps are flickering"))
    await attach(store)
    await store.write(TENANT, added(_note("the lamp flickers")))

    facts, turns = await store.find(_cue("flickering lamp"))

    assert facts.fact == _note("the lamp flickers")
    assert turns.turn == said(0, "my lamps are flickering").turn
    assert (facts.call_id, turns.call_id) == ("", "c1")
    assert _is(facts.score, 1.0)


async def a_score_is_the_share_of_the_terms_weight(store: Backend) -> None:
    notes = [_note("red lamp", 0), _note("blue lamp", 2), _note("green door", 4)]
    await store.write(TENANT, added(*notes))

    hits = await store.find(_cue("red lamp lamp unheard"))

    def weigh(n: int) -> float:
        return math.log(1 + (3 - n + 0.5) / (n + 0.5))

    total = weigh(1) + weigh(2) + weigh(0)
    assert [_text(hit) for hit in hits] == ["red lamp", "blue lamp"]
    assert _is(hits[0].score, (weigh(1) + weigh(2)) / total)
    assert _is(hits[1].score, weigh(2) / total)


async def bm25_counts_repeats_and_lengths(store: Backend) -> None:
    texts = ("lamp lamp lamp red", "lamp", "oak table in the long dark hall upstairs")
    await record(store, opened(), *(said(n, text) for n, text in enumerate(texts)))
    await attach(store)

    hits = await store.find(_cue("lamp red"))

    lamp, red, mean = math.log(1 + 1.5 / 2.5), math.log(1 + 2.5 / 1.5), (4 + 1 + 6) / 3
    assert [_text(hit) for hit in hits] == list(texts[:2])
    assert _is(hits[0].bm25, _bm25((lamp, 3), (red, 1), length=4, mean=mean))
    assert _is(hits[1].bm25, _bm25((lamp, 1), length=1, mean=mean))


async def bm25_forgets_what_is_gone(store: Backend) -> None:
    await record(store, opened(), said(0, "lamp lamp"), said(1, "red lamp"))
    await attach(store)

    await record(store, TurnAmended(TENANT, "c1", said(0, "door").turn))
    (hit,) = await store.find(_cue("lamp"))

    weight = math.log(1 + 1.5 / 1.5)
    assert _is(hit.bm25, _bm25((weight, 1), length=2, mean=1.5))


async def an_exchange_is_found_by_both_its_turns(store: Backend) -> None:
    await record(store, opened(), said(0, "which lamp?"), said(1, "the red one"), said(2, "fine"))
    await record(store, opened("c2"), said(0, "of another call", call_id="c2"))
    await attach(store)
    await attach(store, "c2")

    hits = await store.find(_cue("red lamp", exchanges=True))

    found = [(_text(hit), hit.facet) for hit in hits]
    assert found == [
        ("the red one", None),
        ("which lamp?", None),
        ("the red one", Facet.EXCHANGE),
        ("fine", Facet.EXCHANGE),
        ("which lamp?", Facet.EXCHANGE),
    ]
    assert [hit.score for hit in hits[2:]] == [1.0, 0.5, 0.5]
    assert await _found(store, _cue("red lamp")) == ["the red one", "which lamp?"]


async def the_first_turn_of_a_call_is_an_exchange_of_its_own(store: Backend) -> None:
    await record(store, opened(), said(0, "a red lamp"))
    await attach(store)

    alone, exchange = await store.find(_cue("lamp", exchanges=True))

    assert (alone.facet, exchange.facet) == (None, Facet.EXCHANGE)
    assert alone.turn == exchange.turn


async def a_changed_turn_changes_its_exchange_and_the_next(store: Backend) -> None:
    await record(store, opened(), *(said(n, f"lamp{n} here") for n in range(3)))
    await attach(store)

    await record(store, TurnAmended(TENANT, "c1", said(1, "door1 there").turn))

    async def exchanges(text: str) -> list[str]:
        hits = await store.find(_cue(text, exchanges=True))
        return sorted(_text(hit) for hit in hits if hit.facet is Facet.EXCHANGE)

    assert await exchanges("lamp1") == []
    assert await exchanges("door1") == ["door1 there", "lamp2 here"]
    assert await exchanges("lamp0") == ["door1 there", "lamp0 here"]


async def a_turn_that_comes_late_stands_between_two_others(store: Backend) -> None:
    await record(store, opened(), said(0, "lamp0"), said(2, "lamp2"))
    await attach(store)

    await record(store, said(1, "lamp1"))

    async def exchanges(text: str) -> list[str]:
        hits = await store.find(_cue(text, exchanges=True))
        return sorted(_text(hit) for hit in hits if hit.facet is Facet.EXCHANGE)

    assert await exchanges("lamp0") == ["lamp0", "lamp1"]
    assert await exchanges("lamp1") == ["lamp1", "lamp2"]


async def exchanges_of_old_words_go_with_them(store: Backend) -> None:
    await record(store, opened(), said(0, "lamp0"), said(1, "lamp1"), ended())
    await attach(store)
    await settle_all(store)

    await store.sweep(now_at=LATER_AT, words_before=LATER_AT)

    assert await _found(store, _cue("lamp0 lamp1", exchanges=True)) == []


async def equal_scores_are_newest_first_then_by_id(store: Backend) -> None:
    notes = [_note(f"lamp {name}", place) for name, place in (("one", 0), ("six", 4), ("ten", 2))]
    twins = [_note("lamp four", 4), _note("lamp five", 4)]
    await store.write(TENANT, added(*notes, *twins))

    hits = await store.find(_cue("lamp"))

    newest = sorted([notes[1], *twins], key=lambda one: one.id)
    assert [hit.fact for hit in hits] == [*newest, notes[2], notes[0]]
    assert await store.find(_cue("lamp", limit=2)) == hits[:2]


async def what_holds_none_of_the_terms_is_not_found(store: Backend) -> None:
    await store.write(TENANT, added(_note("red lamp")))

    assert await _found(store, _cue("door")) == []
    assert await _found(store, _cue("")) == []
    assert await _found(store, _cue("the of a")) == []


async def nothing_of_another_profile_or_tenant_is_found_or_counted(store: Backend) -> None:
    others = [replace(_note("red lamp", 10 + n), caller_id="erik") for n in range(3)]
    await store.write(TENANT, added(*others, _note("red lamp"), _note("blue lamp", 2)))
    theirs = replace(_note("red lamp"), tenant="other")
    await store.write("other", added(theirs))

    hits = await store.find(_cue("red door"))

    weight, absent = math.log(1 + 1.5 / 1.5), math.log(1 + 2.5 / 0.5)
    assert [hit.fact for hit in hits] == [_note("red lamp")]
    assert _is(hits[0].score, weight / (weight + absent))
    assert await _found(store, _cue("red", caller_id="nobody")) == []


async def a_fact_is_found_by_its_key_its_value_and_its_words(store: Backend) -> None:
    made = fact("4821", key="account_number", call_id="application:1")
    evidence = replace(made.evidence, words="four eight two one")
    await store.write(TENANT, added(replace(made, caller_id="dana", evidence=evidence)))

    for text in ("account", "number", "4821", "eight"):
        assert await _found(store, _cue(text)) == ["4821"]


async def only_current_facts_are_found_unless_asked_for(store: Backend) -> None:
    ends = {"old lamp": Status.SUPERSEDED, "dead lamp": Status.RETIRED, "lamp": Status.ACTIVE}
    notes = [_note(value, status=status) for value, status in ends.items()]
    await store.write(TENANT, added(*notes))

    assert await _found(store, _cue("lamp")) == ["lamp"]
    retired = await _found(store, _cue("lamp", statuses=(Status.RETIRED,)))
    assert retired == ["dead lamp"]
    assert len(await store.facts(TENANT, caller_id="dana", statuses=tuple(Status))) == 3


async def what_has_expired_is_not_found(store: Backend) -> None:
    await store.write(TENANT, added(_note("lamp", expires_at=LATER_AT)))

    assert await _found(store, _cue("lamp")) == []
    assert await _found(store, _cue("lamp", at=LATER_AT - timedelta(microseconds=1))) == ["lamp"]


async def kinds_and_subjects_narrow_facts(store: Backend) -> None:
    rosa = _note("red lamp", subject="person:rosa")
    event = _note("blue lamp", kind=Kind.EVENT)
    await store.write(TENANT, added(rosa, event))

    assert await _found(store, _cue("lamp", subjects=("person:rosa",))) == ["red lamp"]
    assert await _found(store, _cue("lamp", kinds=(Kind.EVENT,))) == ["blue lamp"]
    assert await _found(store, _cue("lamp", kinds=())) == []


async def a_time_window_narrows_facts_and_turns(store: Backend) -> None:
    await record(store, opened(), *(said(n, f"lamp {n}") for n in range(3)))
    await attach(store)
    await store.write(TENANT, added(*(_note(f"lamp fact {n}", n) for n in range(3))))

    second_at, third_at = START_AT + timedelta(seconds=1), START_AT + timedelta(seconds=2)
    cue = _cue("lamp", since_at=second_at, until_at=third_at)

    assert await _found(store, cue) == ["lamp fact 1", "lamp 1"]


async def a_time_without_terms_finds_all_that_was_said_in_it_newest_first(store: Backend) -> None:
    await record(store, opened(), *(said(n, f"lamp {n}") for n in range(3)))
    await attach(store)
    await store.write(TENANT, added(*(_note(f"lamp fact {n}", n) for n in range(3))))

    second_at = START_AT + timedelta(seconds=1)
    hits = await store.find(_cue("", since_at=second_at))

    assert [_text(hit) for hit in hits] == ["lamp fact 2", "lamp fact 1", "lamp 2", "lamp 1"]
    assert {hit.score for hit in hits} == {0.0}


async def what_was_said_before_the_caller_was_known_is_found_after(store: Backend) -> None:
    await record(store, opened(), said(0, "a red lamp"))
    await store.settle(await leased(store), added(fact("red lamp", key="note")))
    before = await _found(store, _cue("lamp"))

    await attach(store)
    after = await _found(store, _cue("lamp"))
    await attach(store, caller_id="dora")

    assert (before, after) == ([], ["red lamp", "a red lamp"])
    assert await _found(store, _cue("lamp")) == []
    assert await _found(store, _cue("lamp", caller_id="dora")) == after


async def a_call_that_is_opened_late_by_a_known_caller_is_found(store: Backend) -> None:
    await record(store, said(0, "a red lamp"))

    await record(store, opened(caller_id="dana"))

    assert await _found(store, _cue("lamp")) == ["a red lamp"]


async def chinese_japanese_and_korean_are_found_by_their_words(store: Backend) -> None:
    texts = (
        "来电者对花生过敏并且住在杭州西湖区",
        "お客様の担当は佐藤さんで次回は木曜日です",
        "请把文件发到ops-ledger邮箱",
        "담당자는 김민수입니다",
    )
    await store.write(TENANT, added(*(_note(text) for text in texts)))

    for question, place in (
        ("花生", 0), ("花生过敏", 0), ("佐藤", 1), ("木曜日", 1), ("ledger", 2), ("김민수", 3),
    ):  # fmt: skip
        found = await _found(store, _cue(question))
        assert found[:1] == [texts[place]], question


async def two_spellings_of_one_letter_meet(store: Backend) -> None:
    await store.write(TENANT, added(_note("José Muñoz, flat １２")))  # noqa: RUF001

    assert len(await _found(store, _cue("José Muñoz flat 12"))) == 1


async def an_amended_turn_is_found_by_its_new_words_only(store: Backend) -> None:
    await record(store, opened(), said(0, "the red lamp"))
    await attach(store)
    before = await _found(store, _cue("lamp"))

    await record(store, TurnAmended(TENANT, "c1", said(0, "the old door").turn))

    assert before == ["the red lamp"]
    assert await _found(store, _cue("lamp")) == []
    assert await _found(store, _cue("door")) == ["the old door"]


async def the_best_of_many_are_found_whatever_their_order(store: Backend) -> None:
    common = [_note(f"lamp {n}", 0) for n in range(1_100)]
    newer = [_note(f"lamp {n} door", 1) for n in range(5)]
    rare = [_note(f"window door {n}", 2 + n) for n in range(5)]
    await store.write(TENANT, added(*common, *newer, *rare))

    hits = await store.find(_cue("lamp door window", limit=12))
    ties = await store.find(_cue("lamp", limit=12))

    rest = sorted(common, key=lambda one: one.id)
    best = sorted(newer, key=lambda one: one.id)
    assert [hit.fact for hit in hits] == [*reversed(rare), *best, *rest[:2]]
    assert [hit.fact for hit in ties] == [*best, *rest[:7]]


async def many_common_terms_outweigh_a_rare_one(store: Backend) -> None:
    common = [_note(f"lamp door roof wall path gate lawn {n}", 1) for n in range(1_050)]
    rare = [_note(f"window {n}", 2) for n in range(30)]
    others = [_note(f"{n}", 3) for n in range(1_100)]
    await store.write(TENANT, added(*common, *rare, *others))

    hits = await store.find(_cue("window lamp door roof wall path gate lawn", limit=3))

    assert [hit.fact for hit in hits] == sorted(common, key=lambda one: one.id)[:3]


async def what_expired_makes_room_for_older_things(store: Backend) -> None:
    over = [_note(f"lamp {n}", 5, expires_at=LATER_AT) for n in range(300)]
    await store.write(TENANT, added(*over, _note("lamp", 1)))

    assert await _found(store, _cue("lamp", limit=1)) == ["lamp"]


async def cues_without_names_or_limit_are_refused(store: Backend) -> None:
    naive = START_AT.replace(tzinfo=None)
    for cue in (
        replace(_cue("lamp"), tenant=""),
        replace(_cue("lamp"), caller_id=""),
        _cue("lamp", limit=0),
        _cue("lamp", at=naive),
        _cue("lamp", since_at=naive),
    ):
        try:
            await store.find(cue)
        except UsageError:
            continue
        raise AssertionError("was not refused")
