"""An app as its file tells it: pipelines, contexts, calls that were opened."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from ringback import UsageError
from ringback_ops.app.names import Names, Value
from ringback_ops.app.parts import OPENINGS, PAIRS, Part, Role
from ringback_ops.app.pipelines import Pipeline, PipelineReader
from ringback_ops.app.source import Source, read_source
from ringback_ops.app.syntax import FUNCTIONS, Function, Syntax, argument

TELEPHONY = ("parse_telephony_websocket", "DailyDialinSettings")
SERIALIZERS = ("Twilio", "Telnyx", "Plivo", "Exotel", "Genesys", "Vonage")


class App:
    """One app, read and never run.

    Args:
        source: Its file.

    Raises:
        UsageError: It makes no pipeline.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.syntax = Syntax(source.tree)
        self.names = Names(self.syntax)
        self.imported = set(self.syntax.imported())
        reader = PipelineReader(self.syntax, self.names)
        self.pipelines = reader.read()
        if not self.pipelines:
            raise UsageError(_nothing_here(source.file, reader))

    @classmethod
    def read(cls, file: Path) -> App:
        """Read an app from its file.

        Raises:
            UsageError: It is not there, no Python, or makes no pipeline.
        """
        return cls(read_source(file))

    def openings(self) -> Iterator[ast.Call]:
        """Where a call rings: `open_call()`, `memory.ring()`."""
        for name in ("open_call", "ring"):
            for call in self.syntax.calls(name):
                if name == "open_call" or argument(call, "tenant") is not None:
                    yield call

    def contexts(self, pair: Value) -> list[Value]:
        """What a pair of aggregators writes to."""
        if not isinstance(pair.node, ast.Call):
            return []
        given = argument(pair.node, "context", 0)
        return [] if given is None else self.names.follow(given, pair.seen_from)

    def pairs(self, pipeline: Pipeline) -> list[Value]:
        """The pairs of aggregators in a pipeline."""
        halves = pipeline.of_role(Role.USER, Role.ASSISTANT)
        found = [part.of for part in halves if part.of is not None]
        return list(dict.fromkeys(one for one in found if self.syntax.called(one.node) in PAIRS))

    def memory_name(self, pipeline: Pipeline) -> str:
        """How the app calls its call's memory."""
        for part in pipeline.of_role(Role.MEMORY, Role.EARS, Role.PRIMING):
            if isinstance(part.made.node, ast.Call) and isinstance(
                part.made.node.func, ast.Attribute
            ):
                return ast.unparse(part.made.node.func.value)
        for pair in self.pairs(pipeline):
            for value in self.contexts(pair):
                made = value.node.func if isinstance(value.node, ast.Call) else None
                if self.is_memory_context(value) and isinstance(made, ast.Attribute):
                    return ast.unparse(made.value)
        opened = [call for name in OPENINGS for call in self.syntax.calls(name)]
        kept = [name for call in opened for name in self.syntax.names_of(call)]
        return kept[0] if kept else self.free_name("memory")

    def free_name(self, wanted: str) -> str:
        """A name that the file does not use yet."""
        used = {one.id for one in ast.walk(self.source.tree) if isinstance(one, ast.Name)}
        used |= {one.arg for one in ast.walk(self.source.tree) if isinstance(one, ast.arg)}
        return f"caller_{wanted}" if wanted in used else wanted

    def is_memory_context(self, value: Value) -> bool:
        """It was made by `call.context()`."""
        node = value.node
        if self.syntax.called(node) == "MemoryContext":
            return True
        return isinstance(node, ast.Call) and self.syntax.called(node) == "context"

    def is_telephony(self) -> bool:
        """Its callers come by phone."""
        serializers = [f"{name}FrameSerializer" for name in SERIALIZERS]
        return any(self.syntax.calls(name) for name in (*TELEPHONY, *serializers))

    def is_server(self) -> bool:
        """One process of it takes many calls."""
        return any(name.startswith("fastapi.") for name in self.imported)

    def has_memory(self, pipeline: Pipeline) -> bool:
        """Something of Ringback stands in a pipeline."""
        return bool(pipeline.of_role(Role.MEMORY, Role.EARS, Role.PRIMING))

    def handlers(self, *events: str) -> list[Function]:
        """Functions that a host calls when something happens; of these events, or of any."""
        told = [
            (_event(one), function)
            for function in ast.walk(self.source.tree)
            if isinstance(function, FUNCTIONS)
            for one in function.decorator_list
        ]
        for call in self.syntax.calls("add_event_handler"):
            function = argument(call, "handler", 1)
            made = self.syntax.named(function) if function is not None else None
            if isinstance(made, FUNCTIONS):
                told.append((_event(call), made))
        return [made for event, made in told if event and (event in events or not events)]


def part_of(parts: tuple[Part, ...], *roles: Role) -> Part | None:
    """The first of these roles on a way."""
    return next((part for part in parts if part.role in roles), None)


def _event(decorator: ast.expr) -> str:
    """The event that a decorator, or a call, gives a handler for; empty for anything else."""
    if isinstance(decorator, ast.Call) and ast.unparse(decorator.func).endswith("event_handler"):
        name = decorator.args[0] if decorator.args else None
        if isinstance(name, ast.Constant):
            return str(name.value)
    return ""


def _nothing_here(file: Path, reader: PipelineReader) -> str:
    elsewhere = reader.made_elsewhere()
    if elsewhere is None:
        return f"no pipeline in {file}: give the file that makes it"
    what, line = elsewhere
    return f"could not follow {file}, line {line}: its pipeline is made by {what}; give that file"
