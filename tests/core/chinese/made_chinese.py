"""What stands up to every check after a few lines that were said on a Tuesday in Taipei."""

from __future__ import annotations

from datetime import datetime, timedelta

from ringback.core.checks import check
from ringback.core.chinese.signs import simplified
from ringback.core.extraction import extract
from ringback.records import SELF, Call, Candidate, Role, Turn
from ringback.schemas import SUPPORT, Schema

TUESDAY = datetime.fromisoformat("2026-03-03T14:05:00+08:00")
CALL = Call("call-1", "acme", TUESDAY, "Asia/Taipei")


def spoken(*lines: str) -> tuple[Turn, ...]:
    """Turns from "a: ..." lines of the agent and others of the caller, ten seconds apart."""
    return tuple(
        Turn(
            Role.AGENT if line.startswith("a:") else Role.CALLER,
            line.removeprefix("a:").strip(),
            TUESDAY + timedelta(seconds=10 * place),
            place,
        )
        for place, line in enumerate(lines)
    )


def known(*lines: str, schema: Schema = SUPPORT) -> set[str]:
    """`key=value` of what was read and passed; of others `key@person:mother=value`.

    What is called off or over begins with "not ".
    """
    turns = spoken(*lines)
    said: list[Candidate] = []
    for candidate in extract(turns, call=CALL, schema=schema):
        checked, _ = check(candidate, turns=turns, call=CALL, said=said, schema=schema)
        if checked is not None:
            said.append(checked)
    return {_shown(one) for one in said}


def _shown(one: Candidate) -> str:
    subject = "" if one.subject == SELF else f"@{one.subject}"
    return f"{'not ' * one.is_withdrawal}{one.key}{subject}={one.value}"


def in_both_scripts(rows: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Rows as they are, and in simplified signs where those differ."""
    simple = [(simplified(lines), simplified(facts)) for lines, facts in rows]
    return list(dict.fromkeys([*rows, *simple]))


def facts_of(shown: str) -> set[str]:
    """The facts of a row, parted by " & "; none of an empty one."""
    return set(shown.split(" & ")) if shown else set()
