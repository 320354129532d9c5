"""`ringback doctor`: what is missing on a machine or wrong in an app, and what mends it."""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from ringback import RingbackError
from ringback_models import ModelError, ModelSettings, missing, plans_line, resolve
from ringback_ops.app.checking import check
from ringback_ops.app.findings import Severity
from ringback_ops.app.reading import App
from ringback_ops.app.report import report_lines
from ringback_ops.cli import existing_path
from ringback_ops.machine import machine_line
from ringback_pipelines.part_names import DEFAULT_LLM, DEFAULT_STT, DEFAULT_TTS

OLDEST_PYTHON = (3, 11)  # Pipecat's floor
PARTS = {  # distribution → what it is for
    "pipecat-ai": "the pipeline, voice activity and turn detection",
    "faster-whisper": "speech recognition",
    "xllamacpp": "the local language model's engine",
    "piper-tts": "speech synthesis (GPL-3)",
    "av": "reading recordings",
    "miniaudio": "microphone and loudspeaker",
}
EXTRAS = "pip install 'ringback[local,piper]'"
GIB = 1024**3


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    what: str
    detail: str
    mend: str | None = None
    """The command that mends it; None: all is well."""
    optional: bool = False
    """A recorded call can be replayed without it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--llm",
        default=os.environ.get("RINGBACK_LLM", DEFAULT_LLM),
        metavar="NAME|FILE|URL",
        help="the language model that is to be used",
    )
    parser.add_argument(
        "--app",
        type=existing_path,
        metavar="FILE",
        help="look at a Pipecat app instead, at the file that makes its pipeline",
    )


def run(arguments: argparse.Namespace) -> int:
    """Look at everything, print one line each; 1 when something needed is missing."""
    if arguments.app is not None:
        return _look_at(App.read(arguments.app))
    findings = examine(arguments.llm)
    print(machine_line())
    for finding in findings:
        mark = "ok " if finding.mend is None else "-- " if finding.optional else "!! "
        print(f"{mark} {finding.what:22} {finding.detail}")
    mends = dict.fromkeys(f.mend for f in findings if f.mend and not f.optional)
    extras = dict.fromkeys(f.mend for f in findings if f.mend and f.optional)
    if not mends:
        print("\nEverything that a replay needs is here: ringback replay CALL")
        for mend in extras:
            print(f"To talk yourself: {mend}")
        return 0
    print(f"\nTo mend it:\n  {' && '.join(mend for mend in mends if mend)}")
    return 1


def _look_at(app: App) -> int:
    """Say whether memory stands right in an app; 1 when something is wrong."""
    findings = check(app)
    print("\n".join(report_lines(app, findings)))
    return int(any(one.severity is Severity.WRONG for one in findings))


def examine(llm: str) -> list[Finding]:
    """Look at Python, packages, models, language model, microphone and disk, in this order."""
    packages = [_package(name, purpose) for name, purpose in PARTS.items()]
    have_parts = all(f.mend is None for f in packages)
    return [
        _python(),
        *packages,
        *[_model(name, role) for name, role in ((DEFAULT_STT, "stt"), (DEFAULT_TTS, "tts"))],
        _language_model(llm, have_parts=have_parts),
        *([_microphone()] if have_parts else []),
        _disk(),
    ]


def _python() -> Finding:
    found = ".".join(str(part) for part in sys.version_info[:3])
    if sys.version_info >= OLDEST_PYTHON:
        return Finding("Python", found)
    return Finding("Python", f"{found} is too old", "install Python 3.11 or newer")


def _package(name: str, purpose: str) -> Finding:
    try:
        return Finding(name, f"{version(name)}: {purpose}")
    except PackageNotFoundError:
        return Finding(name, f"not installed: {purpose}", EXTRAS)


def _model(name: str, role: str) -> Finding:
    try:
        plans = missing([name])
        if plans:
            return Finding(f"{role} model", f"{name} not here: {plans_line(plans)}", _fetch(name))
        folder = resolve(name, fetch=False)
    except ModelError as error:
        return Finding(f"{role} model", str(error), f"ringback models fetch {name} --again")
    return Finding(f"{role} model", f"{name}, verified, in {folder}")


def _fetch(name: str) -> str:
    if ModelSettings.from_environment().sources:
        return f"ringback models fetch {name}"
    return f"RINGBACK_MODEL_SOURCES=hub ringback models fetch {name}"


def _language_model(llm: str, *, have_parts: bool) -> Finding:
    if not llm.startswith(("http://", "https://")):
        return _model(llm, "llm")
    if not have_parts:
        return Finding("llm", f"{llm}: not asked, packages are missing", EXTRAS)
    from ringback_voice.llm_endpoint import find_endpoint

    model, key = os.environ.get("RINGBACK_LLM_MODEL"), os.environ.get("RINGBACK_LLM_API_KEY")
    try:
        endpoint = asyncio.run(find_endpoint(llm, model=model, api_key=key or "none"))
    except RingbackError as error:
        return Finding("llm", str(error), f"start the server at {llm}")
    return Finding("llm", f"{endpoint.model} at {endpoint.base_url}")


def _microphone() -> Finding:
    from ringback_voice.microphone import find_sound_devices

    return _found("microphone", find_sound_devices)


def _found(what: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(what, look())
    except RingbackError as error:
        return Finding(what, str(error), "plug in a microphone and headphones", optional=True)


def _disk() -> Finding:
    folder = ModelSettings.from_environment().folder
    nearest = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(nearest).free
    return Finding("disk", f"{free / GIB:.1f} GiB free in {nearest}")
