"""Speech to text with faster-whisper, on this machine."""

from __future__ import annotations

import asyncio
import copy
import os
from collections.abc import AsyncGenerator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np
import soxr
from numpy.typing import NDArray
from pipecat.audio.vad.silero import SileroVADAnalyzer
from pipecat.audio.vad.vad_analyzer import VADAnalyzer, VADParams, VADState
from pipecat.frames.frames import (
    Frame,
    InputAudioRawFrame,
    InterimTranscriptionFrame,
    TranscriptionFrame,
    UserStoppedSpeakingFrame,
)
from pipecat.processors.frame_processor import FrameDirection, FrameProcessorSetup
from pipecat.services.settings import STTSettings
from pipecat.services.stt_service import SegmentedSTTService, STTService
from pipecat.transcriptions.language import Language
from pipecat.utils.time import time_now_iso8601

from ringback import UsageError

if TYPE_CHECKING:
    from faster_whisper import WhisperModel
    from faster_whisper.transcribe import Segment

Sound: TypeAlias = NDArray[np.float32]

WHISPER_RATE_HZ = 16_000  # the model's own; anything else it hears at the wrong speed
NO_SPEECH_LIMIT = 0.4  # Pipecat's: a segment less likely than this to be speech is dropped
BLANK = " "  # Pipecat's aggregators drop it, its turn detection counts it as a transcript
REPETITION_LIMIT = 2.4  # Whisper's compression ratio of a text that loops
BEAM = 5  # faster-whisper's own; tiny.en is markedly worse with 1 on telephone sound
THREADS = min(4, os.cpu_count() or 1)
WINDOW_S = 20  # of Whisper's 30, most of which is padding and costs as much as speech
UNSURE = -1.0  # mean log probability, Whisper's own limit of a failed transcript
TTFS_P99_S = 2.0  # tiny.en on two busy cores; a turn waits no longer for its last transcript
GUESS_LIMIT_S = 1.0  # on a machine that needs longer, a guess in vain keeps the last words waiting
PAUSE = VADParams(start_secs=0.03, stop_secs=0.1)  # half of what the turn's own VAD waits for


@dataclass(frozen=True, slots=True)
class _UnderWay:
    """A transcription; begun at a pause, it is a guess that the caller has finished."""

    heard: bytes
    work: Future[str]
    begun_s: float


def first_silence() -> VADAnalyzer:
    """Hear a pause soon after the last sound, for `WhisperSTT`; one per call."""
    return SileroVADAnalyzer(params=PAUSE)


class WhisperSTT(SegmentedSTTService):
    """Transcribes each stretch of speech that the VAD marks, in a thread of its own.

    An ordinary Pipecat service: put it before the user aggregator. It lives as long as
    its pipeline. Sound at another rate than 16 kHz is resampled, never misheard.

    With `pauses` it begins at the first silence. When the VAD confirms that the caller has
    stopped, that transcript is the one, and comes the sooner; when the caller speaks on,
    it is an interim one. At most one transcription runs and one guess waits for it.

    Args:
        model: A loaded model, see `load_whisper`; several calls may share one.
        language: Spoken language; None lets a multilingual model find out.
        pauses: Hears silence sooner than the pipeline's VAD, see `first_silence`; belongs
            to this service. None begins when the VAD says so.
    """

    def __init__(
        self,
        model: WhisperModel,
        *,
        language: str | None = "en",
        pauses: VADAnalyzer | None = None,
    ) -> None:
        super().__init__(
            ttfs_p99_latency=TTFS_P99_S,
            settings=STTSettings(model="whisper", language=language),
        )
        self._model = model
        self._language = language
        self._pauses = pauses
        self._is_mid_turn = False  # the turn has words: it ends with the next stretch's transcript
        self._is_mid_speech = False  # there is speech that no guess has heard
        self._guess: _UnderWay | None = None
        self._took_s = 0.0  # the last transcription, with its wait
        self._untold: Future[str] | None = None  # the newest guess, until it was an interim
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="ringback-stt")

    @property
    def wants_wav_segments(self) -> bool:
        """Raw 16-bit samples, not a WAV container."""
        return False

    def can_generate_metrics(self) -> bool:
        """Pipecat's own metrics are reported too."""
        return True

    async def setup(self, setup: FrameProcessorSetup) -> None:  # type: ignore[override]  # as Pipecat's
        """What every service does; tell who listens for pauses at which rate."""
        await super().setup(setup)
        if self._pauses is not None:
            self._pauses.set_sample_rate(self.sample_rate)

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """What every such service does; note where a turn ends."""
        if isinstance(frame, UserStoppedSpeakingFrame):
            self._is_mid_turn = False
        await super().process_frame(frame, direction)

    async def process_audio_frame(
        self, frame: InputAudioRawFrame, direction: FrameDirection
    ) -> None:
        """Keep the sound; at the first silence after speech, begin to transcribe it."""
        await super().process_audio_frame(frame, direction)
        if self._pauses is not None:
            self._note(await self._pauses.analyze_audio(frame.audio))
            await self._tell_guess()

    async def run_stt(self, audio: bytes) -> AsyncGenerator[Frame, None]:
        """Transcribe one stretch of speech.

        Args:
            audio: int16 [frames] as bytes, mono, at the pipeline's rate.

        Yields:
            One `TranscriptionFrame`; nothing when no speech was found in it. In a turn that
            has words already, one with a blank text, so that the turn can end.
        """
        await self.start_processing_metrics()
        loop = asyncio.get_running_loop()
        under_way = self._guess_of(audio) or _UnderWay(audio, self._submit(audio), loop.time())
        text = await asyncio.wrap_future(under_way.work)
        self._took_s = loop.time() - under_way.begun_s
        await self.stop_processing_metrics()
        if text or self._is_mid_turn:
            language = Language(self._language) if self._language else None
            yield TranscriptionFrame(text or BLANK, self._user_id, time_now_iso8601(), language)

    async def push_frame(
        self, frame: Frame, direction: FrameDirection = FrameDirection.DOWNSTREAM
    ) -> None:
        """Push a frame; a transcript is final only if no more speech is on its way.

        Pipecat's segmented services call every transcript final. When the caller pauses
        and speaks on, the first part's transcript then ends the turn at the next pause,
        before the second part has one: the language model answers half a sentence.
        """
        if isinstance(frame, TranscriptionFrame):
            frame.finalized = not self._user_speaking and self._segment_queue.empty()
            self._is_mid_turn = True
            await STTService.push_frame(self, frame, direction)
        else:
            await super().push_frame(frame, direction)

    async def cleanup(self) -> None:
        """Let the thread go; a transcription that still runs ends unheard."""
        await super().cleanup()
        self._executor.shutdown(wait=False, cancel_futures=True)
        if self._pauses is not None:
            await self._pauses.cleanup()

    def _note(self, heard: VADState) -> None:
        if heard is VADState.SPEAKING:
            self._is_mid_speech = True
            self._drop_guess()
        elif heard is VADState.QUIET and self._is_mid_speech and self._user_speaking:
            self._is_mid_speech = False
            if self._took_s <= GUESS_LIMIT_S:
                self._begin_guess()

    def _begin_guess(self) -> None:
        self._drop_guess()
        sound = bytes(self._audio_buffer)
        self._untold = self._submit(sound + self._trailing_silence())
        self._guess = _UnderWay(sound, self._untold, asyncio.get_running_loop().time())

    def _drop_guess(self) -> None:
        if self._guess is not None:
            self._guess.work.cancel()  # one that runs goes on, and may be an interim
            self._guess = None

    async def _tell_guess(self) -> None:
        """Push what the newest guess heard, while the caller's words are not final yet."""
        if self._untold is None or not self._untold.done():
            return
        done, self._untold = self._untold, None
        if done.cancelled() or done.exception() is not None or not self._user_speaking:
            return
        if text := done.result():
            await self.push_frame(
                InterimTranscriptionFrame(text, self._user_id, time_now_iso8601())
            )

    def _guess_of(self, audio: bytes) -> _UnderWay | None:
        """The guess at a stretch of speech, if only silence came after it."""
        if self._guess is None or not audio.startswith(self._guess.heard):
            return None
        guess, self._guess = self._guess, None
        if self._untold is guess.work:
            self._untold = None  # it is the final transcript now
        return guess

    def _submit(self, audio: bytes) -> Future[str]:
        return self._executor.submit(self._transcribe, audio)

    def _transcribe(self, audio: bytes) -> str:
        sound = _as_sound(audio, self.sample_rate)
        return transcribe(self._model, sound, language=self._language, is_awaited=True)


def load_whisper(folder: Path, *, threads: int = THREADS) -> WhisperModel:
    """Load a CTranslate2 Whisper model for the CPU, in 8-bit integers.

    Args:
        folder: Holds `model.bin`, `config.json`, `tokenizer.json`, `vocabulary.txt`.
        threads: Threads of one transcription.

    Raises:
        UsageError: faster-whisper is not installed, or the folder holds no such model.
    """
    try:
        from faster_whisper import WhisperModel as Model
    except ImportError as error:
        raise UsageError("no speech recognition here: pip install 'ringback[local]'") from error
    if not (folder / "model.bin").is_file():
        raise UsageError(f"no Whisper model in {folder}: model.bin is not there")
    try:
        return Model(str(folder), device="cpu", compute_type="int8", cpu_threads=threads)
    except (RuntimeError, ValueError) as error:
        raise UsageError(f"the Whisper model in {folder} cannot be loaded: {error}") from error


def transcribe(
    model: WhisperModel,
    sound: Sound,
    *,
    language: str | None = "en",
    is_awaited: bool = False,
) -> str:
    """Turn one stretch of speech into text; empty when it holds none.

    Without conditioning on earlier text, so that one error does not loop; with timestamps,
    since tiny.en without them stops at the first pause and drops the rest.

    Args:
        model: From `load_whisper`.
        sound: float32 [frames] in [-1, 1], mono, 16 kHz.
        language: Spoken language; None lets the model find out.
        is_awaited: Somebody waits for it: listens in a window of 20 s first, at half the cost
            of Whisper's own of 30 s, and in its own only where it is unsure of the words.
    """
    segments: list[Segment] = []
    for hearing in (_in_short_window(model), model) if is_awaited else (model,):
        found, _ = hearing.transcribe(
            sound,
            language=language,
            beam_size=BEAM,
            temperature=0.0,
            condition_on_previous_text=False,
        )
        segments = list(found)
        if segments and all(segment.avg_logprob > UNSURE for segment in segments):
            break
    text = " ".join(s.text.strip() for s in segments if _is_speech(s)).strip()
    return text if any(map(str.isalnum, text)) else ""  # of a noise it may hear a full stop


def _in_short_window(model: WhisperModel) -> WhisperModel:
    """The same model; several calls share it, so it stays as it is."""
    hearing: Any = copy.copy(model)
    hearing.encode = lambda features: model.encode(_without_padding(features))
    return cast("WhisperModel", hearing)


def _without_padding(features: NDArray[np.float32]) -> NDArray[np.float32]:
    """float32 [mel, frames of 10 ms], down to the sound itself or to `WINDOW_S`."""
    sounding = np.flatnonzero(features.any(axis=0))  # silence is not 0, padding is
    end = int(sounding[-1]) + 1 if sounding.size else 0
    return np.ascontiguousarray(features[:, : max(end, WINDOW_S * 100)])


def _is_speech(segment: Segment) -> bool:
    is_likely = bool(segment.no_speech_prob < NO_SPEECH_LIMIT)
    return is_likely and bool(segment.compression_ratio < REPETITION_LIMIT)


def _as_sound(audio: bytes, sample_rate_hz: int) -> Sound:
    samples = np.frombuffer(audio, dtype=np.int16).astype(np.float32) / 32768.0
    if sample_rate_hz == WHISPER_RATE_HZ:
        return samples
    resampled: Sound = soxr.resample(samples, sample_rate_hz, WHISPER_RATE_HZ)
    return resampled
