"""The vector index, in SQL: what waits for vectors, and writing them. Triggers do the rest.

What a fact's or a turn's vectors hang on is in its row of `passage`: when that goes, by
whatever way, they go with it, and what is current is listed in `unindexed` again.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator, Sequence

from ringback.recollection import (
    IndexState,
    Passage,
    PassageVectors,
    passage_of_fact,
    passage_of_turn,
)
from ringback.records import Status
from ringback.stores.sqlite.indexing import FACT, TURN, owner_of
from ringback.stores.sqlite.rows import fact_of, micros, turn_of
from ringback.stores.sqlite.signs import signs_of
from ringback.stores.sqlite.statements import statements
from ringback.stores.vectors import FACETS, checked_vectors, codes_of

SQL = statements("vectors")
LOOKED_THROUGH = 2_000  # facts and turns in one transaction: about 10 ms of work
DROPPED = 500  # passages in one transaction
CURRENT = (Status.ACTIVE, Status.PROVISIONAL)


def unindexed(
    connection: sqlite3.Connection, embedder: str, *, limit: int
) -> tuple[tuple[Passage, ...], bool]:
    """Passages without vectors, and whether that is all there are for now."""
    row = connection.execute(SQL["embedder"], {"name": embedder}).fetchone()
    if row is None:
        return (), False
    names = {"embedder": row["number"], "limit": limit}
    listed = connection.execute(SQL["unindexed"], names).fetchall()
    found = [passage(connection, one["what"], one["document"]) for one in listed]
    is_all = not row["facts_to"] and not row["turns_to"]
    return tuple(one for one in found if one is not None), is_all or len(listed) >= limit


def look_through(connection: sqlite3.Connection, embedder: str) -> None:
    """List some more of what an embedder has never looked at; the newest first."""
    connection.execute(SQL["add_embedder"], {"name": embedder})
    row = connection.execute(SQL["embedder"], {"name": embedder}).fetchone()
    for what in ("facts", "turns"):
        names = {"embedder": row["number"], "to": row[f"{what}_to"], "limit": LOOKED_THROUGH}
        lowest = connection.execute(SQL[f"next_{what}"], names).fetchone()["lowest"] or 0
        names["lowest"] = lowest
        if lowest:
            connection.execute(SQL[f"list_{what}"], names)
        connection.execute(SQL[f"{what}_looked_through"], names)


def put(connection: sqlite3.Connection, embedder: str, made: Sequence[PassageVectors]) -> None:
    """Write vectors of passages that are still what they were made of."""
    dimensions = checked_vectors(made)
    connection.execute(SQL["add_embedder"], {"name": embedder})
    row = connection.execute(SQL["embedder"], {"name": embedder}).fetchone()
    if dimensions is not None and dimensions != row["dimensions"]:
        if row["dimensions"]:
            drop_some(connection, row["number"], limit=-1)
        names = {"embedder": row["number"], "dimensions": dimensions}
        connection.execute(SQL["set_dimensions"], names)
    for one in made:
        what, document = _document_of(connection, one.passage)
        now = None if document is None else passage(connection, what, document)
        if now is not None and document is not None and now.revision == one.passage.revision:
            _put(connection, row["number"], (what, document), now, one)


def drop(connection: sqlite3.Connection, what: int, document: int) -> int:
    """Take a fact or a turn out of the index; how many vectors that were."""
    names = {"what": what, "document": document}
    count = int(connection.execute(SQL["count_vectors"], names).fetchone()["vectors"])
    connection.execute(SQL["drop_passages"], names)
    return count


def drop_turn(connection: sqlite3.Connection, row: sqlite3.Row) -> int:
    """Take a turn out, and the one after it, which is kept together with it."""
    names = {name: row[name] for name in ("tenant", "call_id", "position", "role")}
    after = connection.execute(SQL["turn_after"], names).fetchone()
    numbers = [row["number"], *([after["number"]] if after is not None else [])]
    return sum(drop(connection, TURN, number) for number in numbers)


def indexed_with(connection: sqlite3.Connection) -> dict[str, int]:
    """How many passages each embedder has done."""
    rows = connection.execute(SQL["indexed_with"])
    return {row["name"]: row["passages"] for row in rows if row["dimensions"] or row["passages"]}


def index_state(connection: sqlite3.Connection, embedder: str) -> IndexState:
    """How far one embedder is."""
    row = connection.execute(SQL["embedder"], {"name": embedder}).fetchone()
    names = {"embedder": 0, "facts_to": 2**62, "turns_to": 2**62}  # it has never been asked for
    if row is not None:
        names = {
            "embedder": row["number"],
            "facts_to": row["facts_to"],
            "turns_to": row["turns_to"],
        }
    waiting = connection.execute(SQL["waiting"], names).fetchone()["waiting"]
    if row is None:
        return IndexState(waiting=waiting)
    done = indexed_with(connection).get(embedder, 0)
    return IndexState(row["dimensions"], done, waiting)


def drop_embedders(connection: sqlite3.Connection, *, besides: Collection[str]) -> None:
    """Drop all embedders but these; their vectors are found no more, and go step by step."""
    connection.execute(SQL["drop_embedders"], {"besides": json.dumps(sorted(besides))})


def drop_dropped(connection: sqlite3.Connection) -> bool:
    """Delete some vectors of embedders that were dropped; whether there are more."""
    row = connection.execute(SQL["dropped"]).fetchone()
    if row is None:
        return False
    drop_some(connection, row["number"], limit=DROPPED)
    return True


def drop_some(connection: sqlite3.Connection, embedder: int, *, limit: int) -> None:
    """Delete so many passages of an embedder; all of them for -1."""
    names = {"embedder": embedder, "limit": limit}
    connection.execute(SQL["drop_some_passages"], names)
    if limit >= 0:  # it is gone: nothing waits for it any more
        connection.execute(SQL["drop_some_lines"], names)


def passage(connection: sqlite3.Connection, what: int, document: int) -> Passage | None:
    """A fact or a turn as a passage; None where it is not to be indexed."""
    names = {"document": document}
    row = connection.execute(SQL["fact" if what == FACT else "turn"], names).fetchone()
    if row is None or row["caller_id"] is None:
        return None
    if what == FACT:
        fact = fact_of(row)
        return passage_of_fact(fact) if fact.status in CURRENT else None
    place = {name: row[name] for name in ("tenant", "call_id", "position", "role")}
    ahead = connection.execute(SQL["before"], place).fetchone()
    before = None if ahead is None else turn_of(ahead)
    return passage_of_turn(row["tenant"], row["caller_id"], row["call_id"], turn_of(row), before)


def _document_of(connection: sqlite3.Connection, one: Passage) -> tuple[int, int | None]:
    names: dict[str, str | int] = {"tenant": one.tenant, "call_id": one.call_id, "id": one.id}
    if one.turn is not None:
        names |= {"position": one.turn.position, "role": one.turn.role}
    what, name = (FACT, "fact_number") if one.turn is None else (TURN, "turn_number")
    row = connection.execute(SQL[name], names).fetchone()
    return what, None if row is None else row["number"]


def _put(
    connection: sqlite3.Connection,
    embedder: int,
    place: tuple[int, int],
    now: Passage,
    made: PassageVectors,
) -> None:
    owner = owner_of(connection, now.tenant, now.caller_id)
    said = now.fact.observed_at if now.fact else now.turn.at if now.turn else None
    if owner is None or said is None:
        return
    names = {"what": place[0], "document": place[1], "embedder": embedder}
    for name in ("drop_passage", "add_passage", "indexed"):
        connection.execute(SQL[name], names)
    rows = _vector_rows(connection, made)
    common = {**names, "owner": owner, "at": micros(said)}
    connection.executemany(SQL["add_signs"], [{**common, **one} for one in rows])


def _vector_rows(
    connection: sqlite3.Connection, made: PassageVectors
) -> Iterator[dict[str, int | bytes]]:
    for facet, vector in made.vectors:
        codes = codes_of(vector).tobytes()
        number = connection.execute(SQL["add_vector"], {"codes": codes}).fetchone()["number"]
        yield {"number": number, "facet": FACETS.index(facet), "signs": signs_of(vector).tobytes()}
