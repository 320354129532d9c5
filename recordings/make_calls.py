"""Make the made calls again: speech by flite's slt voice, put on a telephone line.

Writes audio.wav and turns.jsonl of each call from the tables below, and dialogue.jsonl,
both sides in words, where the table has the agent's answers; everything else in their
folders is written by hand. Needs `flite` 2.2 (Debian: `apt-get install flite`, package
2.2-5), which gives the same samples each time; everything after it is arithmetic with
fixed seeds. Run it where Ringback is installed:

    python recordings/make_calls.py
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np

from ringback_voice.audio_file import (
    MULAW_RATE_HZ,
    Int16Array,
    read_audio,
    resample,
    write_mulaw_wav,
)

HERE = Path(__file__).parent
FLITE_VERSION = "flite-2.2"
VOICE = ("-voice", "slt", "--setf", "duration_stretch=1.1")  # a little slower, clearer

LEAD_IN_MS = 1_000  # the line is open before anybody speaks
BETWEEN_MS = 1_500  # a place for the bot's answer, which is not in the recording
NOISE_DBFS = -50.0
QUIET = 80  # sample units, -52 dBFS: speech is louder
HOP_FRAMES = MULAW_RATE_HZ // 100  # 10 ms
ANSWER_MS_A_WORD = 400  # an unhurried agent, in the written dialogue
ANSWER_AFTER_MS = 1_000  # how long either side thinks, there


@dataclass(frozen=True)
class Line:
    """One thing that the caller says."""

    text: str
    """What is heard, and what a transcript should say."""
    barge_in_ms: int | None = None
    said: str = ""
    """What the voice is given, where that is more than is heard, or without a pause."""
    dropped_ms: int = 0
    """How much of the end is not heard, because the caller has hung up."""
    note: str = ""
    written: str = ""
    """How the written dialogue has it, where a transcript has digits for spoken numbers."""
    answer: str = ""
    """What the agent says to it in the written dialogue; not in the recording."""


@dataclass(frozen=True)
class MadeCall:
    """A call folder to write, and what is said in it."""

    name: str
    speaker: str
    seed: int
    lines: tuple[Line, ...]
    at: datetime | None = None
    """When it begins, for a call with a written dialogue."""


CALLS = (
    MadeCall(
        name="made-broadband",
        speaker="dana",
        seed=4821,
        lines=(
            Line(
                "Good evening, this is Dana Whitfield speaking. My account number is four eight"
                " two one."
            ),
            Line("My internet has dropped every evening since Tuesday, at around nine."),
            Line("Yes, I restarted the router twice. It did not help."),
            Line("Please send me a text when you know more. I prefer a text to a call."),
            Line(
                "Sorry, one more thing. Please send the text after six in the evening.",
                barge_in_ms=900,
            ),
            Line("How long does the repair take?"),
            Line("Thank you for your help. Goodbye."),
        ),
    ),
    MadeCall(
        name="made-hang-up",
        speaker="dana",
        seed=4822,
        lines=(
            Line("Good evening, this is Dana Whitfield again. My internet is still down."),
            Line(
                "I restarted the router twice, and my brother said that it is the same",
                said="I restarted the router twice, and my brother said that it is the same"
                " every evening.",
                dropped_ms=600,
                note="the caller hangs up in the middle of the word 'every'",
            ),
        ),
    ),
    MadeCall(
        name="made-first-call",
        speaker="dana",
        seed=4825,
        at=datetime.fromisoformat("2026-03-03T18:05:00-06:00"),  # a Tuesday in Chicago
        lines=(
            Line(
                "Good evening, this is Dana Whitfield speaking. I have a problem with my internet.",
                answer="Good evening, Dana. What is wrong with your internet?",
            ),
            Line(
                "My internet has been down every evening since Saturday. Can you repair it?",
                said="My internet has been down every evening since Saturday can you repair it?",
                answer="Yes, I can help you with that. What is your account number?",
            ),
            Line(
                "Sure, my account number is forty eight twenty one.",
                written="Sure, my account number is 4821.",
                answer="Thank you, your account number is 4821.",
            ),
            Line(
                "Please do not call me. Can you send me a text message?",
                answer="Sure, I can send you a text message.",
            ),
            Line(
                "When will you send me a text on Friday morning?",
                answer="I will send you a text on Friday morning.",
            ),
            Line("Thank you for your help. Goodbye.", answer="You are welcome, Dana. Goodbye."),
        ),
    ),
    MadeCall(
        name="made-second-call",
        speaker="dana",
        seed=4824,
        at=datetime.fromisoformat("2026-03-03T18:17:00-06:00"),
        lines=(
            Line("Hello again, it is me.", answer="Hello Dana, welcome back."),
            Line(
                "Can you tell me what my account number is?",
                answer="Your account number is 4821.",
            ),
            Line(
                "And when will you send me a text message?",
                answer="I will send you a text on Friday morning.",
            ),
            Line("Thank you for your help. Goodbye.", answer="You are welcome, Dana. Goodbye."),
        ),
    ),
)


def trimmed(speech: Int16Array) -> Int16Array:
    """Drop the silence around an utterance.

    Args:
        speech: int16 [frames], 8 kHz, without noise.

    Returns:
        int16 [frames], from its first loud 10 ms to its last.
    """
    hops = len(speech) // HOP_FRAMES
    levels = np.sqrt(
        np.square(speech[: hops * HOP_FRAMES].reshape(hops, -1).astype(np.float64)).mean(axis=1)
    )
    loud = np.flatnonzero(levels > QUIET)
    return speech[loud[0] * HOP_FRAMES : (loud[-1] + 1) * HOP_FRAMES]


def laid_out(
    utterances: Sequence[Int16Array], *, seed: int, ends_at_once: bool = False
) -> tuple[Int16Array, list[tuple[int, int]]]:
    """Put utterances on one noisy line, one after the other.

    Args:
        utterances: int16 [frames] each, 8 kHz, trimmed.
        seed: Of the line's noise.
        ends_at_once: The line goes dead with the last sample of the last utterance.

    Returns:
        int16 [frames] at 8 kHz, and each utterance's (start, end) in it, in ms.
    """
    per_ms = MULAW_RATE_HZ // 1_000
    places: list[tuple[int, int]] = []
    end = (LEAD_IN_MS - BETWEEN_MS) * per_ms
    for speech in utterances:
        start = end + BETWEEN_MS * per_ms
        end = start + len(speech)
        places.append((start, end))
    line = np.zeros(end if ends_at_once else end + BETWEEN_MS * per_ms)
    for speech, (start, end) in zip(utterances, places, strict=True):
        line[start:end] = speech
    noise_level = 32_768 * 10 ** (NOISE_DBFS / 20)
    line += np.random.default_rng(seed).normal(0.0, noise_level, len(line))
    samples = np.clip(np.rint(line), -32_768, 32_767).astype(np.int16)
    return samples, [(start // per_ms, end // per_ms) for start, end in places]


def spoken(line: Line, folder: Path) -> Int16Array:
    """Have flite say a line; int16 [frames] at 8 kHz, trimmed, less what is not heard."""
    wav = folder / "line.wav"
    subprocess.run(["flite", *VOICE, "-t", line.said or line.text, "-o", str(wav)], check=True)
    audio = read_audio(wav, channel=0)
    speech = trimmed(resample(audio.samples, audio.sample_rate_hz, MULAW_RATE_HZ))
    return speech[: len(speech) - line.dropped_ms * MULAW_RATE_HZ // 1_000]


def turn_lines(call: MadeCall, places: Sequence[tuple[int, int]]) -> str:
    """Write turns.jsonl: the table's words at the measured times."""
    lines = ""
    for position, (line, (started_ms, ended_ms)) in enumerate(zip(call.lines, places, strict=True)):
        turn: dict[str, object] = {
            "position": position,
            "role": "caller",
            "speaker": call.speaker,
            "text": line.text,
            "started_ms": started_ms,
            "ended_ms": ended_ms,
        }
        if line.barge_in_ms is not None:
            turn["barge_in_ms"] = line.barge_in_ms
        if line.note:
            turn["note"] = line.note
        lines += json.dumps(turn) + "\n"
    return lines


def dialogue_lines(call: MadeCall, places: Sequence[tuple[int, int]]) -> str:
    """Write dialogue.jsonl: both sides in words, each as if it had waited for the other.

    Args:
        call: What is said; must have a time at which it begins.
        places: How long the caller's lines are, as (start, end) in ms.
    """
    if call.at is None:
        raise ValueError(f"{call.name}: no time at which the dialogue begins")
    lines = ""
    at = call.at + timedelta(milliseconds=LEAD_IN_MS)
    for line, (started_ms, ended_ms) in zip(call.lines, places, strict=True):
        answer_ms = len(line.answer.split()) * ANSWER_MS_A_WORD
        for role, text, lasts_ms in (
            ("caller", line.written or line.text, ended_ms - started_ms),
            ("agent", line.answer, answer_ms),
        ):
            said = {"role": role, "text": text, "at": at.isoformat(timespec="seconds")}
            lines += json.dumps(said) + "\n"
            at += timedelta(milliseconds=lasts_ms + ANSWER_AFTER_MS)
    return lines


def make(call: MadeCall) -> None:
    """Write one call's audio.wav, turns.jsonl and, with answers, dialogue.jsonl."""
    with tempfile.TemporaryDirectory() as folder:
        utterances = [spoken(line, Path(folder)) for line in call.lines]
    hangs_up = call.lines[-1].dropped_ms > 0
    samples, places = laid_out(utterances, seed=call.seed, ends_at_once=hangs_up)
    write_mulaw_wav(HERE / call.name / "audio.wav", samples)
    (HERE / call.name / "turns.jsonl").write_text(turn_lines(call, places), encoding="utf-8")
    if call.at is not None:
        dialogue = dialogue_lines(call, places)
        (HERE / call.name / "dialogue.jsonl").write_text(dialogue, encoding="utf-8")
    print(f"{call.name}: {len(places)} turns, {len(samples) / MULAW_RATE_HZ:.1f} s")


def main() -> None:
    """Make all calls, with the version of flite that made them before."""
    version = subprocess.run(["flite", "--version"], capture_output=True, text=True, check=False)
    if FLITE_VERSION not in version.stdout:
        raise SystemExit(f"make_calls: {FLITE_VERSION} made these calls; another would not again")
    for call in CALLS:
        make(call)


if __name__ == "__main__":
    main()
