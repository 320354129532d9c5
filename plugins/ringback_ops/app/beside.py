"""What stands beside memory in an app: another memory, waits before a reply, old names."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ringback_ops.app import mending
from ringback_ops.app.contexts import without
from ringback_ops.app.findings import Edit, Finding, Where, worth_knowing, wrong
from ringback_ops.app.parts import Part, Role
from ringback_ops.app.pipelines import Pipeline
from ringback_ops.app.reading import App
from ringback_ops.app.syntax import FUNCTIONS, Function

LOOKING = ("add", "facts", "query", "recall", "recalled_text", "search", "synthesis")
MEMORIES = ("mem0", "memory", "memories", "profile", "zep", "retriev", "vector", "store", "call")
OLD = {  # what Pipecat no longer has → what it has instead
    "OpenAILLMContext": "context = memory.context(messages)",
    "create_context_aggregator": "pair = LLMContextAggregatorPair(context)",
}
UNIVERSAL = "pipecat.processors.aggregators.llm_response_universal"
DEPRECATED = {
    "PipelineTask": "PipelineWorker of pipecat.pipeline.worker",
    "PipelineRunner": "WorkerRunner of pipecat.workers.runner",
}


def check_beside(app: App, pipeline: Pipeline) -> Iterator[Finding]:
    """Look at what else of a pipeline has to do with memory."""
    if app.has_memory(pipeline):
        for part in pipeline.of_role(Role.OTHER_MEMORY):
            text = (
                f"`{part.text}` is a second memory. Mem0's, and those made like it, look up each"
                " question before the model is asked, so the caller waits for it, and write what"
                " they find into the conversation, where it stays."
            )
            yield wrong("second memory", part.line, text, *mending.left_out(app, part))
    for part in _before_reply(pipeline):
        yield from _waits(app, part)


def check_waits(app: App) -> Iterator[Finding]:
    """Look for waits until all of a briefing is there."""
    for call in app.syntax.calls("briefed"):
        text = (
            "briefed() waits until everything is read for the call, and the caller waits with it."
            " The first request goes out with what is there by then anyhow."
        )
        yield worth_knowing("waiting", call.lineno, text, *without(app, call))


def check_names(app: App) -> Iterator[Finding]:
    """Look for names of older Pipecats."""
    for name, better in OLD.items():
        for call in app.syntax.calls(name):
            text = f"Pipecat 1.x has no {name}: the app does not start. It is `{better}` now."
            yield wrong("names", call.lineno, text, *_renamed(app, call, name))
    for name, better in DEPRECATED.items():
        for call in app.syntax.calls(name)[:1]:
            text = f"{name} goes with Pipecat 2.0; it is {better} now. Memory works with both."
            yield worth_knowing("names", call.lineno, text)


def _renamed(app: App, call: ast.Call, old: str) -> list[Edit]:
    """Call by its new name what the app calls by an old one."""
    if old == "create_context_aggregator":
        imported = mending.import_edits(app, "LLMContextAggregatorPair", module=UNIVERSAL)
        return [*imported, mending.replaced(app, call.func, "LLMContextAggregatorPair")]
    imports = [one for one in ast.walk(app.source.tree) if isinstance(one, ast.ImportFrom)]
    gone = [one for one in imports if (one.module or "").endswith("openai_llm_context")]
    edits = [Edit(one.lineno, Where.INSTEAD, "") for one in gone if one.lineno == one.end_lineno]
    for pipeline in app.pipelines:  # what an app without memory has to write has the rest
        if app.has_memory(pipeline):
            context = f"{app.memory_name(pipeline)}.context"
            return [*edits, mending.replaced(app, call.func, context)]
    return edits


def _before_reply(pipeline: Pipeline) -> list[Part]:
    """Processors of the app that a request passes on its way to the model."""
    models = (Role.LLM, Role.REALTIME)
    found: dict[Part, None] = {}
    for way in pipeline.ways:
        at = next((index for index, part in enumerate(way) if part.role in models), 0)
        found |= dict.fromkeys(part for part in way[:at] if part.role is Role.OTHER)
    return list(found)


def _waits(app: App, part: Part) -> Iterator[Finding]:
    made = app.syntax.definition(part.made.node) if isinstance(part.made.node, ast.Call) else None
    if not isinstance(made, ast.ClassDef):
        return
    for function in made.body:
        if isinstance(function, FUNCTIONS) and function.name == "process_frame":
            for wait in _lookups(app, made, function):
                text = (
                    f"`{app.source.text(wait)}` is waited for in {made.name}.process_frame(), before"
                    " the model is asked: each reply comes that much later. context() has it ready"
                    " without a wait."
                )
                yield wrong("waiting", wait.lineno, text)


def _lookups(app: App, owner: ast.ClassDef, function: Function) -> Iterator[ast.Await]:
    """Lookups that a method waits for, itself or by a method that it calls."""
    for node in ast.walk(function):
        if not isinstance(node, ast.Await) or not isinstance(node.value, ast.Call):
            continue
        called = node.value.func
        if isinstance(called, ast.Attribute) and called.attr in LOOKING:
            owner_text = ast.unparse(called.value).lower()
            yield from [node] if any(word in owner_text for word in MEMORIES) else []
        defined = app.syntax.definition(node.value)
        if isinstance(defined, FUNCTIONS) and defined is not function and defined in owner.body:
            yield from _lookups(app, owner, defined)
