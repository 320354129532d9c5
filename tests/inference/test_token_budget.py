"""A request is within its budget as a model's own tokenizer counts, in any script."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from tokenizers import Tokenizer

from ringback.core.budget import Gauge, rough_count
from ringback.core.fitting import MESSAGE_TOKENS, Cut, Message, Sizes, WindowSettings, fitted
from ringback.records import Context

pytestmark = pytest.mark.replay

LINES = (
    "Point {} is that the router in the hall drops out in the evening, every single evening.",
    "第{}点是走廊里的路由器晚上老是断线，请帮我看一下。",  # noqa: RUF001
    "{}点目は、夜になると廊下のルーターが切れることです。",
    "{}번은 밤마다 복도 라우터의 연결이 끊긴다는 것입니다.",
)
MEMORY = Context("The caller is Dana Whitfield (verified).", "- Said on 2 March: 路由器。")


@pytest.fixture(scope="session")
def count(embedding_folder: Path) -> Callable[[str], int]:
    tokenizer = Tokenizer.from_file(str(embedding_folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


def history(lines: list[int]) -> list[Message]:
    messages = [Message("system", "You are a support agent. Be brief.", of=object())]
    for number, line in enumerate(lines):
        messages.append(Message("user", LINES[line].format(number), of=object()))
        messages.append(Message("assistant", "I have noted that.", of=object()))
    return [*messages, Message("user", "What now?", of=object())]


@settings(max_examples=50, deadline=None)
@given(lines=st.lists(st.integers(0, 3), max_size=80), limit=st.integers(200, 1_500))
def test_by_a_models_own_tokenizer_no_request_is_over_its_limit(count, lines, limit):
    messages = history(lines)

    _, view = fitted(messages, Cut(), MEMORY, limit, (WindowSettings(), Sizes(count)))

    places = [*range(view.head), *range(view.start, len(messages))]
    texts = [messages[place].text for place in places]
    added = [text for text in (view.note, view.memory.briefing, view.memory.block) if text]
    assert sum(count(text) + MESSAGE_TOKENS for text in [*texts, *added]) <= limit


@pytest.mark.parametrize("line", range(4), ids=["en", "zh", "ja", "ko"])
def test_a_rough_count_is_never_far_below_a_real_one(count, line: int):
    text = "\n".join(LINES[line].format(number) for number in range(20))

    assert rough_count(text) >= 0.6 * count(text)


def test_a_rough_count_is_put_right_by_what_a_model_says_it_read(count):
    gauge = Gauge()
    template = 150
    for turns in (5, 40):
        texts = [message.text for message in history([0] * turns)]
        gauge.learn(sum(map(rough_count, texts)), sum(map(count, texts)) + template)

    fits = gauge.counted(2_000)

    texts = [message.text for message in history([0] * 200)]
    while sum(map(rough_count, texts)) > fits:
        texts.pop()
    assert 1_800 <= sum(map(count, texts)) + template <= 2_050
