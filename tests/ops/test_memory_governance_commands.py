"""`ringback memory`: facts are found by their ids, put right, ended, forgotten, asked after."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ringback import Memory, OfferedTurn, Role
from ringback.schemas import GENERAL
from ringback_ops.cli import main

pytestmark = pytest.mark.framework

ROOT = Path(__file__).parents[2]
NUMBER = "+15550100199"
# Seven digits: four may stand in a time or an id by chance.
FIRST = """\
This is Dana Whitfield.
a: Hello Dana.
My account number is 4821073.
My internet drops every evening since Saturday.
a: I'll send you a text on Friday morning.
Please text me, don't call.
"""
SECOND = "My account number is 4822073.\n"
PATHS = os.pathsep.join(str(ROOT / part) for part in ("plugins", "pipelines", "models"))


@pytest.fixture(scope="module")
def talked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory after two typed calls."""
    file = tmp_path_factory.mktemp("talked") / "m.db"
    for typed in (FIRST, SECOND):
        done = subprocess.run(
            [sys.executable, "-m", "ringback_ops", "chat", "--memory", str(file)],
            env={**os.environ, "PYTHONPATH": PATHS},
            input=typed,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
    return file


@pytest.fixture
def file(talked: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(talked, tmp_path / "m.db"))


Said = tuple[int, str, str]
"""Exit status, standard output, standard error."""
Type = Callable[..., Said]


@pytest.fixture
def typed(file: Path, capsys: pytest.CaptureFixture[str], monkeypatch) -> Type:
    """What the command says to these words; nobody sits at a terminal."""
    monkeypatch.setenv("RINGBACK_MEMORY", str(file))
    monkeypatch.setenv("COLUMNS", "80")

    def command(*words: str) -> Said:
        with open(os.devnull) as nobody:  # noqa: PTH123
            monkeypatch.setattr(sys, "stdin", nobody)
            with pytest.raises(SystemExit) as left:
                main(["memory", *words])
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    return command


def fact_id(typed: Type, key: str, *, of: str = NUMBER) -> str:
    """The id that a person reads off the list."""
    lines = typed("history", of)[1].splitlines()
    (line,) = [one for one in lines if one.split()[1] == key][-1:]
    return line.split()[0]


def listed(typed: Type, *words: str) -> list[str]:
    return [line for line in typed(*words)[1].splitlines() if re.match(r"  [0-9a-f]{8}  ", line)]


def assert_one_clear_line(said: Said, *words: str) -> None:
    status, out, err = said
    assert (status, out) == (1, "")
    assert len(err.strip().splitlines()) == 1, err
    assert err.startswith("ringback: ")
    for word in words:
        assert word in err


async def keep_general(file: Path) -> None:
    """A caller of another schema, and an agent."""
    async with await Memory.open(f"sqlite:///{file}", schema=GENERAL) as memory:
        caller = memory.profile("local", "customer-7")
        await caller.remember("sits by the window")
        said = "I'm allergic to peanuts. No, wait: I have no allergies."
        await caller.ingest([OfferedTurn(Role.CALLER, said)])
        await memory.settle()
        await memory.profile("local", "rex", "agent").remember("Answers in short sentences.")


# What a person finds


def test_help_says_how_each_action_is_typed_and_where_ids_come_from(typed: Type):
    status, out, _ = typed("--help")

    assert status == 0
    for action in ("correct CALLER FACT VALUE", "forget CALLER --call CALL", "verify CALLER"):
        assert f"ringback memory {action}" in out
    assert "FACT is what\neach line of a caller's list begins with" in out
    assert "`ringback calls` lists calls" in out


def test_help_names_the_defaults_that_there_are_and_no_others(typed: Type):
    out = typed("forget", "--help")[1]

    assert "(default: local)" in out
    for nothing in ("None", "False", "[]"):
        assert f"default: {nothing}" not in out


def test_columns_stand_under_each_other_however_long_a_value_is(typed: Type):
    lines = listed(typed, NUMBER)

    assert len(lines) == 5
    assert len({line.index(" active ") for line in lines}) == 1
    assert len({line.index("  call ") for line in lines}) == 1
    assert len({line.index("“") for line in lines}) == 1


def test_chinese_values_keep_the_columns(typed: Type, file: Path):
    async def keep() -> None:
        async with await Memory.open(f"sqlite:///{file}", schema=GENERAL) as memory:
            caller = memory.profile("local", "customer-7")
            await caller.remember("靠窗的座位")
            await caller.remember("the lamp")

    asyncio.run(keep())

    chinese, english = [one.index(" active ") for one in listed(typed, "customer-7")]
    assert chinese == english - 5  # five characters, each two columns wide


def test_a_call_is_named_by_what_calls_take_as_its_id(typed: Type, file: Path, capsys):
    (call,) = re.findall(r"call (\w{8}) ", listed(typed, NUMBER)[0])

    with pytest.raises(SystemExit) as left:
        main(["calls", call])

    assert left.value.code == 0
    assert "This is Dana Whitfield." in capsys.readouterr().out


def test_one_thing_is_not_called_several(typed: Type, file: Path):
    asyncio.run(keep_general(file))

    assert typed("customer-7")[1].splitlines()[0].endswith("from 1 call")
    assert typed("rex", "--profile", "agent")[1].splitlines()[0] == "agent rex: 1 fact"


def test_a_withdrawal_of_everything_reads_as_none_of_any_kind(typed: Type, file: Path):
    asyncio.run(keep_general(file))

    (none,) = [
        line for line in listed(typed, "history", "customer-7") if "none of any kind" in line
    ]

    assert none.split()[1] == "allergy"
    assert " any " not in none.replace("none of any kind", "")


def test_decisions_say_what_was_done_where_and_why_and_no_value(typed: Type):
    status, out, _ = typed("decisions", NUMBER)

    assert status == 0
    newest = out.splitlines()[0].split()
    assert newest[:2] == ["~", "account_number"]
    assert re.search(r" call \w{8} turn 0  newer than what was known$", out.splitlines()[0])
    assert "4822073" not in out


# What is put right


def test_a_corrected_fact_takes_the_old_ones_place_and_history_shows_both(typed: Type):
    status, out, _ = typed("correct", NUMBER, fact_id(typed, "account_number"), "4823073")

    assert (status, out) == (
        0,
        "  ~ account_number = 4823073: stronger source than what was known\n",
    )
    (now,) = [line for line in listed(typed, NUMBER) if " account_number " in line]
    assert " 4823073 " in now
    assert "not from a call" in now
    assert "“" not in now
    past = [line for line in listed(typed, "history", NUMBER) if " account_number " in line]
    assert [line.split()[2] for line in past] == ["4821073", "4822073", "4823073"]


def test_a_refused_correction_says_what_may_be_and_fails(typed: Type):
    status, out, _ = typed("correct", NUMBER, fact_id(typed, "contact_preference"), "shout")

    assert status == 1
    assert out.startswith("  - contact_preference = shout: ")
    assert "it may be: text, phone call, email" in out


def test_a_retired_fact_is_listed_no_more_and_history_says_that_it_no_longer_holds(typed: Type):
    status, out, _ = typed("retire", NUMBER, fact_id(typed, "open_matter"))

    assert status == 0
    assert out.startswith("  x open_matter = no longer: my internet drops")
    assert not [line for line in listed(typed, NUMBER) if " open_matter " in line]
    (over,) = [line for line in listed(typed, "history", NUMBER) if " retired " in line]
    assert "no longer: my internet drops every evening since Saturday" in over


def test_what_another_schema_keeps_is_put_right_by_naming_it(typed: Type, file: Path):
    asyncio.run(keep_general(file))
    note = fact_id(typed, "note", of="customer-7")

    refused = typed("correct", "customer-7", note, "sits by the door")
    done = typed("correct", "customer-7", note, "sits by the door", "--schema", "general")

    assert refused[0] == 1
    assert "schema 'support' has no such key; --schema names another one" in refused[1]
    assert done[0] == 0
    assert [line for line in listed(typed, "customer-7") if "sits by the door" in line]


def test_a_schema_of_ones_own_is_named_by_its_module(typed: Type, tmp_path: Path, monkeypatch):
    (tmp_path / "boutique.py").write_text("from ringback.schemas import GENERAL as BOUTIQUE\n")
    monkeypatch.chdir(tmp_path)

    assert typed(NUMBER, "--schema", "boutique:BOUTIQUE")[0] == 0
    assert_one_clear_line(typed(NUMBER, "--schema", "boutique:NONE"), "boutique")
    assert_one_clear_line(typed(NUMBER, "--schema", "nowhere:NONE"), "no module nowhere")
    assert_one_clear_line(typed(NUMBER, "--schema", "boutique"), "medical-intake")


# What is forgotten


def test_a_forgotten_fact_goes_with_its_versions_and_its_words(typed: Type, file: Path):
    status, out, _ = typed(
        "forget", NUMBER, "--fact", fact_id(typed, "account_number"), "--yes", "--ask", "account?"
    )

    assert status == 0
    assert re.search(r"^ +2 fact$", out, re.MULTILINE)
    assert re.search(r"^ +2 turn$", out, re.MULTILINE)
    for path in ("facts", "history", "summary", "briefing", "recall", "export", "files"):
        assert re.search(rf"^  {path} +nothing$", out, re.MULTILINE), path
    assert "4822073" not in typed("export", NUMBER)[1]
    assert typed("verify", NUMBER, "4821073", "4822073")[0] == 0


def test_a_forgotten_call_leaves_what_other_calls_said(typed: Type):
    (call,) = re.findall(r"call (\w{8}) ", listed(typed, NUMBER)[0])

    status, out, _ = typed("forget", NUMBER, "--call", call, "--yes")

    assert status == 0, out
    assert re.search(rf"^forgotten: call {call}\w{{24}} at ", out, re.MULTILINE)
    (left,) = listed(typed, "history", NUMBER)
    assert " 4822073 " in left


def test_a_forgotten_caller_is_nobody(typed: Type):
    status = typed("forget", NUMBER, "--everything", "--yes")[0]

    assert status == 0
    assert_one_clear_line(typed(NUMBER), "no caller")
    assert typed() == (0, "", "ringback: nobody of tenant 'local' is known yet\n")


def test_an_agent_is_forgotten_by_the_name_that_the_list_has(typed: Type, file: Path):
    asyncio.run(keep_general(file))
    assert "agent:rex" in typed()[1].splitlines()

    status, out, _ = typed("forget", "agent:rex", "--everything", "--yes")

    assert status == 0
    assert out.startswith("forgotten: profile agent:rex at ")
    assert_one_clear_line(typed("rex", "--profile", "agent"), "no agent 'rex'")


@pytest.mark.parametrize(("answer", "is_gone"), [("yes\n", True), ("y\n", False), ("\n", False)])
def test_whoever_sits_at_a_terminal_is_shown_what_goes_and_asked(
    typed: Type, file: Path, answer: str, is_gone: bool
):
    number = fact_id(typed, "account_number")
    keyboard, terminal = pty.openpty()
    os.write(keyboard, answer.encode())
    words = ("memory", "forget", NUMBER, "--fact", number, "--memory", str(file))

    done = subprocess.run(
        [sys.executable, "-m", "ringback_ops", *words],
        env={**os.environ, "PYTHONPATH": PATHS},
        stdin=terminal,
        capture_output=True,
        text=True,
        timeout=60,
    )
    os.close(keyboard)
    os.close(terminal)

    asked = done.stdout.partition("Type yes to go on: ")[0]
    assert f"{number}  account_number  4822073" in asked
    assert (done.returncode == 0) is is_gone
    assert ("nothing was deleted" in done.stderr) is not is_gone
    assert bool([one for one in listed(typed, NUMBER) if " account_number " in one]) is not is_gone


@pytest.mark.parametrize("what", [("--everything",), ("--fact",)])
def test_nothing_is_deleted_where_nobody_can_be_asked(typed: Type, what: tuple[str, ...]):
    if what == ("--fact",):
        what = ("--fact", fact_id(typed, "name"))

    assert_one_clear_line(typed("forget", NUMBER, *what), "--yes")
    assert len(listed(typed, NUMBER)) == 5


def test_what_still_answers_is_counted_and_fails(typed: Type):
    status, out, _ = typed("verify", NUMBER, "4822073")

    assert status == 1
    assert re.search(r"^  facts +1 place$", out, re.MULTILINE)
    assert re.search(r"^  summary +3 places$", out, re.MULTILINE)
    assert re.search(r"^  files +\d+ places \(of all callers", out, re.MULTILINE)
    assert "4822073" not in out


def test_an_export_can_be_read_by_a_program(typed: Type):
    status, out, _ = typed("export", NUMBER)

    assert status == 0
    assert {one["key"] for one in json.loads(out)["facts"]} >= {"name", "account_number"}


# What is typed wrong


def test_an_unknown_caller_is_one_line_that_says_where_callers_are_listed(typed: Type):
    assert_one_clear_line(typed("nobody"), "'nobody'", "`ringback memory`")
    assert_one_clear_line(typed(NUMBER, "--tenant", "x"), "`ringback memory --tenant x`")


def test_the_beginning_of_a_callers_id_is_not_the_caller(typed: Type):
    caller = typed()[1].split()[0]

    assert_one_clear_line(typed("forget", caller[:16], "--everything", "--yes"), "no caller")


def test_an_unknown_or_short_fact_id_is_one_line_and_changes_nothing(typed: Type):
    caller = typed()[1].split()[0]

    for action in (("retire", NUMBER, "ffffff"), ("correct", NUMBER, "ffffff", "1")):
        assert_one_clear_line(typed(*action), f"`ringback memory history {caller}`")
    assert_one_clear_line(typed("forget", NUMBER, "--fact", "ffffff", "--yes"), "no fact")
    for slip in ("", fact_id(typed, "name")[:3]):
        assert_one_clear_line(typed("forget", NUMBER, "--fact", slip, "--yes"), "too short")
    assert len(listed(typed, NUMBER)) == 5


def test_an_unknown_call_is_one_line(typed: Type):
    said = typed("forget", NUMBER, "--call", "ffffff", "--yes")

    assert_one_clear_line(said, "no call 'ffffff'", "`ringback calls`")


def test_an_action_that_is_none_is_one_line_with_those_that_are(typed: Type):
    assert_one_clear_line(typed("erase", NUMBER), "'erase'", "forget", "in quotes")
    assert_one_clear_line(typed("+1", "555"), "a number with spaces goes in quotes")


def test_a_profile_of_no_kind_is_refused_with_those_that_are(typed: Type):
    status, _, err = typed(NUMBER, "--profile", "robot")

    assert status == 2
    assert "'caller', 'agent', 'team'" in err
