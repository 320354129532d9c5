"""Recall on both stores: any question, any failure, any moment to stop; and whose memory it is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ringback import Memory, Role, UsageError
from ringback.core.alignment import OfferedTurn
from ringback.errors import ClosedError, InferenceError, StoreUnavailableError
from ringback.profile import Profile
from ringback.recollection import Channel, Recall
from ringback.records import ProfileKind
from ringback.schemas import GENERAL
from ringback.testing import HashEmbedder

pytestmark = pytest.mark.framework

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)
MINE = "+15550100199"
OF_VECTORS = {Channel.VECTORS, Channel.EXCHANGE_VECTORS, Channel.QUESTIONS, Channel.HYPOTHESIS}
OF_TEXT = {Channel.FACTS, Channel.TURNS, Channel.EXCHANGES}
ASKED = "What did Rosa say about my phone number and the drawbridge toll yesterday?"
"""Asks every channel."""


class Moody(HashEmbedder):
    """Embeds what is kept, unless it is told not to; of questions it makes what it is told to."""

    def __init__(self) -> None:
        super().__init__("moody", 64)
        self.called = "moody"
        self.is_stuck = False
        self.answer: Any = None
        self.reached = asyncio.Event()

    @property
    def name(self) -> str:
        return self.called

    async def embed(self, texts: Sequence[str]) -> Any:
        if self.is_stuck:
            await asyncio.Event().wait()
        return await super().embed(texts)

    async def embed_query(self, texts: Sequence[str]) -> Any:
        self.reached.set()
        if self.answer is not None:
            return await self.answer(texts)
        return await super().embed(texts)


async def fails(*_: Any, **__: Any) -> Any:
    raise StoreUnavailableError("down")


async def refuses(_: Sequence[str]) -> Any:
    raise InferenceError("no")


async def is_closed(_: Sequence[str]) -> Any:
    raise ClosedError("closed")


async def hangs(*_: Any, **__: Any) -> Any:
    await asyncio.Event().wait()


async def not_numbers(texts: Sequence[str]) -> Any:
    return np.full((len(texts), 64), np.nan, np.float32)


async def nothing(_: Sequence[str]) -> Any:
    return None


async def words(texts: Sequence[str]) -> Any:
    return [["a"] for _ in texts]


async def no_rows(_: Sequence[str]) -> Any:
    return np.zeros((0, 64), np.float32)


@pytest.fixture(params=["memory", "sqlite"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return "memory:" if request.param == "memory" else f"sqlite:///{tmp_path / 'memory.db'}"


@pytest.fixture
def embedder() -> Moody:
    return Moody()


@pytest.fixture
async def memory(url: str, embedder: Moody) -> AsyncIterator[Memory]:
    async with await Memory.open(url, schema=GENERAL, embedder=embedder) as opened:
        yield opened


@pytest.fixture
async def dana(memory: Memory) -> Profile:
    """A caller of whom a number, a note and a conversation are kept, all of it embedded."""
    profile = memory.profile("acme", "dana")
    await profile.remember(MINE, key="phone")
    await profile.remember("disputes the drawbridge toll of 9 May")
    lines = ("My mother's name is Rosa.", "The hallway lamp is green.")
    turns = [OfferedTurn(Role.CALLER, line, at=AT) for line in lines]
    await profile.ingest(turns)
    await memory.settle()
    assert await memory.indexed()
    return profile


def values(answer: Recall) -> list[str]:
    return [one.fact.value if one.fact else one.text for one in answer.found]


# Any question


@pytest.mark.parametrize(
    "question",
    [
        "",
        " \n\t",
        "?!… --- '",
        "where is it and who was there",
        "🙂🙂🙂",
        "\0\0\x07",
        "\ud800\udfff",
        "\u200b\u202e",
        "What did I say on 31 February 2026?",
        "What did I say on 9999-12-31?",
        "二月三十五號呢?",
        "((((a|b)*)+)+$ [x] \\",
        "'; DROP TABLE fact; -- \" NEAR(a b) *",
    ],
)
async def test_a_question_that_asks_for_nothing_is_answered_with_nothing(
    dana: Profile, question: str
):
    answer = await dana.recall(question)

    assert answer == Recall()


@pytest.mark.parametrize(
    "question",
    [
        "What is my \0phone\0 number\0?",
        "\ud800What is my phone number?\udfff",
        "What is my phone number? 🙂",
        "What is my phone number? " + "and so on " * 5_000,
        "WHAT IS MY PHONE NUMBER",
        "what is my phone　number",
    ],
)
async def test_a_question_is_understood_through_what_does_not_belong_to_it(
    dana: Profile, question: str
):
    answer = await dana.recall(question)

    assert values(answer) == [MINE]
    assert answer.missed == ()


@pytest.mark.parametrize("question", ["lorem ipsum " * 4_200, "過路費" * 17_000, "z" * 50_000])
async def test_50_kb_are_read_in_time(dana: Profile, question: str):
    assert (await dana.recall(question, deadline_ms=20_000)).missed == ()


@pytest.mark.parametrize("limit", [0, -1])
async def test_a_limit_below_one_is_refused(dana: Profile, limit: int):
    with pytest.raises(UsageError, match="limit"):
        await dana.recall("phone number", limit=limit)


@pytest.mark.parametrize("question", [ASKED, "What is my phone number?", "drawbridge toll"])
async def test_of_a_caller_of_whom_nothing_is_kept_nothing_is_found(memory, dana, question):
    assert await memory.profile("acme", "nobody").recall(question) == Recall()


async def test_an_unknown_zone_counts_in_utc(dana: Profile):
    assert values(await dana.recall("my phone number", zone="Mars/Olympus")) == [MINE]


# Nothing found, and could not look


async def test_nothing_found_misses_nothing(dana: Profile):
    assert await dana.recall("Which orchestra plays on the pier?") == Recall()


@pytest.mark.parametrize(
    ("verb", "missed"),
    [
        ("heard", set(Channel)),
        ("linked", set(Channel)),
        ("with_keys", {Channel.KEY, Channel.PERSONA}),
        ("find", {*OF_TEXT, Channel.TIME}),
        ("nearest", OF_VECTORS),
    ],
)
async def test_what_a_store_cannot_do_is_missed_and_nothing_else(
    memory: Memory, dana: Profile, monkeypatch: pytest.MonkeyPatch, verb: str, missed: set[Channel]
):
    monkeypatch.setattr(memory.keeping, verb, fails)

    assert set((await dana.recall(ASKED)).missed) == missed


async def test_a_store_that_is_down_is_told_from_one_that_has_nothing(
    memory: Memory, dana: Profile, monkeypatch: pytest.MonkeyPatch
):
    for verb in ("heard", "linked", "with_keys", "find", "nearest"):
        monkeypatch.setattr(memory.keeping, verb, fails)

    answer = await dana.recall(ASKED)

    assert answer.found == ()
    assert set(answer.missed) == set(Channel)


@pytest.mark.parametrize("verb", ["find", "nearest"])
async def test_what_the_others_found_comes_all_the_same(
    memory: Memory, dana: Profile, monkeypatch: pytest.MonkeyPatch, verb: str
):
    monkeypatch.setattr(memory.keeping, verb, fails)

    assert values(await dana.recall("What is my phone number?")) == [MINE]


@pytest.mark.parametrize("answer", [refuses, is_closed, not_numbers, no_rows, nothing, words])
async def test_an_embedder_that_cannot_misses_its_channels_only(
    dana: Profile, embedder: Moody, answer: Any
):
    embedder.answer = answer

    found = await dana.recall("drawbridge toll")

    assert set(found.missed) == OF_VECTORS
    assert values(found) == ["disputes the drawbridge toll of 9 May"]


async def test_an_embedder_that_hangs_is_waited_for_until_the_deadline(
    dana: Profile, embedder: Moody
):
    embedder.answer = hangs

    found = await dana.recall("drawbridge toll", deadline_ms=500)

    assert set(found.missed) == OF_VECTORS
    assert values(found) == ["disputes the drawbridge toll of 9 May"]


@pytest.mark.parametrize("deadline_ms", [0, -1, 50])
async def test_a_store_that_hangs_is_waited_for_until_the_deadline(
    memory: Memory, dana: Profile, monkeypatch: pytest.MonkeyPatch, deadline_ms: int
):
    monkeypatch.setattr(memory.keeping, "linked", hangs)

    answer = await dana.recall("phone number", deadline_ms=deadline_ms)

    assert answer.found == ()
    assert set(answer.missed) == set(Channel)


async def test_an_index_that_is_empty_yet_misses_nothing(memory: Memory, embedder: Moody):
    embedder.is_stuck = True
    profile = memory.profile("acme", "erik")
    await profile.remember("disputes the drawbridge toll of 9 May")

    answer = await profile.recall("drawbridge toll")

    assert values(answer) == ["disputes the drawbridge toll of 9 May"]
    assert answer.missed == ()
    assert not OF_VECTORS & set(answer.found[0].channels)


async def test_vectors_of_another_embedder_are_not_compared(dana: Profile, embedder: Moody):
    before = await dana.recall("drawbridge toll")
    embedder.is_stuck = True
    embedder.called = "another"

    answer = await dana.recall("drawbridge toll")

    assert OF_VECTORS & set(before.found[0].channels)
    assert values(answer) == values(before)
    assert not OF_VECTORS & set(answer.found[0].channels)
    assert answer.missed == ()


async def test_without_an_embedder_no_vectors_are_missed(url: str):
    async with await Memory.open(url, schema=GENERAL) as memory:
        await memory.profile("acme", "dana").remember("disputes the drawbridge toll of 9 May")

        answer = await memory.profile("acme", "dana").recall("drawbridge toll")

    assert len(answer.found) == 1
    assert answer.missed == ()


async def test_channels_that_were_not_asked_are_not_missed(
    memory: Memory, dana: Profile, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(memory.keeping, "find", fails)

    answer = await dana.recall("my phone number", channels=(Channel.KEY,))

    assert values(answer) == [MINE]
    assert answer.missed == ()


async def test_a_channel_that_was_not_asked_finds_nothing(dana: Profile):
    answer = await dana.recall("drawbridge toll", channels=(Channel.TURNS,))

    assert answer == Recall()


# Stopped


async def stopped(profile: Profile, reached: asyncio.Event) -> set[asyncio.Task[Any]]:
    """Stop a recall once it is somewhere; the tasks that are left of it."""
    before = asyncio.all_tasks()
    asking = asyncio.create_task(profile.recall(ASKED, deadline_ms=60_000))
    await asyncio.wait_for(reached.wait(), 20)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    return asyncio.all_tasks() - before


@pytest.mark.parametrize("verb", ["heard", "linked", "with_keys", "find", "nearest"])
async def test_a_recall_that_is_stopped_in_the_store_leaves_no_task(
    memory: Memory, dana: Profile, monkeypatch: pytest.MonkeyPatch, verb: str
):
    reached = asyncio.Event()

    async def waits(*_: Any, **__: Any) -> Any:
        reached.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(memory.keeping, verb, waits)

    assert await stopped(dana, reached) == set()


async def test_a_recall_that_is_stopped_at_the_embedder_leaves_no_task(
    dana: Profile, embedder: Moody
):
    embedder.answer = hangs

    assert await stopped(dana, embedder.reached) == set()


@pytest.mark.parametrize("steps", range(0, 12, 2))
async def test_a_recall_that_is_stopped_after_any_step_leaves_no_task(dana: Profile, steps: int):
    before = asyncio.all_tasks()
    asking = asyncio.create_task(dana.recall(ASKED, deadline_ms=60_000))
    for _ in range(steps):
        await asyncio.sleep(0)
    asking.cancel()
    await asyncio.wait([asking])

    assert asyncio.all_tasks() - before == set()
    assert values(await dana.recall("What is my phone number?")) == [MINE]


async def test_a_deadline_leaves_no_task(dana: Profile, embedder: Moody):
    embedder.answer = hangs
    before = asyncio.all_tasks()

    await dana.recall("drawbridge toll", deadline_ms=100)

    assert asyncio.all_tasks() - before == set()


async def test_many_questions_at_once_are_each_answered_by_their_own(dana: Profile):
    answers = await asyncio.gather(
        *(dana.recall(one, deadline_ms=20_000) for one in ("my phone number", "toll") * 10)
    )

    assert [values(one) for one in answers] == [
        [MINE],
        ["disputes the drawbridge toll of 9 May"],
    ] * 10


# Whose it is


@pytest.mark.parametrize(
    "question",
    [
        "What is Zebedee's phone number?",
        "Do I know what Zebedee's phone number is?",
        "Did Zebedee dispute the toll?",
        "where does paul live",
    ],
)
async def test_of_a_stranger_nothing_is_told(dana: Profile, question: str):
    assert await dana.recall(question) == Recall()


async def test_a_stranger_beside_somebody_who_is_known_hides_nobody(dana: Profile):
    answer = await dana.recall("Who is Rosa, and is Zebedee with her?")

    assert "Rosa" in values(answer)


@pytest.mark.parametrize(
    ("tenant", "name", "kind"),
    [
        ("acme", "erik", ProfileKind.CALLER),
        ("other", "dana", ProfileKind.CALLER),
        ("acme", "dana", ProfileKind.AGENT),
        ("acme", "dana", ProfileKind.TEAM),
    ],
)
async def test_two_profiles_never_mix(
    memory: Memory, dana: Profile, tenant: str, name: str, kind: ProfileKind
):
    other = memory.profile(tenant, name, kind)
    await other.remember("+15550100123", key="phone")
    await other.remember("disputes the drawbridge toll of 8 June")
    assert await memory.indexed()

    for question in ("What is my phone number?", "drawbridge toll"):
        theirs, hers = await other.recall(question), await dana.recall(question)

        assert len(theirs.found) == len(hers.found) == 1
        assert values(theirs) != values(hers)
        assert {one.fact.caller_id for one in theirs.found if one.fact} == {other.id}


async def test_what_holds_no_more_is_not_answered(memory: Memory, dana: Profile):
    (old,) = [one for one in await dana.facts() if one.key == "phone"]
    await dana.correct(old.id, "+15550100177")
    assert await memory.indexed()

    assert values(await dana.recall("What is my phone number?")) == ["+15550100177"]


async def test_what_was_retired_is_not_answered(memory: Memory, dana: Profile):
    (old,) = [one for one in await dana.facts() if one.key == "phone"]
    await dana.retire(old.id)
    assert await memory.indexed()

    assert values(await dana.recall("What is my phone number?")) == []


# Used


async def test_only_what_is_answered_counts_as_used(memory: Memory, dana: Profile):
    await dana.recall("What is my phone number?")
    await dana.recall("Which orchestra plays on the pier?")
    await memory.keeping.flush()

    uses = {one.value: one.uses for one in await dana.facts()}

    assert uses.pop(MINE) == 1
    assert set(uses.values()) == {0}


async def test_each_answer_counts_once_more(memory: Memory, dana: Profile):
    for _ in range(3):
        await dana.recall("What is my phone number?")
    await memory.keeping.flush()

    assert {one.uses for one in await dana.facts() if one.value == MINE} == {3}


# Field cases, with vectors


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Where is your nearest branch?", []),
        ("What is it about on the other one?", []),
        ("When does he repair clocks?", ["repairs clocks on Sundays"]),
    ],
)
async def test_a_single_note_is_not_the_answer_to_everything(
    memory: Memory, question: str, found: list[str]
):
    profile = memory.profile("acme", "erik")
    await profile.remember("repairs clocks on Sundays")
    assert await memory.indexed()

    assert values(await profile.recall(question)) == found


@pytest.mark.parametrize("question", ["drawbridge toll", "the toll", "the tolls at the drawbridge"])
async def test_a_short_true_question_is_answered(dana: Profile, question: str):
    assert values(await dana.recall(question)) == ["disputes the drawbridge toll of 9 May"]


@pytest.mark.parametrize("question", ["花生", "花生过敏", "他对什么过敏?"])
async def test_words_of_scripts_without_spaces_are_found(memory: Memory, question: str):
    profile = memory.profile("acme", "erik")
    await profile.remember("来电者对花生过敏并且住在杭州西湖区")
    await profile.remember("お客様の担当は佐藤さんで次回は木曜日です")
    assert await memory.indexed()

    assert values(await profile.recall(question)) == ["来电者对花生过敏并且住在杭州西湖区"]


async def test_what_was_said_at_a_time_is_found_by_the_time(memory: Memory):
    profile = memory.profile("acme", "erik")
    yesterday = datetime.now(UTC) - timedelta(days=1)
    said = OfferedTurn(Role.CALLER, "The hallway lamp is green.", at=yesterday)
    await profile.ingest([said])
    await memory.settle()

    answer = await profile.recall("What happened yesterday?")

    assert values(answer) == ["The hallway lamp is green."]
    assert Channel.TIME in answer.found[0].channels


async def test_words_that_hold_no_more_are_not_told_for_the_day_they_were_said(memory: Memory):
    profile = memory.profile("acme", "erik")
    yesterday = datetime.now(UTC) - timedelta(days=1)
    said = OfferedTurn(Role.CALLER, "My address is 99 Elm Road. The bell is loud.", at=yesterday)
    await profile.ingest([said])
    await memory.settle()
    (address,) = await profile.facts()
    await profile.correct(address.id, "3 Quarry Road")

    answer = await profile.recall("What happened yesterday?")

    assert "Elm" not in " ".join(one.text for one in answer.found)
    assert any("bell is loud" in one.text for one in answer.found)
