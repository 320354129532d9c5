"""What an expression of a file stands for, as far as the file itself says so."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from ringback_ops.app.syntax import FUNCTIONS, SCOPES, Function, Scope, Syntax, is_none

DEEPEST = 24  # names that stand for names; more is a loop


@dataclass(frozen=True, slots=True)
class Value:
    """An expression that stands for nothing further, and the function call it is seen from."""

    node: ast.expr
    seen_from: Visit | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Visit:
    """One call of a function of the file: what its parameters are."""

    function: Function
    given: dict[str, Value]
    outer: Visit | None


class Names:
    """Follows the names of one file: variables, `self`, parameters, its own functions.

    Args:
        syntax: The file's.
    """

    def __init__(self, syntax: Syntax) -> None:
        self._syntax = syntax
        self._visits: dict[tuple[ast.Call, Visit | None], Visit] = {}

    def follow(self, node: ast.expr, seen_from: Visit | None = None, depth: int = 0) -> list[Value]:
        """What an expression may stand for; itself where the file does not say."""
        if depth > DEEPEST:
            return [Value(node, seen_from)]
        if isinstance(node, ast.Await | ast.NamedExpr | ast.Starred):
            return self.follow(node.value, seen_from, depth + 1)
        steps = self.step(node, seen_from, depth)
        values = [
            value for step in steps for value in self.follow(step.node, step.seen_from, depth + 1)
        ]
        told = [value for value in values if not is_none(value.node)]
        return list(dict.fromkeys(told or values)) or [Value(node, seen_from)]

    def step(self, node: ast.expr, seen_from: Visit | None, depth: int = 0) -> list[Value]:
        """What an expression is said to be, one step on; nothing at its end."""
        if isinstance(node, ast.IfExp):
            return [Value(one, seen_from) for one in (node.body, node.orelse)]
        if isinstance(node, ast.BoolOp):
            return [Value(one, seen_from) for one in node.values]
        if isinstance(node, ast.Name):
            return self._variable(node, seen_from)
        if isinstance(node, ast.Attribute):
            return self._attribute(node, seen_from, depth)
        if isinstance(node, ast.Subscript):
            return self._item(node, seen_from, depth)
        if isinstance(node, ast.Call):
            defined = self._syntax.definition(node)
            if isinstance(defined, FUNCTIONS):
                visit = self._visit(node, defined, seen_from)
                return [Value(one, visit) for one in _answers(defined)]
        return []

    def _variable(self, node: ast.Name, seen_from: Visit | None) -> list[Value]:
        scope: ast.AST | None = self._syntax.scope(node)
        while scope is not None:
            if not isinstance(scope, ast.ClassDef) or scope is self._syntax.scope(node):
                if found := self._assigned(scope, node):
                    return [Value(one, _within(seen_from, scope)) for one in found]
                if isinstance(scope, FUNCTIONS) and node.id in _parameters(scope):
                    return self._parameter(scope, node.id, seen_from)
            scope = None if scope is self._syntax.tree else self._syntax.scope(scope)
        return []

    def _assigned(self, scope: ast.AST, node: ast.Name) -> list[ast.expr]:
        """What a variable was given, as far as that still counts where it is used."""
        found = self._syntax.assigned(scope, node.id)
        if scope is not self._syntax.scope(node):
            return found  # a function of a function: it may run at any time
        use = self._syntax.statement(node)
        given = [(one, self._syntax.statement(one)) for one in found]
        earlier = [(one, at) for one, at in given if at is not use and at.lineno <= use.lineno]
        always = [n for n, (_, at) in enumerate(earlier) if self._syntax.parent(at) is scope]
        return [one for one, _ in earlier[always[-1] if always else 0 :]]

    def _parameter(self, function: Function, name: str, seen_from: Visit | None) -> list[Value]:
        visit = _within(seen_from, function)
        if visit is not None:
            return [visit.given[name]] if name in visit.given else []
        owner = self._syntax.scope(function)
        is_init = isinstance(owner, ast.ClassDef) and function.name == "__init__"
        called = owner.name if is_init and isinstance(owner, ast.ClassDef) else function.name
        calls = [one for one in self._syntax.calls(called) if self._calls(one, function, owner)]
        given = [_arguments(call, function).get(name) for call in calls]
        return [Value(one) for one in given if one is not None]

    def _calls(self, call: ast.Call, function: Function, owner: Scope) -> bool:
        return self._syntax.definition(call) in (function, owner) or isinstance(owner, ast.ClassDef)

    def _attribute(self, node: ast.Attribute, seen_from: Visit | None, depth: int) -> list[Value]:
        owner = self._syntax.self_class(node)
        if owner is not None:
            return [Value(one) for one in self._syntax.assigned(owner, f".{node.attr}")]
        found: list[Value] = []
        for value in self.follow(node.value, seen_from, depth + 1):
            if isinstance(value.node, ast.Call):
                kept = [one.value for one in value.node.keywords if one.arg == node.attr]
                made = self._syntax.definition(value.node)
                if isinstance(made, ast.ClassDef):
                    inside = self._syntax.assigned(made, f".{node.attr}")
                    found += [Value(one) for one in inside]
                    kept = kept or _positional(value.node, made, node.attr)
                found += [Value(one, value.seen_from) for one in kept]
        return found

    def _item(self, node: ast.Subscript, seen_from: Visit | None, depth: int) -> list[Value]:
        if not isinstance(node.slice, ast.Constant):
            return []
        key, found = node.slice.value, list[Value]()
        for value in self.follow(node.value, seen_from, depth + 1):
            of = value.node
            if isinstance(of, ast.Tuple | ast.List) and isinstance(key, int):
                found += [Value(one, value.seen_from) for one in of.elts[key : key + 1]]
            elif isinstance(of, ast.Dict):
                pairs = zip(of.keys, of.values, strict=True)
                kept = [v for k, v in pairs if isinstance(k, ast.Constant) and k.value == key]
                found += [Value(one, value.seen_from) for one in kept]
        return found

    def _visit(self, call: ast.Call, function: Function, outer: Visit | None) -> Visit:
        """The same for the same call, so that what it makes is the same thing."""
        if (call, outer) not in self._visits:
            given = {name: Value(one, outer) for name, one in _arguments(call, function).items()}
            self._visits[call, outer] = Visit(function, given, outer)
        return self._visits[call, outer]


def _parameters(function: Function) -> list[str]:
    given = function.args
    return [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]


def _arguments(call: ast.Call, function: Function) -> dict[str, ast.expr]:
    given = function.args
    names = [one.arg for one in (*given.posonlyargs, *given.args)]
    if names[:1] == ["self"]:
        names = names[1:]
    defaults = dict(zip(reversed(names), reversed(given.defaults), strict=False))
    told = {
        one.arg: default for one, default in zip(given.kwonlyargs, given.kw_defaults, strict=True)
    }
    found = {**defaults, **{name: one for name, one in told.items() if one is not None}}
    found |= dict(zip(names, call.args, strict=False))
    return found | {one.arg: one.value for one in call.keywords if one.arg is not None}


def _answers(function: Function) -> list[ast.expr]:
    """What a function returns, or yields to a `with`."""
    kinds = (ast.Return, ast.Yield) if _is_context_manager(function) else ast.Return
    found = [node for node in _own(function) if isinstance(node, kinds)]
    return [node.value for node in found if node.value is not None]


def _is_context_manager(function: Function) -> bool:
    return any("contextmanager" in ast.unparse(one) for one in function.decorator_list)


def _own(function: Function) -> Iterator[ast.AST]:
    """The nodes of a function without those of the functions in it."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop(0)
        yield node
        if not isinstance(node, (*SCOPES, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(node))


def _positional(call: ast.Call, made: ast.ClassDef, name: str) -> list[ast.expr]:
    """An argument of a dataclass's constructor, by the order of its fields."""
    fields = [
        node.target.id
        for node in made.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    ]
    return [one for field_name, one in zip(fields, call.args, strict=False) if field_name == name]


def _within(visit: Visit | None, scope: ast.AST) -> Visit | None:
    """The visit of a function, seen from one inside of it."""
    while visit is not None and visit.function is not scope:
        visit = visit.outer
    return visit
