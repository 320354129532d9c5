"""Placeholder until the branch lands."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cleaned:
    text: str
    origin: tuple[int, ...]

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        return start, end


def cleaned(text: str) -> Cleaned:
    return Cleaned(text, tuple(range(len(text))))
