"""What runs next on a model's thread, and what happens when it is full or closed."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref
from collections.abc import Iterator

import pytest

from ringback.errors import InferenceUnavailableError
from ringback.inference.model_thread import WAITING, ModelThread

pytestmark = pytest.mark.unit


@pytest.fixture
def thread() -> Iterator[ModelThread]:
    thread = ModelThread("made")
    yield thread
    thread.close()


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    gate = threading.Event()
    yield gate
    gate.set()


async def busy(tasks: asyncio.TaskGroup, thread: ModelThread, gate: threading.Event) -> None:
    """Keep the thread busy until the gate opens."""
    has_begun = asyncio.Event()
    loop = asyncio.get_running_loop()

    def work() -> None:
        loop.call_soon_threadsafe(has_begun.set)
        gate.wait(10)

    tasks.create_task(thread.run(work))
    await has_begun.wait()


async def test_urgent_work_goes_first_and_the_rest_in_order(thread, gate):
    done: list[str] = []
    async with asyncio.TaskGroup() as tasks:
        await busy(tasks, thread, gate)
        tasks.create_task(thread.run(lambda: done.append("first")))
        tasks.create_task(thread.run(lambda: done.append("second")))
        tasks.create_task(thread.run(lambda: done.append("urgent"), is_urgent=True))
        await asyncio.sleep(0)
        gate.set()

    assert done == ["urgent", "first", "second"]


async def test_work_of_a_cancelled_task_is_not_begun(thread, gate):
    done: list[str] = []
    async with asyncio.TaskGroup() as tasks:
        await busy(tasks, thread, gate)
        cancelled = tasks.create_task(thread.run(lambda: done.append("cancelled")))
        tasks.create_task(thread.run(lambda: done.append("other")))
        await asyncio.sleep(0)
        cancelled.cancel()
        await asyncio.sleep(0)
        gate.set()

    assert done == ["other"]


async def test_too_much_work_is_refused(thread, gate):
    async with asyncio.TaskGroup() as tasks:
        await busy(tasks, thread, gate)
        for _ in range(WAITING):
            tasks.create_task(thread.run(lambda: None))
        await asyncio.sleep(0)

        with pytest.raises(InferenceUnavailableError):
            await thread.run(lambda: None)
        gate.set()


async def test_an_error_reaches_who_asked_and_the_next_work_runs(thread):
    def fail() -> None:
        raise LookupError

    with pytest.raises(LookupError):
        await thread.run(fail)

    assert await thread.run(lambda: 7) == 7


async def test_an_idle_thread_keeps_nothing_of_its_last_work(thread):
    class Work:
        def __call__(self) -> None: ...

    work = Work()
    kept = weakref.ref(work)

    await thread.run(work)
    del work

    async with asyncio.timeout(5):
        while kept() is not None:
            await asyncio.sleep(0.01)
            gc.collect()
