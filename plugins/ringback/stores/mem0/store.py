"""A local store whose memories are found by meaning in mem0, and forgotten there as well."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set as AbstractSet
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from ringback.erasure import Erasure, ErasureReceipt, Forgotten
from ringback.errors import ClosedError, StoreError
from ringback.moves import Movable, Move
from ringback.protocols import (
    Basis,
    Entry as Recorded,
    Index,
    Jobs,
    Journal,
    Receipt,
    Store,
    Swept,
    TurnAmended,
)
from ringback.recollection import (
    Facet,
    Hit,
    Passage,
    PassageVectors,
    VectorCue,
    passage_of_fact,
    passage_of_turn,
)
from ringback.records import content_id
from ringback.stores.mem0 import local as local_mem0
from ringback.stores.mem0.client import SHELF, Entry, Mem0Client, Remote, metadata_of, shelf_of
from ringback.stores.memory.finding import is_wanted, is_within

OVER = {Facet.TEXT: 2, Facet.EXCHANGE: 2, Facet.QUESTION: 5}
"""Times the limit: a fact has several questions, and what is over by now stands among the rest."""
FACTS_OF_A_KEY = 10_000
CHANGED = 1_000  # calls that are put right one by one; beyond, the next sweep does it
PLACE = "mem0"  # in receipts; see `ringback.places`
KEPT = {"fact": (Facet.TEXT, Facet.QUESTION), "turn": (Facet.TEXT, Facet.EXCHANGE)}


class Local(Journal, Store, Jobs, Index, Movable, Protocol):
    """A back-end, whole, on this machine."""

    async def close(self) -> None:
        """Close it."""
        ...


class Mem0Store:
    """The local store, with mem0 in place of its vector index; closed with `close()`.

    All verbs are the local store's but those of the index, and those that let something go.
    The local index only notes which passages mem0 has. What mem0 answers is looked up here:
    what is not current in the same words is no hit.

    What changed under mem0's feet, the words of a turn or whose call it is, is put right
    there before it is asked or sent anything again; what else it has too much goes with each
    sweep. While mem0 does not answer, forgetting is done here, its receipt has a `scrub_ms`
    of -1, and the rest goes with the next `forget()` or sweep.

    Args:
        local: The back-end that decides what is true.
        client: mem0.
        folder: mem0's own files, where they are on this machine.
    """

    def __init__(self, local: Local, client: Mem0Client, *, folder: Path | None = None) -> None:
        self._local = local
        self._client = client
        self._remote = Remote(client)
        self._folder = folder
        self.moves = _NotedMoves(local.moves, self._note_changed)
        self._writing = asyncio.Lock()  # what is forgotten must not be sent meanwhile
        self._changed: set[str] = set()  # calls of which mem0 may have old words
        self._is_untidy = False

    def __getattr__(self, name: str) -> Any:
        """Every other verb is the local store's."""
        return getattr(self._local, name)

    def record_nowait(self, entry: Recorded) -> Receipt:
        """Hand an entry over; see `Journal`."""
        receipt = self._local.record_nowait(entry)
        if isinstance(entry, TurnAmended):
            self._note_changed(entry.call_id)
        return receipt

    async def attach(self, tenant: str, call_id: str, **whose: Any) -> str:
        """Make a call a caller's; see `Store`."""
        caller_id = await self._local.attach(tenant, call_id, **whose)
        self._note_changed(call_id)
        return caller_id

    async def put_vectors(self, embedder: str, made: Sequence[PassageVectors]) -> None:
        """Send the texts of passages to mem0, and note that it has them; see `Index`."""
        async with self._writing:
            await self._tidy_changed()
            sent = [entry for one in made for entry in await self._send(embedder, one)]
            noted = [PassageVectors(one.passage, ()) for one in made]
            await self._local.put_vectors(embedder, noted)
            await self._delete_what_is_over(sent)

    async def nearest(self, cue: VectorCue) -> tuple[Hit, ...]:
        """What mem0 finds most alike, as it stands here; see `Index`."""
        if self._changed:
            async with self._writing:
                await self._tidy_changed()
        found: list[Hit] = []
        for what, facets in KEPT.items():
            asked = [one for one in facets if one in cue.facets and cue.text.strip()]
            entries = [await self._search(cue, what, facet) for facet in asked]
            if cue.is_apart:
                found += [hit for some in entries for hit in await self._hits(cue, some)]
            else:
                found += await self._hits(cue, [one for some in entries for one in some])
        return tuple(found)

    async def drop_index(self, *, besides: AbstractSet[str] = frozenset()) -> None:
        """Drop what mem0 has of all embedders but these; see `Index`."""
        async with self._writing:
            await self._local.drop_index(besides=besides)
            entries = await self._remote.listed()
            gone = [one.memory_id for one in entries if one.embedder not in besides]
            await self._remote.delete(gone)

    async def forget(self, erasure: Erasure, *, basis: Basis | None = None) -> ErasureReceipt:
        """Delete here, then in mem0; see `Store`."""
        async with self._writing:
            try:
                receipt = await self._local.forget(erasure, basis=basis)
                removed = await self._forget_there(erasure)
            except BaseException:  # broken off: it may be gone here and not there
                self._is_untidy = True
                raise
            if removed is None:
                return replace(receipt, scrub_ms=-1)
        there = ((PLACE, removed),) if removed else ()
        return replace(receipt, removed=(*receipt.removed, *there))

    async def residue(self, words: Sequence[str]) -> int:
        """Count where words still stand, in mem0 as well; see `Store`.

        A mem0 that does not answer counts as one place.
        """
        found = await self._local.residue(words)
        try:
            held = [entry.text.casefold() for entry in await self._remote.listed()]
        except StoreError:
            return found + 1
        found += sum(word.casefold() in text for word in words if word for text in held)
        if self._folder is not None:
            found += await asyncio.to_thread(local_mem0.count_in_files, self._folder, words)
        return found

    async def sweep(self, *, now_at: datetime, words_before: datetime | None) -> Swept:
        """Keep the house, and mem0's: what is over here goes there; see `Jobs`."""
        swept = await self._local.sweep(now_at=now_at, words_before=words_before)
        with suppress(StoreError):
            async with self._writing:
                if await self._tidy() or self._is_untidy:
                    await self._clear()
                self._is_untidy = False
        return swept

    async def close(self) -> None:
        """End mem0's thread, close a mem0 on this machine, and close the local store."""
        if self._folder is not None:
            with suppress(StoreError, ClosedError):
                await self._remote.also(partial(local_mem0.close, self._client))
        self._remote.close()
        await self._local.close()

    async def _send(self, embedder: str, made: PassageVectors) -> list[Entry]:
        sent: list[Entry] = []
        for facet, text in made.texts:
            sent += await self._send_text(made.passage, facet, embedder, text)
        return sent

    async def _send_text(
        self, passage: Passage, facet: Facet, embedder: str, text: str
    ) -> list[Entry]:
        whose = _user_of(passage.tenant, passage.caller_id)
        metadata = metadata_of(passage, facet, embedder)
        ids = await self._remote.add(text, whose, metadata)
        return [_entry(one, passage, facet, embedder, text) for one in ids]

    async def _search(self, cue: VectorCue, what: str, facet: Facet) -> Sequence[Entry]:
        filters = {
            "user_id": _user_of(cue.tenant, cue.caller_id),
            SHELF: shelf_of(what, facet, cue.embedder),
        }
        return await self._remote.search(cue.text, filters, OVER[facet] * cue.limit)

    async def _hits(self, cue: VectorCue, entries: Sequence[Entry]) -> list[Hit]:
        """The best of each passage that is what the cue asks for, at most its limit."""
        there = await self._current(entries)
        order = list(Facet)
        best: dict[str, Hit] = {}
        for one in sorted(entries, key=lambda one: (-one.score, order.index(one.facet))):
            passage = there.get(one.passage_id)
            if one.passage_id in best or passage is None or not _is_about(one, passage, cue):
                continue
            best[one.passage_id] = Hit(
                one.score,
                fact=passage.fact,
                turn=passage.turn,
                call_id=passage.call_id if passage.turn is not None else "",
                facet=one.facet,
                similarity=one.score,
            )
        return list(best.values())[: cue.limit]

    async def _current(self, entries: Iterable[Entry]) -> Mapping[str, Passage]:
        """Passages as they stand here, by id."""
        keys: dict[tuple[str, str], set[str]] = defaultdict(set)
        calls: set[tuple[str, str]] = set()
        for one in entries:
            if one.key:
                keys[one.tenant, one.caller_id].add(one.key)
            else:
                calls.add((one.tenant, one.call_id))
        found: dict[str, Passage] = {}
        for (tenant, caller_id), wanted in keys.items():
            facts = await self._local.with_keys(
                tenant, caller_id, sorted(wanted), limit=FACTS_OF_A_KEY
            )
            found |= {fact.id: passage_of_fact(fact) for fact in facts}
        for tenant, call_id in calls:
            found |= {one.id: one for one in await self._turns_of(tenant, call_id)}
        return found

    async def _turns_of(self, tenant: str, call_id: str) -> list[Passage]:
        view = await self._local.call(tenant, call_id)
        if view is None or view.call.caller_id is None:
            return []
        caller_id = view.call.caller_id
        return [
            passage_of_turn(tenant, caller_id, call_id, turn, before)
            for before, turn in zip((None, *view.turns), view.turns, strict=False)
        ]

    async def _forget_there(self, erasure: Erasure) -> int | None:
        """How much went; None where mem0 does not answer, and the rest goes later."""
        try:
            return await self._delete_there(erasure)
        except StoreError:
            self._is_untidy = True
            return None

    async def _delete_there(self, erasure: Erasure) -> int:
        removed = await self._tidy_changed()
        if self._is_untidy:
            removed += await self._tidy()
            self._is_untidy = False
        if erasure.caller_id is not None:
            whose = {"user_id": _user_of(erasure.tenant, erasure.caller_id)}
            if erasure.what is Forgotten.PROFILE:
                entries = await self._remote.listed(whose)
                await self._remote.delete([one.memory_id for one in entries])
                removed += len(entries)
            else:
                removed += await self._tidy(whose)
        await self._clear()
        return removed

    async def _tidy_changed(self) -> int:
        removed = 0
        if self._changed:
            await self._local.flush()  # or the old words still stand here as well
        while self._changed:
            call_id = self._changed.pop()
            try:
                removed += await self._tidy({"call": call_id})
            except BaseException:
                self._note_changed(call_id)
                raise
        return removed

    def _note_changed(self, call_id: str) -> None:
        """Any thread."""
        if len(self._changed) < CHANGED:
            self._changed.add(call_id)
        else:
            self._is_untidy = True

    async def _tidy(self, filters: Mapping[str, Any] | None = None) -> int:
        """Delete what mem0 has and this store has not, or twice; how much that was."""
        return await self._delete_what_is_over(await self._remote.listed(filters))

    async def _delete_what_is_over(self, entries: Sequence[Entry]) -> int:
        there = {**await self._current(entries)}
        calls = {(one.tenant, one.call_id) for one in entries if one.key}
        lost = {(one.tenant, one.call_id) for one in entries if one.passage_id not in there}
        for tenant, call_id in lost & calls:
            facts = await self._local.facts(tenant, call_id=call_id)
            there |= {fact.id: passage_of_fact(fact) for fact in facts if fact.caller_id}
        kept: set[tuple[str, Facet, str, str]] = set()
        over = []
        for one in entries:
            place = (one.passage_id, one.facet, one.text, one.embedder)
            passage = there.get(one.passage_id)
            if passage is None or passage.revision != one.revision or place in kept:
                over.append(one.memory_id)
                continue
            kept.add(place)
            if not _is_as_kept(one, passage):  # its call is another caller's by now
                await self._send_text(passage, one.facet, one.embedder, one.text)
                over.append(one.memory_id)
        await self._remote.delete(over)
        return len(over)

    async def _clear(self) -> None:
        folder = self._folder
        if folder is not None:
            await self._remote.also(partial(local_mem0.clear, folder))


class _NotedMoves:
    """The local store's moves; mem0 is put right about the calls that moved."""

    def __init__(self, local: Any, note_changed: Callable[[str], None]) -> None:
        self._local = local
        self._note_changed = note_changed

    async def merge(self, *what: Any, **how: Any) -> Move:
        """See `Moves`."""
        return self._noted(await self._local.merge(*what, **how))

    async def split(self, *what: Any, **how: Any) -> Move:
        """See `Moves`."""
        return self._noted(await self._local.split(*what, **how))

    async def undo(self, *what: Any, **how: Any) -> Move:
        """See `Moves`."""
        return self._noted(await self._local.undo(*what, **how))

    async def history(self, *what: Any, **how: Any) -> tuple[Move, ...]:
        """See `Moves`."""
        moves: tuple[Move, ...] = await self._local.history(*what, **how)
        return moves

    def _noted(self, move: Move) -> Move:
        for call_id in move.call_ids:
            self._note_changed(call_id)
        return move


def _user_of(tenant: str, caller_id: str) -> str:
    """A profile as mem0's user: its ids have no spaces."""
    return content_id("mem0", tenant, caller_id)


def _entry(memory_id: str, passage: Passage, facet: Facet, embedder: str, text: str) -> Entry:
    return Entry(
        memory_id,
        passage.tenant,
        passage.caller_id,
        passage.call_id,
        passage.id,
        passage.revision,
        passage.fact.key if passage.fact is not None else "",
        facet,
        embedder,
        text,
    )


def _is_as_kept(entry: Entry, passage: Passage) -> bool:
    held = (entry.tenant, entry.caller_id, entry.revision)
    return held == (passage.tenant, passage.caller_id, passage.revision)


def _is_about(entry: Entry, passage: Passage, cue: VectorCue) -> bool:
    if not _is_as_kept(entry, passage):
        return False
    if (passage.tenant, passage.caller_id) != (cue.tenant, cue.caller_id):
        return False
    if passage.fact is not None:
        return is_wanted(passage.fact, cue) and is_within(passage.fact.observed_at, cue)
    return passage.turn is not None and is_within(passage.turn.at, cue)
