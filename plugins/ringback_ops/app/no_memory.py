"""All that an app without memory has to write."""

from __future__ import annotations

import ast

from ringback_ops.app import mending
from ringback_ops.app.findings import Edit, Finding, not_followed, wrong
from ringback_ops.app.parts import Part, Role
from ringback_ops.app.pipelines import Pipeline
from ringback_ops.app.reading import App
from ringback_ops.app.syntax import argument
from ringback_ops.app.ways import Way

PLAIN = ("LLMContext", "OpenAILLMContext")


def no_memory(app: App, pipeline: Pipeline, way: Way) -> Finding:
    """Everything that an app without memory has to write."""
    text = (
        "There is no memory in this pipeline: a caller who rings again is a stranger, and"
        " nothing of this call is kept."
    )
    user, pairs = way.first(Role.USER), app.pairs(pipeline)
    mentions = any(name.startswith("ringback") for name in app.imported)
    if pipeline.gaps or (mentions and pipeline.unknown):
        text = f"No memory was found in what could be followed. If it is not elsewhere: {text}"
        return not_followed("memory", pipeline.line, text)
    if pipeline.of_role(Role.OTHER_MEMORY):
        text = (
            "The memory in this pipeline is not Ringback. Mem0's, and those made like it, look up"
            " each question while the caller waits, and what they find stays in the conversation."
        )
    if user is None or not pairs or not isinstance(pairs[0].node, ast.Call):
        return wrong("memory", pipeline.line, f"{text} It needs an LLMContextAggregatorPair.")
    edits, told = _whole_memory(app, way, user, pairs[0].node)
    if not told:
        text += " `caller_id` stands for what your app knows a caller by"
        text += ", e.g. in runner_args.body." if "RunnerArguments" in str(app.imported) else "."
    if any("opened.ring" in edit.text for edit in edits):
        text += " `opened` is what Memory.open() gives, once for the process."
    return wrong("memory", pipeline.line, text, *edits)


def _whole_memory(app: App, way: Way, user: Part, pair: ast.Call) -> tuple[list[Edit], bool]:
    context = argument(pair, "context", 0)
    made = [one.node for one in app.names.follow(context)] if context is not None else []
    plain = next((one for one in made if app.syntax.called(one) in PLAIN), None)
    at = plain if plain is not None else pair
    kept = app.syntax.names_of(at)
    is_own = bool(kept) and kept[0].startswith("self.")
    name = "self.memory" if is_own else app.free_name("memory")
    opened, told = mending.opening(app, at, name)
    edits = [*opened]
    if isinstance(plain, ast.Call):
        edits.append(mending.replaced(app, plain.func, f"{name}.context"))
    pair_name, named = mending.pair_edits(app, pair)
    edits += named
    hears = way.model.role is not Role.REALTIME
    placed = [(user, f"{name}.ears()")] if hears else []
    edits += mending.all_before(app, [*placed, (way.model, f"{name}.processor({pair_name})")])
    others = way.all(Role.OTHER_MEMORY)
    edits += [edit for one in others for edit in mending.left_out(app, one)]
    return mending.one_a_line(edits), told
