"""`ringback memory ask`: what answers, how it was found, and why the rest did not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ringback import Memory, OfferedTurn, Role
from ringback.testing import HashEmbedder
from ringback_ops.cli import main
from ringback_ops.memory_file import TENANT

pytestmark = pytest.mark.framework

AT = datetime.now(UTC) - timedelta(days=2)
LINES = ("My account number is 4821.", "The hallway lamp is green.")


def own_embedder() -> HashEmbedder:
    return HashEmbedder()


@pytest.fixture
async def file(tmp_path: Path) -> Path:
    path = tmp_path / "m.db"
    url = f"sqlite:///{path}"
    async with await Memory.open(url, embedder=own_embedder()) as memory:
        dana = memory.profile(TENANT, "dana")
        await dana.ingest([OfferedTurn(Role.CALLER, line, at=AT) for line in LINES])
        await dana.remember("4822", key="account_number", subject="person:mother")
        await memory.settle()
        await memory.indexed()
    return path


@pytest.fixture
def ask(file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Asks on a machine without models."""
    monkeypatch.setenv("RINGBACK_MODELS_DIR", str(file.parent / "models"))

    def asked(*words: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(["memory", "ask", *words, "--memory", str(file)])
        shown = capsys.readouterr()
        return int(ended.value.code or 0), shown.out, shown.err

    return asked


def test_an_answer_has_likeness_date_and_ways(ask):
    status, out, _ = ask("dana", "what is my account number?")

    line, by = out.splitlines()
    assert status == 0
    assert line.split()[:3] == ["1", "1.00", f"{AT:%Y-%m-%d}"]
    assert line.endswith("The caller's account number is 4821")
    assert by.strip().startswith("fact ")
    assert "by key, facts" in by


def test_words_without_quotes_are_one_question(ask):
    assert "4821" in ask("dana", "what", "is", "my", "account", "number")[1]


def test_nothing_known_is_said(ask):
    assert ask("dana", "how tall is Mount Fuji")[1] == "nothing is known that answers this\n"


def test_what_was_left_out_is_shown_with_the_reason(ask):
    _, out, _ = ask("dana", "what is my account number?", "--all")

    left = out.partition("* answers")[2]
    assert "the fact that was read from it says it" in left
    assert "“The caller's mother: account number 4822”: about somebody or something else" in left


def test_one_way_alone_can_be_looked_by(ask):
    _, out, _ = ask("dana", "what is my account number?", "--channels", "key")

    assert out.splitlines()[1].endswith(", by key")


def test_a_way_that_there_is_not_is_named(ask):
    status, _, err = ask("dana", "what", "--channels", "telepathy")

    assert status == 1
    assert "telepathy" in err
    assert "exchange-vectors" in err


def test_without_the_model_it_says_that_meaning_was_not_looked_at(ask):
    status, _, err = ask("dana", "what is my account number?")

    assert status == 0
    assert "the model minilm-l6-v2-int8 is not here" in err


def test_the_applications_own_embedder_is_asked(ask):
    own = f"{__name__}:own_embedder"

    _, out, err = ask("dana", "is the hallway lamp green?", "--embedder", own)

    assert "vectors" in out
    assert err == ""


def test_another_embedder_than_the_index_has_is_said_and_changes_nothing(ask):
    other = f"{__name__}:other_embedder"

    _, out, err = ask("dana", "is the hallway lamp green?", "--embedder", other)

    assert "nothing here is embedded by other" in err
    assert (
        "vectors"
        in ask("dana", "is the hallway lamp green?", "--embedder", f"{__name__}:own_embedder")[1]
    )
    assert "vectors" not in out


def other_embedder() -> HashEmbedder:
    return HashEmbedder("other", 32)
