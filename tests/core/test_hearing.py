from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings, strategies as st

from ringback.core.extraction import extract
from ringback.core.hearing import Heard, Unheard, heard, told
from ringback.core.summary import has_content, summarise
from ringback.records import Call, CallView, Role, Turn
from ringback.schemas import SUPPORT

pytestmark = pytest.mark.unit

AT = datetime(2026, 3, 19, 15, 0, tzinfo=UTC)


def spoken(*lines: str) -> tuple[Turn, ...]:
    """Turns from "c: ..." and "a: ..." lines."""
    return tuple(
        Turn(
            Role.CALLER if line.startswith("c:") else Role.AGENT,
            line[2:].strip(),
            AT + timedelta(seconds=place),
            place,
        )
        for place, line in enumerate(lines)
    )


def ignored(*lines: str) -> dict[int, Unheard]:
    return dict(heard(spoken(*lines)).ignored)


ORDINARY = (
    """
yes|no|yeah|nope|okay|ok|sure|right|hello|hello?|hi|bye|bye bye|okay bye|goodbye|you?|you too
thank you|thanks|thank you very much|thank you so much|thank you, goodbye|Thanks for calling back
thanks a lot|sorry?|pardon?|what?|who?|why?|when?|uh|um|hmm|mm-hm|I see|got it|go ahead|wait
one moment please|that's right|yes please|no thanks|not really|I don't know|maybe|of course
no no no|never mind|speaking|this is she|wrong number|Friday|tomorrow|at two|5|4821|four|B2
see you next time|subscribe|cancel|help|music|agent|human please
好|好的|不用|對|对|謝謝|谢谢|謝謝您|是|是的|不是|沒有|有|要|不要|嗯|喂|你好|再見|拜拜|可以|等一下
我知道了|沒關係|對不起|三號|什麼|哪裡|慢慢來
""".replace("\n", "|")
    .strip("|")
    .split("|")
)


def test_the_list_of_ordinary_turns_is_long():
    assert len(ORDINARY) > 80


@pytest.mark.parametrize("text", ORDINARY)
def test_an_ordinary_short_turn_counts(text: str):
    turns = spoken("a: Hello, this is Acme.", f"c: {text}")

    assert heard(turns) == Heard(turns)
    assert heard(turns[1:]) == Heard(turns[1:])


def test_a_call_of_ordinary_turns_counts_whole():
    english = [text for text in ORDINARY if text.isascii()]
    chinese = [text for text in ORDINARY if not text.isascii()]
    for texts in (english, chinese, ORDINARY):
        turns = spoken("a: Hello.", *(f"c: {text}" for text in texts))

        assert heard(turns).turns == turns


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Thanks for watching!", Unheard.STOCK),
        ("ご視聴ありがとうございました", Unheard.STOCK),
        ("Untertitel im Auftrag des ZDF, 2020", Unheard.STOCK),
        ("you", Unheard.STOCK),
        ("[Music]", Unheard.SOUND),
        ("。", Unheard.WORDLESS),
        (".", Unheard.WORDLESS),
        ("", Unheard.WORDLESS),
        ("A", Unheard.LETTER),
        ("A.", Unheard.LETTER),
        ("네", Unheard.SCRAP),
        ("شكرا", Unheard.SCRAP),
        ("はい", Unheard.SCRAP),
        ("谢谢", Unheard.SCRAP),
        ("Да, спасибо.", Unheard.SCRAP),
    ],
)
def test_what_nobody_said_is_named_with_its_place_and_a_reason(text: str, reason: Unheard):
    turns = spoken(
        "a: Hello, this is Acme.",
        "c: Hi, I have a question.",
        f"c: {text}",
        "c: It is about my invoice.",
    )

    assert heard(turns) == Heard((*turns[:2], turns[3]), ((2, reason),))


@pytest.mark.parametrize("text", ["Thanks for watching!", "A", "。", "네", "you", ""])
def test_the_agent_always_counts(text: str):
    turns = spoken("c: Hi there.", f"a: {text}", "c: I have a question.")

    assert heard(turns).turns == turns


@pytest.mark.parametrize(
    "lines",
    [
        ("c: Hi.", "a: Please spell your name.", "c: K"),
        ("c: Hi.", "a: Is it plan B or C?", "c: B."),
        ("a: Hello.", "c: K", "c: I", "c: N", "a: Yes?", "c: G"),
        ("a: Hello.", "c: It starts with 4", "c: B", "c: thank you"),
        ("a: 請問是哪一個?", "c: 你好。", "c: B"),
    ],
)
def test_a_letter_that_spells_or_chooses_counts(lines: tuple[str, ...]):
    assert ignored(*lines) == {}


@pytest.mark.parametrize(
    "lines",
    [
        # a longer turn in the script: another language
        (
            "c: Hi, hello.",
            "c: Excuse me.",
            "c: 네",
            "c: 저는 한국어로 이야기하고 싶습니다 괜찮나요",
        ),
        ("c: Hi, hello.", "c: Excuse me.", "c: 你好", "c: 我想用中文講可以嗎"),
        # the agent speaks it
        ("a: 안녕하세요", "c: Hi, hello.", "c: Excuse me.", "c: 네"),
        # most of what the caller says
        ("a: Hello.", "c: Hello.", "c: 네", "c: 여보세요"),
        ("a: Hello.", "c: 네"),
        # Latin letters are in every call; Japanese writes Chinese signs
        ("a: 你好。", "c: 我想要取消我的訂單。", "c: 好。", "c: OK"),
        ("c: もしもし、聞こえますか。予約の件です。", "c: はい", "c: 了解"),
        # digits
        ("c: Hi, hello.", "c: Excuse me.", "c: 네 4821"),
    ],
)
def test_another_language_counts(lines: tuple[str, ...]):
    assert ignored(*lines) == {}


def test_two_scraps_do_not_hold_each_other():
    lines = ("c: Hi, hello.", "c: Excuse me.", "c: はい", "c: 了解", "c: Goodbye then.")

    assert ignored(*lines) == {2: Unheard.SCRAP, 3: Unheard.SCRAP}


LOUD = "my internet is down"


@pytest.mark.parametrize(
    ("lines", "places"),
    [
        ([f"c: {LOUD}"] * 4, [1, 2, 3]),
        ([f"c: {LOUD}"] * 3, []),
        (["c: no thanks"] * 6, []),
        (["c: 我要取消"] * 4, [1, 2, 3]),
        (["c: 不要"] * 5, []),
        ([f"c: {LOUD}", "c: My internet is down!", f"c: {LOUD}", f"c: {LOUD}."], [1, 2, 3]),
        ([f"c: {LOUD}", f"c: {LOUD}", "c: hello", f"c: {LOUD}", f"c: {LOUD}"], []),
        ([f"c: {LOUD}", "a: Are you there?"] * 4, [2, 4, 6]),
        ([f"c: {LOUD}", "a: Okay."] * 4, [2, 4, 6]),
        ([f"c: {' '.join([LOUD] * 9)}", *[f"c: {LOUD}"] * 3], [1, 2, 3]),
        (
            [
                line
                for street in ("Is it Quill Lane?", "Number 9?", "The blue door?", "Today?")
                for line in (f"a: {street}", "c: yes that is right")
            ],
            [],
        ),
    ],
)
def test_of_the_same_turn_over_and_over_the_first_counts(lines: list[str], places: list[int]):
    assert ignored(*lines) == dict.fromkeys(places, Unheard.REPEATED)


def test_what_lies_between_and_is_made_up_ends_no_row():
    lines = [f"c: {LOUD}", "c: Thanks for watching!"] * 4

    assert heard(spoken(*lines)).turns == spoken(lines[0])


def test_to_quote_from_a_turn_says_once_what_it_says_over_and_over():
    turns = spoken(f"c: {'. '.join([LOUD] * 28)}.", "a: Sorry to hear it.")

    quoted = told(turns)

    assert [turn.text for turn in quoted] == [f"{LOUD}.", "Sorry to hear it."]
    assert quoted[1] is turns[1]


def test_a_turn_without_a_position_takes_its_index():
    turns = (Turn(Role.CALLER, "Hello.", AT), Turn(Role.CALLER, "。", AT))

    assert heard(turns).ignored == ((1, Unheard.WORDLESS),)


@pytest.mark.parametrize("times", [4, 28])
def test_a_loop_gives_one_fact_with_evidence_where_it_stands(times: int):
    text = ", ".join(["my account number is 4821"] * times)
    call = Call("call-1", "acme", AT)

    (fact,) = extract(spoken(f"c: {text}"), call=call, schema=SUPPORT)

    evidence = fact.evidence
    assert (fact.value, evidence.words, evidence.start) == ("4821", "4821", text.index("4821"))
    assert text[evidence.start : evidence.end] == evidence.words


def test_a_matter_is_read_once_from_a_loop_without_punctuation():
    text = " ".join(["my internet has been down since Tuesday"] * 9)

    facts = extract(spoken(f"c: {text}"), call=Call("call-1", "acme", AT), schema=SUPPORT)

    assert [fact.value for fact in facts] == ["my internet has been down since Tuesday"]


@pytest.mark.parametrize(
    "lines",
    [
        ("c: Thanks for watching!", "c: [Music]", "c: 。", "c: you"),
        ("a: Hello?", "c: uh", "c: 嗯", "c: 嗯嗯。", "c: ", "c: 你好"),
        (),
    ],
)
def test_a_call_in_which_nobody_spoke_has_no_content_and_no_summary(lines: tuple[str, ...]):
    turns = spoken(*lines)

    assert not has_content(turns)
    assert summarise(CallView(Call("call-1", "acme", AT), turns), ()) is None


def test_a_summary_quotes_once_and_names_no_number_that_nobody_said():
    turns = spoken(
        f"c: {'. '.join(['I have a question about roofs'] * 9)}.",
        "c: Untertitel im Auftrag des ZDF, 2020",
    )

    made = summarise(CallView(Call("call-1", "acme", AT), turns), ())

    assert made is not None
    assert made.text == 'The caller said: "I have a question about roofs.".'
    assert made.numbers == ()


@pytest.mark.parametrize("piece", ["word 4 ", "我", "네", "A. ", ". ", "my net is down "])
def test_a_turn_of_a_megabyte_costs_little_time(piece: str):
    turns = spoken(*(f"{who}: {piece * (1_000_000 // len(piece))}" for who in "caca"))
    started = time.process_time()

    heard(turns)
    told(turns)

    assert time.process_time() - started < 1.5


PIECES = st.sampled_from(
    [
        "my internet is down",
        "no",
        "K",
        "thanks for watching",
        "you",
        "네",
        "저는 한국어로 이야기하고 싶습니다",
        "我要取消",
        "好",
        "はい",
        "4821",
        "four eight two one",
        "[Music]",
        "。",
        "",
        "Да",
        "which letter?",
    ]
)
TURNS = st.lists(
    st.tuples(st.sampled_from(Role), st.lists(PIECES, max_size=3), st.integers(1, 5)), max_size=12
).map(
    lambda lines: [
        Turn(role, " ".join(words), AT + timedelta(seconds=place), place)
        for place, (role, words) in enumerate(
            (role, words) for role, words, times in lines for _ in range(times)
        )
    ]
)


@settings(max_examples=400, deadline=None)
@given(TURNS)
def test_what_counts_is_in_order_unchanged_and_counts_again(turns: list[Turn]):
    result = heard(turns)

    left_out = {place for place, _ in result.ignored}
    assert [*result.turns] == [turn for turn in turns if turn.position not in left_out]
    assert all(turn is turns[turn.position] for turn in result.turns)
    assert all(turns[place].role is Role.CALLER for place in left_out)
    assert heard(result.turns) == Heard(result.turns)


@settings(max_examples=400, deadline=None)
@given(TURNS)
def test_a_turn_with_a_digit_is_left_out_only_where_it_is_said_over_and_over(turns: list[Turn]):
    for place, reason in heard(turns).ignored:
        if any(sign.isdigit() for sign in turns[place].text):
            assert reason is Unheard.REPEATED


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(Role), st.text(max_size=40)), max_size=8))
def test_no_text_upsets_it(lines: list[tuple[Role, str]]):
    turns = [Turn(role, text, AT, place) for place, (role, text) in enumerate(lines)]

    result = heard(turns)

    assert heard(result.turns).ignored == ()
    told(turns)
