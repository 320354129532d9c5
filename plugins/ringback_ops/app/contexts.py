"""What the language model is sent: whether memory is laid over it, and only laid over it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

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
from ringback_ops.app.names import Value
from ringback_ops.app.parts import Part, Role
from ringback_ops.app.pipelines import Pipeline
from ringback_ops.app.reading import App
from ringback_ops.app.syntax import argument
from ringback_ops.app.ways import ways

WRITING = (  # into the conversation, or into the system prompt
    "LLMContext",
    "LLMMessagesAppendFrame",
    "LLMMessagesUpdateFrame",
    "add_message",
    "add_messages",
    "append_system_instruction",
    "context",
    "set_messages",
)
SUMMARISING = ("enable_auto_context_summarization", "enable_context_summarization")
TEXTS = ("block", "briefing")  # of a Context
RECALLING = ("facts", "recall", "recalled_text", "synthesis")  # of a Profile
NOT_OPENAI = ("Anthropic", "AWSBedrock", "Google", "OpenAIResponses", "Perplexity")


def check_contexts(app: App, pipeline: Pipeline) -> Iterator[Finding]:
    """Look at what the aggregators of a pipeline write to, and at who else writes there."""
    if not app.has_memory(pipeline):
        return
    with_processor = [way for way in ways(app, pipeline) if way.first(Role.MEMORY) is not None]
    halves = [part for way in with_processor for part in way.all(Role.USER)]
    for pair in dict.fromkeys(part.of for part in halves if part.of is not None):
        values = app.contexts(pair)
        with_memory = [one for one in values if app.is_memory_context(one)]
        for value in with_memory or values:  # a bare one beside it is for calls without memory
            yield from _context(app, pipeline, value)
    for priming in pipeline.of_role(Role.PRIMING):
        yield from _priming(app, pipeline, priming)


def check_history(app: App) -> Iterator[Finding]:
    """Look for memory's text that is written into the conversation."""
    writing = [one for name in WRITING for one in app.syntax.calls(name)]
    for call in (*writing, *_instructions(app)):
        if any(_is_memory_text(app, node) for node in (*call.args, *call.keywords)):
            text = (
                "What memory says is written into the conversation: it stays in every further"
                " request, also when it is out of date or forgotten, and `context()` lays it over"
                " each request anyhow."
            )
            yield wrong("history", call.lineno, text, *without(app, call))


def check_summariser(app: App) -> Iterator[Finding]:
    """Look whether Pipecat shortens the conversation beside memory."""
    for call in app.syntax.calls("LLMAssistantAggregatorParams"):
        for name in SUMMARISING:
            is_on = argument(call, name)
            if isinstance(is_on, ast.Constant) and is_on.value is True:
                text = (
                    "Pipecat's summariser is on: it asks the language model during the call, and"
                    " memory leaves older turns to it. Without it, memory makes a digest of them"
                    " itself, and asks no model."
                )
                edit = mending.replaced(app, is_on, "False")
                yield worth_knowing("summariser", is_on.lineno, text, edit)


def _instructions(app: App) -> Iterator[ast.Call]:
    """Calls that set a system prompt."""
    for call in (one for one in ast.walk(app.source.tree) if isinstance(one, ast.Call)):
        if argument(call, "system_instruction") is not None:
            yield call


def _context(app: App, pipeline: Pipeline, value: Value) -> Iterator[Finding]:
    node = value.node
    if app.syntax.called(node) == "LLMContext" and isinstance(node, ast.Call):
        better = mending.replaced(app, node.func, f"{app.memory_name(pipeline)}.context")
        text = (
            "The context is a bare LLMContext: the request after a tool goes to the model without"
            " memory, and what is read ahead for the next one has none either."
        )
        yield wrong("context", node.lineno, text, better)
    elif not app.is_memory_context(value):
        if not isinstance(node, ast.Call) or app.syntax.called(node)[:1].islower():
            text = f"Could not follow what `{app.source.text(node)}` is: is it call.context()?"
            yield not_followed("context", node.lineno, text)
    elif _is_of_another_call(app, pipeline, value):
        text = "The context is of another call than the memory processor: the model is told about"
        text += " one caller while another one's words are kept."
        yield wrong("context", node.lineno, text)
    else:
        text = "Memory is laid over each request, and the conversation stays as it is."
        yield right("context", node.lineno, text)


def _is_of_another_call(app: App, pipeline: Pipeline, context: Value) -> bool:
    call = context.node
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return False
    owners = _made(app, app.names.follow(call.func.value, context.seen_from))
    told = pipeline.of_role(Role.MEMORY, Role.EARS)
    others = _made(app, [part.of for part in told if part.of is not None])
    return bool(owners) and bool(others) and not owners & others


def _made(app: App, values: list[Value]) -> set[Value]:
    return {one for one in values if app.syntax.called(one.node) in ("open_call", "PipecatCall")}


def _priming(app: App, pipeline: Pipeline, part: Part) -> Iterator[Finding]:
    call = part.made.node
    if not isinstance(call, ast.Call):
        return
    context, llm = argument(call, "context", 0), argument(call, "llm", 1)
    used = {one for pair in app.pairs(pipeline) for one in app.contexts(pair)}
    given = app.names.follow(context, part.made.seen_from) if context is not None else []
    if used and given and all(app.syntax.called(one.node) for one in given) and not used & {*given}:
        text = "Priming reads another context than the conversation's: it reads ahead what nobody"
        text += " will ask."
        yield wrong("priming", part.line, text)
    for made in app.names.follow(llm, part.made.seen_from) if llm is not None else ():
        name = app.syntax.called(made.node)
        if name.startswith(NOT_OPENAI):
            text = f"No prompt is read ahead by {name}, which is not of OpenAI's kind: making this"
            text += " raises UsageError, and the call fails."
            yield wrong("priming", part.line, text, *mending.left_out(app, part))


def _is_memory_text(app: App, node: ast.AST) -> bool:
    """It says, or a name in it stands for, what `context()` or a profile gives."""
    return any(
        _says_memory(one) for inner in ast.walk(node) for one in (inner, *_stands_for(app, inner))
    )


def _stands_for(app: App, node: ast.AST) -> list[ast.AST]:
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
        return []
    return [inner for value in app.names.follow(node) for inner in ast.walk(value.node)]


def _says_memory(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute) and node.attr in TEXTS:
        return True
    method = node.func if isinstance(node, ast.Call) else None
    if not isinstance(method, ast.Attribute) or method.attr not in RECALLING:
        return False
    return "profile" in ast.unparse(method.value)


def without(app: App, call: ast.Call) -> list[Edit]:
    """Leave a statement out; something has to stand where it stood alone."""
    statement = app.syntax.statement(call)
    if not isinstance(statement, ast.Expr):
        return []
    first, last = statement.lineno, statement.end_lineno or statement.lineno
    body = getattr(next(app.syntax.parents(statement)), "body", [])
    kept = indented(app.source, first, "pass") if len(body) == 1 else ""
    rest = [Edit(number, Where.INSTEAD, "") for number in range(first + 1, last + 1)]
    return [Edit(first, Where.INSTEAD, kept), *rest]
