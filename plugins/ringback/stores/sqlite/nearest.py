"""Answering a vector cue: narrowed in the file, picked out by signs, ranked by the vectors."""

from __future__ import annotations

import functools
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ringback.recollection import Facet, Hit, VectorCue
from ringback.records import Kind, Status
from ringback.stores.sqlite.finding import fact_hits, turn_hits
from ringback.stores.sqlite.indexing import FACT, TURN
from ringback.stores.sqlite.rows import micros, micros_or_none
from ringback.stores.sqlite.signs import Signs, differing, signs_of
from ringback.stores.sqlite.statements import statements
from ringback.stores.sqlite.vector_cache import Owned, Part, VectorCache
from ringback.stores.vectors import FACETS, cosines

SQL = statements("vectors")
RESCORED = 400  # vectors that are compared byte by byte; of fewer, signs miss near ones
RESCORED_PER_HIT = 6  # the same for a large limit: a memory has several vectors
CURRENT = {Status.ACTIVE, Status.PROVISIONAL}

Places = npt.NDArray[np.intp]


def nearest(connection: sqlite3.Connection, cue: VectorCue, cache: VectorCache) -> tuple[Hit, ...]:
    """Facts, then turns, that are nearest; each best first."""
    owned = _owned(connection, cue)
    if owned is None:
        return ()
    found: list[Hit] = []
    for what, hits in ((FACT, fact_hits), (TURN, turn_hits)):
        part = cache.part(connection, owned, what)
        best = _best(connection, cue, part, _narrowed(connection, cue, part, what))
        scores = {document: similarity for document, (similarity, _) in best.items()}
        facets = {document: facet for document, (_, facet) in best.items()}
        found += [
            replace(hit, similarity=hit.score, facet=facets[number])
            for number, hit in hits(connection, scores)[: cue.limit]
        ]
    return tuple(found)


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


def _narrowed(
    connection: sqlite3.Connection, cue: VectorCue, part: Part, what: int
) -> Places | None:
    """Which vectors the cue is about; None for all."""
    kept: list[npt.NDArray[np.bool_]] = []
    if len(set(cue.facets)) < len(Facet):
        kept.append(np.isin(part.facets, [FACETS.index(facet) for facet in cue.facets]))
    since_at, until_at = micros_or_none(cue.since_at), micros_or_none(cue.until_at)
    if since_at is not None:
        kept.append(part.at >= since_at)
    if until_at is not None:
        kept.append(part.at < until_at)
    if what == FACT:
        kept += _of_facts(connection, cue, part)
    return np.flatnonzero(np.logical_and.reduce(kept)) if kept else None


def _of_facts(
    connection: sqlite3.Connection, cue: VectorCue, part: Part
) -> list[npt.NDArray[np.bool_]]:
    names = {"tenant": cue.tenant, "caller_id": cue.caller_id, "at": micros(cue.at)}
    is_plain = set(cue.statuses) >= CURRENT and set(cue.kinds) >= set(Kind) and not cue.subjects
    if is_plain:  # the index holds current facts alone: look up the few that are over
        over = [row["number"] for row in connection.execute(SQL["expired"], names)]
        return [~np.isin(part.documents, over)] if over else []
    limits = {
        "statuses": json.dumps(cue.statuses),
        "kinds": json.dumps(cue.kinds),
        "subjects": json.dumps(cue.subjects) if cue.subjects else None,
    }
    rows = connection.execute(SQL["narrowed"], {**names, **limits})
    return [np.isin(part.documents, [row["number"] for row in rows])]


def _best(
    connection: sqlite3.Connection, cue: VectorCue, part: Part, places: Places | None
) -> dict[int, tuple[float, Facet]]:
    """The nearest documents with their similarities: the limit, and all that tie."""
    picked = _picked(cue, part, places)
    if not picked.size:
        return {}
    numbers = json.dumps(part.numbers[picked].tolist())
    cursor = connection.cursor()
    cursor.row_factory = None  # plain tuples: there are many
    rows: dict[int, bytes] = dict(cursor.execute(SQL["codes"], {"numbers": numbers}).fetchall())
    codes = np.frombuffer(b"".join(map(rows.__getitem__, part.numbers[picked].tolist())), np.int8)
    similarities = cosines(codes.reshape(picked.size, -1), cue.vectors)
    documents, facets, at = part.documents[picked], part.facets[picked], part.at[picked]
    best: dict[int, tuple[float, Facet]] = {}
    last: tuple[float, int] | None = None
    for place in np.lexsort((facets, -at, -similarities)):
        document, rank = int(documents[place]), (float(similarities[place]), int(at[place]))
        if len(best) >= cue.limit and rank != last:
            break
        if document not in best:
            best[document] = (rank[0], FACETS[facets[place]])
            last = rank
    return best


def _picked(cue: VectorCue, part: Part, places: Places | None) -> Places:
    """Those of the vectors that are worth comparing byte by byte."""
    wanted = max(RESCORED, RESCORED_PER_HIT * cue.limit)
    among = part.numbers.size if places is None else places.size
    if among <= wanted:
        return np.arange(among) if places is None else places
    if part.directions is not None:
        directions = part.directions if places is None else part.directions[places]
        far = -np.max(directions @ np.stack(cue.vectors, axis=1), axis=1)
        near = np.argpartition(far, wanted)[:wanted]
    else:
        signs = part.signs if places is None else part.signs[:, places]
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
