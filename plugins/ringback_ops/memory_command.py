"""`ringback memory`: what is kept about a caller, why, and how to put it right or end it.

    ringback memory                              all callers
    ringback memory CALLER                       what is kept, from which words
    ringback memory history CALLER               also what was superseded, retired, expired
    ringback memory decisions CALLER             what was decided about each statement, and why
    ringback memory correct CALLER FACT VALUE    put a fact right; the old version stays
    ringback memory retire CALLER FACT           end a fact's influence; history keeps it
    ringback memory forget CALLER --fact FACT    delete it, its versions and its words
    ringback memory forget CALLER --call CALL    delete a call and what was made of it
    ringback memory forget CALLER --everything   delete the caller
    ringback memory verify CALLER WORDS…         ask again whether anything still answers
    ringback memory export CALLER                everything that is kept, as JSON

CALLER is an id or a number; FACT an id, or its beginning. `--profile agent` or `team` works
on an agent's or a team's profile, by name.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ringback import Memory, RingbackError, UsageError
from ringback.core.identity import normalise_handle
from ringback.erasure import Erased, Look
from ringback.profile import Profile
from ringback.records import Action, Decision, HandleKind, ProfileKind
from ringback_ops.memory_file import TENANT, add_memory_argument, memory_url
from ringback_ops.told import SHORT_ID, decision_line, fact_line, made_line, summary_lines


@dataclass(frozen=True, slots=True)
class _Asked:
    """One action on one profile."""

    memory: Memory
    profile: Profile
    arguments: argparse.Namespace


def prepared(words: Sequence[str]) -> list[str]:
    """Let `ringback memory CALLER` mean `ringback memory list CALLER`."""
    place = words.index("memory") + 1
    is_complete = words[place : place + 1] and words[place] in (*ACTIONS, "-h", "--help")
    return [*words[:place], *([] if is_complete else ["list"]), *words[place:]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the actions and their options."""
    parser.description = __doc__
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    actions = parser.add_subparsers(dest="action", metavar="ACTION", title="actions")
    for name, (_, summary) in ACTIONS.items():
        action = actions.add_parser(name, help=summary, description=f"{summary}.")
        action.add_argument(
            "caller", nargs="?" if name == "list" else None, help="an id, a number, or a name"
        )
        if name in ("correct", "retire"):
            action.add_argument("fact", help="the fact's id, or its beginning")
        if name == "correct":
            action.add_argument("value", help="what is right")
        if name == "forget":
            _add_what_to_forget(action)
        if name == "verify":
            action.add_argument("words", nargs="+", help="what must not be answered any more")
        action.add_argument("--tenant", default=TENANT, help="whose callers")
        action.add_argument(
            "--profile",
            type=ProfileKind,
            choices=list(ProfileKind),
            default=ProfileKind.CALLER,
            help="whom it is about",
        )
        add_memory_argument(action)


def _add_what_to_forget(action: argparse.ArgumentParser) -> None:
    what = action.add_mutually_exclusive_group(required=True)
    what.add_argument("--fact", help="the fact's id, or its beginning")
    what.add_argument("--call", help="the call's id")
    what.add_argument("--everything", action="store_true", help="the whole profile")
    action.add_argument("--yes", action="store_true", help="do not ask")
    action.add_argument(
        "--ask", action="append", default=[], metavar="QUESTION", help="ask this too afterwards"
    )


def run(arguments: argparse.Namespace) -> int:
    """Do one action on the memory file."""
    file: Path = arguments.memory
    if not file.exists():
        raise UsageError(f"nothing is remembered yet: no file {file}")
    return asyncio.run(_run(arguments))


async def _run(arguments: argparse.Namespace) -> int:
    async with await Memory.open(memory_url(arguments.memory)) as memory:
        if arguments.caller is None:
            return await _list_callers(memory, arguments.tenant)
        profile = await _profile(memory, arguments)
        do, _ = ACTIONS[arguments.action]
        return await do(_Asked(memory, profile, arguments))


async def _list_callers(memory: Memory, tenant: str) -> int:
    for caller in await memory.keeping.callers(tenant):
        handles = ", ".join(f"{h.kind} {h.value}" for h in caller.handles)
        print(f"{caller.id}  {handles}")
    return 0


async def _profile(memory: Memory, arguments: argparse.Namespace) -> Profile:
    tenant, kind = arguments.tenant, arguments.profile
    name = arguments.caller
    if kind is ProfileKind.CALLER:
        name = await _caller_id(memory, tenant, name)
    return memory.profile(tenant, name, kind)


async def _caller_id(memory: Memory, tenant: str, words: str) -> str:
    caller = await memory.keeping.caller(tenant, words)
    if caller is None:
        handle = normalise_handle(HandleKind.PHONE, words)
        caller = await memory.keeping.caller_of(tenant, [handle]) if handle else None
    if caller is None:
        raise RingbackError(f"no caller {words!r}: `ringback memory` lists them")
    return caller.id


async def _fact_id(profile: Profile, beginning: str) -> str:
    facts = await profile.facts(with_history=True)
    found = [fact.id for fact in facts if fact.id.startswith(beginning)]
    if len(found) != 1:
        raise RingbackError(
            f"{len(found)} facts begin with {beginning!r}: "
            f"`ringback memory history {profile.name}` lists them"
        )
    return found[0]


async def _list(asked: _Asked) -> int:
    return await _show(asked, with_history=False)


async def _history(asked: _Asked) -> int:
    return await _show(asked, with_history=True)


async def _show(asked: _Asked, *, with_history: bool) -> int:
    keeping, profile = asked.memory.keeping, asked.profile
    facts = await profile.facts(with_history=with_history)
    calls = await keeping.calls(profile.tenant, caller_id=profile.id)
    zone = calls[0].zone if calls else "UTC"
    print(f"{profile.kind} {profile.name}: {len(facts)} facts from {len(calls)} calls")
    for fact in facts:
        print(fact_line(fact, zone))
    last = await keeping.last_interaction(profile.tenant, profile.id)
    if last is not None:
        print("last interaction")
        print("\n".join(summary_lines(last, zone)))
    return 0


async def _decisions(asked: _Asked) -> int:
    for made in await asked.profile.decisions():
        print(made_line(made))
    return 0


async def _correct(asked: _Asked) -> int:
    fact_id = await _fact_id(asked.profile, asked.arguments.fact)
    return _told(await asked.profile.correct(fact_id, asked.arguments.value))


async def _retire(asked: _Asked) -> int:
    return _told(await asked.profile.retire(await _fact_id(asked.profile, asked.arguments.fact)))


def _told(decision: Decision) -> int:
    print(decision_line(decision))
    return 1 if decision.action is Action.SKIP else 0


async def _forget(asked: _Asked) -> int:
    fact = await _fact_id(asked.profile, asked.arguments.fact) if asked.arguments.fact else None
    if not asked.arguments.yes:
        _confirm(asked)
    erased = await asked.profile.forget(
        fact=fact,
        call=asked.arguments.call,
        everything=asked.arguments.everything,
        questions=asked.arguments.ask,
    )
    _print_receipt(erased)
    return 0 if erased.is_clean else 1


def _confirm(asked: _Asked) -> None:
    """Ask before anything is deleted; without somebody to ask, refuse."""
    if not sys.stdin.isatty():
        raise UsageError("this deletes for good: add --yes where nobody can be asked")
    arguments, profile = asked.arguments, asked.profile
    what = arguments.fact or arguments.call or f"everything about {profile.name}"
    print(f"This deletes {what} for good. Type yes to go on: ", end="", flush=True)
    if sys.stdin.readline().strip().lower() != "yes":
        raise UsageError("nothing was deleted")


def _print_receipt(erased: Erased) -> None:
    receipt = erased.receipt
    print(
        f"forgotten: {receipt.what} {receipt.target_id[:SHORT_ID]} at {receipt.at:%Y-%m-%d %H:%M} UTC"
    )
    for place, count in receipt.removed:
        print(f"  {count:6} {place}")
    cleared = "not cleared yet: a reader is in the way; the next opening does it"
    if receipt.scrub_ms >= 0:
        cleared = f"indexes, log and free pages cleared in {receipt.scrub_ms} ms"
    print(f"  {cleared}")
    _print_looks(erased.looks)


async def _verify(asked: _Asked) -> int:
    looks = await asked.profile.verify_forgotten(asked.arguments.words)
    _print_looks(looks)
    return 0 if all(look.is_clean for look in looks) else 1


def _print_looks(looks: Sequence[Look]) -> None:
    print("asked again")
    for look in looks:
        print(f"  {look.path:10} {'nothing' if look.is_clean else look.detail}")


async def _export(asked: _Asked) -> int:
    print(json.dumps(await asked.profile.export(), ensure_ascii=False, indent=2))
    return 0


Do = Callable[[_Asked], Awaitable[int]]
ACTIONS: dict[str, tuple[Do, str]] = {
    "list": (_list, "What is kept, and from which words; without a caller, all callers"),
    "history": (_history, "Also what was superseded, retired or expired"),
    "decisions": (_decisions, "What was decided about each statement, and why"),
    "correct": (_correct, "Put a fact right; the old version stays in history"),
    "retire": (_retire, "End a fact's influence; history keeps it"),
    "forget": (_forget, "Delete for good, then ask again"),
    "verify": (_verify, "Ask again whether some words are still answered anywhere"),
    "export": (_export, "Everything that is kept, as JSON"),
}
