"""Signs of vectors: one bit per dimension, by which the near ones of many are picked out."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Signs = npt.NDArray[np.uint64]

WORD_BITS = 64


def words_of(dimensions: int) -> int:
    """How many words the signs of a vector take."""
    return -(-dimensions // WORD_BITS)


def signs_of(vector: npt.NDArray[Any]) -> Signs:
    """Which numbers of a vector are above 0, 64 to a word; uint64 [words]."""
    packed = np.packbits(np.asarray(vector) > 0)
    whole = np.zeros(words_of(vector.size) * (WORD_BITS // 8), np.uint8)
    whole[: packed.size] = packed
    return whole.view(np.uint64)


def differing(signs: Signs, query: Signs) -> npt.NDArray[np.uint16]:
    """How many signs differ from a question's.

    Args:
        signs: uint64 [words, n], a vector per column: what is next to it is read next.
        query: uint64 [words].

    Returns:
        uint16 [n].
    """
    differ = np.zeros(signs.shape[1], np.uint16)
    for word, wanted in zip(signs, query, strict=True):
        differ += np.bitwise_count(np.bitwise_xor(word, wanted))
    return differ
