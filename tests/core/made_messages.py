"""Histories for tests, made from what happens in a call."""

from __future__ import annotations

import json

from hypothesis import strategies as st

from ringback.core.fitting import Message

EVENTS = ("user", "agent", "call", "two calls", "late call", "late result", "app", "odd", "open")


def words(number: int, tokens: int) -> str:
    """A text of so many rough tokens, unlike any other number's."""
    return f"{number:4d}" + "word" * (tokens - 1)


def made(events: list[tuple[str, int]], *, system: int = 30) -> list[Message]:
    """A history: what happened, and how many tokens long it was."""
    messages = [Message("system", words(0, system), of=object())]
    late: list[str] = []
    for number, (event, tokens) in enumerate(events, 1):
        text = words(number, tokens)
        rows = json.dumps([{"row": text}] * 4)
        one, two = f"a{number}", f"b{number}"
        if event in ("user", "agent"):
            made = [Message("user" if event == "user" else "assistant", text)]
        elif event == "call":
            made = [Message("assistant", calls=(one,)), Message("tool", rows, answers=one)]
        elif event == "two calls":
            made = [
                Message("assistant", calls=(one, two)),
                Message("tool", rows, answers=one),
                Message("tool", "[]", answers=two),
            ]
        elif event == "late call":
            late.append(one)
            made = [
                Message("assistant", calls=(one,)),
                Message("tool", "{}", answers=one, is_open=True),
            ]
        elif event == "late result":
            made = [Message("developer", rows, answers=late.pop(0))] if late else []
        elif event == "open":
            made = [Message("assistant", calls=(one,))]
        else:
            made = [Message("developer" if event == "app" else "", text)]
        messages += made
    return [Message(m.role, m.text, m.calls, m.answers, m.is_open, of=object()) for m in messages]


def histories() -> st.SearchStrategy[list[Message]]:
    """Any history in which the caller has said something, possibly long ago."""
    event = st.tuples(st.sampled_from(EVENTS), st.integers(1, 120))
    events = st.lists(event, max_size=30)
    said = st.tuples(st.just("user"), st.integers(1, 60))
    both = st.tuples(events, said, st.lists(event, max_size=4))
    return both.map(lambda parts: made([*parts[0], parts[1], *parts[2]]))
