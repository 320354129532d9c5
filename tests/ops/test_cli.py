"""The command as a user types it: each in a process of its own, from an empty folder."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.made import RATE_HZ, llm_server, make_call

pytestmark = pytest.mark.replay

ROOT = Path(__file__).parents[2]
RECORDINGS = ROOT / "recordings"
PATHS = [str(ROOT / part) for part in ("plugins", "pipelines", "models")]


def ringback(*words: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    settings = {**os.environ, "PYTHONPATH": os.pathsep.join(PATHS), "COLUMNS": "80", **environment}
    command = [sys.executable, "-m", "ringback_ops", *words]
    return subprocess.run(
        command, cwd=cwd, env=settings, capture_output=True, text=True, timeout=240
    )


def assert_one_clear_line(done: subprocess.CompletedProcess[str], *words: str) -> None:
    assert done.returncode == 1
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("ringback: ")
    for word in words:
        assert word in lines[0]


def test_without_words_the_command_says_where_to_start(tmp_path: Path):
    done = ringback(cwd=tmp_path)

    assert done.returncode == 0
    for name in ("replay", "talk", "import", "models", "doctor"):
        assert name in done.stdout


@pytest.mark.parametrize("command", ["replay", "talk", "import", "models", "doctor"])
def test_each_command_explains_itself(command: str, tmp_path: Path):
    done = ringback(command, "--help", cwd=tmp_path)

    assert done.returncode == 0
    assert len(done.stdout.splitlines()) > 5


def test_a_real_persons_call_is_replayed_and_reported(models, tmp_path: Path):
    call = tmp_path / "katie"
    shutil.copytree(RECORDINGS / "katie-steve", call)
    first = (call / "turns.jsonl").read_text().splitlines()[0]
    (call / "turns.jsonl").write_text(first + "\n")

    done = ringback("replay", str(call), "--out", "out", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    assert re.search(r"caller +Good morning,? Steve", done.stdout, re.IGNORECASE)
    assert re.search(r"^total +\d+ +\d+ +\d+ +1$", done.stdout, re.MULTILINE)
    assert "Good morning" not in done.stderr
    files = {path.name for path in (tmp_path / "out").iterdir()}
    assert files == {"report.html", "result.json", "bot.wav", "call.wav"}
    assert json.loads((tmp_path / "out" / "result.json").read_text())["turns"][0]["total_ms"] > 0


def test_a_language_model_of_the_users_own_is_used_when_set(models, tmp_path: Path):
    with llm_server(answer="Hello from your own model.") as address:
        done = ringback(
            *("replay", str(RECORDINGS / "made-hang-up"), "--fast", "--json"),
            cwd=tmp_path,
            RINGBACK_LLM=address,
            RINGBACK_LLM_API_KEY="top-secret-key",
        )

    result = json.loads(done.stdout.splitlines()[-1])
    assert result["llm"] == "scripted"
    assert result["turns"] == []
    assert any("your own model" in said["text"] for said in result["transcript"])
    assert "top-secret-key" not in done.stdout + done.stderr


def test_a_language_model_that_is_not_there_is_one_clear_line(models, tmp_path: Path):
    call = str(RECORDINGS / "made-hang-up")

    done = ringback("replay", call, "--llm", "http://127.0.0.1:9/v1", cwd=tmp_path)

    assert_one_clear_line(done, "http://127.0.0.1:9/v1", "is the server running")


def test_a_model_that_nobody_knows_is_one_clear_line(tmp_path: Path):
    done = ringback("replay", str(RECORDINGS / "made-hang-up"), "--stt", "wisper", cwd=tmp_path)

    assert_one_clear_line(done, "wisper", "whisper-tiny.en")


def test_a_tampered_model_file_is_refused_in_one_clear_line(models, tmp_path: Path):
    cache = tmp_path / "models"
    cache.mkdir()
    for name, folder in models.items():
        if name != "piper-en-us-joe-medium":
            (cache / name).symlink_to(folder)
    shutil.copytree(models["piper-en-us-joe-medium"], cache / "piper-en-us-joe-medium")
    (voice,) = (cache / "piper-en-us-joe-medium").glob("*.onnx")
    content = bytearray(voice.read_bytes())
    content[1_000_000] ^= 1
    voice.write_bytes(content)

    call = str(RECORDINGS / "made-hang-up")
    done = ringback("replay", call, cwd=tmp_path, RINGBACK_MODELS_DIR=str(cache))

    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "ringback models fetch piper-en-us-joe-medium --again" in done.stderr.splitlines()[-1]


def test_models_that_may_not_be_fetched_are_one_clear_line(tmp_path: Path):
    settings = {"RINGBACK_MODELS_DIR": str(tmp_path / "none"), "RINGBACK_MODEL_SOURCES": "none"}

    done = ringback("replay", str(RECORDINGS / "made-hang-up"), cwd=tmp_path, **settings)

    assert_one_clear_line(done, "whisper-tiny.en", "RINGBACK_MODEL_SOURCES")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "no such file"),
        (b"", "an empty file"),
        (b"this is a text, not a sound\n" * 100, "not audio"),
    ],
)
def test_a_recording_that_cannot_be_read_is_one_clear_line(
    content: bytes | None, words: str, tmp_path: Path
):
    file = tmp_path / "call.wav"
    if content is not None:
        file.write_bytes(content)

    done = ringback("import", str(file), cwd=tmp_path)

    assert_one_clear_line(done, "call.wav", words)


def test_a_call_folder_whose_sound_is_cut_off_is_one_clear_line(tmp_path: Path):
    call = make_call(tmp_path / "call", (0, 2_000), sound=np.zeros(RATE_HZ, np.int16))

    done = ringback("replay", str(call), cwd=tmp_path)

    assert_one_clear_line(done, "turns.jsonl:1", "ended_ms is 2000")


def test_a_folder_that_is_no_call_is_one_clear_line(tmp_path: Path):
    assert_one_clear_line(ringback("replay", "nothing", cwd=tmp_path), "call.toml")


def test_a_recording_of_silence_has_nothing_to_import(models, tmp_path: Path):
    make_call(tmp_path / "call", (0, 900), sound=np.zeros(RATE_HZ * 3, np.int16))

    done = ringback("import", "call/audio.wav", "--to", "new", cwd=tmp_path)

    assert done.returncode == 1
    assert "no speech on channel 0" in done.stderr.splitlines()[-1]
    assert not (tmp_path / "new").exists()


def test_a_recording_is_imported_and_can_be_replayed_at_once(models, tmp_path: Path):
    source = RECORDINGS / "made-hang-up" / "audio.wav"

    imported = ringback("import", str(source), "--to", "mine", "--title", "Mine", cwd=tmp_path)
    with llm_server(answer="Thank you.") as address:
        replayed = ringback("replay", "mine", "--fast", "--llm", address, cwd=tmp_path)

    assert imported.returncode == 0, imported.stderr
    assert "Dana" in (tmp_path / "mine" / "turns.jsonl").read_text()
    assert replayed.returncode == 0, replayed.stderr
    assert "Dana" in replayed.stdout


def test_a_talk_without_a_microphone_says_so_before_loading_anything(tmp_path: Path):
    done = ringback("talk", cwd=tmp_path, XDG_RUNTIME_DIR=str(tmp_path), PULSE_SERVER="none")

    assert_one_clear_line(done, "no microphone", "ringback replay")


def test_doctor_finds_everything_a_replay_needs(models, tmp_path: Path):
    done = ringback("doctor", cwd=tmp_path)

    assert done.returncode == 0, done.stdout
    assert "Everything that a replay needs is here" in done.stdout


def test_doctor_names_the_one_command_that_mends_a_missing_model(models, tmp_path: Path):
    done = ringback("doctor", cwd=tmp_path, RINGBACK_MODELS_DIR=str(tmp_path / "none"))

    assert done.returncode == 1
    assert done.stdout.splitlines()[-1].strip() == (
        "ringback models fetch whisper-tiny.en && ringback models fetch piper-en-us-joe-medium"
        " && ringback models fetch qwen2.5-coder-0.5b"
    )


def test_models_are_listed_with_size_and_licence(models, tmp_path: Path):
    done = ringback("models", cwd=tmp_path)

    assert re.search(r"qwen2.5-coder-0.5b +llm +491 +Apache-2.0 +yes", done.stdout)


def test_every_byte_of_the_models_here_can_be_verified(models, tmp_path: Path):
    done = ringback("models", "verify", "piper-en-us-joe-medium", cwd=tmp_path)

    assert done.returncode == 0
    assert "every byte" in done.stdout
