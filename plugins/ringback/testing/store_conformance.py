"""What every back-end does: plain functions, each given a fresh store, each one fact.

A back-end's test module runs them all:

```python
@pytest.mark.parametrize("fact", CONFORMANCE, ids=lambda fact: fact.__name__)
async def test_it_is_a_store(fact, store):
    await fact(store)
```

A question of semantics is settled by adding a function here, not by reading a back-end.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterator
from types import ModuleType
from typing import TypeAlias

from ringback.testing import (
    amendment_conformance,
    basis_conformance,
    caller_conformance,
    decision_conformance,
    ending_conformance,
    erasure_conformance,
    find_conformance,
    index_conformance,
    job_conformance,
    journal_conformance,
    known_conformance,
    merge_conformance,
    narrowing_conformance,
    reading_conformance,
    sweep_conformance,
)
from ringback.testing.made_records import Backend

ConformanceTest: TypeAlias = Callable[[Backend], Awaitable[None]]


def _tests_of(module: ModuleType) -> Iterator[ConformanceTest]:
    for name, value in vars(module).items():
        is_its_own = getattr(value, "__module__", None) == module.__name__
        if is_its_own and inspect.iscoroutinefunction(value) and not name.startswith("_"):
            yield value


CONFORMANCE: tuple[ConformanceTest, ...] = tuple(
    test
    for module in (
        journal_conformance,
        amendment_conformance,
        ending_conformance,
        job_conformance,
        caller_conformance,
        known_conformance,
        decision_conformance,
        basis_conformance,
        merge_conformance,
        reading_conformance,
        find_conformance,
        narrowing_conformance,
        index_conformance,
        sweep_conformance,
        erasure_conformance,
    )
    for test in _tests_of(module)
)
