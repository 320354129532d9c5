"""Whatever of this process holds what callers said is registered, with what empties it."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ringback import Assurance, CallHandle, Context, Memory, Role, Turn, places
from ringback.core.fitting import Message, WindowSettings
from ringback.core.window import Window
from ringback.records import ToolUse
from ringback.testing import HashEmbedder

pytestmark = pytest.mark.framework

AT = datetime(2026, 3, 3, 18, 5, tzinfo=UTC)
MARKER = "zanzibarite"
RECORDS = {
    "ringback.records",
    "ringback.protocols",
    "ringback.erasure",
    "ringback.recollection",
}
OF_THE_STORE = "ringback.stores."  # has a register of its own


def holders() -> set[str]:
    """Classes of the library of which an instance holds the marker word by itself."""
    gc.collect()
    return {
        type(one).__qualname__
        for one in gc.get_objects()
        if is_owner(one) and any(MARKER in text for text in texts(attributes(one)))
    }


def is_owner(one: Any) -> bool:
    module = getattr(type(one), "__module__", None) or ""
    if not isinstance(module, str):
        return False  # some extension types make it a property
    is_ours = module.startswith("ringback.") and module not in RECORDS
    return is_ours and not module.startswith(OF_THE_STORE)


def attributes(one: Any) -> Iterator[Any]:
    yield from getattr(one, "__dict__", {}).values()
    for kind in type(one).__mro__:
        for name in getattr(kind, "__slots__", ()):
            yield getattr(one, name, None)


def texts(values: Iterable[Any], depth: int = 6) -> Iterator[str]:
    """Strings in containers and records, but not in what is an owner itself."""
    for value in values:
        if isinstance(value, str):
            yield value
        elif depth and isinstance(value, dict):
            yield from texts([*value, *value.values()], depth - 1)
        elif depth and isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray)):
            if type(value).__module__ in ("builtins", "collections"):
                yield from texts(value, depth - 1)
        elif depth and type(value).__module__ in RECORDS:
            yield from texts(attributes(value), depth - 1)


def long_call(call: CallHandle) -> tuple[Window, list[Message]]:
    """A window of which a digest has been asked."""
    said = [Message("user", f"Line {n} on my {MARKER} gate.", of=object()) for n in range(3)]
    window = Window(WindowSettings(turns=3, keep=1), compress=call.compress)
    window.look(said, Context("", ""), turn=1)
    return window, said


def function_caches() -> set[str]:
    return {
        f"{name.rpartition('.')[2]}.{attribute}"
        for name, module in list(sys.modules.items())
        if name.startswith("ringback.") and module is not None
        for attribute, value in vars(module).items()
        if hasattr(value, "cache_clear") and value.__module__ == name
    }


async def test_every_holder_of_what_was_said_is_registered(tmp_path: Path):
    registered = {place.name for place in places.LIBRARY_CACHES}
    url = f"sqlite:///{tmp_path / 'memory.db'}"
    async with await Memory.open(url, embedder=HashEmbedder()) as memory:
        first = memory.ring(tenant="acme")
        await first.identify("dana", Assurance.VERIFIED)
        first.observe(Turn(Role.CALLER, f"My {MARKER} gate does not open any more.", at=AT))
        assert await first.end()
        call = memory.ring(tenant="acme")
        await call.identify("dana", Assurance.VERIFIED)
        await call.briefed()
        await call.observe(Turn(Role.CALLER, f"It is about my {MARKER} gate.", at=AT)).committed()
        record = {"order_id": "7714", "item": f"a {MARKER} gate"}
        call.observe_tool(ToolUse("get_order", {}, record, AT))
        await memory.settle()
        assert await memory.indexed()
        call.hear(f"And when will my {MARKER} gate open again tomorrow morning?")
        await call.briefed()

        window = long_call(call)
        await call.briefed()

        during = holders()
        await memory.profile("acme", "dana").forget(everything=True)
        del first, call, window
        after = holders()

    assert during, "nothing was found: this looks in the wrong places"
    assert during <= registered
    assert after == set()


def test_every_cache_of_a_function_is_registered():
    registered = {place.name for place in places.LIBRARY_CACHES}

    assert {
        name for name in function_caches() if not name.endswith(("migrations", "statements"))
    } <= (registered)
