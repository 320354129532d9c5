"""Where speech begins and ends in a recording, to a few hundredths of a second.

Silero VAD says which frames hold speech; the sound's level around each end then says
where it really begins and stops. A live VAD waits before it calls an end; this one has
the whole recording, and waits for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pipecat.audio.vad.silero import SileroVADAnalyzer

from ringback_voice.audio_file import Int16Array

CUT_RATE_HZ = 16_000
VAD_FRAMES = 512  # samples in one VAD frame, 32 ms; fixed by the model
OPEN_CONFIDENCE = 0.5  # speech begins at this
KEEP_CONFIDENCE = 0.35  # and goes on down to this: Silero's own pair
PAUSE_MS = 700  # a shorter pause is part of one utterance
BLIP_MS = 200  # less speech than this is a click or a cough
HOP_FRAMES = 160  # 10 ms, the grain of the ends
LATE_ONSET_MS = 240  # how late the VAD may notice a soft beginning
LATE_END_MS = 64  # how far past its last frame a sound may fade: two VAD frames
HANGOVER_MS = 240  # how long its confidence may outlast the sound
GAP_MS = 40  # a stop consonant's silence
CONTEXT_MS = 1_000  # how far around an utterance its background is measured
OVER_FLOOR = 2.0  # speech is 6 dB above the background
UNDER_SPEECH = 0.025  # and at most 32 dB below its own loud parts

Progress = Callable[[float, float], None]
"""Told the seconds done and the seconds in all."""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of speech, in milliseconds from the start of the recording."""

    started_ms: int
    ended_ms: int


def cut_speech(
    samples: Int16Array, *, pause_ms: int = PAUSE_MS, progress: Progress | None = None
) -> list[Span]:
    """Cut one channel into utterances.

    Takes about 6 ms and 125 bytes for each second of sound, besides the samples.

    Args:
        samples: int16 [frames], 16 kHz, one channel.
        pause_ms: Pauses shorter than this do not end an utterance.
        progress: Called about once for each second of sound, and at the end.

    Returns:
        Utterances in order, apart from one another. Each ends where its last sound does,
        within about two VAD frames. Silence gives none.
    """
    confidences = _confidences(samples, progress)
    spans = (_trimmed(samples, run) for run in _runs(confidences, pause_ms))
    return [Span(int(start), int(end)) for start, end in spans]


def _confidences(samples: Int16Array, progress: Progress | None) -> NDArray[np.float32]:
    """Score each VAD frame: float32 [frames / 512], in [0, 1]."""
    vad = SileroVADAnalyzer(sample_rate=CUT_RATE_HZ)
    vad.set_sample_rate(CUT_RATE_HZ)
    seconds = len(samples) / CUT_RATE_HZ
    scores = np.zeros(-(-len(samples) // VAD_FRAMES), np.float32)
    for index in range(len(scores)):
        frame = samples[index * VAD_FRAMES : (index + 1) * VAD_FRAMES]
        padded = np.pad(frame, (0, VAD_FRAMES - len(frame)))
        scores[index] = np.max(vad.voice_confidence(padded.tobytes()))
        if progress is not None and index * VAD_FRAMES % CUT_RATE_HZ < VAD_FRAMES:
            progress(index * VAD_FRAMES / CUT_RATE_HZ, seconds)
    if progress is not None:
        progress(seconds, seconds)
    return scores


def _runs(confidences: NDArray[np.float32], pause_ms: int) -> Iterator[tuple[int, int]]:
    """Yield (first, past the last) VAD frame of each utterance."""
    frame_ms = VAD_FRAMES * 1_000 / CUT_RATE_HZ
    first = end = spoken = 0
    for start, stop in _stretches(confidences):
        if spoken and (start - end) * frame_ms >= pause_ms:
            if spoken * frame_ms >= BLIP_MS:
                yield first, end
            spoken = 0
        first = first if spoken else start
        end = stop
        spoken += stop - start
    if spoken * frame_ms >= BLIP_MS:
        yield first, end


def _stretches(confidences: NDArray[np.float32]) -> Iterator[tuple[int, int]]:
    """Yield (first, past the last) frame of each unbroken stretch of speech."""
    start: int | None = None
    for index, confidence in enumerate(confidences.tolist()):
        if start is None and confidence >= OPEN_CONFIDENCE:
            start = index
        elif start is not None and confidence < KEEP_CONFIDENCE:
            yield start, index
            start = None
    if start is not None:
        yield start, len(confidences)


def _trimmed(samples: Int16Array, run: tuple[int, int]) -> tuple[float, float]:
    """Move both ends of a run of VAD frames to where its sound begins and ends, in ms."""
    hop_ms = HOP_FRAMES * 1_000 // CUT_RATE_HZ
    context = CONTEXT_MS // hop_ms
    first, end = (edge * VAD_FRAMES // HOP_FRAMES for edge in run)
    base = max(first - context, 0)
    levels = _levels(samples[base * HOP_FRAMES : (end + context) * HOP_FRAMES])
    first, end = first - base, min(end - base, len(levels))
    floor = np.percentile(levels, 10)
    loud = np.percentile(levels[first:end], 95)
    is_loud = levels > max(floor * OVER_FLOOR, loud * UNDER_SPEECH)

    begin = _grown(is_loud[::-1], len(levels) - first, LATE_ONSET_MS // hop_ms)
    begin = len(levels) - begin
    stop = _grown(is_loud, end, LATE_END_MS // hop_ms)
    length_ms = len(samples) * 1_000 / CUT_RATE_HZ
    return (base + begin) * hop_ms, min((base + stop) * hop_ms, length_ms)


def _levels(samples: Int16Array) -> NDArray[np.float64]:
    """Root mean square of each 10 ms: float64 [hops], in sample units."""
    hops = -(-len(samples) // HOP_FRAMES)
    padded = np.pad(samples, (0, hops * HOP_FRAMES - len(samples))).astype(np.float64)
    levels: NDArray[np.float64] = np.sqrt(np.square(padded.reshape(hops, -1)).mean(axis=1))
    return levels


def _grown(is_loud: NDArray[np.bool_], edge: int, reach: int) -> int:
    """Move an edge to the end of the sound it is in.

    Args:
        is_loud: bool [hops], in the direction of the edge.
        edge: The hop just past the VAD's last.
        reach: How many hops past it the sound may still go on.

    Returns:
        The hop just past the last sound: back over the VAD's hangover, then forward over
        a fading sound. The edge itself where there is no sound to go by.
    """
    hop_ms = HOP_FRAMES * 1_000 // CUT_RATE_HZ
    back = max(edge - HANGOVER_MS // hop_ms, 0)
    loud = np.flatnonzero(is_loud[back:edge])
    if not len(loud):
        return edge
    end = back + int(loud[-1]) + 1
    for hop in range(end, min(edge + reach, len(is_loud))):
        if hop - end >= GAP_MS // hop_ms:
            break
        if is_loud[hop]:
            end = hop + 1
    return end
