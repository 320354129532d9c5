"""How a call ends: by its pipeline, whoever hangs up, and after the last words."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ringback_ops.app import mending
from ringback_ops.app.contexts import without
from ringback_ops.app.findings import Edit, Finding, Where, indented, right, worth_knowing, wrong
from ringback_ops.app.parts import Role
from ringback_ops.app.pipelines import WORKERS
from ringback_ops.app.reading import App
from ringback_ops.app.syntax import FUNCTIONS, argument, is_none

GONE = (  # what hosts call when a caller is no longer there
    "closed",
    "disconnected",
    "on_call_state_updated",
    "on_client_closed",
    "on_client_disconnected",
    "on_dialin_stopped",
    "on_dialout_stopped",
    "on_disconnected",
    "on_left",
    "on_participant_disconnected",
    "on_participant_left",
)
ENDING = ("cancel", "end", "stop_when_done", "queue_frame", "queue_frames")
RUNNERS = ("WorkerRunner", "PipelineRunner")
IDLE_S = 300  # Pipecat's own; then it cancels


def check_endings(app: App) -> Iterator[Finding]:
    """Look at what ends a call."""
    if not any(app.has_memory(pipeline) for pipeline in app.pipelines):
        return
    wrongly = [*_ended_early(app), *_never_cancelled(app), *_killed(app)]
    yield from wrongly
    if (
        not wrongly
        and any(app.syntax.calls(name) for name in RUNNERS)
        and not app.syntax.calls("LocalAudioTransport")
    ):
        yield from _hang_up(app)


def _hang_up(app: App) -> Iterator[Finding]:
    """Whether the pipeline ends when the caller is gone."""
    ending = [one for one in app.handlers(*GONE) if _ends(app, one)]
    if ending:
        text = (
            "A caller who hangs up ends the pipeline, and that ends the call: last words are kept."
        )
        yield right("hang-up", ending[0].lineno, text)
        return
    workers = [one for name in WORKERS for one in app.syntax.calls(name)]
    line = workers[0].lineno if workers else app.pipelines[0].line
    edits = _handler(app, workers[0]) if workers else []
    if any(_waits_for_ever(one) for one in workers):
        text = "Nothing ends the pipeline when a caller hangs up: the call never ends, and what was"
        text += " said is not summed up."
        yield wrong("hang-up", line, text, *edits)
    else:
        text = (
            "Nothing ends the pipeline when a caller hangs up: until it has been idle for"
            f" {IDLE_S // 60} minutes, the call is open and not summed up, and one who rings again"
            " is briefed without its summary."
        )
        yield worth_knowing("hang-up", line, text, *edits)


def _waits_for_ever(worker: ast.Call) -> bool:
    cancels, idle = (
        argument(worker, "cancel_on_idle_timeout"),
        argument(worker, "idle_timeout_secs"),
    )
    is_off = isinstance(cancels, ast.Constant) and cancels.value is False
    return is_off or (idle is not None and is_none(idle))


def _ends(app: App, function: ast.AST, *, deep: bool = True) -> bool:
    """It ends the pipeline, by itself or by a function of the file."""
    for node in ast.walk(function):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Attribute) and node.func.attr in ENDING:
            text = ast.unparse(node)
            if not node.func.attr.startswith("queue") or "End" in text or "Cancel" in text:
                return True
        defined = app.syntax.definition(node)
        if deep and isinstance(defined, FUNCTIONS) and _ends(app, defined, deep=False):
            return True
    return False


def _handler(app: App, worker: ast.Call) -> list[Edit]:
    """A handler that ends the pipeline, behind the worker that it ends."""
    inputs = app.pipelines[0].of_role(Role.INPUT)
    kept = app.syntax.names_of(worker)
    if not inputs or not kept or not isinstance(inputs[0].made.node, ast.Call):
        return []
    transport = ast.unparse(inputs[0].made.node.func).rpartition(".")[0]
    statement = app.syntax.statement(worker)
    text = (
        f'\n@{transport}.event_handler("on_client_disconnected")\n'
        "async def on_client_disconnected(_transport, _client):\n"
        f"    await {kept[0]}.cancel()\n\n"
    )
    number = statement.end_lineno or statement.lineno
    return [Edit(number, Where.AFTER, indented(app.source, statement.lineno, text))]


def _ended_early(app: App) -> Iterator[Finding]:
    """The pipeline ends its call by itself, when the last words are in."""
    gone = app.handlers(*GONE)
    for call in (*app.syntax.calls("end"), *app.syntax.calls("close")):
        handler = next((one for one in gone if one in app.syntax.parents(call)), None)
        kind = _kind_of(app, call) if handler is not None else ""
        if handler is None or not kind:
            continue
        text = (
            f"{handler.name}() ends the call before its pipeline does: the last words come after"
            " its end. It is not called when the bot hangs up, either. The pipeline ends its call"
            " by itself."
        )
        if kind == "Memory":
            text = (
                f"{handler.name}() closes the memory before the last words are in, and under every"
                " other call that shares it. Close it where the process ends."
            )
        yield wrong("hang-up", call.lineno, text, *without(app, call))


def _kind_of(app: App, call: ast.Call) -> str:
    """Of which kind what is ended is: a call, a memory; empty for anything else."""
    if not isinstance(call.func, ast.Attribute):
        return ""
    owner = call.func.value
    if isinstance(owner, ast.Attribute) and owner.attr == "call":
        owner = owner.value
    for value in app.names.follow(owner):
        made = ast.unparse(value.node.func) if isinstance(value.node, ast.Call) else ""
        told = app.syntax.annotation(value.node)
        if told == "Memory" or made.endswith(("Memory.open", "open_memory")):
            return "Memory"
        is_call = made.rpartition(".")[2] in ("open_call", "PipecatCall", "ring")
        if is_call or told in ("PipecatCall", "CallHandle"):
            return "CallHandle"
    return ""


def _never_cancelled(app: App) -> Iterator[Finding]:
    for call in app.syntax.calls("cancel"):
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        made = app.names.follow(owner) if owner is not None else []
        is_worker = any(app.syntax.called(one.node) in WORKERS for one in made)
        if is_worker and isinstance(next(app.syntax.parents(call)), ast.Expr):
            text = (
                f"`{app.source.text(call)}` is not awaited, so nothing is cancelled: the call goes"
            )
            text += " on without its caller."
            edit = mending.replaced(app, call.func, f"await {ast.unparse(call.func)}")
            yield wrong("hang-up", call.lineno, text, edit)


def _killed(app: App) -> Iterator[Finding]:
    for call in app.syntax.calls("_exit"):
        text = (
            "os._exit() ends the process before its pipelines are cleaned up: last words are lost."
        )
        kept = [
            name
            for kind in WORKERS
            for one in app.syntax.calls(kind)
            for name in app.syntax.names_of(one)
        ]
        waits = isinstance(app.syntax.function(call), ast.AsyncFunctionDef)
        edits = [mending.replaced(app, call, f"await {kept[0]}.cancel()")] if kept and waits else []
        yield wrong("hang-up", call.lineno, text, *edits)
