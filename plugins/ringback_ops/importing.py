"""A call folder from a user's own recording: cut into turns, transcribed, to be corrected."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ringback import RecordingError
from ringback_voice.audio_file import Audio, probe_audio, read_audio
from ringback_voice.call_folder import (
    CALL_FILE,
    CallFolder,
    RecordedSpeaker,
    RecordedTurn,
    Role,
    save_call,
)
from ringback_voice.speech_cut import CUT_RATE_HZ, Span, cut_speech
from ringback_voice.whisper_stt import transcribe

if TYPE_CHECKING:
    from faster_whisper import WhisperModel

MADE = "imported from {name}; turns cut and transcribed by machine, not yet corrected by hand"
NOT_UNDERSTOOD = "speech without a transcript: label it, or delete this line"
CONTEXT_MS = 120  # sound kept around a turn while it is transcribed

Progress = Callable[[str, float, float], None]
"""Told what is done, how much of it, and how much there is in all."""


@dataclass(frozen=True, slots=True)
class Labels:
    """What the recording itself does not say."""

    title: str
    licence: str
    language: str = "en"
    caller_channel: int = 0


def import_recording(
    file: Path,
    folder: Path,
    labels: Labels,
    whisper: WhisperModel,
    *,
    progress: Progress | None = None,
) -> CallFolder:
    """Make a call folder that can be replayed at once, and corrected by hand.

    Of a stereo file the caller's channel gives the caller's turns and the other one the
    agent's. Of a mono file all speech is taken for the caller's: correct `role` where it
    is the agent's.

    Args:
        file: Any recording that `read_audio` reads.
        folder: Where the call folder is made; must not hold a call yet.
        labels: Title, licence, language, caller's channel.
        whisper: From `load_whisper`.
        progress: Is told how far it is.

    Raises:
        RecordingError: The file cannot be used, holds no speech on the caller's channel,
            or the folder holds a call already or cannot be written.
    """
    if (folder / CALL_FILE).exists():
        raise RecordingError(f"{folder}: holds a call already; name another folder with --to")
    info = probe_audio(file)
    heard = _listen(file, info.channels, labels.caller_channel, progress)
    if not any(role == "caller" for role, _, _ in heard):
        raise RecordingError(
            f"{file}: no speech on channel {labels.caller_channel}; it has {info.channels}"
        )
    turns = tuple(_turns(heard, labels.language, whisper, progress))
    audio = _copy(file, folder)
    call = CallFolder(
        name=folder.name,
        path=folder,
        title=labels.title,
        language=labels.language,
        licence=labels.licence,
        attribution="",
        audio=replace(info, path=audio),
        caller_channel=labels.caller_channel,
        speakers=tuple(RecordedSpeaker(id=role, role=role) for role in _roles(turns)),
        turns=turns,
        made=MADE.format(name=file.name),
    )
    save_call(call)
    return call


def _listen(
    file: Path, channels: int, caller_channel: int, progress: Progress | None
) -> list[tuple[Role, Span, Audio]]:
    """Find speech on the caller's channel and, of a stereo file, on the agent's."""
    wanted: dict[int, Role] = {caller_channel: "caller"}
    if channels == 2:
        wanted[1 - caller_channel] = "agent"
    heard: list[tuple[Role, Span, Audio]] = []
    for channel, role in wanted.items():
        audio = read_audio(file, channel=channel, sample_rate_hz=CUT_RATE_HZ)
        tell = partial(progress, f"cutting channel {channel}") if progress else None
        spans = cut_speech(audio.samples, progress=tell)
        heard.extend((role, span, audio) for span in spans)
    return sorted(heard, key=lambda entry: (entry[1].started_ms, entry[1].ended_ms))


def _turns(
    heard: list[tuple[Role, Span, Audio]],
    language: str,
    whisper: WhisperModel,
    progress: Progress | None,
) -> Iterable[RecordedTurn]:
    for position, (role, span, audio) in enumerate(heard):
        text = _text(audio, span, language, whisper)
        note = "" if text else NOT_UNDERSTOOD
        yield RecordedTurn(position, role, role, text, span.started_ms, span.ended_ms, note=note)
        if progress is not None:
            progress("transcribing turns", position + 1, len(heard))


def _text(audio: Audio, span: Span, language: str, whisper: WhisperModel) -> str:
    start_ms = max(0, span.started_ms - CONTEXT_MS)
    start, end = (
        ms * audio.sample_rate_hz // 1000 for ms in (start_ms, span.ended_ms + CONTEXT_MS)
    )
    sound = audio.samples[start:end].astype(np.float32) / 32768.0
    return transcribe(whisper, sound, language=language)


def _roles(turns: Iterable[RecordedTurn]) -> tuple[Role, ...]:
    return tuple(dict.fromkeys(turn.role for turn in turns))


def _copy(file: Path, folder: Path) -> Path:
    audio = folder / f"audio{file.suffix.lower()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, audio)
    except OSError as error:
        raise RecordingError(f"{folder}: cannot be written: {error.strerror}") from error
    return audio
