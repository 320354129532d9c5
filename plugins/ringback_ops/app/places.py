"""Where memory's processors stand in a pipeline, and the app's own beside them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ringback_ops.app import mending
from ringback_ops.app.findings import (
    Edit,
    Finding,
    Severity,
    not_followed,
    right,
    worth_knowing,
    wrong,
)
from ringback_ops.app.names import Value
from ringback_ops.app.no_memory import no_memory
from ringback_ops.app.parts import Part, Role
from ringback_ops.app.pipelines import Pipeline
from ringback_ops.app.reading import App
from ringback_ops.app.syntax import argument
from ringback_ops.app.ways import Way, ways


def check_places(app: App, pipeline: Pipeline) -> Iterator[Finding]:
    """Look at the order of a pipeline."""
    for gap in pipeline.gaps:
        text = f"Could not follow `{gap.text}`: what is in there was not looked at."
        yield not_followed("pipeline", gap.line, text)
    found = ways(app, pipeline)
    if not found:
        text = "No language model was found in this pipeline, so memory was not looked for."
        yield not_followed("model", pipeline.line, text)
        return
    looked = [one for way in found for one in _on_way(way)]
    yield from looked
    if not app.has_memory(pipeline):
        yield no_memory(app, pipeline, found[0])
        return
    memory = pipeline.of_role(Role.MEMORY)
    if memory and not any(one.severity is Severity.WRONG for one in looked):
        order = next(_order(way) for way in found if memory[0] in way.parts or way is found[-1])
        yield right("order", memory[0].line, order)


def _on_way(way: Way) -> Iterator[Finding]:
    yield from _aggregators(way)
    yield from _output(way)
    if way.app.has_memory(way.pipeline):
        yield from _memory(way)
        yield from _ears(way)
        yield from _priming(way)


def _order(way: Way) -> str:
    named = [part for part in way.parts if part.role not in (Role.OTHER, Role.UNKNOWN, Role.GAP)]
    return "The order: " + ", ".join(part.role for part in named) + "."


def _memory(way: Way) -> Iterator[Finding]:
    found, user, name = way.all(Role.MEMORY), way.first(Role.USER), _name(way)
    if not found:
        yield _processor_missing(way, user, name)
        return
    memory = found[0]
    if len(found) > 1:
        text = "A second memory processor on one way: what tools return is taken in twice."
        yield wrong("processor", found[1].line, text, *mending.left_out(way.app, found[1]))
    if memory.when:
        text = f"Memory is there only if `{memory.when}`: other calls are forgotten."
        yield worth_knowing("processor", memory.line, text)
    if user is not None and way.is_before(memory, user):
        yield wrong(
            "processor",
            memory.line,
            "The memory processor stands before the user aggregator, where no request comes by:"
            " what a model is sent beforehand goes without memory, and work beside the call"
            " does not give way to a reply.",
            *mending.moved(way.app, memory, mending.before(way.app, way.model, memory.text)),
        )
    elif way.is_before(way.model, memory):
        yield wrong(
            "processor",
            memory.line,
            "The memory processor stands behind the language model, which keeps requests to"
            " itself: what a model is sent beforehand goes without memory, and work beside the"
            " call does not give way to a reply.",
            *mending.moved(way.app, memory, mending.before(way.app, way.model, memory.text)),
        )
    yield from _followed_pair(way, memory)


def _processor_missing(way: Way, user: Part | None, name: str) -> Finding:
    beside = way.pipeline.of_role(Role.MEMORY)
    pair_name, named = _pair_of(way)
    edits = [*named, *mending.before(way.app, way.model, f"{name}.processor({pair_name})")]
    if beside and user is not None and user in _parts_beside(way, beside[0]):
        text = "This branch's language model stands behind no memory processor: what it is sent"
        text += " beforehand goes without memory."
        return worth_knowing("processor", way.model.line, text, *edits)
    if beside:
        text = "This branch's language model knows nothing of the caller: no memory processor is"
        text += " made for its aggregators."
        return worth_knowing("processor", way.model.line, text, *edits)
    if way.pipeline.unknown:
        text = f"No memory processor was found, unless it is `{way.pipeline.unknown[0].text}`."
        return not_followed("processor", way.model.line, text)
    text = "The memory processor is missing: nothing that is said is kept, and the call never ends"
    return wrong("processor", way.model.line, f"{text} for memory.", *edits)


def _parts_beside(way: Way, memory: Part) -> list[Part]:
    return [part for parts in way.pipeline.ways if memory in parts for part in parts]


def _followed_pair(way: Way, memory: Part) -> Iterator[Finding]:
    """Whether the processor was made for the pair that stands on this way."""
    call = memory.made.node
    given = argument(call, "pair", 0) if isinstance(call, ast.Call) else None
    if given is None:
        return
    told = way.app.names.follow(given, memory.made.seen_from)
    used = [part.of for part in way.all(Role.USER, Role.ASSISTANT) if part.of is not None]
    known = [one for one in told if isinstance(one.node, ast.Call)]
    if known and used and not set(known) & set(used):
        pair_name, named = _pair_of(way)
        text = (
            f"`{memory.text}` listens to another pair of aggregators than the one in this"
            " pipeline: nothing that is said here is kept."
        )
        better = f"{_name(way)}.processor({pair_name})"
        edits = [*named, mending.replaced(way.app, memory.node, better)]
        yield wrong("processor", memory.line, text, *edits)


def _ears(way: Way) -> Iterator[Finding]:
    ears, user, stt = way.first(Role.EARS), way.first(Role.USER), way.first(Role.STT)
    if user is None or way.model.role is Role.REALTIME:
        return
    if ears is None:
        if not way.pipeline.unknown:
            text = (
                "No ears: when a line goes dead, the words that were not final yet are lost; late"
                " words stand where they came, and nothing is looked up while the caller speaks."
            )
            edits = mending.before(way.app, user, f"{_name(way)}.ears()")
            yield worth_knowing("ears", user.line, text, *edits)
        return
    placed = mending.before(way.app, user, ears.text)
    if way.is_before(user, ears):
        text = "The ears stand behind the user aggregator, which keeps transcripts to itself:"
        text += " they hear nothing, and last words that were not final are lost."
        yield wrong("ears", ears.line, text, *mending.moved(way.app, ears, placed))
    elif stt is not None and way.is_before(ears, stt):
        text = "The ears stand before speech recognition: they hear no words, and last words"
        text += " that were not final are lost."
        yield wrong("ears", ears.line, text, *mending.moved(way.app, ears, placed))


def _aggregators(way: Way) -> Iterator[Finding]:
    users, assistants = way.all(Role.USER), way.all(Role.ASSISTANT)
    pairs = {part.of for part in (*users, *assistants) if part.of is not None}
    for second in (*users[1:], *assistants[1:]):
        text = (
            f"A second {second.role} on one way: the first keeps what is said to itself, so this"
            " one's conversation, and what memory takes from it, has holes."
        )
        yield wrong("aggregators", second.line, text, *mending.left_out(way.app, second))
    if users and way.is_before(way.model, users[0]):
        text = "The user aggregator stands behind the language model: no request has the"
        text += " caller's words."
        placed = mending.before(way.app, way.model, users[0].text)
        yield wrong("aggregators", users[0].line, text, *mending.moved(way.app, users[0], placed))
    answered = {part.of for part in way.pipeline.of_role(Role.USER)}  # also on other branches
    if len(users) == len(assistants) == 1 and len(pairs) > 1 and assistants[0].of not in answered:
        text = "The two aggregators are of different pairs: what the bot says is in another"
        text += " conversation than what it answers."
        yield wrong("aggregators", assistants[0].line, text)


def _output(way: Way) -> Iterator[Finding]:
    """The assistant aggregator and the recording hear what was heard: behind the output."""
    assistant, output, user = (
        way.first(Role.ASSISTANT),
        way.first(Role.OUTPUT),
        way.first(Role.USER),
    )
    last = output or way.first(Role.TTS) or way.model
    if assistant is None and user is not None and not way.pipeline.unknown:
        text = "No assistant aggregator: the model does not know what it said, and memory does"
        text += " not keep what was promised."
        pair_name, named = _pair_of(way)
        edits = [*named, *mending.behind(way.app, last, f"{pair_name}.assistant()")]
        yield wrong("aggregators", last.line, text, *edits)
    for part in way.all(Role.ASSISTANT, Role.RECORDER):
        if output is None or way.is_before(output, part):
            continue
        if part.role is Role.ASSISTANT:
            text = (
                "The assistant aggregator stands before the output: a reply that the caller cut"
                " short is kept as if all of it was heard, in the conversation and in memory."
            )
        else:
            text = (
                "The recording is taken before the output: what the bot did not get to say is on"
                " it, at the time when it was made and not when it was heard."
            )
        name = "aggregators" if part.role is Role.ASSISTANT else "recording"
        placed = mending.behind(way.app, output, part.text)
        yield wrong(name, part.line, text, *mending.moved(way.app, part, placed))


def _priming(way: Way) -> Iterator[Finding]:
    priming, tts = way.first(Role.PRIMING), way.first(Role.TTS, Role.OUTPUT)
    if priming is None:
        return
    steps = way.place(priming) - way.place(way.model)
    placed = mending.behind(way.app, way.model, priming.text)
    if steps < 0 or (tts is not None and way.is_before(tts, priming)):
        text = "Priming does not stand behind the language model: it never learns what the bot"
        text += " says, so what it reads ahead is not what will be asked."
        yield wrong("priming", priming.line, text, *mending.moved(way.app, priming, placed))
    elif steps > 1:
        text = "Priming stands not directly behind the language model: what the processors"
        text += " between hold back or change, it reads ahead wrongly."
        yield worth_knowing("priming", priming.line, text, *mending.moved(way.app, priming, placed))
    else:
        yield right("priming", priming.line, "The next request is read ahead, behind the model.")


def _name(way: Way) -> str:
    return way.app.memory_name(way.pipeline)


def _pair_of(way: Way) -> tuple[str, list[Edit]]:
    """What the pair on this way is called, and the lines that give it a name."""
    for part in way.all(Role.USER, Role.ASSISTANT):
        made: Value = part.made
        if isinstance(made.node, ast.Call) and isinstance(made.node.func, ast.Attribute):
            return ast.unparse(made.node.func.value), []
        if part.of is not None and isinstance(part.of.node, ast.Call):
            return mending.pair_edits(way.app, part.of.node)
    return "pair", []
