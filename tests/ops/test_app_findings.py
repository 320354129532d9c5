"""What `doctor --app` says about apps that are right, and about the same with one thing wrong."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

import pytest

from ringback_ops.app.findings import Severity
from tests.ops.mended import faults, looked_at, mend

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "pipelines" / "examples"
APPS = Path(__file__).parent / "apps"
RIGHT = [EXAMPLES / "after.py", *(APPS / f"{n}.py" for n in ("phone_bot", "class_bot", "branches"))]
WRONG, KNOW, GAP = Severity.WRONG, Severity.WORTH_KNOWING, Severity.NOT_FOLLOWED
AFTER, PHONE = EXAMPLES / "after.py", APPS / "phone_bot.py"


@dataclass(frozen=True)
class Fault:
    """One thing that is changed in an app that was right, and what is said of it."""

    name: str
    changes: tuple[tuple[str, str], ...]
    severity: Severity
    at: str
    """What stands in the line that is named."""
    says: str
    app: Path = PHONE
    is_mended: bool = True
    """Following what it says makes the app as it was."""


EARS, USER = "            memory.ears(),\n", "            pair.user(),\n"
PROCESSOR, LLM = "            memory.processor(pair),\n", "            llm,\n"
PRIMING = "            memory.priming(context, llm, Primer(endpoint)),\n"
TTS, OUTPUT = "            tts,\n", "            transport.output(),\n"
RECORDER, ASSISTANT = "            recorder,\n", "            pair.assistant(),\n"
RING = '    memory = PipecatCall(opened.ring(tenant="acme", handles=handles))\n'
HANDLES = '    handles = [("phone", call_data.from_number)]\n'
WORKER = "PipelineWorker(pipeline, params=PipelineParams(audio_in_sample_rate=8000))\n"
CANCEL = "        await worker.cancel()\n"
SUMMARISER = "LLMAssistantAggregatorParams(enable_auto_context_summarization=True)"
TTS_MADE = "    tts = Cart"
HANDLED = '    @transport.event_handler("on_client_disconnected")\n'
ADDED = '    transport.add_event_handler("on_client_disconnected", on_client_disconnected)\n\n'
DISCONNECTED = (
    '    @transport.event_handler("on_client_disconnected")\n'
    "    async def on_client_disconnected(_transport, _client) -> None:\n"
) + CANCEL
NOTED = (
    "        context.add_message(\n"
    "            {'role': 'developer', 'content': memory.call.context().briefing}\n"
    "        )\n"
)
NOTES = (
    "    notes = [{'role': 'developer', 'content': memory.call.context().block}]\n    context = "
)
WAITING = """
class Notes(FrameProcessor):
    async def process_frame(self, frame, direction):
        await super().process_frame(frame, direction)
        await self.look_up(frame)
        await self.push_frame(frame, direction)

    async def look_up(self, frame):
        self.notes = await self.profile.recall(frame.text)


async def run_bot("""

FAULTS = [
    Fault(
        "processor",
        ((PROCESSOR, "            *([memory.processor(pair)] if is_known else []),\n"),),
        KNOW,
        "memory.processor(pair)",
        "only if `is_known`",
        is_mended=False,
    ),
    Fault(
        "ring",
        ((RING, ""), ("\nasync def run_bot(", RING.strip() + "\n\n\nasync def run_bot(")),
        WRONG,
        "opened.ring(",
        "all callers are taken for one",
        is_mended=False,
    ),
    Fault(
        "hang-up",
        ((DISCONNECTED, ""), (WORKER, WORKER.replace("))", "), cancel_on_idle_timeout=False)"))),
        WRONG,
        "PipelineWorker(pipeline",
        "the call never ends",
        is_mended=False,
    ),
    Fault(
        "summariser",
        (("AggregatorPair(context)", f"AggregatorPair(context, assistant_params={SUMMARISER})"),),
        KNOW,
        "enable_auto_context_summarization",
        "asks no model",
        is_mended=False,
    ),
    Fault(
        "history",
        (("base_url=endpoint.base_url", "system_instruction=memory.call.context().briefing"),),
        WRONG,
        "system_instruction",
        "written into the conversation",
        is_mended=False,
    ),
    Fault(
        "waiting",
        ((TTS_MADE, "    await memory.call.briefed()\n" + TTS_MADE),),
        KNOW,
        "briefed()",
        "the caller waits with it",
    ),
    Fault(
        "hang-up",
        ((HANDLED, ADDED), (CANCEL, "        pass\n")),
        KNOW,
        "PipelineWorker(pipeline",
        "idle for 5 minutes",
        is_mended=False,
    ),
    Fault("ears", ((EARS, ""),), KNOW, "pair.user()", "not final yet are lost"),
    Fault("ears", ((EARS + USER, USER + EARS),), WRONG, "memory.ears()", "they hear nothing"),
    Fault(
        "ears",
        (("            stt,\n" + EARS, EARS + "            stt,\n"),),
        WRONG,
        "memory.ears()",
        "before speech recognition",
    ),
    Fault("processor", ((PROCESSOR, ""),), WRONG, " llm,", "nothing that is said is kept"),
    Fault(
        "processor",
        ((USER + PROCESSOR, PROCESSOR + USER),),
        WRONG,
        "memory.processor(pair)",
        "before the user aggregator",
    ),
    Fault(
        "processor",
        ((PROCESSOR + LLM, LLM + PROCESSOR),),
        WRONG,
        "memory.processor(pair)",
        "behind the language model",
    ),
    Fault(
        "processor",
        ((TTS, PROCESSOR.replace("pair", "pair  ") + TTS),),
        WRONG,
        "memory.processor(pair  )",
        "taken in twice",
    ),
    Fault(
        "processor",
        (
            ("    recorder = ", "    other = LLMContextAggregatorPair(context)\n    recorder = "),
            (PROCESSOR, PROCESSOR.replace("pair", "other")),
        ),
        WRONG,
        "memory.processor(other)",
        "nothing that is said here is kept",
        is_mended=False,  # the pair that nobody needs stays
    ),
    Fault(
        "context", (("memory.context()", "LLMContext()"),), WRONG, "LLMContext()", "after a tool"
    ),
    Fault(
        "context",
        (
            (
                "    context = memory",
                "    second = PipecatCall(opened.ring(tenant='b'))\n    context = memory",
            ),
            ("memory.context()", "second.context()"),
        ),
        WRONG,
        "second.context()",
        "another one's words are kept",
        is_mended=False,
    ),
    Fault(
        "aggregators",
        ((ASSISTANT, ""),),
        WRONG,
        "transport.output()",
        "what it said",
        is_mended=False,
    ),
    Fault(
        "aggregators",
        ((OUTPUT + RECORDER + ASSISTANT, ASSISTANT + OUTPUT + RECORDER),),
        WRONG,
        "pair.assistant()",
        "cut short",
        is_mended=False,  # before the recording, which is as right
    ),
    Fault(
        "aggregators",
        ((EARS, EARS + USER.replace("pair", "pair  ")),),
        WRONG,
        "            pair.user()",
        "A second user aggregator",
        is_mended=False,  # which of the two was meant, nobody knows
    ),
    Fault(
        "aggregators",
        ((USER, ""), (PROCESSOR, ""), (LLM, LLM + USER + PROCESSOR), (EARS, "")),
        WRONG,
        "            pair.user()",
        "no request has the caller's words",
        is_mended=False,
    ),
    Fault(
        "aggregators",
        (
            ("    recorder = ", "    other = LLMContextAggregatorPair(context)\n    recorder = "),
            (ASSISTANT, ASSISTANT.replace("pair", "other")),
        ),
        WRONG,
        "other.assistant()",
        "different pairs",
        is_mended=False,
    ),
    Fault(
        "recording",
        ((OUTPUT + RECORDER, RECORDER + OUTPUT),),
        WRONG,
        "            recorder,",
        "did not get to say",
    ),
    Fault("recording", (("num_channels=2, ", ""),), KNOW, "AudioBufferProcessor(", "one channel"),
    Fault(
        "recording", (("num_channels=2", "num_channels=1"),), KNOW, "num_channels=1", "one channel"
    ),
    Fault(
        "recording start",
        ((", auto_start_recording=True", ""),),
        KNOW,
        "AudioBufferProcessor(",
        "there will be none",
        is_mended=False,  # the arguments stand the other way round
    ),
    Fault(
        "priming",
        ((LLM + PRIMING, PRIMING + LLM),),
        WRONG,
        "memory.priming(",
        "never learns what the bot says",
    ),
    Fault("priming", ((PRIMING + TTS, TTS + PRIMING),), WRONG, "memory.priming(", "reads ahead"),
    Fault(
        "priming",
        ((LLM, LLM + "            ReplyGuard(),\n"),),
        KNOW,
        "memory.priming(",
        "not directly behind",
        is_mended=False,
    ),
    Fault(
        "priming",
        (("priming(context", "priming(memory.context()"),),
        WRONG,
        "memory.priming(",
        "what nobody will ask",
        is_mended=False,
    ),
    Fault(
        "priming",
        (("OpenAILLMService(base_url=endpoint.base_url)", "AnthropicLLMService()"),),
        WRONG,
        "memory.priming(",
        "the call fails",
        is_mended=False,
    ),
    Fault(
        "history",
        (("        await worker.queue_frames", NOTED + "        await worker.queue_frames"),),
        WRONG,
        "context.add_message(",
        "written into the conversation",
    ),
    Fault(
        "history",
        (("[LLMRunFrame()]", "[LLMMessagesAppendFrame(notes)]"), ("    context = ", NOTES)),
        WRONG,
        "LLMMessagesAppendFrame(notes)",
        "written into the conversation",
        is_mended=False,  # the frame that ran the model is gone
    ),
    Fault(
        "ring",
        ((HANDLES + RING, HANDLES), ("    stt = ", RING + "    stt = ")),
        KNOW,
        "opened.ring(",
        "only after `await find_endpoint(os.environ['LLM_URL'])`",
    ),
    Fault(
        "ring",
        ((RING, ""), ("        await worker.queue", "    " + RING + "        await worker.queue")),
        WRONG,
        "opened.ring(",
        "on_client_connected()",
    ),
    Fault(
        "ring",
        (("await open_call(", "open_call("),),
        WRONG,
        "open_call(",
        "not awaited",
        app=AFTER,
    ),
    Fault(
        "handles",
        ((", handles=handles", ""), (HANDLES, "")),
        WRONG,
        "opened.ring(",
        "stranger",
        is_mended=False,
    ),
    Fault(
        "handles",
        (("call_data.from_number", '"+15550100199"'),),
        WRONG,
        "handles = ",
        "taken for one person",
        is_mended=False,
    ),
    Fault(
        "handles", (('("phone"', '("mobile"'),), WRONG, "handles = ", "'mobile'", is_mended=False
    ),
    Fault(
        "handles",
        (("Telnyx", "Twilio"), ("telnyx", "twilio")),
        KNOW,
        "opened.ring(",
        "<Parameter",
        is_mended=False,
    ),
    Fault(
        "process",
        (("import open_call\n", "import open_call\nfrom fastapi import FastAPI\n"),),
        KNOW,
        "open_call(",
        "A server opens it once",
        app=AFTER,
        is_mended=False,
    ),
    Fault(
        "tools",
        (("memory.context()", "memory.context(tools=memory.tools())"),),
        WRONG,
        "memory.tools()",
        "without its memory",
        is_mended=False,
    ),
    Fault(
        "hang-up",
        ((DISCONNECTED, ""),),
        KNOW,
        WORKER.strip(),
        "idle for 5 minutes",
        is_mended=False,
    ),
    Fault(
        "hang-up",
        ((DISCONNECTED, ""), (WORKER, WORKER.replace("))", "), idle_timeout_secs=None)"))),
        WRONG,
        "PipelineWorker(pipeline",
        "the call never ends",
        is_mended=False,
    ),
    Fault(
        "hang-up",
        ((CANCEL, "        await memory.call.end()\n" + CANCEL),),
        WRONG,
        "call.end()",
        "before",
    ),
    Fault(
        "hang-up",
        ((CANCEL, CANCEL + "        await opened.close()\n"),),
        WRONG,
        "opened.close()",
        "shares it",
    ),
    Fault(
        "hang-up",
        ((CANCEL, CANCEL.replace("await ", "")),),
        WRONG,
        "worker.cancel()",
        "not awaited",
    ),
    Fault(
        "hang-up", ((CANCEL, "        os._exit(0)\n"),), WRONG, "os._exit", "last words are lost"
    ),
    Fault(
        "second memory",
        ((PROCESSOR, PROCESSOR + "            Mem0MemoryService(user_id='u'),\n"),),
        WRONG,
        "Mem0MemoryService",
        "the caller waits for it",
    ),
    Fault(
        "waiting",
        ((USER, USER + "            Notes(),\n"), ("\nasync def run_bot(", WAITING)),
        WRONG,
        "self.profile.recall",
        "each reply comes that much later",
        is_mended=False,
    ),
    Fault(
        "names",
        (("memory.context()", "OpenAILLMContext()"),),
        WRONG,
        "OpenAILLMContext()",
        "does not start",
    ),
    Fault(
        "names",
        (("LLMContextAggregatorPair(context)", "llm.create_context_aggregator(context)"),),
        WRONG,
        "create_context_aggregator",
        "does not start",
    ),
    Fault(
        "names",
        (("= PipelineWorker", "= PipelineTask"),),
        KNOW,
        "PipelineTask(",
        "2.0",
        is_mended=False,
    ),
    Fault(
        "kept",
        (("audio_out_enabled=True", "audio_out_enabled=False"),),
        KNOW,
        "audio_out",
        "counts as said",
        is_mended=False,
    ),
    Fault(
        "kept",
        (("OpenAILLMService(base_url", "OpenAIRealtimeLLMService(base_url"),),
        KNOW,
        " llm,",
        "speech-to-speech",
        is_mended=False,
    ),
    Fault(
        "kept",
        (("[LLMRunFrame()]", "[LLMMessagesAppendFrame([{'role': 'user', 'content': 'hi'}])]"),),
        KNOW,
        "LLMMessagesAppendFrame",
        "not kept",
        is_mended=False,
    ),
    Fault(
        "pipeline",
        (("            tts,\n", "            *voices(tts),\n"),),
        GAP,
        "*voices(tts)",
        "Could not follow `voices(tts)`",
        is_mended=False,
    ),
    Fault(
        "context",
        (("memory.context()", "make_context(memory)"),),
        GAP,
        "make_context",
        "call.context()",
        is_mended=False,
    ),
]


def with_fault(fault: Fault, folder: Path) -> Path:
    text = fault.app.read_text()
    for old, new in fault.changes:
        assert text.count(old) >= 1 or not old, old
        text = text.replace(old, new)
    file = folder / "bot.py"
    file.write_text(text)
    return file


def titles(fault: Fault) -> str:
    return f"{fault.name}: {fault.says}"


@pytest.mark.parametrize("app", RIGHT, ids=lambda app: app.stem)
def test_nothing_is_said_against_an_app_in_which_memory_stands_right(app: Path):
    found = looked_at(app)

    assert [one for one in found if one.severity is not Severity.RIGHT] == []
    assert {"order", "context", "ring", "handles", "kept"} <= {one.name for one in found}


@pytest.mark.parametrize("fault", FAULTS, ids=titles)
def test_one_thing_wrong_is_found_where_it_stands(fault: Fault, tmp_path: Path):
    file = with_fault(fault, tmp_path)

    found = [one for one in looked_at(file) if one.severity is fault.severity]

    named = [one for one in found if one.name == fault.name and fault.says in one.text]
    assert len(named) == 1, found
    assert fault.at in file.read_text().splitlines()[named[0].line - 1]


@pytest.mark.parametrize("fault", [one for one in FAULTS if one.is_mended], ids=titles)
def test_the_lines_that_it_says_to_write_make_an_app_as_it_was(fault: Fault, tmp_path: Path):
    file = with_fault(fault, tmp_path)

    mend(file)

    assert faults(file) == []
    assert ast.dump(ast.parse(file.read_text())) == ast.dump(ast.parse(fault.app.read_text()))


def test_a_handler_may_be_added_by_a_call(tmp_path: Path):
    file = tmp_path / "bot.py"
    file.write_text(PHONE.read_text().replace(HANDLED, ADDED))

    (found,) = [one for one in looked_at(file) if one.name == "hang-up"]

    assert found.severity is Severity.RIGHT


def test_what_the_ring_needs_is_no_needless_wait(tmp_path: Path):
    file = tmp_path / "bot.py"
    asked = "    caller = await crm.find(call_data)\n    number = caller.number\n"
    file.write_text(
        PHONE.read_text()
        .replace(HANDLES, asked + HANDLES)
        .replace("call_data.from_number)", "number)")
    )

    assert faults(file) == []


RIGHT_TOO = {
    "a context without memory for calls without it": (
        ("memory.context()", "memory.context() if memory else LLMContext()"),
    ),
    "a number that Twilio is asked for": (
        ("Telnyx", "Twilio"),
        ('"""A telephone', '"""<Parameter name="from_number" value="{{From}}"/> A telephone'),
    ),
    "a caller who is told later": (
        (", handles=handles", ""),
        (HANDLES, ""),
        (
            "        await worker.queue",
            "        await memory.call.identify(who)\n        await worker.queue",
        ),
    ),
    "nobody to hang up": (
        (DISCONNECTED, ""),
        (
            "FastAPIWebsocketTransport(\n        websocket",
            "LocalAudioTransport(\n        websocket",
        ),
    ),
    "a pair that a function makes": (
        ("pair = LLMContextAggregatorPair(context)", "pair = paired(context)"),
        (
            "\nasync def run_bot(",
            "\ndef paired(context):\n    return LLMContextAggregatorPair(context)\n\n\nasync def run_bot(",
        ),
    ),
}


def changed(app: Path, changes: tuple[tuple[str, str], ...], folder: Path) -> Path:
    return with_fault(Fault("", changes, Severity.RIGHT, "", "", app=app), folder)


@pytest.mark.parametrize("what", RIGHT_TOO)
def test_nothing_is_said_against(what: str, tmp_path: Path):
    assert faults(changed(PHONE, RIGHT_TOO[what], tmp_path)) == []


def test_a_recogniser_that_waits_for_the_pause_is_named(tmp_path: Path):
    file = changed(PHONE, (("Deepgram", "Whisper"), ("deepgram", "whisper")), tmp_path)

    kept = [one.text for one in looked_at(file) if one.name == "kept"]

    assert any("WhisperSTTService tells words only after a pause" in text for text in kept)


def test_what_is_wrong_on_two_ways_is_said_once(tmp_path: Path):
    file = changed(APPS / "branches.py", ((" + [pair.assistant()]", ""),), tmp_path)
    both = file.read_text().replace("[FunctionFilter(shut)]", "branch(call, pair, llm)")
    file.write_text(both)

    assert [one.name for one in faults(file)] == ["aggregators"]


def test_a_processor_is_put_before_a_model_that_is_appended(tmp_path: Path):
    processor = "        processors.append(self.memory.processor(self.pair))\n"
    listed, appended = "processors.extend([llm, tts])", "processors.append(llm)"
    app = APPS / "class_bot.py"
    file = changed(app, ((processor, ""), (listed, appended)), tmp_path)

    mend(file)

    assert processor + f"        {appended}" in file.read_text()


def test_a_pair_and_its_context_on_one_line_are_mended_one_after_the_other(tmp_path: Path):
    before = EXAMPLES / "before.py"
    made = "user, assistant = LLMContextAggregatorPair(LLMContext())"
    lines = [
        line for line in before.read_text().splitlines() if "context = LLMContext()" not in line
    ]
    lines = [f"    {made}" if "    pair = LLM" in line else line for line in lines]
    file = tmp_path / "bot.py"
    text = "\n".join(lines).replace("pair.user()", "user")
    file.write_text(text.replace("pair.assistant()", "assistant"))

    mend(file)

    assert faults(file) == []


@pytest.mark.parametrize("parts", ["*voices(tts),", "voices,"])
def test_what_was_not_followed_is_not_called_missing(parts: str, tmp_path: Path):
    changes = ((PROCESSOR, ""), (EARS, ""), (TTS, f"            {parts}\n"), (PRIMING, ""))
    named = ("async def run_bot(websocket", "async def run_bot(voices, websocket")
    file = changed(PHONE, (*changes, named), tmp_path)

    assert [one.name for one in looked_at(file) if one.severity in (WRONG, KNOW)] == []
    assert "memory" in [one.name for one in looked_at(file) if one.severity is GAP]


REAL = {  # what is said of apps as people write them, and what is left when it is followed
    "twilio_server": (
        {
            (WRONG, "context"),
            (WRONG, "handles"),
            (WRONG, "hang-up"),
            (WRONG, "recording"),
            (KNOW, "ears"),
            (KNOW, "process"),
            (KNOW, "recording"),
        },
        {(KNOW, "handles"), (KNOW, "process")},
    ),
    "webrtc_bot": ({(WRONG, "memory")}, set()),
    "daily_room": ({(KNOW, "names"), (KNOW, "ring")}, {(KNOW, "names"), (KNOW, "ring")}),
    "legacy_bot": ({(WRONG, "memory"), (WRONG, "names"), (KNOW, "names")}, {(KNOW, "names")}),
    "gated_branches": (set(), set()),
}


@pytest.mark.parametrize("app", REAL)
def test_real_apps_are_told_what_is_so_and_how_to_mend_it(app: str, tmp_path: Path):
    said, left = REAL[app]
    file = tmp_path / "bot.py"
    file.write_text((APPS / f"{app}.py").read_text())

    assert {(one.severity, one.name) for one in faults(file)} == said
    mend(file)
    assert {(one.severity, one.name) for one in faults(file)} == left
