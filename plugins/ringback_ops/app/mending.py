"""The exact lines to write, with the names that the app has."""

from __future__ import annotations

import ast

from ringback_ops.app.findings import Edit, Where, indented
from ringback_ops.app.parts import Part
from ringback_ops.app.reading import App
from ringback_ops.app.syntax import FUNCTIONS, Function

URL = "sqlite:///memory.db"
NUMBERS = ("from_number", "caller_number", "phone_number", "caller", "phone", "number")
NOBODY = '("crm", caller_id)'
IDS = ("customer_id", "user_id", "caller_id")


def before(app: App, anchor: Part, text: str) -> list[Edit]:
    """Put a processor before another."""
    node = anchor.node
    if anchor.added_to:
        added = f"{anchor.added_to}.append({text})"
        number = app.syntax.statement(node).lineno
        return [Edit(number, Where.BEFORE, indented(app.source, number, added))]
    head, rest = _cut(app, node.lineno, node.col_offset)
    if not head.strip():
        return [Edit(node.lineno, Where.BEFORE, f"{head}{text},")]
    return [Edit(node.lineno, Where.INSTEAD, f"{head}{text}, {rest}")]


def all_before(app: App, placed: list[tuple[Part, str]]) -> list[Edit]:
    """Put processors before others, also where those stand on one line."""
    edits = [edit for anchor, text in placed for edit in before(app, anchor, text)]
    lines = {edit.line for edit in edits if edit.where is Where.INSTEAD}
    if len(lines) == len([edit for edit in edits if edit.where is Where.INSTEAD]):
        return edits
    number = lines.pop()
    line = app.source.line(number).encode()
    for anchor, text in sorted(placed, key=lambda one: -one[0].node.col_offset):
        column = anchor.node.col_offset
        line = line[:column] + f"{text}, ".encode() + line[column:]
    return [Edit(number, Where.INSTEAD, line.decode())]


def one_a_line(edits: list[Edit]) -> list[Edit]:
    """Leave out what would write a line a second time: the next look asks for it."""
    kept: list[Edit] = []
    for edit in edits:
        written = {one.line for one in kept if one.where is Where.INSTEAD}
        if edit.where is not Where.INSTEAD or edit.line not in written:
            kept.append(edit)
    return kept


def behind(app: App, anchor: Part, text: str) -> list[Edit]:
    """Put a processor behind another."""
    node = anchor.node
    if anchor.added_to:
        statement = app.syntax.statement(node)
        number = statement.end_lineno or statement.lineno
        added = indented(app.source, statement.lineno, f"{anchor.added_to}.append({text})")
        return [Edit(number, Where.AFTER, added)]
    number = node.end_lineno or node.lineno
    head, rest = _cut(app, number, node.end_col_offset or 0)
    if _cut(app, node.lineno, node.col_offset)[0].strip() or not rest.startswith(","):
        return [Edit(number, Where.INSTEAD, f"{head}, {text}{rest}")]
    return [Edit(number, Where.AFTER, indented(app.source, node.lineno, f"{text},"))]


def left_out(app: App, part: Part) -> list[Edit]:
    """Take a processor out of its place."""
    if part.added_to:
        return [Edit(app.syntax.statement(part.node).lineno, Where.INSTEAD, "")]
    node = part.node
    if node.end_lineno != node.lineno:
        return []
    head, _ = _cut(app, node.lineno, node.col_offset)
    _, rest = _cut(app, node.lineno, node.end_col_offset or 0)
    rest = rest.lstrip(",").lstrip()
    alone = not head.strip() and (not rest or rest.startswith("#"))
    return [Edit(node.lineno, Where.INSTEAD, "" if alone else head + rest)]


def moved(app: App, part: Part, placed: list[Edit]) -> tuple[Edit, ...]:
    """Put a processor elsewhere; nothing where one line would have to be written twice."""
    out = left_out(app, part)
    lines = [edit.line for edit in (*out, *placed)]
    return (*placed, *out) if out and len(set(lines)) == len(lines) else ()


def replaced(app: App, node: ast.expr, text: str) -> Edit:
    """Write something else for an expression that stands on one line."""
    head, _ = _cut(app, node.lineno, node.col_offset)
    _, rest = _cut(app, node.end_lineno or node.lineno, node.end_col_offset or 0)
    return Edit(node.lineno, Where.INSTEAD, f"{head}{text}{rest}")


def with_argument(app: App, call: ast.Call, text: str) -> Edit:
    """Give a call one argument more, in front."""
    end = call.func.end_col_offset or 0
    head, rest = _cut(app, call.func.end_lineno or call.lineno, end)
    has_more = bool(call.args or call.keywords) and rest[1:].strip()
    return Edit(call.lineno, Where.INSTEAD, f"{head}({text}{', ' if has_more else ''}{rest[1:]}")


def import_edits(app: App, *names: str, module: str = "ringback_pipecat") -> list[Edit]:
    """Import names of a module that are not there yet."""
    missing = [name for name in names if f"{module}.{name}" not in app.imported]
    if not missing:
        return []
    at_top = [one for one in app.source.tree.body if isinstance(one, ast.Import | ast.ImportFrom)]
    number = (at_top[-1].end_lineno or at_top[-1].lineno) if at_top else 1
    text = f"from {module} import {', '.join(missing)}"
    return [Edit(number, Where.AFTER if at_top else Where.BEFORE, text)]


def pair_edits(app: App, pair: ast.Call) -> tuple[str, list[Edit]]:
    """Give a pair of aggregators a name, where only its two halves have one."""
    statement = app.syntax.statement(pair)
    if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Tuple):
        names = app.syntax.names_of(pair)
        return (names[0] if names else "pair"), []
    halves = ast.unparse(statement.targets[0]).strip("()")
    name = "self.pair" if halves.startswith("self.") else "pair"
    _, rest = _cut(app, statement.value.lineno, statement.value.col_offset)
    first = indented(app.source, statement.lineno, f"{name} = {rest}")
    second = indented(app.source, statement.lineno, f"{halves} = {name}")
    end = statement.end_lineno or statement.lineno
    if end == statement.lineno:
        return name, [Edit(end, Where.INSTEAD, f"{first}\n{second}")]
    edits = [Edit(statement.lineno, Where.INSTEAD, first), Edit(end, Where.AFTER, second)]
    return name, edits


def opening(app: App, at: ast.AST, name: str) -> tuple[list[Edit], bool]:
    """Open the memory before a statement; and whether it says who calls."""
    function = app.syntax.function(at)
    statement = app.syntax.statement(at)
    handle = handle_of(app, function)
    handles = f"handles=[{handle or NOBODY}]"
    if isinstance(function, ast.AsyncFunctionDef):
        text = f'{name} = await open_call("{URL}", tenant="acme", {handles})'
        imported = import_edits(app, "open_call")
    else:  # nothing can be awaited here: the memory is opened once, where the app starts
        text = f'{name} = PipecatCall(opened.ring(tenant="acme", {handles}))'
        imported = import_edits(app, "PipecatCall")
    number = statement.lineno
    written = Edit(number, Where.BEFORE, indented(app.source, number, text))
    return [*imported, written], handle is not None


def handle_of(app: App, function: Function | None) -> str | None:
    """Who calls, as far as a function knows it; None where it knows nobody."""
    for call in app.syntax.calls("parse_telephony_websocket"):
        statement = app.syntax.statement(call)
        inside = app.syntax.function(call) is function
        if inside and isinstance(statement, ast.Assign):
            target = statement.targets[0]
            data = target.elts[-1] if isinstance(target, ast.Tuple) else None
            if isinstance(data, ast.Name):
                return f'("phone", {data.id}.from_number)'
    known = _names_in(function)
    if "call_data" in known:
        return '("phone", call_data.from_number)'
    kinds = [("phone", NUMBERS), ("crm", IDS)]
    found = [f'("{kind}", {name})' for kind, names in kinds for name in names if name in known]
    return next(iter(found), None)


def _names_in(function: Function | None) -> set[str]:
    if not isinstance(function, FUNCTIONS):
        return set()
    given = function.args
    told = {one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)}
    own = (node for node in ast.walk(function) if isinstance(node, ast.Name))
    return told | {node.id for node in own if isinstance(node.ctx, ast.Store)}


def _cut(app: App, number: int, column: int) -> tuple[str, str]:
    """A line in two; columns of a syntax tree count bytes."""
    line = app.source.line(number).encode()
    return line[:column].decode(), line[column:].decode()
