"""Mask personal numbers in what is said, before any of it is written.

Read `masker` first: turns go in, masked turns come out. `reading` turns the words of one
turn into numbers, with `words` and `labels`; `search` finds the sensitive ones among them,
by `check_digits` or by what the talk is about. docs/masking.md says what is masked.
"""

from __future__ import annotations

from ringback.core.masking.check_digits import Sensitive
from ringback.core.masking.masker import Masked, Masker, allowed_by, masked

__all__ = ["Masked", "Masker", "Sensitive", "allowed_by", "masked"]
