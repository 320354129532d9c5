"""Audio files in and out: what is read, what is refused, and what a killed writer leaves."""

from __future__ import annotations

import wave
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from ringback import RecordingError, UsageError
from ringback_voice.audio_file import (
    Audio,
    AudioInfo,
    WavWriter,
    probe_audio,
    read_audio,
    resample,
    write_mulaw_wav,
    write_wav,
)

pytestmark = pytest.mark.unit

TELEPHONE_HZ = 8_000
WIDE_HZ = 16_000


def tone(pitch_hz: float, rate_hz: int = WIDE_HZ, duration_ms: int = 2_000) -> np.ndarray:
    """A tone at a quarter of full scale; int16 [frames]."""
    times = np.arange(rate_hz * duration_ms // 1_000) / rate_hz
    return (8_192 * np.sin(2 * np.pi * pitch_hz * times)).astype(np.int16)


def pitch_hz(samples: np.ndarray, rate_hz: int) -> float:
    """The strongest pitch in one channel."""
    spectrum = np.abs(np.fft.rfft(samples.astype(float)))
    return float(spectrum.argmax() * rate_hz / len(samples))


def encode(path: Path, codec: str, samples: np.ndarray, rate_hz: int = WIDE_HZ) -> Path:
    """Write int16 [frames] or [frames, 2] with one of FFmpeg's encoders."""
    columns = samples.reshape(len(samples), -1)
    layout = "mono" if columns.shape[1] == 1 else "stereo"
    frame = av.AudioFrame.from_ndarray(
        np.ascontiguousarray(columns).reshape(1, -1), format="s16", layout=layout
    )
    frame.sample_rate = rate_hz
    frame.time_base = Fraction(1, rate_hz)
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=rate_hz, layout=layout)
        context = stream.codec_context
        formats = context.codec.audio_formats
        resampler = av.AudioResampler(
            format=formats[0].name if formats else "s16",
            layout=layout,
            rate=rate_hz,
            frame_size=context.frame_size or None,
        )
        for part in [*resampler.resample(frame), *resampler.resample(None)]:
            container.mux(stream.encode(part))
        container.mux(stream.encode(None))
    return path


def cut_in_half(path: Path) -> Path:
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    return path


@pytest.mark.parametrize(
    ("name", "codec", "rate_hz"),
    [
        ("call.wav", "pcm_s16le", WIDE_HZ),
        ("call.wav", "pcm_s24le", WIDE_HZ),
        ("call.wav", "pcm_f32le", WIDE_HZ),
        ("mulaw.wav", "pcm_mulaw", TELEPHONE_HZ),
        ("alaw.wav", "pcm_alaw", TELEPHONE_HZ),
        ("call.flac", "flac", 44_100),
        ("call.mp3", "libmp3lame", 44_100),
        ("call.m4a", "aac", WIDE_HZ),
        ("call.ogg", "libopus", 48_000),
    ],
)
def test_every_common_format_is_read_at_its_own_rate(tmp_path, name, codec, rate_hz):
    path = encode(tmp_path / name, codec, tone(440, rate_hz), rate_hz)

    audio = read_audio(path, channel=0)

    assert audio.sample_rate_hz == rate_hz
    assert audio.samples.dtype == np.int16
    assert abs(audio.duration_ms - 2_000) < 120  # AAC and Opus pad
    assert pitch_hz(audio.samples, rate_hz) == pytest.approx(440, abs=2)
    assert not audio.cut_off


def test_pcm_samples_come_back_as_they_were_written(tmp_path):
    samples = tone(300)
    write_wav(tmp_path / "call.wav", samples, WIDE_HZ)

    audio = read_audio(tmp_path / "call.wav", channel=0)

    assert np.array_equal(audio.samples, samples)


def test_channels_stay_apart(tmp_path):
    both = np.stack([tone(300), tone(1_000)], axis=1)
    write_wav(tmp_path / "call.wav", both, WIDE_HZ)

    caller = read_audio(tmp_path / "call.wav", channel=0)
    agent = read_audio(tmp_path / "call.wav", channel=1)

    assert np.array_equal(caller.samples, both[:, 0])
    assert np.array_equal(agent.samples, both[:, 1])


def test_without_a_channel_all_are_given_side_by_side(tmp_path):
    both = np.stack([tone(300), tone(1_000)], axis=1)
    write_wav(tmp_path / "stereo.wav", both, WIDE_HZ)
    write_wav(tmp_path / "mono.wav", tone(300), WIDE_HZ)

    stereo = read_audio(tmp_path / "stereo.wav")
    mono = read_audio(tmp_path / "mono.wav")

    assert np.array_equal(stereo.samples, both)
    assert mono.samples.shape == (32_000, 1)


def test_channels_stay_apart_when_the_rate_changes(tmp_path):
    both = np.stack([tone(300, 44_100), tone(1_000, 44_100)], axis=1)
    encode(tmp_path / "call.flac", "flac", both, 44_100)

    audio = read_audio(tmp_path / "call.flac", sample_rate_hz=WIDE_HZ)

    assert audio.sample_rate_hz == WIDE_HZ
    assert audio.samples.shape == (32_000, 2)
    assert pitch_hz(audio.samples[:, 0], WIDE_HZ) == pytest.approx(300, abs=1)
    assert pitch_hz(audio.samples[:, 1], WIDE_HZ) == pytest.approx(1_000, abs=1)


def test_changing_the_rate_moves_nothing_in_time():
    click = np.zeros(TELEPHONE_HZ, np.int16)
    click[4_000:4_040] = (10_000 * np.hanning(40)).astype(np.int16)

    wide = resample(click, TELEPHONE_HZ, WIDE_HZ)

    assert len(wide) == WIDE_HZ
    assert abs(int(wide.argmax()) - 8_039) <= 1


def test_resampling_to_the_same_rate_or_of_nothing_changes_nothing():
    samples = tone(440)
    nothing = np.zeros(0, np.int16)

    assert resample(samples, WIDE_HZ, WIDE_HZ) is samples
    assert len(resample(nothing, TELEPHONE_HZ, WIDE_HZ)) == 0


@pytest.mark.parametrize(
    ("name", "codec"),
    [
        ("call.wav", "pcm_s16le"),
        ("call.wav", "pcm_mulaw"),
        ("call.flac", "flac"),
        ("call.mp3", "libmp3lame"),
    ],
)
def test_a_file_cut_off_in_mid_stream_gives_what_is_there(tmp_path, name, codec):
    hiss = np.random.default_rng(1).integers(-300, 300, 8 * WIDE_HZ, np.int16)
    path = cut_in_half(encode(tmp_path / name, codec, tone(440, duration_ms=8_000) + hiss))

    audio = read_audio(path, channel=0)

    assert audio.cut_off
    assert 3_700 < audio.duration_ms < 4_100
    assert pitch_hz(audio.samples, WIDE_HZ) == pytest.approx(440, abs=2)


def test_the_length_of_a_cut_off_file_is_that_of_what_is_left(tmp_path):
    path = cut_in_half(encode(tmp_path / "call.mp3", "libmp3lame", tone(440)))

    assert 850 < probe_audio(path).duration_ms < 1_100


def test_a_damaged_part_is_left_out_and_told(tmp_path):
    path = encode(tmp_path / "call.mp3", "libmp3lame", tone(440, duration_ms=4_000))
    whole = bytearray(path.read_bytes())
    whole[len(whole) // 2 : len(whole) // 2 + 2_000] = b"\x55" * 2_000
    path.write_bytes(bytes(whole))

    audio = read_audio(path, channel=0)

    assert audio.cut_off
    assert 2_500 < audio.duration_ms < 4_000


@pytest.mark.parametrize("size", [0, 0xFFFF_FFFF])
def test_a_wav_whose_writer_never_closed_it_is_read_to_its_end(tmp_path, size):
    write_wav(tmp_path / "call.wav", tone(440), WIDE_HZ)
    unfinished = bytearray((tmp_path / "call.wav").read_bytes())
    unfinished[4:8] = unfinished[40:44] = size.to_bytes(4, "little")
    (tmp_path / "call.wav").write_bytes(bytes(unfinished))

    audio = read_audio(tmp_path / "call.wav", channel=0)

    assert audio.duration_ms == 2_000


def test_a_wav_with_other_chunks_before_its_samples_is_whole(tmp_path):
    write_wav(tmp_path / "call.wav", tone(440), WIDE_HZ)
    plain = (tmp_path / "call.wav").read_bytes()
    noted = plain[:36] + b"note" + (3).to_bytes(4, "little") + b"abc\0" + plain[36:]
    (tmp_path / "call.wav").write_bytes(noted)

    assert not read_audio(tmp_path / "call.wav").cut_off


def test_a_probe_tells_rate_channels_and_length(tmp_path):
    both = np.stack([tone(300, 44_100), tone(1_000, 44_100)], axis=1)
    path = encode(tmp_path / "call.flac", "flac", both, 44_100)

    assert probe_audio(path) == AudioInfo(path, 44_100, 2, 2_000)


def refused(path: Path, **how: int) -> str:
    with pytest.raises(RecordingError) as error:
        read_audio(path, **how)
    message = str(error.value)
    assert str(path) in message
    assert "\n" not in message
    return message


def test_a_missing_file_is_refused_by_name(tmp_path):
    assert "no such file" in refused(tmp_path / "call.wav")


def test_a_folder_is_refused(tmp_path):
    assert "a folder" in refused(tmp_path)


def test_an_empty_file_is_refused(tmp_path):
    (tmp_path / "call.wav").touch()

    assert "an empty file" in refused(tmp_path / "call.wav")


def test_a_file_below_a_file_is_refused(tmp_path):
    (tmp_path / "call.wav").touch()

    assert "cannot be read" in refused(tmp_path / "call.wav" / "call.wav")


@pytest.mark.parametrize(
    "content",
    [b"hello, this is not audio\n" * 50, bytes(range(256)) * 200, b"RIFF\x10\0\0\0WAVEfmt "],
)
def test_what_is_not_audio_is_refused_whatever_its_name(tmp_path, content):
    (tmp_path / "call.wav").write_bytes(content)

    assert "not audio" in refused(tmp_path / "call.wav")


def test_a_file_without_an_audio_stream_is_refused(tmp_path):
    (tmp_path / "call.txt").write_text("FFmpeg takes this for a picture of a terminal\n" * 50)

    assert "no audio stream" in refused(tmp_path / "call.txt")


def test_a_wav_without_a_sample_is_refused(tmp_path):
    write_wav(tmp_path / "call.wav", np.zeros(0, np.int16), WIDE_HZ)

    assert "no samples" in refused(tmp_path / "call.wav")
    with pytest.raises(RecordingError, match=r"call\.wav: no samples"):
        probe_audio(tmp_path / "call.wav")


@pytest.mark.parametrize("channel", [2, -1])
def test_a_channel_that_is_not_there_is_refused_with_the_number_there_is(tmp_path, channel):
    write_wav(tmp_path / "call.wav", np.stack([tone(300), tone(1_000)], axis=1), WIDE_HZ)

    message = refused(tmp_path / "call.wav", channel=channel)

    assert f"no channel {channel}" in message
    assert "2 channels" in message


def test_a_playlist_cannot_send_us_to_the_network(tmp_path):
    (tmp_path / "call.m3u8").write_text(
        "#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:4,\nhttp://127.0.0.1:9/x.ts\n#EXT-X-ENDLIST\n"
    )

    assert "not audio" in refused(tmp_path / "call.m3u8")


def test_a_colon_in_a_name_is_no_protocol(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_wav("http:12.wav", tone(440), WIDE_HZ)

    assert read_audio("http:12.wav").duration_ms == 2_000


def test_what_ffmpeg_has_to_say_stays_off_the_terminal(tmp_path, capfd):
    mp3 = encode(tmp_path / "call.mp3", "libmp3lame", tone(440))
    (tmp_path / "text.wav").write_text("hello, this is not audio\n" * 50)

    read_audio(cut_in_half(mp3))
    refused(tmp_path / "text.wav")

    assert capfd.readouterr() == ("", "")


def test_after_each_write_the_file_on_disk_is_a_whole_wav(tmp_path):
    path = tmp_path / "call.wav"
    with WavWriter(path, WIDE_HZ, channels=2) as writer:
        lengths = [whole_frames(path)]
        for _ in range(3):
            writer.write(np.zeros((320, 2), np.int16))
            lengths.append(whole_frames(path))

    assert lengths == [0, 320, 640, 960]
    assert writer.frames_written == 960


def whole_frames(path: Path) -> int:
    """How many frames the header states, where the file holds exactly those."""
    with wave.open(str(path)) as wav:
        frames = wav.getnframes()
        assert len(wav.readframes(frames)) == frames * wav.getnchannels() * 2
    assert path.stat().st_size == 44 + frames * 4
    return frames


def test_a_closed_writer_refuses_more_and_may_be_closed_again(tmp_path):
    writer = WavWriter(tmp_path / "call.wav", WIDE_HZ)
    writer.close()
    writer.close()

    with pytest.raises(UsageError, match="after close"):
        writer.write(tone(440))


def test_a_writer_takes_one_or_two_channels_and_only_its_own(tmp_path):
    with pytest.raises(UsageError, match="3 channels"):
        WavWriter(tmp_path / "call.wav", WIDE_HZ, channels=3)
    with (
        WavWriter(tmp_path / "call.wav", WIDE_HZ) as writer,
        pytest.raises(UsageError, match="2 channels for 1"),
    ):
        writer.write(np.zeros((320, 2), np.int16))


@pytest.mark.parametrize("write", ["wav", "mulaw"])
def test_a_file_that_cannot_be_written_is_named(tmp_path, write):
    path = tmp_path / "missing" / "call.wav"

    with pytest.raises(RecordingError, match=r"call\.wav: cannot be written: No such file"):
        if write == "wav":
            write_wav(path, tone(440), WIDE_HZ)
        else:
            write_mulaw_wav(path, tone(440))


def test_a_mulaw_wav_is_one_byte_a_sample_and_close_to_what_was_said(tmp_path):
    samples = tone(440, TELEPHONE_HZ)
    write_mulaw_wav(tmp_path / "call.wav", samples)

    back = read_audio(tmp_path / "call.wav", channel=0)

    assert back.sample_rate_hz == TELEPHONE_HZ
    assert (tmp_path / "call.wav").stat().st_size == 58 + len(samples)
    error = back.samples.astype(float) - samples
    assert np.abs(error).max() <= 8_192 / 32  # G.711: five bits of precision


def test_a_mulaw_wav_has_the_same_bytes_each_time(tmp_path):
    loud_to_quiet = np.array([-32_000, -256, -1, 0, 1, 256, 32_000], np.int16)
    write_mulaw_wav(tmp_path / "call.wav", loud_to_quiet)

    written = (tmp_path / "call.wav").read_bytes()

    assert written[:4] == b"RIFF"
    assert b"Lavf" not in written
    assert written[58:65].hex() == "00677effffe780"


def test_how_long_a_piece_lasts_follows_from_its_frames():
    assert Audio(np.zeros((12_345, 2), np.int16), 8_000).duration_ms == 1_543
