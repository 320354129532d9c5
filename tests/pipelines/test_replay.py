"""Whole recorded calls through the real pipeline: real speech, real models."""

from __future__ import annotations

import difflib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ringback_pipelines.part_names import PartNames
from ringback_pipelines.replay import LineSettings, ReplayResult, Said, replay
from ringback_pipelines.wiring import Parts, open_parts
from ringback_voice.audio_file import read_audio
from ringback_voice.call_folder import CallFolder, load_call
from ringback_voice.replay_transport import Pace
from ringback_voice.waterfall import STAGES
from ringback_voice.whisper_stt import transcribe
from tests.made import RATE_HZ, llm_server, make_call

pytestmark = pytest.mark.replay

RECORDINGS = Path("recordings")
ANSWER = "Thank you. I will look into that for you."


def first_turns(name: str, count: int) -> CallFolder:
    call = load_call(RECORDINGS / name)
    last = call.caller_turns[count - 1].position
    return replace(call, turns=call.turns[: last + 1])


def words(text: str) -> list[str]:
    return "".join(c if c.isalnum() else " " for c in text.lower()).split()


def likeness(heard: str, said: str) -> float:
    return difflib.SequenceMatcher(None, words(heard), words(said)).ratio()


def heard_of(result: ReplayResult, role: str) -> str:
    return " ".join(said.text for said in result.transcript if said.role == role)


def loud_ms(recording: Path, channel: int) -> int:
    audio = read_audio(recording, channel=channel)
    return int((np.abs(audio.samples.astype(int)) > 200).sum()) * 1000 // audio.sample_rate_hz


@asynccontextmanager
async def parts_with(llm: str) -> AsyncIterator[Parts]:
    async with open_parts(PartNames(llm=llm)) as parts:
        yield parts


async def test_a_real_persons_call_is_heard_answered_and_measured(models, tmp_path: Path):
    call = first_turns("katie-steve", 2)

    async with open_parts(PartNames()) as parts:
        result = await replay(call, parts, out=tmp_path)

    said = " ".join(turn.text for turn in call.caller_turns)
    assert likeness(heard_of(result, "caller"), said) > 0.75
    assert len(words(heard_of(result, "agent"))) >= 4
    assert [turn.position for turn in result.latencies] == [t.position for t in call.caller_turns]
    assert not any(turn.unanswered for turn in result.played)
    for turn in result.latencies:
        assert set(turn.stages_ms) == set(STAGES)
        assert turn.total_ms == pytest.approx(sum(turn.stages_ms.values()))
        assert turn.stages_ms["vad"] > 50
        assert turn.stages_ms["llm"] > 1
        assert turn.stages_ms["tts"] > 1
    assert result.summary.total is not None
    assert result.summary.total.n == 2
    assert (result.apologies, result.errors) == (0, [])
    bot = read_audio(result.recording, channel=1, sample_rate_hz=16_000).samples
    heard_back = transcribe(parts.whisper, bot.astype(np.float32) / 32_768)
    assert likeness(heard_back, heard_of(result, "agent")) > 0.6


async def test_both_sides_are_on_the_recording_and_do_not_talk_over_each_other(
    models, tmp_path: Path
):
    call = first_turns("katie-steve", 2)

    with llm_server(answer=ANSWER) as address:
        async with parts_with(address) as parts:
            result = await replay(call, parts, out=tmp_path, line=LineSettings(rate_hz=16_000))

    both = read_audio(result.recording).samples.astype(int)
    spoken_ms = sum(turn.ended_ms - turn.started_ms for turn in call.caller_turns)
    assert both.shape[1] == 2
    assert result.line_rate_hz == 16_000
    assert abs(len(both) * 1000 // 16_000 - result.duration_ms) <= 40
    assert loud_ms(result.recording, 0) > spoken_ms * 0.2
    assert loud_ms(result.recording, 1) > 1_000
    together = (np.abs(both) > 500).all(axis=1).sum() * 1000 // 16_000
    assert together < 50


async def test_the_fast_pace_hears_the_same_words_and_reports_no_latency(models, tmp_path: Path):
    call = first_turns("katie-steve", 2)
    told: list[Said] = []

    with llm_server(answer=ANSWER) as address:
        async with parts_with(address) as parts:
            fast = await replay(
                call, parts, out=tmp_path, line=LineSettings(Pace.FAST), on_said=told.append
            )

    said = " ".join(turn.text for turn in call.caller_turns)
    assert likeness(heard_of(fast, "caller"), said) > 0.75
    assert [line.role for line in fast.transcript] == ["caller", "agent"] * 2
    assert told == fast.transcript
    assert fast.latencies == []
    assert loud_ms(fast.recording, 1) > 1_000


async def test_a_caller_who_hangs_up_in_mid_sentence_is_heard_to_the_last_word(
    models, tmp_path: Path
):
    call = load_call(RECORDINGS / "made-hang-up")

    with llm_server(answer=ANSWER) as address:
        async with parts_with(address) as parts:
            result = await replay(call, parts, out=tmp_path)

    last = result.played[-1]
    assert last.ended_ms == result.duration_ms
    assert result.transcript[0].role == "caller"
    assert (result.apologies, result.errors) == (0, [])


async def test_a_barge_in_cuts_the_bot_off(models, tmp_path: Path):
    call = first_turns("katie-steve", 2)
    first, second = call.caller_turns
    turns = (replace(first, position=0), replace(second, position=1, barge_in_ms=700))
    call = replace(call, turns=turns)

    with llm_server(answer=f"{ANSWER} {ANSWER} {ANSWER} {ANSWER}") as address:
        async with parts_with(address) as parts:
            result = await replay(call, parts, out=tmp_path)

    bot = np.abs(read_audio(result.recording, channel=1).samples.astype(int)) > 200
    rate_hz = result.line_rate_hz
    barged_in_ms = result.played[1].started_ms
    long_after = bot[(barged_in_ms + 1_200) * rate_hz // 1000 :]
    reply_again = (result.played[1].ended_ms or 0) * rate_hz // 1000
    silence_until_reply = long_after[: reply_again - (barged_in_ms + 1_200) * rate_hz // 1000]
    assert not silence_until_reply.any()
    assert next(said.interrupted for said in result.transcript if said.role == "agent")


async def test_a_language_model_that_fails_is_apologised_for_and_the_call_goes_on(
    models, tmp_path: Path
):
    call = first_turns("katie-steve", 2)

    with llm_server() as address:
        async with parts_with(address) as parts:
            result = await replay(call, parts, out=tmp_path)

    assert result.apologies == 2
    assert len(result.played) == 2
    assert result.errors
    assert "cannot answer" in heard_of(result, "agent")


async def test_a_language_model_that_never_answers_is_apologised_for(models, tmp_path: Path):
    call = first_turns("katie-steve", 1)

    with llm_server(answer=ANSWER, hang_s=60) as address:
        async with parts_with(address) as parts:
            result = await replay(call, parts, out=tmp_path)

    assert result.apologies == 1
    assert loud_ms(result.recording, 1) > 1_000


async def test_a_call_of_silence_ends_without_a_word(models, tmp_path: Path):
    silence = np.zeros(RATE_HZ * 3, np.int16)
    call = load_call(make_call(tmp_path / "call", (500, 2_500), sound=silence))

    with llm_server(answer=ANSWER) as address:
        async with parts_with(address) as parts:
            result = await replay(call, parts, out=tmp_path)

    assert result.transcript == []
    assert [turn.unanswered for turn in result.played] == [True]
