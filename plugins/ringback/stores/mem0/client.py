"""What is asked of mem0, in one thread of its own: its calls are synchronous, and may be slow."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeVar

from ringback.errors import ClosedError, StoreUnavailableError
from ringback.recollection import Facet, Passage

WAITING = 100  # calls; the next one is refused
ALL = 1_000_000  # memories that are listed at once; mem0 has no pages
SHELF = "shelf"  # the key of `shelf_of`
OWNER = "ringback"  # the agent under which mem0 keeps what is ours

T = TypeVar("T")


class Mem0Client(Protocol):
    """The verbs of `mem0.Memory` (mem0ai 2) that are used; any thread may call them."""

    def add(
        self,
        messages: str,
        *,
        user_id: str,
        agent_id: str,
        metadata: dict[str, Any],
        infer: bool,
    ) -> dict[str, Any]:
        """Keep a text as it is, for `infer` False."""
        ...

    def search(
        self, query: str, *, top_k: int, filters: dict[str, Any], threshold: float
    ) -> dict[str, Any]:
        """What is most alike, best first, under `results`."""
        ...

    def get_all(self, *, filters: dict[str, Any], top_k: int) -> dict[str, Any]:
        """List what is kept, under `results`."""
        ...

    def get(self, memory_id: str) -> dict[str, Any] | None:
        """One memory; None when there is none."""
        ...

    def delete(self, memory_id: str) -> dict[str, Any]:
        """Delete one memory."""
        ...


@dataclass(frozen=True, slots=True)
class Entry:
    """One text of a passage, as mem0 keeps it."""

    memory_id: str
    tenant: str
    caller_id: str
    call_id: str
    passage_id: str
    revision: str
    key: str
    """A fact's key; "" of a turn."""
    facet: Facet
    embedder: str
    text: str
    score: float = 0.0
    """How alike mem0 finds it, in [0, 1]."""


def metadata_of(passage: Passage, facet: Facet, embedder: str) -> dict[str, Any]:
    """What mem0 keeps beside the text: whose it is, and where it is kept here."""
    return {
        "tenant": passage.tenant,
        "caller": passage.caller_id,
        "call": passage.call_id,
        "passage": passage.id,
        "revision": passage.revision,
        "key": passage.fact.key if passage.fact is not None else "",
        "facet": str(facet),
        "embedder": embedder,
        SHELF: shelf_of("turn" if passage.fact is None else "fact", facet, embedder),
    }


def shelf_of(what: str, facet: Facet, embedder: str) -> str:
    """What is searched together, in one word: a filter costs Qdrant's local mode most."""
    return f"{what}/{facet}/{embedder}"


def entries_of(answer: Mapping[str, Any]) -> Iterator[Entry]:
    """Read mem0's answer; what is not ours, or makes no sense, is left out."""
    for one in answer.get("results", ()):
        held = one.get("metadata") or {}
        with suppress(KeyError, ValueError, TypeError):
            yield Entry(
                memory_id=str(one["id"]),
                tenant=held["tenant"],
                caller_id=held["caller"],
                call_id=held["call"],
                passage_id=held["passage"],
                revision=held["revision"],
                key=held["key"],
                facet=Facet(held["facet"]),
                embedder=held["embedder"],
                text=str(one.get("memory", "")),
                score=min(1.0, max(0.0, float(one.get("score") or 0.0))),
            )


class Remote:
    """Asks mem0, one call after another; each may be awaited from the loop.

    Lives as long as its store, which closes it. A call whose asker was cancelled runs to
    its end if it has begun. When mem0 hangs, at most `WAITING` calls wait and the next is
    refused; the thread ends with the process.

    Args:
        client: mem0, or what behaves like it.
    """

    def __init__(self, client: Mem0Client) -> None:
        self._client = client
        self._waiting: queue.Queue[tuple[Callable[[], Any], Future[Any]] | None]
        self._waiting = queue.Queue(maxsize=WAITING)
        self._is_closed = False
        threading.Thread(target=self._run, name="ringback-mem0", daemon=True).start()

    async def add(self, text: str, user_id: str, metadata: dict[str, Any]) -> tuple[str, ...]:
        """Keep a text; the ids that mem0 gave it."""
        answer = await self._ask(
            lambda: self._client.add(
                text, user_id=user_id, agent_id=OWNER, metadata=metadata, infer=False
            )
        )
        return tuple(str(one["id"]) for one in answer.get("results", ()) if one.get("id"))

    async def search(self, text: str, filters: dict[str, Any], limit: int) -> tuple[Entry, ...]:
        """What is most alike, best first."""
        answer = await self._ask(
            lambda: self._client.search(text, top_k=limit, filters=filters, threshold=0.0)
        )
        return tuple(entries_of(answer))

    async def listed(self, filters: Mapping[str, Any] | None = None) -> tuple[Entry, ...]:
        """All that is ours."""
        wanted = {**(filters or {}), "agent_id": OWNER}
        answer = await self._ask(lambda: self._client.get_all(filters=wanted, top_k=ALL))
        return tuple(entries_of(answer))

    async def delete(self, memory_ids: Sequence[str]) -> None:
        """Delete memories; one that is not there any more is no failure."""
        for one in memory_ids:
            await self._ask(partial(self._delete, one))

    async def also(self, work: Callable[[], T]) -> T:
        """Do something between two calls."""
        done: T = await self._ask(work)
        return done

    def close(self) -> None:
        """End the thread after what waits; idempotent."""
        if not self._is_closed:
            self._is_closed = True
            with suppress(queue.Full):  # it hangs: it ends with the process
                self._waiting.put_nowait(None)

    async def _ask(self, work: Callable[[], Any]) -> Any:
        if self._is_closed:
            raise ClosedError("this store was closed: open it again")
        answer: Future[Any] = Future()
        try:
            self._waiting.put_nowait((work, answer))
        except queue.Full:
            raise StoreUnavailableError(f"{WAITING} calls wait for mem0: is it there?") from None
        return await asyncio.wrap_future(answer)

    def _delete(self, memory_id: str) -> None:
        if self._client.get(memory_id) is not None:
            self._client.delete(memory_id)

    def _run(self) -> None:
        while (asked := self._waiting.get()) is not None:
            work, answer = asked
            if answer.set_running_or_notify_cancel():
                _do(work, answer)
            del asked, work, answer  # or an idle thread would keep the last text


def _do(work: Callable[[], Any], answer: Future[Any]) -> None:
    try:
        result = work()
    except Exception as error:  # noqa: BLE001 - mem0 raises whatever its parts do
        # Its text may quote what it was given.
        answer.set_exception(StoreUnavailableError(f"mem0 did not answer: {type(error).__name__}"))
    else:
        with suppress(RuntimeError):  # the loop that asked was closed: nobody waits
            answer.set_result(result)
