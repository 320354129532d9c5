"""Audio files in and out: any common format to int16 samples, and WAV back to disk.

Channels are never mixed: a call's two sides stay apart. What FFmpeg says when it fails
stays here; a caller sees one `RecordingError` that names the file.
"""

from __future__ import annotations

import wave
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self, TypeAlias

import av
import numpy as np
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.error import FFmpegError
from av.packet import Packet
from numpy.typing import NDArray

from ringback.errors import RecordingError, UsageError

Int16Array: TypeAlias = NDArray[np.int16]

MULAW_RATE_HZ = 8_000  # what a telephone line carries (G.711)
CUT_OFF_TOLERANCE_MS = 100  # less than this may be an encoder's padding
# Containers whose length is a count in the header, not a guess from the bit rate.
STATED_LENGTH_FORMATS = frozenset({"flac", "mp3", "mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm"})
UNFINISHED_SIZES = (0, 0xFFFF_FFFF)  # what a WAV says of its length before it is closed


@dataclass(frozen=True, slots=True, eq=False)
class Audio:
    """Decoded sound, held in memory: two bytes a sample."""

    samples: Int16Array
    """int16 [frames] when one channel was asked for, else int16 [frames, channels]."""
    sample_rate_hz: int
    cut_off: bool = False
    """The file ended in mid-stream or had a damaged part; what could be read is here."""

    @property
    def duration_ms(self) -> int:
        """How long it lasts, rounded down."""
        return len(self.samples) * 1_000 // self.sample_rate_hz


@dataclass(frozen=True, slots=True)
class AudioInfo:
    """What a file holds, found without decoding it."""

    path: Path
    sample_rate_hz: int
    channels: int
    duration_ms: int
    """To the end of the last packet that is really there, whatever the header says."""


def read_audio(
    path: str | Path, *, channel: int | None = None, sample_rate_hz: int | None = None
) -> Audio:
    """Decode a whole file to int16 samples.

    Reads what FFmpeg reads: WAV (also 8 kHz mu-law and a-law), FLAC, MP3, M4A, Ogg. A file
    that was cut off gives what is there, and says so in `Audio.cut_off`. An Ogg file, and
    an MP3 without a count of its frames, cannot tell; a cut-off M4A has lost its index and
    cannot be read.

    Args:
        path: The file.
        channel: Which channel to keep, from 0. None keeps all of them, side by side.
        sample_rate_hz: The rate to give. None keeps the file's.

    Returns:
        int16 [frames] for one channel; int16 [frames, channels] for None, also of a mono
        file.

    Raises:
        RecordingError: No such file, a folder, empty, not audio, no such channel, or not
            one sample in it.
    """
    path = Path(path)
    with _opened(path) as container:
        reading = _Reading(container, sample_rate_hz)
        if channel is not None and not 0 <= channel < reading.channels:
            held = f"{reading.channels} channel{'s' if reading.channels > 1 else ''}"
            raise RecordingError(f"{path}: no channel {channel}; it has {held}, counted from 0")
        # Picked while decoding, so that the other channels are never held.
        blocks = [b if channel is None else b[:, channel].copy() for b in reading.blocks()]
        cut_off = reading.is_damaged or reading.is_short() or _is_short_wav(path)
        rate_hz = sample_rate_hz or reading.sample_rate_hz
    if not sum(len(block) for block in blocks):
        raise RecordingError(f"{path}: no samples in it")
    return Audio(np.concatenate(blocks), rate_hz, cut_off)


def probe_audio(path: str | Path) -> AudioInfo:
    """Find a file's rate, channels and length without decoding it.

    Raises:
        RecordingError: As `read_audio`.
    """
    path = Path(path)
    with _opened(path) as container:
        reading = _Reading(container, None)
        packets_ms = reading.packets_ms()
        stated_ms = reading.stated_ms
    if packets_ms <= 0:
        raise RecordingError(f"{path}: no samples in it")
    duration_ms = packets_ms if stated_ms is None else min(packets_ms, stated_ms)
    return AudioInfo(path, reading.sample_rate_hz, reading.channels, int(duration_ms))


def resample(samples: Int16Array, sample_rate_hz: int, to_hz: int) -> Int16Array:
    """Change the rate of one channel; the start stays where it is.

    Args:
        samples: int16 [frames].
        sample_rate_hz: Their rate.
        to_hz: The rate to give.

    Returns:
        int16 [frames * to_hz / sample_rate_hz], rounded.
    """
    if sample_rate_hz == to_hz or not len(samples):
        return samples
    resampler = av.AudioResampler(format="s16", layout="mono", rate=to_hz)
    frame = _frame(samples.reshape(-1, 1), sample_rate_hz)
    out = [*resampler.resample(frame), *resampler.resample(None)]
    return np.concatenate([_block(part)[:, 0] for part in out])


class WavWriter:
    """A 16-bit WAV that grows while a call goes on, in constant memory.

    Lives as long as the call it records; whoever opens it closes it, and only one task
    writes. Each write brings the header up to date and reaches the operating system, so a
    killed process leaves a file that opens and holds every earlier write. `close` may be
    called again; writing after it raises `UsageError`.
    """

    def __init__(self, path: str | Path, sample_rate_hz: int, *, channels: int = 1) -> None:
        if channels not in (1, 2):
            raise UsageError(f"a WAV of {channels} channels; 1 or 2 can be written")
        self._path = Path(path)
        with _writing(self._path):
            self._file = self._path.open("wb")
        self._wave = wave.open(self._file, "wb")  # noqa: SIM115 - closed by close()
        self._wave.setnchannels(channels)
        self._wave.setsampwidth(2)
        self._wave.setframerate(sample_rate_hz)
        self._channels = channels
        self.frames_written = 0
        self.write(np.zeros((0, channels), np.int16))  # a header from the start

    def write(self, samples: Int16Array) -> None:
        """Append samples.

        Args:
            samples: int16 [frames] of a mono file, int16 [frames, channels] of any.

        Raises:
            UsageError: The file is closed, or the samples are of another shape.
            RecordingError: The disk is full or gone.
        """
        if self._file.closed:
            raise UsageError(f"{self._path}: written to after close")
        columns = _columns(samples)
        if columns.shape[1] != self._channels:
            raise UsageError(f"{self._path}: {columns.shape[1]} channels for {self._channels}")
        with _writing(self._path):
            self._wave.writeframes(columns.astype("<i2").tobytes())  # and mends the header
            self._file.flush()
        self.frames_written += len(columns)

    def close(self) -> None:
        """Finish the file; closing again does nothing."""
        if not self._file.closed:
            with _writing(self._path):
                self._wave.close()
                self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def write_wav(path: str | Path, samples: Int16Array, sample_rate_hz: int) -> None:
    """Write a 16-bit WAV in one go.

    Args:
        path: The file; one that is there is replaced.
        samples: int16 [frames], or int16 [frames, channels] of one or two channels.
        sample_rate_hz: Their rate.

    Raises:
        RecordingError: The file cannot be written.
    """
    with WavWriter(path, sample_rate_hz, channels=_columns(samples).shape[1]) as wav:
        wav.write(samples)


def write_mulaw_wav(path: str | Path, samples: Int16Array) -> None:
    """Write a telephone's WAV: 8 kHz G.711 mu-law, one byte a sample.

    The same samples give the same bytes, everywhere.

    Args:
        path: The file; one that is there is replaced.
        samples: int16 [frames], or int16 [frames, channels], at 8 kHz.

    Raises:
        RecordingError: The file cannot be written.
    """
    columns = _columns(samples)
    layout = "mono" if columns.shape[1] == 1 else "stereo"
    # Bit-exact leaves out the name and version of the writing program.
    exact = {"fflags": "+bitexact"}
    with (
        _writing(Path(path)),
        av.open(f"file:{path}", "w", format="wav", options=exact) as container,
    ):
        stream = container.add_stream("pcm_mulaw", rate=MULAW_RATE_HZ, layout=layout)
        frame = _frame(columns, MULAW_RATE_HZ)
        container.mux([*stream.encode(frame), *stream.encode(None)])


class _Reading:
    """One reading of the first audio stream of an open file; its caller closes the file."""

    def __init__(self, container: InputContainer, to_hz: int | None) -> None:
        self._container = container
        self._stream = container.streams.audio[0]
        self._resampler = av.AudioResampler(format="s16", rate=to_hz)
        self._frames_decoded = 0
        self.is_damaged = False
        self.channels = self._stream.channels
        self.sample_rate_hz = self._stream.rate

    @property
    def stated_ms(self) -> float | None:
        """The length that the header states, or None where it states none."""
        if self._container.format.name not in STATED_LENGTH_FORMATS:
            return None
        if self._stream.duration is not None and self._stream.time_base is not None:
            return float(self._stream.duration * self._stream.time_base * 1_000)
        whole = self._container.duration
        return None if whole is None else whole * 1_000 / av.time_base

    def blocks(self) -> Iterator[Int16Array]:
        """Yield int16 [frames, channels], block by block; what cannot be decoded is skipped."""
        for packet in self._packets():
            try:
                for frame in packet.decode():
                    self._frames_decoded += frame.samples
                    yield from map(_block, self._resampler.resample(frame))
            except ValueError:  # a damaged packet, or another layout in mid-stream
                self.is_damaged = True
        if self._frames_decoded:
            yield from map(_block, self._resampler.resample(None))

    def packets_ms(self) -> float:
        """Go to the end of the last packet, decoding none."""
        end_ms = 0.0
        for packet in self._packets():
            if packet.duration:
                tick_ms = float(packet.time_base * 1_000)
                start_ms = end_ms if packet.pts is None else packet.pts * tick_ms
                end_ms = start_ms + packet.duration * tick_ms
        return end_ms

    def is_short(self) -> bool:
        """Tell whether less was decoded than the header states."""
        decoded_ms = self._frames_decoded * 1_000 / self.sample_rate_hz
        return self.stated_ms is not None and self.stated_ms - decoded_ms > CUT_OFF_TOLERANCE_MS

    def _packets(self) -> Iterator[Packet[AudioStream]]:
        packets = self._container.demux(self._stream)
        while True:
            try:
                packet = next(packets, None)
            except FFmpegError:
                self.is_damaged = True
                return
            if packet is None:
                return
            yield packet


@contextmanager
def _opened(path: Path) -> Iterator[InputContainer]:
    """Open a file that has an audio stream, or say in one line why not."""
    try:
        if path.is_dir():
            raise RecordingError(f"{path}: a folder, not an audio file")
        with path.open("rb") as file:
            is_empty = not file.read(1)
    except FileNotFoundError:
        raise RecordingError(f"{path}: no such file") from None
    except OSError as error:
        raise RecordingError(f"{path}: cannot be read: {error.strerror}") from error
    if is_empty:
        raise RecordingError(f"{path}: an empty file")
    try:
        # "file:" keeps a colon in the name from being read as a protocol, and a playlist
        # must not send us to the network.
        container = av.open(
            f"file:{path}", options={"protocol_whitelist": "file"}, metadata_errors="replace"
        )
    except FFmpegError as error:
        is_bare_header = _wav_bytes(path)[1] == 0
        reason = "no samples in it" if is_bare_header else "not audio, or damaged from the start"
        raise RecordingError(f"{path}: {reason}") from error
    with container:
        if not container.streams.audio:
            raise RecordingError(f"{path}: no audio stream in it")
        yield container


def _is_short_wav(path: Path) -> bool:
    """Tell whether a WAV ends before the length that its header states."""
    stated_bytes, held_bytes = _wav_bytes(path)
    return stated_bytes not in UNFINISHED_SIZES and stated_bytes > held_bytes


def _wav_bytes(path: Path) -> tuple[int, int]:
    """Find how many bytes of sound a WAV states, and how many it holds; (0, -1) of no WAV."""
    with path.open("rb") as file:
        head = file.read(12)
        if head[:4] != b"RIFF" or head[8:] != b"WAVE":
            return 0, -1
        while len(chunk := file.read(8)) == 8:
            size = int.from_bytes(chunk[4:], "little")
            if chunk[:4] == b"data":
                return size, path.stat().st_size - file.tell()
            file.seek(size + size % 2, 1)
    return 0, -1


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise RecordingError(f"{path}: cannot be written: {error.strerror}") from error


def _columns(samples: Int16Array) -> Int16Array:
    return samples.reshape(-1, 1) if samples.ndim == 1 else samples


def _frame(columns: Int16Array, sample_rate_hz: int) -> av.AudioFrame:
    layout = "mono" if columns.shape[1] == 1 else "stereo"
    packed = np.ascontiguousarray(columns).reshape(1, -1)
    frame = av.AudioFrame.from_ndarray(packed, format="s16", layout=layout)
    frame.sample_rate = sample_rate_hz
    return frame


def _block(frame: av.AudioFrame) -> Int16Array:
    packed: Int16Array = frame.to_ndarray().astype(np.int16, copy=False)
    return packed.reshape(-1, frame.layout.nb_channels)
