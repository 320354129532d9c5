"""How vectors are kept and compared: the same numbers in every back-end."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ringback.errors import UsageError
from ringback.recollection import Facet, PassageVectors, Vector

Codes = npt.NDArray[np.int8]
Cosines = npt.NDArray[np.float64]

LARGEST_CODE = 127
DIGITS = 6  # of a similarity: what adds up in another order is still equal
FACETS = tuple(Facet)  # their places are kept: add new ones at the end


def codes_of(vector: Vector) -> Codes:
    """A vector's direction in one byte per dimension; the largest number gets all of it."""
    largest = float(np.max(np.abs(vector)))
    codes: Codes = np.rint(np.asarray(vector, np.float32) * (LARGEST_CODE / largest)).astype(
        np.int8
    )
    return codes


def cosines(codes: Codes, queries: Sequence[Vector]) -> Cosines:
    """Compare vectors with a question.

    Args:
        codes: int8 [n, dimensions], each as `codes_of` gives it.
        queries: float32 [dimensions] each, unit norm.

    Returns:
        float64 [n] in [0, 1]: of each, the best cosine over the queries; below 0 is 0.
    """
    directions = codes.astype(np.float64)
    norms = np.sqrt(np.einsum("ij,ij->i", directions, directions))
    best = np.max(directions @ np.stack(queries, axis=1).astype(np.float64), axis=1) / norms
    similarities: Cosines = np.round(np.clip(best, 0.0, 1.0), DIGITS)
    return similarities


def checked_vectors(made: Sequence[PassageVectors]) -> int | None:
    """How many dimensions all of these have; None where there is no vector at all.

    Raises:
        UsageError: They have several, or one has no direction.
    """
    shapes = {vector.shape for one in made for _, vector in one.vectors}
    if not shapes:
        return None
    if len(shapes) > 1 or len(*shapes) != 1:
        raise UsageError("vectors of one embedder have one dimension each, and all the same many")
    for one in made:
        for _, vector in one.vectors:
            if not np.all(np.isfinite(vector)) or not np.any(vector):
                raise UsageError("a vector without a direction cannot be compared")
    return int(next(iter(shapes))[0])


def checked_queries(vectors: Sequence[Vector]) -> tuple[Vector, ...]:
    """Query vectors as float32 of unit length; those without a direction are left out."""
    queries = [np.asarray(vector, np.float32) for vector in vectors]
    lengths = [float(np.linalg.norm(query)) for query in queries]
    kept = zip(queries, lengths, strict=True)
    return tuple(query / length for query, length in kept if np.isfinite(length) and length > 0)
