"""The order of an app's processors, along each way that a frame can take."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from ringback_ops.app.names import Names, Value, Visit
from ringback_ops.app.parts import Part, Role, Roles
from ringback_ops.app.syntax import Syntax, argument, is_none

MOST_WAYS = 64
BRANCHING = ("ParallelPipeline", "SyncParallelPipeline")
WORKERS = ("PipelineWorker", "PipelineTask")
RUNNING = ("add_workers", "run")  # of a runner
ADDING = ("append", "extend", "insert")
PASSING_ON = ("list", "tuple", "filter")  # give the elements that they are given


@dataclass(frozen=True, slots=True)
class Branches:
    """Ways beside each other."""

    ways: tuple[Sequence, ...]


Sequence: TypeAlias = "list[Part | Branches]"


@dataclass(frozen=True, slots=True)
class Pipeline:
    """One pipeline of the app."""

    node: ast.Call
    ways: tuple[tuple[Part, ...], ...]
    """Each way through it: more than one where branches run side by side."""
    parts: tuple[Part, ...] = field(default=())
    """All of them, in the order in which they stand."""

    @property
    def line(self) -> int:
        """Where it is made."""
        return self.node.lineno

    @property
    def gaps(self) -> tuple[Part, ...]:
        """What could not be followed."""
        return tuple(part for part in self.parts if part.role is Role.GAP)

    @property
    def unknown(self) -> tuple[Part, ...]:
        """What could be anything, as far as the file says."""
        return tuple(part for part in self.parts if part.role in (Role.GAP, Role.UNKNOWN))

    def of_role(self, *roles: Role) -> list[Part]:
        """Its parts that have one of these roles."""
        return [part for part in self.parts if part.role in roles]


class PipelineReader:
    """Reads the pipelines that a file makes.

    Args:
        syntax: Of the file.
        names: Of the file.
    """

    def __init__(self, syntax: Syntax, names: Names) -> None:
        self._syntax = syntax
        self._names = names
        self._roles = Roles(syntax, names)
        self._inner: set[ast.Call] = set()
        self._open: set[tuple[ast.expr, Visit | None]] = set()

    def read(self) -> list[Pipeline]:
        """Read every pipeline that is no part of another."""
        made = [(call, self._sequence(call, None)) for call in self._syntax.calls("Pipeline")]
        return [_pipeline(call, found) for call, found in made if call not in self._inner]

    def made_elsewhere(self) -> tuple[str, int] | None:
        """What makes the pipeline that this file runs, if it is another one; and the line."""
        running = [(call, argument(call, "pipeline", 0)) for call in self._calls_in_order(*WORKERS)]
        running += [(call, argument(call, "worker", 0)) for call in self._calls_in_order(*RUNNING)]
        for call, given in running:
            for value in self._names.follow(given) if given is not None else ():
                if (what := self._origin(value.node)) is not None:
                    return what, call.lineno
        return None

    def _origin(self, node: ast.expr) -> str | None:
        """The function of another module that made something, or that made what it is part of."""
        if isinstance(node, ast.Attribute):
            made = [self._origin(value.node) for value in self._names.follow(node.value)]
            return next(filter(None, made), None)
        if not isinstance(node, ast.Call):
            return None
        module, _, last = self._syntax.full_name(node.func).rpartition(".")
        return f"{last}() of {module}" if module else None

    def _sequence(self, call: ast.Call, seen_from: Visit | None) -> Sequence:
        given = argument(call, "processors", 0)
        return [] if given is None else self._elements(given, seen_from)

    def _elements(self, node: ast.expr, seen_from: Visit | None, when: str = "") -> Sequence:
        """The elements of something that is a list, or is said to be one."""
        if isinstance(node, ast.List | ast.Tuple):
            return [one for item in node.elts for one in self._element(item, seen_from, when)]
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            sides = (node.left, node.right)
            return [one for side in sides for one in self._elements(side, seen_from, when)]
        if isinstance(node, ast.IfExp):
            return self._either(node, seen_from, when)
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            source = node.generators[0]
            if len(node.generators) == 1 and ast.unparse(node.elt) == ast.unparse(source.target):
                return self._elements(source.iter, seen_from, when)
        if isinstance(node, ast.Call) and self._syntax.called(node) in PASSING_ON and node.args:
            return self._elements(node.args[-1], seen_from, when)
        if isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Await):
            return self._said_to_be(node, seen_from, when)
        return [_gap(node, when)]

    def _said_to_be(self, node: ast.expr, seen_from: Visit | None, when: str) -> Sequence:
        """The elements of a variable, or of what a function of the file returns."""
        if (node, seen_from) in self._open:  # it is said to be itself
            return [_gap(node, when)]
        self._open.add((node, seen_from))
        try:
            steps = [step for step in self._names.step(node, seen_from) if not is_none(step.node)]
            ways = [self._elements(step.node, step.seen_from, when) for step in steps]
            full = [one for one in ways if one]
            begin: Sequence = (
                [Branches(tuple(full))] if len(full) > 1 else [*itertools.chain(*full)]
            )
            return [*begin, *self._added(node, seen_from, steps)] if steps else [_gap(node, when)]
        finally:
            self._open.discard((node, seen_from))

    def _added(self, node: ast.expr, seen_from: Visit | None, given: list[Value]) -> Sequence:
        """What is added to a list after a name was given it, in the order of the file."""
        name, own = ast.unparse(node), self._syntax.function(node)
        owner = self._syntax.self_class(node)
        everywhere = owner or own or self._syntax.tree
        additions = [
            one
            for one in ast.walk(everywhere)
            if isinstance(one, ast.Call | ast.AugAssign) and _adds_to(one) == name
        ]
        here = [one.node.lineno for one in given if self._syntax.function(one.node) is own]
        begin, end = min(here, default=0), node.lineno
        found: Sequence = []
        for one in sorted(additions, key=lambda each: (each.lineno, each.col_offset)):
            function = self._syntax.function(one)
            is_later = function is own and begin < one.lineno < end
            if is_later or (owner is not None and function is not own):
                found += self._adds(one, seen_from)
        return found

    def _adds(self, one: ast.Call | ast.AugAssign, seen_from: Visit | None) -> Sequence:
        when = self._when(one)
        if isinstance(one, ast.AugAssign):
            return self._elements(one.value, seen_from, when)
        method = one.func
        if not isinstance(method, ast.Attribute) or method.attr == "insert" or not one.args:
            return [_gap(one, when)]  # where that is depends on what is there by then
        if method.attr == "extend":
            return self._elements(one.args[0], seen_from, when)
        return self._element(one.args[0], seen_from, when, ast.unparse(method.value))

    def _calls_in_order(self, *names: str) -> list[ast.Call]:
        found = [call for name in names for call in self._syntax.calls(name)]
        return sorted(found, key=lambda call: (call.lineno, call.col_offset))

    def _when(self, node: ast.AST) -> str:
        """The conditions that a statement stands under, in its function."""
        own = self._syntax.function(node)
        found = list(itertools.takewhile(lambda one: one is not own, self._syntax.parents(node)))
        return " and ".join(ast.unparse(one.test) for one in found if isinstance(one, ast.If))

    def _element(
        self, node: ast.expr, seen_from: Visit | None, when: str, added_to: str = ""
    ) -> Sequence:
        if isinstance(node, ast.Starred):
            return self._elements(node.value, seen_from, when)
        if isinstance(node, ast.IfExp):
            sides = [
                (node.body, ast.unparse(node.test)),
                (node.orelse, f"not {ast.unparse(node.test)}"),
            ]
            there = [(side, test) for side, test in sides if not is_none(side)]
            if len(there) == 1:
                return self._element(there[0][0], seen_from, _both(when, there[0][1]), added_to)
        for value in self._names.follow(node, seen_from):
            if (inner := self._nested(value)) is not None:
                return inner
        return [self._roles.part(node, seen_from, when=when, added_to=added_to)]

    def _nested(self, value: Value) -> Sequence | None:
        """The sequence of a pipeline in a pipeline; None for anything else."""
        call, called = value.node, self._syntax.called(value.node)
        if not isinstance(call, ast.Call):
            return None
        if called == "Pipeline":
            self._inner.add(call)
            return self._sequence(call, value.seen_from)
        if called in BRANCHING:
            ways = [one for given in call.args for one in self._ways(given, value.seen_from)]
            return [Branches(tuple(ways))]
        return None

    def _ways(self, node: ast.expr, seen_from: Visit | None) -> list[Sequence]:
        """One argument of a `ParallelPipeline`: a branch, or some with a star."""
        if not isinstance(node, ast.Starred):
            nested = [self._nested(value) for value in self._names.follow(node, seen_from)]
            told = next((one for one in nested if one is not None), None)
            return [self._elements(node, seen_from) if told is None else told]
        for value in self._names.follow(node.value, seen_from):
            if isinstance(value.node, ast.List | ast.Tuple):
                return [self._elements(one, value.seen_from) for one in value.node.elts]
        return [[_gap(node, "")]]

    def _either(self, node: ast.IfExp, seen_from: Visit | None, when: str) -> Sequence:
        """One list or another; with nothing on one side, what is there under a condition."""
        test = ast.unparse(node.test)
        yes = self._elements(node.body, seen_from, _both(when, test))
        no = self._elements(node.orelse, seen_from, _both(when, f"not {test}"))
        return [Branches((yes, no))] if yes and no else yes or no


def _adds_to(node: ast.Call | ast.AugAssign) -> str:
    """The list that something is added to, by its name; empty for anything else."""
    if isinstance(node, ast.AugAssign):
        return ast.unparse(node.target)
    if isinstance(node.func, ast.Attribute) and node.func.attr in ADDING:
        return ast.unparse(node.func.value)
    return ""


def _pipeline(call: ast.Call, found: Sequence) -> Pipeline:
    ways = list(itertools.islice(_ways_through(found), MOST_WAYS + 1))
    parts = tuple(dict.fromkeys(part for part in _parts(found)))
    if len(ways) > MOST_WAYS:
        parts = (*parts, _gap(call, ""))
        ways = ways[:MOST_WAYS]
    return Pipeline(call, tuple(ways), parts)


def _ways_through(found: Sequence) -> Iterator[tuple[Part, ...]]:
    choices: list[list[tuple[Part, ...]]] = []
    for one in found:
        if isinstance(one, Branches):
            inner = (way for branch in one.ways for way in _ways_through(branch))
            choices.append(list(itertools.islice(inner, MOST_WAYS + 1)))
        else:
            choices.append([(one,)])
    for chosen in itertools.product(*choices):
        yield tuple(itertools.chain.from_iterable(chosen))


def _parts(found: Sequence) -> Iterator[Part]:
    for one in found:
        if isinstance(one, Branches):
            for way in one.ways:
                yield from _parts(way)
        else:
            yield one


def _gap(node: ast.expr, when: str) -> Part:
    return Part(Role.GAP, " ".join(ast.unparse(node).split())[:60], node, Value(node), when=when)


def _both(one: str, other: str) -> str:
    return f"{one} and {other}" if one else other
