"""`ringback doctor --app FILE` as a user types it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ringback_ops.cli import main

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "pipelines" / "examples"


def doctor(file: Path) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["doctor", "--app", str(file)])
    return int(ended.value.code or 0)


def test_the_example_with_memory_is_all_right(capsys: pytest.CaptureFixture[str]):
    status = doctor(EXAMPLES / "after.py")

    said = capsys.readouterr().out
    assert status == 0
    assert said.splitlines()[-1] == "Memory stands right in it."
    assert "!!" not in said
    assert "--" not in said


def test_the_example_without_memory_is_told_each_line_to_write(capsys: pytest.CaptureFixture[str]):
    status = doctor(EXAMPLES / "before.py")

    said = capsys.readouterr().out
    assert status == 1
    for line in (
        "|from ringback_pipecat import open_call",
        '|    memory = await open_call("sqlite:///memory.db", tenant="acme", handles=[("phone", number)])',
        "|    context = memory.context()",
        "|            memory.ears(),",
        "|            memory.processor(pair),",
    ):
        assert f"      {line}\n" in said
    assert said.splitlines()[-1] == "1 wrong."


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "no such file"),
        (b"def build(:\n", "line 1: invalid syntax"),
        (b"\x00\x01\x02", "is not Python that can be read"),
        (b"# caf\xe9\n", "is not Python that can be read"),
        (b"# coding: klingon\n", "is not Python that can be read"),
        (b"(" * 5_000 + b")" * 5_000, "is not Python that can be read"),
        (b"#" * 1_000_001, "1,000,001 bytes"),
        (b"", "no pipeline in"),
    ],
)
def test_a_file_that_is_no_app_is_one_clear_line(
    content: bytes | None, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "bot.py"
    if content is not None:
        file.write_bytes(content)

    status = doctor(file)

    told = capsys.readouterr()
    assert status == 1
    assert told.out == ""
    assert told.err.startswith("ringback: ")
    assert told.err.count("\n") == 1
    assert says in told.err


def test_a_folder_is_no_app(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert doctor(tmp_path) == 1
    assert "is not a file" in capsys.readouterr().err


def test_nothing_of_the_app_is_run(tmp_path: Path):
    trace = tmp_path / "trace"
    file = tmp_path / "bot.py"
    run = f"import pathlib\npathlib.Path({str(trace)!r}).touch()\nimport no_such_module\n"
    file.write_text(run + (EXAMPLES / "after.py").read_text().replace("from __future__", "# "))

    assert doctor(file) == 0
    assert not trace.exists()


def test_the_documentation_shows_what_is_really_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(ROOT)
    documented = (ROOT / "docs" / "doctor.md").read_text()
    shown = re.findall(r"```text\n\$ ringback doctor --app (\S+)\n(.*?)```", documented, re.DOTALL)

    assert len(shown) == 2
    for file, text in shown:
        doctor(Path(file))
        assert capsys.readouterr().out == text
