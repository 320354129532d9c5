"""When a call rings, and as whose."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ringback.records import HandleKind
from ringback_ops.app import mending
from ringback_ops.app.findings import (
    Edit,
    Finding,
    Where,
    indented,
    not_followed,
    right,
    worth_knowing,
    wrong,
)
from ringback_ops.app.reading import App
from ringback_ops.app.syntax import Function, argument

QUICK = (  # what has to be there before it is known who calls, or is no wait at all
    "Memory.open",
    "accept",
    "create_transport",
    "iter_text",
    "json",
    "open",
    "parse_telephony_websocket",
    "receive_json",
    "receive_text",
)


def check_openings(app: App) -> Iterator[Finding]:
    """Look at each place where a call rings."""
    if not any(app.has_memory(pipeline) for pipeline in app.pipelines):
        return
    found = list(app.openings())
    if not found:
        line = app.pipelines[0].line
        name = app.memory_name(app.pipelines[0])
        text = f"Where `{name}` rings, and as whose call, is not in this file."
        yield not_followed("ring", line, text)
    for call in found:
        yield from _awaited(app, call)
        late = list(_early(app, call))
        yield from late
        yield from _handles(app, call)
        yield from _process(app, call)
        if not late:
            text = "The call rings before its pipeline is built: the briefing is made meanwhile."
            yield right("ring", call.lineno, text)


def _awaited(app: App, call: ast.Call) -> Iterator[Finding]:
    parent = next(app.syntax.parents(call))
    if app.syntax.called(call) == "open_call" and isinstance(parent, ast.Assign):
        text = "open_call() is not awaited: there is no memory, and the app stops at its first use."
        edit = mending.replaced(app, call.func, f"await {ast.unparse(call.func)}")
        yield wrong("ring", call.lineno, text, edit)


def _early(app: App, call: ast.Call) -> Iterator[Finding]:
    function = app.syntax.function(call)
    handlers = [one for one in app.handlers() if one in app.syntax.parents(call)]
    if handlers:
        yield _in_handler(app, call, handlers[0])
    elif function is None:
        text = "One call rings when the file is loaded: all callers are taken for one, in one call."
        yield wrong("ring", call.lineno, text)
    elif waits := _waits_before(app, call):
        first = waits[0]
        text = (
            f"The call rings only after `{app.source.text(first)}`: the briefing begins that much"
            " later."
        )
        yield worth_knowing(
            "ring", call.lineno, text, *_moved(app, call, app.syntax.statement(first))
        )


def _in_handler(app: App, call: ast.Call, handler: Function) -> Finding:
    text = f"The call rings in {handler.name}(), when the caller is already there:"
    advice = " Where only this handler learns who it is, ring before, and tell it here: `await"
    advice += " memory.call.identify(customer_id, Assurance.CLAIMED)`."
    if any(handler in app.syntax.parents(one.node) for one in app.pipelines):
        text = f"{text} the briefing is made while they wait for the first answer.{advice}"
        return worth_knowing("ring", call.lineno, text)
    text = f"{text} the first answer knows nothing of them, and the pipeline was built before."
    return wrong("ring", call.lineno, text + advice, *_rings_earlier(app, call, handler))


def _waits_before(app: App, call: ast.Call) -> list[ast.Await]:
    """What the function waits for before the call rings, and need not."""
    function, statement = app.syntax.function(call), app.syntax.statement(call)
    if function is None:
        return []
    found = [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.Await)
        and node.lineno < statement.lineno
        and app.syntax.function(node) is function
        and not _is_quick(node)
    ]
    needed = _needed(function, statement)
    return [node for node in found if not needed & _stored(app.syntax.statement(node))]


def _needed(function: Function, statement: ast.stmt) -> set[str]:
    """The names that a statement needs, and those that these were made of."""
    needed = {one.id for one in ast.walk(statement) if isinstance(one, ast.Name)}
    earlier = [
        one
        for one in ast.walk(function)
        if isinstance(one, ast.Assign | ast.AnnAssign) and one.lineno < statement.lineno
    ]
    for one in sorted(earlier, key=lambda each: -each.lineno):
        if needed & _stored(one):
            needed |= {name.id for name in ast.walk(one) if isinstance(name, ast.Name)}
    return needed


def _is_quick(node: ast.Await) -> bool:
    name = ast.unparse(node.value.func) if isinstance(node.value, ast.Call) else ""
    return any(name == one or name.endswith(f".{one}") for one in QUICK)


def _moved(app: App, call: ast.Call, before: ast.stmt) -> list[Edit]:
    """Ring before another statement, where what it needs is there by then."""
    statement = app.syntax.statement(call)
    function = app.syntax.function(call)
    if statement.lineno != statement.end_lineno or function is None:
        return []
    between = [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.stmt) and before.lineno <= node.lineno < statement.lineno
    ]
    needed = {one.id for one in ast.walk(statement) if isinstance(one, ast.Name)}
    if needed & set().union(*map(_stored, between)):
        return []
    text = indented(app.source, before.lineno, app.source.line(statement.lineno).strip())
    return [Edit(before.lineno, Where.BEFORE, text), Edit(statement.lineno, Where.INSTEAD, "")]


def _rings_earlier(app: App, call: ast.Call, handler: Function) -> list[Edit]:
    """Ring before the pipeline is built, where nothing of the handler is needed for it."""
    statement, outer = app.syntax.statement(call), app.syntax.function(handler)
    at = next((one.node for one in app.pipelines if app.syntax.function(one.node) is outer), None)
    if at is None or not isinstance(outer, ast.AsyncFunctionDef):
        return []
    needed = {one.id for one in ast.walk(statement) if isinstance(one, ast.Name)}
    own = {one.arg for one in ast.walk(handler) if isinstance(one, ast.arg)} | _stored(handler)
    if needed & own - _stored(statement) or statement.lineno != statement.end_lineno:
        return []
    first = app.syntax.statement(at)
    text = indented(app.source, first.lineno, app.source.line(statement.lineno).strip())
    gone = indented(app.source, statement.lineno, "pass") if len(handler.body) == 1 else ""
    return [Edit(first.lineno, Where.BEFORE, text), Edit(statement.lineno, Where.INSTEAD, gone)]


def _stored(node: ast.AST) -> set[str]:
    names = (one for one in ast.walk(node) if isinstance(one, ast.Name))
    return {one.id for one in names if isinstance(one.ctx, ast.Store)}


def _handles(app: App, call: ast.Call) -> Iterator[Finding]:
    given = argument(call, "handles")
    values = app.names.follow(given) if given is not None else []
    lists = [one.node for one in values if isinstance(one.node, ast.List | ast.Tuple)]
    if given is None or any(not one.elts for one in lists):
        if not app.syntax.calls("identify"):
            yield _no_handle(app, call, given)
        return
    for handle in (one for values in lists for one in values.elts):
        yield from _handle(app, handle)
    yield from _twilio(app, given)


def _no_handle(app: App, call: ast.Call, given: ast.expr | None) -> Finding:
    handle = mending.handle_of(app, app.syntax.function(call))
    text = (
        "Nothing says who calls: every caller is a stranger, and what they say is kept for this"
        " call alone."
    )
    edits = []
    if handle is not None:
        told = f"handles=[{handle}]"
        if given is not None:
            edits = [mending.replaced(app, given, f"[{handle}]")]
        else:
            last = call.keywords[-1].value if call.keywords else call.args[-1]
            edits = [mending.replaced(app, last, f"{app.source.text(last)}, {told}")]
    else:
        text += ' Hand it over as soon as your app knows it: handles=[("phone", number)].'
    kind = wrong if app.is_telephony() else worth_knowing
    return kind("handles", call.lineno, text, *edits)


def _handle(app: App, handle: ast.expr) -> Iterator[Finding]:
    if not isinstance(handle, ast.Tuple) or len(handle.elts) != 2:
        return
    kind, value = handle.elts
    known = [one.value for one in HandleKind]
    if isinstance(kind, ast.Constant) and kind.value not in known:
        text = f"There is no handle of the kind {kind.value!r}: the call fails when it rings. There"
        text += f" are {', '.join(known)}."
        yield wrong("handles", handle.lineno, text)
    elif all(isinstance(one.node, ast.Constant) for one in app.names.follow(value)):
        text = "The handle is the same for every call: all callers are taken for one person, and"
        text += " one is told what another said."
        severity = wrong if app.is_telephony() else worth_knowing
        yield severity("handles", handle.lineno, text)
    else:
        text = f"Callers are known again by {app.source.text(handle)}."
        yield right("handles", handle.lineno, text)


def _twilio(app: App, given: ast.expr) -> Iterator[Finding]:
    """Twilio tells a number only where the app's TwiML asks it to."""
    told = [one for value in app.names.follow(given) for one in ast.walk(value.node)]
    used = any(isinstance(one, ast.Attribute) and one.attr == "from_number" for one in told)
    twilio = app.syntax.calls("TwilioFrameSerializer")
    asks = any("<Parameter" in line for line in app.source.lines)
    if used and twilio and not asks:
        text = (
            "Twilio leaves `from_number` out unless your TwiML asks for it, and each caller is a"
            ' stranger then. In <Stream>: <Parameter name="from_number" value="{{From}}"/>'
        )
        yield worth_knowing("handles", given.lineno, text)


def _process(app: App, call: ast.Call) -> Iterator[Finding]:
    if app.syntax.called(call) == "open_call" and app.is_server():
        text = (
            "open_call() opens the memory for each call anew. A server opens it once, with"
            " `opened = await Memory.open(url)`, and makes `PipecatCall(opened.ring(tenant=…,"
            " handles=…))` for each."
        )
        yield worth_knowing("process", call.lineno, text)
    for tools in app.syntax.calls("tools"):
        owner = tools.func.value if isinstance(tools.func, ast.Attribute) else None
        for made in app.names.follow(owner) if owner is not None else ():
            node = made.node
            if not isinstance(node, ast.Call) or app.syntax.called(node) != "PipecatCall":
                continue
            if argument(node, "memory") is None:
                text = "tools() fails on a call that was made without its memory. Write"
                text += " memory_tools(CallTools(call, opened))."
                yield wrong("tools", tools.lineno, text)
