"""What an expression of a file stands for, as far as the file itself says so."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Scope: TypeAlias = Function | ast.ClassDef | ast.Module
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = (*FUNCTIONS, ast.ClassDef, ast.Module)
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


@dataclass(slots=True)
class _Index:
    """Where names get their values."""

    parents: dict[ast.AST, ast.AST] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)
    assigned: dict[tuple[ast.AST, str], list[ast.expr]] = field(
        default_factory=lambda: defaultdict(list)
    )
    calls: dict[str, list[ast.Call]] = field(default_factory=lambda: defaultdict(list))


class Names:
    """Follows the names of one file: variables, `self`, parameters, its own functions.

    Args:
        tree: The file's.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self._index = _Index()
        self._visits: dict[tuple[ast.Call, Visit | None], Visit] = {}
        for node in ast.walk(tree):
            for child in ast.iter_child_nodes(node):
                self._index.parents[child] = node
        for node in ast.walk(tree):
            self._note(node)

    def parents(self, node: ast.AST) -> Iterator[ast.AST]:
        """What a node stands in, from the inside out."""
        while node in self._index.parents:
            node = self._index.parents[node]
            yield node

    def scope(self, node: ast.AST) -> Scope:
        """The function, class or file that a node stands in."""
        return next((one for one in self.parents(node) if isinstance(one, SCOPES)), self.tree)

    def function(self, node: ast.AST) -> Function | None:
        """The function that a node stands in."""
        return next((one for one in self.parents(node) if isinstance(one, FUNCTIONS)), None)

    def statement(self, node: ast.AST) -> ast.stmt:
        """The statement that a node stands in."""
        if isinstance(node, ast.stmt):
            return node
        return next(one for one in self.parents(node) if isinstance(one, ast.stmt))

    def calls(self, name: str) -> list[ast.Call]:
        """Calls of something that is called so last: `name()`, `a.name()`."""
        return self._index.calls[name]

    def full_name(self, node: ast.AST) -> str:
        """A dotted name, by what was imported: `pipeline.Pipeline` and the like."""
        if isinstance(node, ast.Name):
            return self._index.imports.get(node.id, node.id)
        if isinstance(node, ast.Attribute):
            return f"{self.full_name(node.value)}.{node.attr}"
        return ""

    def called(self, node: ast.AST) -> str:
        """What a call calls, the last name of it by import; empty for anything else."""
        return self.full_name(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""

    def imported(self) -> Iterator[str]:
        """What is imported, in full."""
        yield from self._index.imports.values()

    def definition(self, node: ast.Call) -> Scope | None:
        """The function or class of this file that a call calls."""
        if isinstance(node.func, ast.Name):
            return self._defined(node.func.id, self.scope(node))
        owner = self._self_class(node.func)
        if owner is not None and isinstance(node.func, ast.Attribute):
            return next(_named(owner.body, node.func.attr), None)
        return None

    def annotation(self, node: ast.expr) -> str:
        """What a parameter is said to be, the last name of it; empty for anything else."""
        functions = [one for one in self.parents(node) if isinstance(one, FUNCTIONS)]
        if not isinstance(node, ast.Name):
            return ""
        for own in (one.args for one in functions):
            for given in (*own.posonlyargs, *own.args, *own.kwonlyargs):
                if given.arg == node.id:
                    told = given.annotation
                    return self.full_name(told).rpartition(".")[2] if told is not None else ""
        return ""

    def class_named(self, name: str) -> ast.ClassDef | None:
        """A class of the file."""
        found = _named(self.tree.body, name)
        return next((one for one in found if isinstance(one, ast.ClassDef)), None)

    def names_of(self, value: ast.AST) -> list[str]:
        """Under which names a value is kept: `memory`, `self.memory`."""
        statement = self.statement(value)
        if isinstance(statement, ast.Assign):
            return [ast.unparse(target) for target in statement.targets]
        if isinstance(statement, ast.AnnAssign):
            return [ast.unparse(statement.target)]
        if isinstance(statement, ast.With | ast.AsyncWith):
            kept = [one.optional_vars for one in statement.items]
            return [ast.unparse(one) for one in kept if one is not None]
        return []

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
            defined = self.definition(node)
            if isinstance(defined, FUNCTIONS):
                visit = self._visit(node, defined, seen_from)
                return [Value(one, visit) for one in _answers(defined)]
        return []

    def _variable(self, node: ast.Name, seen_from: Visit | None) -> list[Value]:
        scope: ast.AST | None = self.scope(node)
        while scope is not None:
            if not isinstance(scope, ast.ClassDef) or scope is self.scope(node):
                if found := self._assigned(scope, node):
                    return [Value(one, _within(seen_from, scope)) for one in found]
                if isinstance(scope, FUNCTIONS) and node.id in _parameters(scope):
                    return self._parameter(scope, node.id, seen_from)
            scope = None if scope is self.tree else self.scope(scope)
        return []

    def _assigned(self, scope: ast.AST, node: ast.Name) -> list[ast.expr]:
        """What a variable was given, as far as that still counts where it is used."""
        found = self._index.assigned.get((scope, node.id), [])
        if scope is not self.scope(node):
            return found  # a function of a function: it may run at any time
        use = self.statement(node)
        given = [(one, self.statement(one)) for one in found]
        earlier = [(one, at) for one, at in given if at is not use and at.lineno <= use.lineno]
        always = [n for n, (_, at) in enumerate(earlier) if self._index.parents[at] is scope]
        return [one for one, _ in earlier[always[-1] if always else 0 :]]

    def _parameter(self, function: Function, name: str, seen_from: Visit | None) -> list[Value]:
        visit = _within(seen_from, function)
        if visit is not None:
            return [visit.given[name]] if name in visit.given else []
        owner = self.scope(function)
        is_init = isinstance(owner, ast.ClassDef) and function.name == "__init__"
        called = owner.name if is_init and isinstance(owner, ast.ClassDef) else function.name
        calls = [one for one in self.calls(called) if self._calls(one, function, owner)]
        given = [_arguments(call, function).get(name) for call in calls]
        return [Value(one) for one in given if one is not None]

    def _calls(self, call: ast.Call, function: Function, owner: Scope) -> bool:
        return self.definition(call) in (function, owner) or isinstance(owner, ast.ClassDef)

    def _attribute(self, node: ast.Attribute, seen_from: Visit | None, depth: int) -> list[Value]:
        owner = self._self_class(node)
        if owner is not None:
            return [Value(one) for one in self._index.assigned.get((owner, f".{node.attr}"), [])]
        found: list[Value] = []
        for value in self.follow(node.value, seen_from, depth + 1):
            if isinstance(value.node, ast.Call):
                kept = [one.value for one in value.node.keywords if one.arg == node.attr]
                made = self.definition(value.node)
                if isinstance(made, ast.ClassDef):
                    inside = self._index.assigned.get((made, f".{node.attr}"), [])
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

    def _self_class(self, node: ast.expr) -> ast.ClassDef | None:
        """The class of `self` in `self.name`."""
        if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)):
            return None
        for function in self.parents(node):
            owner = self._index.parents.get(function)
            if isinstance(function, FUNCTIONS) and isinstance(owner, ast.ClassDef):
                first = [*function.args.posonlyargs, *function.args.args][:1]
                return owner if first and first[0].arg == node.value.id else None
        return None

    def _defined(self, name: str, scope: ast.AST) -> Scope | None:
        while True:
            if found := next(_named(getattr(scope, "body", []), name), None):
                return found
            if scope is self.tree:
                return None
            scope = self.scope(scope)

    def _note(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            for name in node.names:
                self._index.imports[name.asname or name.name] = f"{module}{name.name}"
        elif isinstance(node, ast.Call):
            self._index.calls[self.called(node)].append(node)
        for target, value in _assignments(node):
            self._assign(target, value)

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple | ast.List):
            for position, one in enumerate(target.elts):
                index = ast.copy_location(ast.Constant(position), value)
                item = ast.copy_location(ast.Subscript(value, index, ast.Load()), value)
                self._index.parents[item] = self._index.parents[value]
                self._assign(one, item)
        elif isinstance(target, ast.Name):
            self._index.assigned[self._holder(target), target.id].append(value)
        elif isinstance(target, ast.Attribute) and (owner := self._self_class(target)):
            self._index.assigned[owner, f".{target.attr}"].append(value)

    def _holder(self, target: ast.Name) -> ast.AST:
        """Where a variable lives: `global` and `nonlocal` put it further out."""
        scope = self.scope(target)
        for node in scope.body:
            if isinstance(node, ast.Global) and target.id in node.names:
                return self.tree
            if isinstance(node, ast.Nonlocal) and target.id in node.names:
                return self.scope(scope)
        return scope


def _assignments(node: ast.AST) -> list[tuple[ast.expr, ast.expr]]:
    """What a statement gives names to, and what it gives them."""
    if isinstance(node, ast.Assign):
        return [(target, node.value) for target in node.targets]
    if isinstance(node, ast.AnnAssign | ast.NamedExpr):
        return [(node.target, node.value)] if node.value is not None else []
    if isinstance(node, ast.With | ast.AsyncWith):
        kept = [(item.optional_vars, item.context_expr) for item in node.items]
        return [(target, value) for target, value in kept if target is not None]
    return []


def is_none(node: ast.AST) -> bool:
    """It says None."""
    return isinstance(node, ast.Constant) and node.value is None


def argument(call: ast.Call, name: str, position: int | None = None) -> ast.expr | None:
    """An argument of a call, by its name or its position."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    if position is not None and position < len(call.args):
        found = call.args[position]
        return None if isinstance(found, ast.Starred) else found
    return None


def _named(body: list[ast.stmt], name: str) -> Iterator[Scope]:
    for node in body:
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)) and node.name == name:
            yield node


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
