"""Answering a vector cue: narrowed in the file, picked out by signs, ranked by the vectors."""

from __future__ import annotations

import functools
import json
import sqlite3
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from ringback.recollection import Facet, Hit, VectorCue
from ringback.records import Kind, Status
from ringback.stores.sqlite.hits import Search, ranked
from ringback.stores.sqlite.indexing import FACT, TURN
from ringback.stores.sqlite.rows import micros, micros_or_none
from ringback.stores.sqlite.signs import Signs, differing, signs_of
from ringback.stores.sqlite.statements import statements
from ringback.stores.sqlite.vector_cache import Owned, Part, Side, VectorCache
from ringback.stores.vectors import FACETS, Codes, Cosines, cosines

SQL = statements("vectors")
RESCORED = 400  # vectors that are compared byte by byte; of fewer, signs miss near ones
RESCORED_PER_HIT = 6  # the same for a large limit: a memory has several vectors
CURRENT = {Status.ACTIVE, Status.PROVISIONAL}

Places = npt.NDArray[np.intp]
Beside = tuple[bool, list[int]]
"""Whether these facts are what the cue is about, or what it is not about."""
Near = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Cosines]


def nearest(connection: sqlite3.Connection, cue: VectorCue, cache: VectorCache) -> tuple[Hit, ...]:
    """Facts, then turns, that are nearest, of all facets or of each apart; each best first."""
    cleared = cache.cleared  # before the first read, which fixes what this one sees of the file
    owned = _owned(connection, cue)
    if owned is None:
        return ()
    facets = tuple(dict.fromkeys(cue.facets))
    wanted = [(one,) for one in facets] if cue.is_apart else [facets]
    looks = []
    for what in (FACT, TURN):
        part = cache.part(connection, owned, what, cleared=cleared)
        beside = _beside(connection, cue) if what == FACT and part.size else None
        looks += [(what, _best(connection, cue, part, some, beside)) for some in wanted]
    searches = [
        Search(what == FACT, {number: similarity for number, (similarity, _) in best.items()})
        for what, best in looks
    ]
    found = ranked(connection, searches, limit=cue.limit)
    return tuple(
        one.hit(similarity=one.score, facet=best[one.number][1])
        for (_, best), kept in zip(looks, found, strict=True)
        for one in kept
    )


def _owned(connection: sqlite3.Connection, cue: VectorCue) -> Owned | None:
    """Whose vectors; None where there are none that the question can be compared with."""
    whose = {"tenant": cue.tenant, "caller_id": cue.caller_id}
    owner = connection.execute(SQL["owner"], whose).fetchone()
    embedder = connection.execute(SQL["embedder"], {"name": cue.embedder}).fetchone()
    if owner is None or embedder is None or not owner["vectors"]:
        return None
    if {query.size for query in cue.vectors} != {embedder["dimensions"]}:
        return None
    return Owned(
        owner["number"],
        owner["vectors"],
        owner["vectors_fewer"],
        embedder["number"],
        embedder["dimensions"],
    )


def _beside(connection: sqlite3.Connection, cue: VectorCue) -> Beside:
    """Facts that the cue is not about, or those alone that it is about."""
    names = {"tenant": cue.tenant, "caller_id": cue.caller_id, "at": micros(cue.at)}
    is_plain = set(cue.statuses) >= CURRENT and set(cue.kinds) >= set(Kind) and not cue.subjects
    if is_plain:  # the index holds current facts alone: look up the few that are over
        return False, [row["number"] for row in connection.execute(SQL["expired"], names)]
    limits = {
        "statuses": json.dumps(cue.statuses),
        "kinds": json.dumps(cue.kinds),
        "subjects": json.dumps(cue.subjects) if cue.subjects else None,
    }
    rows = connection.execute(SQL["narrowed"], {**names, **limits})
    return True, [row["number"] for row in rows]


def _narrowed(cue: VectorCue, side: Side, beside: Beside | None) -> Places | None:
    """Which vectors the cue is about; None for all."""
    kept: list[npt.NDArray[np.bool_]] = []
    since_at, until_at = micros_or_none(cue.since_at), micros_or_none(cue.until_at)
    if since_at is not None:
        kept.append(side.at >= since_at)
    if until_at is not None:
        kept.append(side.at < until_at)
    if beside is not None:
        is_about, numbers = beside
        if numbers or is_about:
            kept.append(np.isin(side.documents, numbers, invert=not is_about))
    return np.flatnonzero(np.logical_and.reduce(kept)) if kept else None


def _best(
    connection: sqlite3.Connection,
    cue: VectorCue,
    part: Part,
    facets: Sequence[Facet],
    beside: Beside | None,
) -> dict[int, tuple[float, Facet]]:
    """The nearest documents with their similarities: the limit, and all that tie."""
    places = sorted(FACETS.index(facet) for facet in facets)
    near = [(place, _near(connection, cue, part.sides[place], beside)) for place in places]
    found = [(place, one) for place, one in near if one is not None]
    if not found:
        return {}
    documents, at, similarities = (
        np.concatenate(arrays) for arrays in zip(*(one for _, one in found), strict=True)
    )
    of_facet = np.repeat([place for place, _ in found], [one[0].size for _, one in found])
    best: dict[int, tuple[float, Facet]] = {}
    last: tuple[float, int] | None = None
    for place in np.lexsort((of_facet, -at, -similarities)):
        document, rank = int(documents[place]), (float(similarities[place]), int(at[place]))
        if len(best) >= cue.limit and rank != last:
            break
        if document not in best:
            best[document] = (rank[0], FACETS[of_facet[place]])
            last = rank
    return best


def _near(
    connection: sqlite3.Connection, cue: VectorCue, side: Side, beside: Beside | None
) -> Near | None:
    """The near ones of one facet: their documents, their times, their similarities."""
    if not side.numbers.size:
        return None
    picked = _picked(cue, side, _narrowed(cue, side, beside))
    if not picked.size:
        return None
    similarities = cosines(_codes(connection, side, picked), cue.vectors)
    return side.documents[picked], side.at[picked], similarities


def _codes(connection: sqlite3.Connection, side: Side, picked: Places) -> Codes:
    if side.codes is not None:
        return side.codes[picked]
    numbers = side.numbers[picked].tolist()
    cursor = connection.cursor()
    cursor.row_factory = None  # plain tuples: there are many
    read = cursor.execute(SQL["codes"], {"numbers": json.dumps(numbers)}).fetchall()
    rows: dict[int, bytes] = dict(read)
    return np.frombuffer(b"".join(map(rows.__getitem__, numbers)), np.int8).reshape(picked.size, -1)


def _picked(cue: VectorCue, side: Side, places: Places | None) -> Places:
    """Those of the vectors that are worth comparing byte by byte."""
    wanted = max(RESCORED, RESCORED_PER_HIT * cue.limit)
    among = side.numbers.size if places is None else places.size
    if among <= wanted:
        return np.arange(among) if places is None else places
    if side.directions is not None:
        directions = side.directions if places is None else side.directions[places]
        far = -np.max(directions @ np.stack(cue.vectors, axis=1), axis=1)
        near = np.argpartition(far, wanted)[:wanted]
    else:
        signs = side.signs if places is None else side.signs[:, places]
        near = _fewest(functools.reduce(np.minimum, _differing(signs, cue)), wanted)
    return near if places is None else places[near]


def _differing(signs: Signs, cue: VectorCue) -> Iterator[npt.NDArray[np.uint16]]:
    return (differing(signs, signs_of(query)) for query in cue.vectors)


def _fewest(differ: npt.NDArray[np.uint16], wanted: int) -> Places:
    """Places of so many of the smallest numbers; of equal ones, those that came last."""
    below = np.cumsum(np.bincount(differ))  # no sorting: there are few different numbers
    bound = int(np.searchsorted(below, wanted))
    certain = np.flatnonzero(differ < bound)
    return np.concatenate([certain, np.flatnonzero(differ == bound)[certain.size - wanted :]])
