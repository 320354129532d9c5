"""The ways through a pipeline that come to a language model."""

from __future__ import annotations

from dataclasses import dataclass

from ringback_ops.app.parts import Part, Role
from ringback_ops.app.pipelines import Pipeline
from ringback_ops.app.reading import App, part_of

MODELS = (Role.LLM, Role.REALTIME)


@dataclass(frozen=True, slots=True)
class Way:
    """One way through a pipeline that comes to a language model."""

    app: App
    pipeline: Pipeline
    parts: tuple[Part, ...]
    model: Part

    def place(self, part: Part) -> int:
        """Where a part stands on it."""
        return self.parts.index(part)

    def first(self, *roles: Role) -> Part | None:
        """The first part of these roles."""
        return part_of(self.parts, *roles)

    def all(self, *roles: Role) -> list[Part]:
        """All parts of these roles."""
        return [part for part in self.parts if part.role in roles]

    def is_before(self, one: Part, other: Part) -> bool:
        """It comes first."""
        return self.place(one) < self.place(other)


def ways(app: App, pipeline: Pipeline) -> list[Way]:
    """The ways of a pipeline that come to a language model, and on to somebody who hears it."""
    found = [(parts, part_of(parts, *MODELS)) for parts in pipeline.ways]
    all_of_them = [Way(app, pipeline, parts, model) for parts, model in found if model is not None]
    heard = [way for way in all_of_them if not any(map(_ends_here, way.parts))]
    return heard or all_of_them


def _ends_here(part: Part) -> bool:
    """What comes to it goes no further: its branch only decides something."""
    return part.text.startswith("NullFilter(")
