"""What an agent's tools answer in a call, and what memory holds afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from ringback import Assurance, CallHandle, Memory, Role, SystemClock, Turn
from ringback.call_tools import CallTools
from ringback.core.assurance import may_correct, may_write
from ringback.core.window import Passage
from ringback.errors import StoreUnavailableError
from ringback.records import Fact, Sensitivity, Source, Status
from ringback.schemas.general import GENERAL

pytestmark = pytest.mark.framework

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)
OLD_ADDRESS = "9 Quill Lane"


class SetClock(SystemClock):
    """Stands nine days before the call until the call begins."""

    def __init__(self) -> None:
        self.at = AT - timedelta(days=9)

    def now_at(self) -> datetime:
        return self.at


@pytest.fixture(params=["memory", "sqlite"])
async def memory(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Memory]:
    url = "memory:" if request.param == "memory" else f"sqlite:///{tmp_path / 'm.db'}"
    async with await Memory.open(url, clock=SetClock()) as opened:
        yield opened


def say(call: CallHandle, *lines: str, role: Role = Role.CALLER) -> None:
    for line in lines:
        call.observe(Turn(role, line, at=AT + timedelta(seconds=call._live.turns_observed)))


async def rung(
    memory: Memory, *, caller: str = "dana", assurance: Assurance = Assurance.CLAIMED
) -> CallHandle:
    """A call that somebody has begun, briefed."""
    memory._clock.at = AT  # type: ignore[attr-defined]
    call = memory.ring(tenant="acme", at=AT)
    if assurance is not Assurance.UNKNOWN:
        await call.identify(caller, assurance)
    await call.briefed()
    return call


async def known_before(memory: Memory, **facts: str) -> None:
    dana = memory.profile("acme", "dana")
    for key, value in facts.items():
        await dana.remember(value, key=key, source=Source.CALLER)


async def current(memory: Memory, caller: str = "dana") -> dict[str, str]:
    return {one.key: one.value for one in await memory.profile("acme", caller).facts()}


async def test_a_search_finds_what_an_earlier_call_said(memory: Memory):
    await known_before(memory, account_number="4821")
    call = await rung(memory)

    answer = await CallTools(call, memory).use(
        "search_memory", {"question": "What is my account number?"}
    )

    assert answer["status"] == "found"
    assert "4821" in answer["text"]


async def test_a_search_for_what_nobody_said_finds_nothing(memory: Memory):
    await known_before(memory, account_number="4821")
    call = await rung(memory)

    answer = await CallTools(call, memory).search_memory("Do I have a dog?")

    assert answer["status"] == "nothing"


async def test_what_is_remembered_rests_on_the_callers_words_and_is_in_the_next_request(
    memory: Memory,
):
    call = await rung(memory)
    say(call, "Hello.", "You can reach me any evening but it has to be after six.", "Thanks.")

    answer = await CallTools(call, memory).use(
        "remember", {"key": "contact_time", "value": "in the evening after six"}
    )

    assert answer["status"] == "done"
    assert "in the evening after six" in call.context().briefing
    facts = await memory.profile("acme", "dana").facts()
    (fact,) = [one for one in facts if one.value == "in the evening after six"]
    assert fact.source is Source.CALLER
    assert fact.evidence.call_id == call.call.id
    assert fact.evidence.position == 1


async def test_a_number_that_the_caller_never_said_is_not_remembered(memory: Memory):
    call = await rung(memory)
    say(call, "My account number is four eight two one.")

    tools = CallTools(call, memory)
    made_up = await tools.remember("4822", key="account_number")
    said = await tools.remember("4821", key="account_number")

    assert made_up["status"] == "refused"
    assert "not said" in made_up["text"]
    assert said["status"] == "done"
    assert (await current(memory))["account_number"] == "4821"


async def test_a_key_outside_the_schema_is_refused_with_the_keys_there_are(memory: Memory):
    call = await rung(memory)
    say(call, "My favourite colour is green.")

    answer = await CallTools(call, memory).remember("green", key="favourite_colour")

    assert answer["status"] == "refused"
    assert "account_number" in answer["text"]
    assert "promise" not in answer["text"]


async def test_an_open_schema_keeps_a_plain_note():
    async with await Memory.open("memory:", schema=GENERAL, clock=SetClock()) as memory:
        call = await rung(memory)
        say(call, "I keep bees on the roof.")

        answer = await CallTools(call, memory).use("remember", {"value": "keeps bees on the roof"})

        assert answer["status"] == "done"
        assert (await current(memory))["note"] == "keeps bees on the roof"


async def test_a_correction_takes_the_old_values_place_in_the_next_request(memory: Memory):
    await known_before(memory, account_number="4821")
    call = await rung(memory)
    say(call, "My account number is wrong, it should be 4822.")

    answer = await CallTools(call, memory).use(
        "correct", {"what": "account number", "value": "4822"}
    )

    assert answer["status"] == "done"
    assert "4822" in call.context().briefing
    assert "4821" not in call.context().briefing
    history = await memory.profile("acme", "dana").facts(with_history=True)
    assert {one.value: one.status for one in history}["4821"] is Status.SUPERSEDED


async def test_a_correction_may_name_the_old_value(memory: Memory):
    await known_before(memory, account_number="4821")
    call = await rung(memory)
    say(call, "It is not four eight two one, it is 4822.")

    answer = await CallTools(call, memory).correct("four eight two one", "4822")

    assert answer["status"] == "done"
    assert (await current(memory))["account_number"] == "4822"


async def test_of_what_there_can_be_many_the_one_that_was_wrong_is_replaced():
    async with await Memory.open("memory:", schema=GENERAL, clock=SetClock()) as memory:
        await known_before(memory, note="likes jazz")
        await known_before(memory, hobby="chess")
        call = await rung(memory)
        say(call, "It is not jazz that I like, it is blues.")

        answer = await CallTools(call, memory).correct("likes jazz", "likes blues")

        assert answer["status"] == "done"
        values = {one.value for one in await memory.profile("acme", "dana").facts()}
        assert values == {"likes blues", "chess"}


async def test_what_is_forgotten_is_gone_from_the_next_request_and_from_every_turn(memory: Memory):
    await known_before(memory, account_number="4821")
    call = await rung(memory)
    assert "4821" in call.context().briefing
    say(call, "Please forget my account number 4821.")

    answer = await CallTools(call, memory).use("forget_that", {"what": "my account number"})

    assert answer["status"] == "done"
    assert "4821" not in call.context().briefing + call.context().block
    assert await memory.profile("acme", "dana").facts(with_history=True) == ()
    view = await memory.keeping.call("acme", call.call.id)
    assert view is not None
    assert [turn.text for turn in view.turns] == ["Please forget my account number ████."]


@pytest.mark.parametrize("that", ["that", "忘記這件事", "what I just said", "請把那件事忘掉"])
async def test_that_is_what_the_caller_said_last(memory: Memory, that: str):
    await known_before(memory, email="dana@example.org")
    call = await rung(memory)
    say(call, "My account number is 4821.")
    say(call, "Noted.", role=Role.AGENT)
    say(call, that)

    answer = await CallTools(call, memory).forget_that(that)
    await memory.settle()

    assert answer["status"] == "done"
    assert await current(memory) == {"email": "dana@example.org"}


async def test_that_is_nothing_older_than_the_last_words(memory: Memory):
    call = await rung(memory)
    say(call, "My account number is 4821.", "My dog is called Rex.", "Forget that.")

    answer = await CallTools(call, memory).forget_that("that")
    await memory.settle()

    assert answer["status"] == "nothing"
    assert (await current(memory))["account_number"] == "4821"


async def test_of_two_things_that_may_be_meant_it_is_asked_which(memory: Memory):
    call = await rung(memory)
    say(call, "This is Dana Whitfield, my account number is 4821.", "Forget that.")

    answer = await CallTools(call, memory).forget_that("that")

    assert answer["status"] == "which"
    assert "4821" in answer["text"]
    assert "Dana Whitfield" in answer["text"]


async def test_everything_is_not_deleted_by_a_tool(memory: Memory):
    await known_before(memory, account_number="4821")
    call = await rung(memory)
    say(call, "Forget everything about me.")

    answer = await CallTools(call, memory).forget_that("everything")

    assert answer["status"] == "refused"
    assert await current(memory) == {"account_number": "4821"}


@pytest.mark.parametrize("name", ["caller_id", "user_id", "tenant", "assurance"])
@pytest.mark.parametrize("tool", ["search_memory", "remember", "correct", "forget_that"])
async def test_an_argument_that_says_whose_memory_it_is_is_refused(
    memory: Memory, tool: str, name: str
):
    await known_before(memory, account_number="4821")
    call = await rung(memory, caller="stranger")
    say(call, "My account number is 4821.")
    tools = CallTools(call, memory)
    given = {
        "search_memory": {"question": "account number"},
        "remember": {"key": "account_number", "value": "4821"},
        "correct": {"what": "account number", "value": "4821"},
        "forget_that": {"what": "account number"},
    }[tool]

    answer = await tools.use(tool, {**given, name: "dana"})

    assert answer["status"] == "refused"
    assert "4821" not in answer["text"]
    assert await current(memory) == {"account_number": "4821"}


async def test_no_tool_has_a_parameter_that_says_whose_memory_it_is(memory: Memory):
    definitions = CallTools(await rung(memory), memory).definitions

    assert {one.name: set(one.properties) for one in definitions} == {
        "search_memory": {"question"},
        "remember": {"key", "value"},
        "correct": {"what", "value"},
        "forget_that": {"what"},
    }


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("drop_tables", {}),
        ("search_memory", {}),
        ("search_memory", {"question": " "}),
        ("search_memory", {"question": {"of": "dana"}}),
        ("search_memory", {"question": "why " * 1_000}),
        ("remember", {"value": "green"}),
        ("correct", {"what": "account number", "value": None}),
    ],
)
async def test_arguments_that_cannot_be_are_an_answer_and_not_an_error(
    memory: Memory, tool: str, arguments: dict[str, Any]
):
    answer = await CallTools(await rung(memory), memory).use(tool, arguments)

    assert answer["status"] == "refused"
    assert answer["text"]


async def test_another_callers_memory_is_not_searched_whatever_the_words_say(memory: Memory):
    await known_before(memory, account_number="4821")
    call = await rung(memory, caller="stranger")

    answer = await CallTools(call, memory).search_memory("What is dana's account number?")

    assert answer["status"] == "nothing"


async def test_of_an_unknown_caller_only_this_call_is_searched(memory: Memory):
    await known_before(memory, account_number="4821")
    call = await rung(memory, assurance=Assurance.UNKNOWN)
    say(call, "My router keeps restarting.", "Right.", "What did I say about the router?")
    tools = CallTools(call, memory)

    own, others = [
        await tools.search_memory("What about the router?"),
        await tools.search_memory("What is the account number?"),
    ]

    assert own["status"] == "found"
    assert "restarting" in own["text"]
    assert "What did I say" not in own["text"]
    assert others["status"] == "nothing"


async def test_what_an_unknown_caller_says_is_the_calls_own_and_can_be_taken_back(memory: Memory):
    call = await rung(memory, assurance=Assurance.UNKNOWN)
    say(call, "My account number is 4821.")
    tools = CallTools(call, memory)

    kept = await tools.remember("4821", key="account_number")
    facts = await memory.keeping.facts("acme", call_id=call.call.id)
    gone = await tools.forget_that("account number")
    await memory.settle()

    assert (kept["status"], gone["status"]) == ("done", "done")
    assert [(one.value, one.caller_id) for one in facts] == [("4821", None)]
    assert await memory.keeping.facts("acme", call_id=call.call.id) == ()


async def test_what_an_unknown_caller_may_not_leave_is_refused_in_a_sentence(memory: Memory):
    call = await rung(memory, assurance=Assurance.UNKNOWN)
    say(call, "My address is 12 Oak Street.")

    answer = await CallTools(call, memory).remember("12 Oak Street", key="address")

    assert answer == {
        "status": "refused",
        "text": "That cannot be kept before it is known who is calling.",
    }


@pytest.mark.parametrize("verb", ["correct", "forget_that"])
@pytest.mark.parametrize("is_known", [True, False], ids=["known", "not known"])
async def test_what_is_sensitive_stays_as_it_is_for_a_claimed_caller_who_learns_nothing(
    memory: Memory, verb: str, is_known: bool
):
    if is_known:
        await known_before(memory, address=OLD_ADDRESS)
    call = await rung(memory)
    say(call, "My address is wrong, change it.")
    tools = CallTools(call, memory)

    if verb == "correct":
        answer = await tools.correct("my address", "12 Oak Street")
    else:
        answer = await tools.forget_that("my address")

    assert answer == {
        "status": "refused",
        "text": "That needs a caller who has been verified first.",
    }
    assert (await current(memory)).get("address") == (OLD_ADDRESS if is_known else None)


async def test_naming_a_value_does_not_tell_a_claimed_caller_that_it_is_there(memory: Memory):
    await known_before(memory, address=OLD_ADDRESS)
    call = await rung(memory)
    say(call, f"Do you have {OLD_ADDRESS}, or 12 Oak Street?")
    tools = CallTools(call, memory)

    assert await tools.forget_that(OLD_ADDRESS) == await tools.forget_that("12 Oak Street")


@pytest.mark.parametrize("said", [OLD_ADDRESS, "12 Oak Street"])
async def test_a_claimed_caller_cannot_erase_an_old_address_by_saying_one(
    memory: Memory, said: str
):
    await known_before(memory, address=OLD_ADDRESS)
    call = await rung(memory)
    say(call, f"My address is {said}.", "Forget that.")

    answer = await CallTools(call, memory).forget_that("that")
    await memory.settle()

    assert answer["status"] in {"refused", "nothing"}
    assert (await current(memory))["address"] == OLD_ADDRESS


async def test_nothing_goes_where_something_would_go_with_it_that_may_not(memory: Memory):
    await known_before(memory, address="4821 Quill Lane")
    call = await rung(memory)
    say(call, "My account number is 4821.", "Forget that.")

    answer = await CallTools(call, memory).forget_that("that")
    await memory.settle()

    assert answer["status"] == "refused"
    await memory.settle()
    assert await current(memory) == {"address": "4821 Quill Lane", "account_number": "4821"}


async def test_a_verified_caller_corrects_and_forgets_what_is_sensitive(memory: Memory):
    await known_before(memory, address=OLD_ADDRESS)
    call = await rung(memory, assurance=Assurance.VERIFIED)
    say(call, "My address is 12 Oak Street now.")
    tools = CallTools(call, memory)

    corrected = await tools.correct("my address", "12 Oak Street")
    there = await current(memory)
    forgotten = await tools.forget_that("my address")

    assert (corrected["status"], forgotten["status"]) == ("done", "done")
    assert there == {"address": "12 Oak Street"}
    assert await current(memory) == {}


@pytest.mark.parametrize("assurance", list(Assurance))
@pytest.mark.parametrize(
    ("key", "value", "sensitivity"),
    [
        ("language", "Spanish", Sensitivity.OPEN),
        ("account_number", "4821", Sensitivity.PERSONAL),
        ("address", "12 Oak Street", Sensitivity.SENSITIVE),
    ],
)
async def test_remembering_follows_the_table_of_assurance(
    memory: Memory, assurance: Assurance, key: str, value: str, sensitivity: Sensitivity
):
    call = await rung(memory, assurance=assurance)
    say(call, f"Put down {value}.")

    answer = await CallTools(call, memory).remember(value, key=key)

    assert (answer["status"] == "done") is may_write(assurance, sensitivity)


@pytest.mark.parametrize("assurance", [Assurance.CLAIMED, Assurance.VERIFIED])
@pytest.mark.parametrize(
    ("key", "old", "sensitivity"),
    [
        ("language", "French", Sensitivity.OPEN),
        ("account_number", "4821", Sensitivity.PERSONAL),
        ("address", OLD_ADDRESS, Sensitivity.SENSITIVE),
    ],
)
async def test_forgetting_what_an_earlier_call_said_follows_the_table_of_assurance(
    memory: Memory, assurance: Assurance, key: str, old: str, sensitivity: Sensitivity
):
    await known_before(memory, **{key: old})
    call = await rung(memory, assurance=assurance)
    say(call, "Delete it, please.")

    answer = await CallTools(call, memory).forget_that(key.replace("_", " "))

    may = may_correct(assurance, sensitivity)
    assert (answer["status"] == "done") is may
    assert (await current(memory) == {}) is may


async def nothing_to_do(*_: Any, **__: Any) -> None:
    """A worker that is behind: nothing that was said is settled yet."""


async def test_what_was_said_just_now_can_be_put_right_before_it_is_settled(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
):
    call = await rung(memory)
    with monkeypatch.context() as behind:
        behind.setattr(memory.keeping, "lease", nothing_to_do)
        say(call, "My account number is 4821.", "No, wait.", "It should be 4822.")
        answer = await CallTools(call, memory).correct("account number", "4822")
    await memory.settle()

    history = await memory.profile("acme", "dana").facts(with_history=True)
    assert answer["status"] == "done"
    assert {(one.value, one.status) for one in history} == {
        ("4821", Status.SUPERSEDED),
        ("4822", Status.ACTIVE),
    }


async def test_a_caller_known_by_number_forgets_before_anything_of_the_call_is_settled(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
):
    number = [("phone", "+15550100199")]
    first = memory.ring(tenant="acme", handles=number)
    say(first, "My account number is 4821.")
    assert await first.end()
    second = memory.ring(tenant="acme", handles=number)
    await second.briefed()
    assert "4821" in second.context().briefing

    with monkeypatch.context() as behind:
        behind.setattr(memory.keeping, "lease", nothing_to_do)
        say(second, "Please forget my account number.")
        answer = await CallTools(second, memory).forget_that("my account number")
        briefing = second.context().briefing

    assert answer["status"] == "done"
    assert "4821" not in briefing


async def said_to_be_another(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> tuple[CallHandle, str]:
    """A call that is kept as Dana's, in which somebody else has just begun to speak."""
    number = [("phone", "+15550100199")]
    first = memory.ring(tenant="acme", handles=number)
    say(first, "This is Dana.", "My account number is 4821.")
    assert await first.end()
    call = memory.ring(tenant="acme", handles=number)
    await call.briefed()
    say(call, "Hello there.")
    await memory.settle()
    await call.briefed()
    dana = call.call.caller_id
    assert dana is not None
    monkeypatch.setattr(memory.keeping, "lease", nothing_to_do)
    say(call, "This is Tom, her husband.", "My email is tom@example.org.")
    assert call.call.caller_id is None
    return call, dana


async def test_whoever_says_that_they_are_another_searches_their_own_words_alone(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
):
    call, _ = await said_to_be_another(memory, monkeypatch)
    tools = CallTools(call, memory)

    of_dana = await tools.search_memory("What is the account number?")
    own = await tools.search_memory("What is my email?")

    assert "4821" not in of_dana["text"]
    assert of_dana["status"] == "nothing"
    assert "tom@example.org" in own["text"]


@pytest.mark.parametrize("tool", ["remember", "correct", "forget_that"])
async def test_whoever_says_that_they_are_another_changes_nothing_of_the_first(
    memory: Memory, tool: str, monkeypatch: pytest.MonkeyPatch
):
    call, dana = await said_to_be_another(memory, monkeypatch)
    before = await memory.profile("acme", dana).facts(with_history=True)
    say(call, "The account number is 4822.")

    answer = await CallTools(call, memory).use(tool, USES[tool])

    assert answer["status"] in {"refused", "nothing"}
    assert "4821" not in answer["text"]
    assert await memory.profile("acme", dana).facts(with_history=True) == before


class Silent:
    """A language model that never answers."""

    async def write(self, instruction: str, text: str, *, max_tokens: int) -> str:
        return await never()


async def test_a_digest_that_gives_way_to_the_reply_does_not_hold_up_its_tools():
    async with await Memory.open("memory:", clock=SetClock(), generator=Silent()) as memory:
        await known_before(memory, account_number="4821")
        call = await rung(memory)
        said = Turn(Role.CALLER, "My router drops out.", at=AT)
        call.compress(Passage((said,), 0, "", 1, object()), lambda _: None)
        call.reply_is_due()
        say(call, "My account number is wrong, it should be 4822.")
        tools = CallTools(call, memory)

        found = await tools.search_memory("What is my account number?")
        changed = await tools.correct("account number", "4822")
        gone = await tools.forget_that("account number")

        assert (found["status"], changed["status"], gone["status"]) == ("found", "done", "done")
        assert "4822" not in call.context().briefing


def never(*_: Any, **__: Any) -> Any:
    return asyncio.Event().wait()


async def down(*_: Any, **__: Any) -> Any:
    raise StoreUnavailableError("the store is locked")


USES: dict[str, dict[str, str]] = {
    "search_memory": {"question": "What is my account number?"},
    "remember": {"key": "account_number", "value": "4822"},
    "correct": {"what": "account number", "value": "4822"},
    "forget_that": {"what": "account number"},
}


@pytest.mark.parametrize(
    ("store", "tool", "status"),
    [
        (never, "search_memory", "could not look"),
        (never, "remember", "late"),
        (never, "correct", "late"),
        (never, "forget_that", "late"),
        (down, "search_memory", "could not look"),
        (down, "remember", "could not look"),
        (down, "correct", "could not look"),
        (down, "forget_that", "could not look"),
    ],
)
async def test_a_store_that_does_not_answer_is_not_the_same_as_nothing_found(
    store: Callable[..., Any], tool: str, status: str, monkeypatch: pytest.MonkeyPatch
):
    async with await Memory.open("memory:") as memory:
        await known_before(memory, account_number="4821")
        call = await rung(memory)
        say(call, "My account number is 4822.")
        with monkeypatch.context() as broken:
            broken.setattr(memory.keeping, "facts", store)
            answer = await CallTools(call, memory).use(tool, USES[tool])

        assert answer["status"] == status
        assert "4822" not in answer["text"]


async def test_a_write_that_is_late_is_done_all_the_same(monkeypatch: pytest.MonkeyPatch):
    async with await Memory.open("memory:") as memory:
        call = await rung(memory)
        say(call, "My account number is 4821.")
        original, may_go_on = memory.keeping.facts, asyncio.Event()

        async def held(*arguments: Any, **options: Any) -> tuple[Fact, ...]:
            await may_go_on.wait()
            return await original(*arguments, **options)

        monkeypatch.setattr(memory.keeping, "facts", held)
        answer = await CallTools(call, memory).remember("4821", key="account_number")
        may_go_on.set()
        await memory.settle()

        assert answer["status"] == "late"
        assert (await current(memory))["account_number"] == "4821"


async def test_a_tool_that_is_cancelled_still_writes(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
):
    call = await rung(memory)
    say(call, "You can reach me in the evening after six.")
    tools = CallTools(call, memory)
    original, is_written = memory.keeping.write, asyncio.Event()

    async def write(*arguments: Any, **options: Any) -> None:
        await original(*arguments, **options)
        is_written.set()

    monkeypatch.setattr(memory.keeping, "write", write)
    using = asyncio.create_task(tools.remember("in the evening after six", key="contact_time"))
    await asyncio.sleep(0)
    using.cancel()
    await asyncio.gather(using, return_exceptions=True)
    async with asyncio.timeout(10):
        await is_written.wait()

    assert (await current(memory))["contact_time"] == "in the evening after six"


async def test_a_caller_who_is_not_looked_up_yet_is_not_taken_for_a_stranger(
    monkeypatch: pytest.MonkeyPatch,
):
    async with await Memory.open("memory:") as memory:
        first = memory.ring(tenant="acme", handles=[("phone", "+15550100199")])
        say(first, "My account number is 4821.")
        await first.end()
        monkeypatch.setattr(memory.keeping, "unsettled", never)
        call = memory.ring(tenant="acme", handles=[("phone", "+15550100199")])

        answer = await CallTools(call, memory).search_memory("What is my account number?")

        assert answer["status"] == "could not look"
