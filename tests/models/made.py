"""Small models, wheels and listeners made for these tests."""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

from ringback_models import Manifest, Model, load_manifest

REVISION = "0123abcd"
CHILD = """
import sys
from pathlib import Path
from ringback_models import TqdmReporter, load_manifest, resolve
print(resolve(sys.argv[2], reporter=TqdmReporter(), manifest=load_manifest(Path(sys.argv[1]))))
"""


def some_bytes(seed: int, size: int) -> bytes:
    return random.Random(seed).randbytes(size)  # noqa: S311 - the same bytes each time


@dataclass
class MadeModel:
    """One model of a made manifest; its first file is the main file."""

    name: str
    files: dict[str, bytes]
    package: str = ""
    members: dict[str, str] = field(default_factory=dict)
    count: int = 1
    wheel_bytes: list[int] | None = None
    is_on_hub: bool = True

    def toml(self) -> str:
        text = json.dumps
        lines = ["[[model]]", f"name = {text(self.name)}", 'role = "stt"', 'licence = "MIT"']
        lines += ['description = "made"', f"main_file = {text(next(iter(self.files)))}"]
        for path, data in self.files.items():
            lines += ["[[model.file]]", f"path = {text(path)}", f"bytes = {len(data)}"]
            lines += [f"sha256 = {text(hashlib.sha256(data).hexdigest())}"]
        if self.is_on_hub:
            lines += ["[model.hub]", 'repo = "made/up"', f"revision = {text(REVISION)}"]
        if self.package:
            lines += ["[model.registry]", f"package = {text(self.package)}"]
            lines += [f"count = {self.count}"]
            lines += [f"wheel_bytes = {self.wheel_bytes}"] if self.wheel_bytes else []
            lines += ["[model.registry.members]"]
            lines += [f"{text(path)} = {text(member)}" for path, member in self.members.items()]
        return "\n".join(lines)

    def on_hub(self) -> dict[str, bytes]:
        return {f"/made/up/resolve/{REVISION}/{path}": data for path, data in self.files.items()}


def made_manifest(path: Path, *models: MadeModel) -> Manifest:
    path.write_text("\n".join(["format = 1", *(model.toml() for model in models)]))
    return load_manifest(path)


def made_model(folder: Path, model: MadeModel) -> Model:
    return made_manifest(folder / "manifest.toml", model).model(model.name)


def write_wheel(folder: Path, name: str, version: str, members: dict[str, bytes]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    label = f"{name.replace('-', '_')}-{version}"
    path = folder / f"{label}-py3-none-any.whl"
    notes = {
        "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "RECORD": "",
    }
    with zipfile.ZipFile(path, "w") as archive:
        for member, data in members.items():
            archive.writestr(member, data)
        for note, text in notes.items():
            archive.writestr(f"{label}.dist-info/{note}", text)
    return path


def start_child(manifest: Path, name: str, **environment: str) -> subprocess.Popen[str]:
    """Resolve a model in another process, in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, str(manifest), name],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


class NotingReporter:
    """Remembers what it is told."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.labels: list[str] = []
        self.total_bytes = 0
        self.done_bytes = 0
        self.finished = 0

    def start(self, label: str, total_bytes: int, done_bytes: int) -> None:
        self.labels.append(label)
        self.total_bytes = total_bytes
        self.done_bytes = done_bytes

    def advance(self, n_bytes: int) -> None:
        self.done_bytes += n_bytes

    def finish(self) -> None:
        self.finished += 1

    def note(self, line: str) -> None:
        self.notes.append(line)
