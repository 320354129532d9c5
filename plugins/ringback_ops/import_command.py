"""`ringback import`: a call folder from a recording of one's own."""

from __future__ import annotations

import argparse
from pathlib import Path

from tqdm import tqdm

from ringback_models import TqdmReporter, missing, plans_line, resolve
from ringback_ops.cli import existing_path
from ringback_ops.importing import Labels, import_recording
from ringback_pipelines.part_names import DEFAULT_STT
from ringback_voice.audio_file import probe_audio
from ringback_voice.call_folder import TURNS_FILE
from ringback_voice.whisper_stt import load_whisper

PRIVATE = "private, not for publication"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("file", type=existing_path, help="wav, flac, mp3, m4a, ogg …")
    parser.add_argument("--caller-channel", type=int, default=0, metavar="N", help="counted from 0")
    parser.add_argument(
        "--to",
        type=existing_path,
        metavar="FOLDER",
        help="where the call folder is made; without it, recordings/FILE",
    )
    parser.add_argument("--title", help="without it, the file's name")
    parser.add_argument("--licence", default=PRIVATE, help="who may use the recording, and how")
    parser.add_argument("--language", default="en", help="what is spoken")
    parser.add_argument("--stt", default=DEFAULT_STT, metavar="NAME|FOLDER", help="Whisper model")


def run(arguments: argparse.Namespace) -> int:
    """Import, then say what to correct and how to replay it."""
    file: Path = arguments.file
    probe_audio(file)  # a file that cannot be read is told before anything is fetched
    plans = missing([arguments.stt])
    if plans:
        print(f"Fetching {arguments.stt}: {plans_line(plans)}", flush=True)
    whisper = load_whisper(resolve(arguments.stt, reporter=TqdmReporter()))
    folder: Path = arguments.to or Path("recordings") / file.stem
    labels = Labels(
        title=arguments.title or file.stem,
        licence=arguments.licence,
        language=arguments.language,
        caller_channel=arguments.caller_channel,
    )
    with tqdm(bar_format="{desc}: {percentage:3.0f} %|{bar}|", disable=None) as bar:

        def progress(doing: str, done: float, total: float) -> None:
            bar.set_description(doing, refresh=False)
            bar.total, bar.n = total, done
            bar.refresh()

        call = import_recording(file, folder, labels, whisper, progress=progress)
    for turn in call.turns:
        print(f"{turn.started_ms / 1000:7.1f} s  {turn.role:7}{turn.text or '?'}")
    print(f"\n{len(call.turns)} turns in {folder}")
    print(f"correct them in  {folder / TURNS_FILE}")
    print(f"then play it     ringback replay {folder}")
    return 0
