"""Results of replayed calls, made up: for whatever draws, prints or counts them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ringback_pipelines.replay import PlayedTurn, ReplayResult, Said
from ringback_voice.audio_file import AudioInfo, write_wav
from ringback_voice.call_folder import CallFolder
from ringback_voice.replay_transport import Pace
from ringback_voice.waterfall import STAGES, TurnLatency

RATE_HZ = 8_000
MADE = "made-call"


def made_turn(position: int, *stages_ms: float, waited: bool = False) -> TurnLatency:
    """A turn's time from its seven stages, in order."""
    return TurnLatency(position, dict(zip(STAGES, stages_ms, strict=True)), waited)


# 1,000 ms, and 2,000 ms of which one second is a wait for more speech.
QUICK = made_turn(0, 200, 100, 50, 0, 300, 250, 100)
WAITED = made_turn(2, 200, 100, 1_050, 0, 300, 250, 100, waited=True)


def made_result(
    folder: Path,
    *,
    latencies: Sequence[TurnLatency] = (QUICK, WAITED),
    played: Sequence[PlayedTurn] = (),
    transcript: Sequence[Said] = (),
    pace: Pace = Pace.REAL_TIME,
    duration_ms: int = 20_000,
) -> ReplayResult:
    """A call with a silent caller, and a bot that is loud in the second half."""
    recording = folder / "call.wav"
    samples = np.zeros((duration_ms * RATE_HZ // 1_000, 2), np.int16)
    samples[len(samples) // 2 :, 1] = 10_000
    write_wav(recording, samples, RATE_HZ)
    call = CallFolder(
        name=MADE,
        path=folder,
        title="An invoice <paid> twice",
        language="en",
        licence="CC BY 4.0",
        attribution="Voices: A. Speaker, https://example.org/voices",
        audio=AudioInfo(recording, RATE_HZ, 1, duration_ms),
        caller_channel=0,
        speakers=(),
        turns=(),
    )
    result = ReplayResult(call, pace, RATE_HZ, "small-model", recording)
    result.played = list(played) or [
        PlayedTurn(0, "Hello, it's about my invoice.", 1_000, 3_000),
        PlayedTurn(2, "It says forty two.", 8_000, 10_000),
    ]
    result.transcript = list(transcript) or [
        Said("caller", "Hello, it's about my invoice.", 3_400, 0),
        Said("agent", "Which one is it?", 6_000, 0),
        Said("caller", "It says 42.", 10_400, 2),
        Said("agent", "Thank you.", 14_000, 2),
    ]
    result.latencies = list(latencies) if pace is Pace.REAL_TIME else []
    result.duration_ms = duration_ms
    return result
