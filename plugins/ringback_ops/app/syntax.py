"""The syntax tree of a file with what it does not say by itself: parents, imports, values of names."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from typing import TypeAlias

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Scope: TypeAlias = Function | ast.ClassDef | ast.Module
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = (*FUNCTIONS, ast.ClassDef, ast.Module)


class Syntax:
    """The tree of one file, and the ways in it.

    Args:
        tree: The file's.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self._parents: dict[ast.AST, ast.AST] = {}
        self._imports: dict[str, str] = {}
        self._assigned: dict[tuple[ast.AST, str], list[ast.expr]] = defaultdict(list)
        self._calls: dict[str, list[ast.Call]] = defaultdict(list)
        for node in ast.walk(tree):
            for child in ast.iter_child_nodes(node):
                self._parents[child] = node
        for node in ast.walk(tree):
            self._note(node)

    def parents(self, node: ast.AST) -> Iterator[ast.AST]:
        """What a node stands in, from the inside out."""
        while node in self._parents:
            node = self._parents[node]
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
        return self._calls[name]

    def full_name(self, node: ast.AST) -> str:
        """A dotted name, by what was imported: `pipeline.Pipeline` and the like."""
        if isinstance(node, ast.Name):
            return self._imports.get(node.id, node.id)
        if isinstance(node, ast.Attribute):
            return f"{self.full_name(node.value)}.{node.attr}"
        return ""

    def called(self, node: ast.AST) -> str:
        """What a call calls, the last name of it by import; empty for anything else."""
        return self.full_name(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""

    def imported(self) -> Iterator[str]:
        """What is imported, in full."""
        yield from self._imports.values()

    def definition(self, node: ast.Call) -> Scope | None:
        """The function or class of this file that a call calls."""
        return self.named(node.func)

    def named(self, node: ast.expr) -> Scope | None:
        """The function or class of this file that a name names."""
        if isinstance(node, ast.Name):
            return self._defined(node.id, self.scope(node))
        owner = self.self_class(node)
        if owner is not None and isinstance(node, ast.Attribute):
            return next(_named(owner.body, node.attr), None)
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

    def parent(self, node: ast.AST) -> ast.AST:
        """What a node stands in directly; itself for the file."""
        return self._parents.get(node, node)

    def assigned(self, scope: ast.AST, name: str) -> list[ast.expr]:
        """What a name is given in a scope; `.name` for an attribute of `self` in a class."""
        return self._assigned.get((scope, name), [])

    def self_class(self, node: ast.expr) -> ast.ClassDef | None:
        """The class of `self` in `self.name`."""
        if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)):
            return None
        for function in self.parents(node):
            owner = self._parents.get(function)
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
                self._imports[name.asname or name.name] = f"{module}{name.name}"
        elif isinstance(node, ast.Call):
            self._calls[self.called(node)].append(node)
        for target, value in _assignments(node):
            self._assign(target, value)

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple | ast.List):
            for position, one in enumerate(target.elts):
                index = ast.copy_location(ast.Constant(position), value)
                item = ast.copy_location(ast.Subscript(value, index, ast.Load()), value)
                self._parents[item] = self._parents[value]
                self._assign(one, item)
        elif isinstance(target, ast.Name):
            self._assigned[self._holder(target), target.id].append(value)
        elif isinstance(target, ast.Attribute) and (owner := self.self_class(target)):
            self._assigned[owner, f".{target.attr}"].append(value)

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
