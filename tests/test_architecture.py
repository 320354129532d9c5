"""What the tree promises: sizes, names, documented errors, clean lock files, equal READMEs."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

import ringback
import ringback_models
from ringback import RingbackError
from ringback_models import ModelError

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[1]
PACKAGES = [
    *sorted((ROOT / "plugins").iterdir()),
    ROOT / "pipelines" / "ringback_pipelines",
    ROOT / "models" / "ringback_models",
]
SOURCES = [path for package in PACKAGES for path in sorted(package.rglob("*.py"))]
MODULE_LINES = 500
FUNCTION_LINES = 60
BOT_LINES = 250
REGISTRIES = re.compile(r"pypi\.org|pythonhosted|npmjs|deb\.debian")


def tracked_files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def subclasses(error: type[Exception]) -> list[type[Exception]]:
    return [error, *(deep for child in error.__subclasses__() for deep in subclasses(child))]


def code_blocks(file: str) -> list[str]:
    return re.findall(r"```[a-z]*\n(.*?)```", (ROOT / file).read_text(), flags=re.DOTALL)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_and_functions_stay_within_their_sizes(path: Path):
    text = path.read_text()
    limit = BOT_LINES if "ringback_pipelines" in path.parts else MODULE_LINES
    functions = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]

    assert len(text.splitlines()) <= limit
    for function in functions:
        assert (function.end_lineno or 0) - function.lineno < FUNCTION_LINES, function.name


@pytest.mark.parametrize("module", [ringback, ringback_models], ids=lambda module: module.__name__)
def test_public_names_are_sorted_and_there(module):
    assert sorted(module.__all__) == module.__all__
    for name in module.__all__:
        assert hasattr(module, name)


@pytest.mark.parametrize(
    "error", [*subclasses(RingbackError), *subclasses(ModelError)], ids=lambda error: error.__name__
)
def test_each_error_says_its_cause_and_what_to_do(error: type[Exception]):
    doc = " ".join((error.__doc__ or "").split())

    assert len(re.findall(r"[.;](?: |$)", doc)) >= 2, f"{error.__name__}: {doc}"


def test_no_torch_in_any_default_or_test_install():
    for lock in (ROOT / "requirements").glob("*.txt"):
        names = {re.split(r"[=\[ ;]", line)[0] for line in lock.read_text().splitlines()}
        assert not names & {"torch", "torchaudio", "torchvision"}


def test_every_locked_package_has_an_exact_version_and_hashes():
    for lock in (ROOT / "requirements").glob("*.txt"):
        entries = re.split(r"\n(?=\S)", lock.read_text())
        packages = [entry for entry in entries if not entry.startswith("#")]
        assert len(packages) > 50
        for entry in packages:
            assert re.match(r"^[\w.\[\],-]+==\S+", entry), entry.splitlines()[0]
            assert "--hash=sha256:" in entry, entry.splitlines()[0]


def test_no_file_carries_a_registrys_address():
    for path in tracked_files():
        if path.suffix in {".flac", ".wav", ".png"} or path == Path(__file__):
            continue
        assert not REGISTRIES.search(path.read_text(errors="ignore")), path


def test_both_readmes_run_the_same_commands():
    def without_comments(blocks: list[str]) -> list[str]:
        return [re.sub(r"[ \t]*#.*", "", block) for block in blocks]

    english, chinese = code_blocks("README.md"), code_blocks("README.zh-TW.md")

    assert len(english) >= 4
    assert without_comments(english) == without_comments(chinese)


def test_every_script_the_readme_names_exists():
    named = set(re.findall(r"scripts/(\w+)", (ROOT / "README.md").read_text()))

    assert {"run", "test", "check", "bench"} <= named
    for name in named:
        assert (ROOT / "scripts" / name).stat().st_mode & 0o111, name


def test_every_document_the_readme_links_to_exists():
    for readme in ("README.md", "README.zh-TW.md"):
        links = re.findall(r"\]\((?!http)([^)#]+)", (ROOT / readme).read_text())
        assert links
        for link in links:
            assert (ROOT / link).exists(), link
