"""What was said is found in its own script and spelling, and nothing beside the point is."""

# ruff: noqa: RUF001 - full-width signs are meant

from __future__ import annotations

import unicodedata

import pytest

from ringback import Memory
from ringback.core.alignment import OfferedTurn
from ringback.records import Role
from ringback.schemas import GENERAL
from tests.field.made import AT, answers, dana, talk, turn

pytestmark = pytest.mark.framework

TEXTS = (
    "来电者对花生过敏并且住在杭州西湖区",
    "お客様の担当は佐藤さんで次回は木曜日です",
    "请把文件发到ops-ledger邮箱",
    "담당자는 김민수입니다",
)
ASKED = (
    ("花生", 0),
    ("花生过敏", 0),
    ("西湖", 0),
    ("佐藤", 1),
    ("木曜日", 1),
    ("ledger", 2),
    ("邮箱", 2),
    ("김민수", 3),
)
DECOMPOSED = unicodedata.normalize("NFD", "José Muñoz, flat １２")
NOTES = tuple(f"asked about bill {place} of the winter" for place in range(30))


@pytest.mark.parametrize("way", ["said", "told"])
@pytest.mark.parametrize(("question", "place"), ASKED)
async def test_words_of_scripts_without_spaces_are_found(
    url: str, way: str, question: str, place: int
):
    async with await Memory.open(url, schema=GENERAL) as memory:
        profile = dana(memory)
        if way == "said":
            await profile.ingest([OfferedTurn(Role.CALLER, text, at=AT) for text in TEXTS])
            await memory.settle()
        else:
            for text in TEXTS:
                await profile.remember(text)

        found = await answers(profile, question)

        assert len(found) == 1
        assert TEXTS[place] in found[0]


@pytest.mark.parametrize(
    ("kept", "question"),
    [
        (DECOMPOSED, "José Muñoz flat 12"),
        (DECOMPOSED, "jose munoz"),
        ("José Muñoz, flat 12", DECOMPOSED),
        ("ＷＡＴＥＲＬＩＮＥ ５５８１０", "waterline 55810"),
        ("ガギグ倉庫", unicodedata.normalize("NFD", "ガギグ倉庫")),
    ],
)
async def test_two_encodings_of_one_word_meet(url: str, kept: str, question: str):
    async with await Memory.open(url, schema=GENERAL) as memory:
        await dana(memory).remember(kept)

        (found,) = (await dana(memory).recall(question)).found

        assert found.fact is not None
        assert found.fact.value == kept


async def test_a_web_user_is_one_caller_in_whichever_encoding_the_name_comes(url: str):
    async with await Memory.open(url) as memory:
        for form in ("NFC", "NFD"):
            name = unicodedata.normalize(form, "josé-muñoz")
            call = memory.ring(tenant="acme", handles=[("web", name)], at=AT)
            call.observe(turn("c: My line is dead."))
            await call.end()
        await memory.settle()

        assert len(await memory.keeping.callers("acme")) == 1


async def test_one_person_in_two_encodings_is_one_entity(url: str):
    async with await Memory.open(url, schema=GENERAL) as memory:
        for form in ("NFC", "NFD"):
            name = unicodedata.normalize(form, "Zoë")
            await talk(memory, f"c: My daughter is called {name}.")

        facts = await dana(memory).facts()

        assert {fact.object for fact in facts} == {"person:zoë"}
        assert len(facts) == 1


async def test_a_question_beside_the_point_is_answered_with_nothing(url: str):
    async with await Memory.open(url, schema=GENERAL) as memory:
        profile = dana(memory)
        await profile.remember("repairs clocks on Sundays")

        assert (await profile.recall("Where is your nearest branch?")).found == ()
        assert (await profile.recall("What is it about on the other one?")).found == ()
        shared = "Which branch near the central station takes parcels on Sundays?"
        assert (await profile.recall(shared)).found == ()


@pytest.mark.parametrize("others", [(), NOTES])
@pytest.mark.parametrize("question", ["drawbridge toll", "toll", "the tolls at the drawbridge?"])
async def test_a_short_true_question_is_answered_among_few_and_among_many(
    url: str, others: tuple[str, ...], question: str
):
    async with await Memory.open(url, schema=GENERAL) as memory:
        profile = dana(memory)
        for note in ("disputes the drawbridge toll of 9 May", *others):
            await profile.remember(note)

        (found,) = (await profile.recall(question)).found

        assert found.fact is not None
        assert found.fact.value == "disputes the drawbridge toll of 9 May"
