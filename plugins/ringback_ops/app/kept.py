"""What is kept of a call in an app, and what is not."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ringback_ops.app import mending
from ringback_ops.app.findings import Finding, right, worth_knowing
from ringback_ops.app.parts import Part, Role
from ringback_ops.app.pipelines import Pipeline
from ringback_ops.app.reading import App
from ringback_ops.app.syntax import argument

SEGMENTED = (  # Pipecat's that tell no words before the caller has paused
    "FalSTTService",
    "FunASRSTTService",
    "GroqSTTService",
    "MoonshineSTTService",
    "NvidiaSegmentedSTTService",
    "OpenAISTTService",
    "WhisperSTT",  # ringback_voice's
    "WhisperSTTService",
)
TIMED = (  # Pipecat's that tell when each word is due
    "AzureTTSService",
    "CartesiaTTSService",
    "ElevenLabsTTSService",
    "GradiumTTSService",
    "HumeTTSService",
    "InworldTTSService",
    "ResembleAITTSService",
    "RimeTTSService",
    "SmallestTTSService",
    "SonioxTTSService",
    "SpeechifyTTSService",
)


def check_kept(app: App, pipeline: Pipeline) -> Iterator[Finding]:
    """Say what is kept, and what is not."""
    if not pipeline.of_role(Role.MEMORY):
        return
    for model in pipeline.of_role(Role.REALTIME):
        text = (
            "A speech-to-speech model keeps the conversation on its own server: it is sent what"
            " memory has when it begins, and not what is found for each turn."
        )
        yield worth_knowing("kept", model.line, text)
    yield from _caller(app, pipeline)
    yield from _bot(app, pipeline)
    for part in pipeline.of_role(Role.RECORDER):
        yield from _recorder(app, part)
    for call in app.syntax.calls("LLMMessagesAppendFrame"):
        if "'role': 'user'" in ast.unparse(call):
            text = (
                "These words come into the conversation unheard: memory takes what is spoken, so"
                " they are not kept. What a caller typed, hand over yourself:"
                " call.observe(Turn(Role.CALLER, text, at=…))."
            )
            yield worth_knowing("kept", call.lineno, text)


def _caller(app: App, pipeline: Pipeline) -> Iterator[Finding]:
    ears = pipeline.of_role(Role.EARS)
    if not ears:
        return
    text = (
        "Of the caller is kept what was recognised, the last words also when they were not final."
    )
    made = [app.syntax.called(part.made.node) for part in pipeline.of_role(Role.STT)]
    if any(name in SEGMENTED for name in made):
        text = (
            f"Of the caller is kept what was recognised. {made[0]} tells words only after a pause:"
            " what a dead line cuts off is lost, and nothing is looked up before the pause."
        )
    yield right("kept", ears[0].line, text)


def _bot(app: App, pipeline: Pipeline) -> Iterator[Finding]:
    assistant = pipeline.of_role(Role.ASSISTANT)
    if not assistant or not pipeline.of_role(Role.OUTPUT):
        return
    silent = next(_silent(app), None)
    if silent is not None:
        text = (
            "No sound goes out, so what the bot writes counts as said, whole, also where it is cut."
        )
        yield worth_knowing("kept", silent.lineno, text)
        return
    made = [app.syntax.called(part.made.node) for part in pipeline.of_role(Role.TTS)]
    by = "by the share of its sound that went out"
    if any(name in TIMED for name in made):
        by = "to the word"
    elif not all(name[:1].isupper() for name in made):
        by += ", or to the word where the voice times its words"
    text = f"Of the bot is kept what was heard; a sentence that is cut, {by}."
    yield right("kept", assistant[0].line, text)


def _silent(app: App) -> Iterator[ast.expr]:
    """Where every transport of the app is told to send no sound."""
    told = [
        keyword.value
        for node in ast.walk(app.source.tree)
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "audio_out_enabled"
    ]
    if told and all(isinstance(one, ast.Constant) and one.value is False for one in told):
        yield told[0]


def _recorder(app: App, part: Part) -> Iterator[Finding]:
    call = part.made.node
    if app.syntax.called(call) != "AudioBufferProcessor" or not isinstance(call, ast.Call):
        return
    channels = argument(call, "num_channels")
    if channels is None or (isinstance(channels, ast.Constant) and channels.value == 1):
        text = (
            "The recording mixes the caller and the bot into one channel: who in the room said what"
            " cannot be found out from it afterwards."
        )
        edit = (
            mending.with_argument(app, call, "num_channels=2")
            if channels is None
            else mending.replaced(app, channels, "2")
        )
        yield worth_knowing("recording", call.lineno, text, edit)
    starts = argument(call, "auto_start_recording")
    begun = app.syntax.calls("start_recording") or app.syntax.calls(
        "AudioBufferStartRecordingFrame"
    )
    if not begun and not (isinstance(starts, ast.Constant) and starts.value is True):
        text = "Nothing starts the recording: there will be none."
        edit = mending.with_argument(app, call, "auto_start_recording=True")
        yield worth_knowing("recording start", call.lineno, text, edit)
