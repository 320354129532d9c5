"""What is kept about a caller, why, and how to put it right or end it.

    ringback memory                              all callers
    ringback memory CALLER                       what is kept, from which words
    ringback memory history CALLER               also what was superseded, retired, expired
    ringback memory ask CALLER QUESTION…         what answers a question, and how it was found
    ringback memory decisions CALLER             what was decided about each statement, and why
    ringback memory correct CALLER FACT VALUE    put a fact right; the old version stays
    ringback memory retire CALLER FACT           end a fact's influence; history keeps it
    ringback memory forget CALLER --fact FACT    delete it, its versions and its words
    ringback memory forget CALLER --call CALL    delete a call and what was made of it
    ringback memory forget CALLER --everything   delete the caller
    ringback memory merge CALLER OTHER           they are one person: all of the first is the other's
    ringback memory split CALLER --call CALL --into ID   somebody else was on the line in a call
    ringback memory moves CALLER                 what was merged and split, and by whom
    ringback memory undo CALLER MOVE             put one of these back
    ringback memory verify CALLER WORDS…         ask again whether anything still answers
    ringback memory export CALLER                everything that is kept, as JSON
    ringback memory reindex                      drop all callers' vectors and make them again

CALLER is an id from the first list, or a number; in quotes if it has spaces. FACT is what
each line of a caller's list begins with. `ringback calls` lists calls. Of such an id its
beginning is enough. `--profile agent` or `team` works on an agent's or a team's profile, by
its name.
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
from ringback.schemas import GENERAL, Schema
from ringback_ops import memory_moves
from ringback_ops.asking import add_ask_arguments, ask
from ringback_ops.cli import DefaultsFormatter
from ringback_ops.memory_file import TENANT, add_memory_argument, memory_url
from ringback_ops.reindexing import add_embedder_argument, embedder_named, reindex
from ringback_ops.schema_option import add_schema_argument, schema_named
from ringback_ops.short_id import full_id
from ringback_ops.told import (
    call_line,
    counted,
    decision_line,
    fact_lines,
    made_lines,
    summary_lines,
)

REINDEX = "reindex"
REINDEXING = (REINDEX, "Drop the vectors of all profiles and make them again; text stays")
ALL = 1_000_000  # callers of a tenant, calls of one caller


@dataclass(frozen=True, slots=True)
class _Asked:
    """One action on one profile."""

    memory: Memory
    profile: Profile
    arguments: argparse.Namespace
    schema: Schema
    """Of callers; agents and teams have the general one."""

    @property
    def profile_schema(self) -> Schema:
        """The one that this profile is kept by."""
        return self.schema if self.profile.kind is ProfileKind.CALLER else GENERAL


def prepared(words: Sequence[str]) -> list[str]:
    """Let `ringback memory CALLER` mean `ringback memory list CALLER`.

    Raises:
        UsageError: Two words, and the first is no action.
    """
    place = words.index("memory") + 1
    first, second = [*words[place : place + 2], "", ""][:2]
    if first in (*ACTIONS, REINDEX, "-h", "--help"):
        return list(words)
    if first and second and not first.startswith("-") and not second.startswith("-"):
        raise UsageError(
            f"no action {first!r}: there are {', '.join([*ACTIONS, REINDEX])}; "
            "a number with spaces goes in quotes"
        )
    return [*words[:place], "list", *words[place:]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the actions and their options."""
    parser.description = __doc__
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    actions = parser.add_subparsers(
        dest="action",
        metavar="ACTION",
        title="actions",
        description="`ringback memory ACTION --help` has its options; they come behind it.",
    )
    for name, summary in [*((one, told) for one, (_, told) in ACTIONS.items()), REINDEXING]:
        action = actions.add_parser(
            name, description=f"{summary}.", formatter_class=DefaultsFormatter
        )
        _add_what(action, name)
        action.add_argument("--tenant", default=TENANT, help="whose callers")
        action.add_argument(
            "--profile",
            choices=[str(kind) for kind in ProfileKind],
            default=str(ProfileKind.CALLER),
            help="whom it is about",
        )
        add_schema_argument(action)
        add_memory_argument(action)


def _add_what(action: argparse.ArgumentParser, name: str) -> None:
    if name == REINDEX:
        add_embedder_argument(action)
        return
    action.add_argument(
        "caller",
        nargs="?" if name == "list" else None,
        help="a caller's id or number; an agent's or a team's name",
    )
    if name == "ask":
        add_ask_arguments(action)
    if name in ("correct", "retire"):
        action.add_argument("fact", help="the fact's id, or its beginning")
    if name == "correct":
        action.add_argument("value", help="what is right; in quotes if it has spaces")
    if name == "forget":
        _add_what_to_forget(action)
    if name in ("merge", "split", "moves", "undo"):
        memory_moves.add_arguments(action, name)
    if name == "verify":
        action.add_argument(
            "words", nargs="+", help="a number, a name, a phrase: what must not be answered"
        )


def _add_what_to_forget(action: argparse.ArgumentParser) -> None:
    what = action.add_mutually_exclusive_group(required=True)
    what.add_argument("--fact", help="the fact's id, or its beginning")
    what.add_argument("--call", help="the call's id, or its beginning")
    what.add_argument("--everything", action="store_true", help="the whole profile")
    action.add_argument("--yes", action="store_true", help="do not ask")
    action.add_argument(
        "--ask",
        action="append",
        default=[],
        metavar="QUESTION",
        help="ask this too afterwards; may be given several times",
    )


def run(arguments: argparse.Namespace) -> int:
    """Do one action on the memory file."""
    file: Path = arguments.memory
    if not file.exists():
        raise UsageError(f"nothing is remembered yet: no file {file}")
    schema = schema_named(arguments.schema)
    if arguments.action == REINDEX:
        embedder = embedder_named(arguments.embedder) if arguments.embedder else None
        return asyncio.run(reindex(file, schema, embedder))
    return asyncio.run(_run(arguments, schema))


async def _run(arguments: argparse.Namespace, schema: Schema) -> int:
    async with await Memory.open(memory_url(arguments.memory), schema=schema) as memory:
        if arguments.caller is None:
            return await _list_callers(memory, arguments)
        profile = await _profile(memory, arguments)
        do, _ = ACTIONS[arguments.action]
        return await do(_Asked(memory, profile, arguments, schema))


async def _list_callers(memory: Memory, arguments: argparse.Namespace) -> int:
    callers = await memory.keeping.callers(arguments.tenant, limit=ALL)
    for caller in callers:
        handles = ", ".join(f"{h.kind} {h.value}" for h in caller.handles)
        print(f"{caller.id}  {handles}".rstrip())
    if not callers:
        print(f"ringback: nobody of tenant {arguments.tenant!r} is known yet", file=sys.stderr)
    return 0


async def _profile(memory: Memory, arguments: argparse.Namespace) -> Profile:
    """The profile that is meant; it has to be there, or a slip would look like an answer."""
    tenant, name, kind = arguments.tenant, arguments.caller, ProfileKind(arguments.profile)
    if kind is ProfileKind.CALLER:
        word, _, rest = name.partition(":")
        if not (rest and word in (ProfileKind.AGENT, ProfileKind.TEAM)):
            return memory.profile(tenant, await _caller_id(memory, tenant, name))
        kind, name = ProfileKind(word), rest  # as the list has it
    profile = memory.profile(tenant, name, kind)
    if await memory.keeping.caller(tenant, profile.id) is None:
        raise RingbackError(f"no {kind} {name!r}: `{_listing('memory', tenant)}` lists them")
    return profile


async def _caller_id(memory: Memory, tenant: str, words: str) -> str:
    """Of whole ids and numbers alone: another caller's may begin with the same words."""
    caller = await memory.keeping.caller(tenant, words) if words else None
    if caller is None:
        handle = normalise_handle(HandleKind.PHONE, words)
        found = await memory.keeping.callers_of(tenant, [handle]) if handle else ()
        if len(found) > 1:
            ids = ", ".join(one.id for one in found)
            raise RingbackError(f"several people have this number: {ids}")
        caller = found[0] if found else None
    if caller is None:
        raise RingbackError(f"no caller {words!r}: `{_listing('memory', tenant)}` lists them")
    return caller.id


def _listing(command: str, tenant: str) -> str:
    """The command that lists what is meant, as it is typed for this tenant."""
    of_tenant = "" if tenant == TENANT else f" --tenant {tenant}"
    return f"ringback {command}{of_tenant}"


async def _fact_id(asked: _Asked) -> str:
    profile = asked.profile
    facts = await profile.facts(with_history=True)
    listing = _listing(f"memory history {profile.id}", profile.tenant)
    return full_id(asked.arguments.fact, [one.id for one in facts], what="fact", listing=listing)


async def _call_id(asked: _Asked) -> str:
    tenant, typed = asked.profile.tenant, asked.arguments.call
    calls = await asked.memory.keeping.calls(tenant, caller_id=asked.profile.id, limit=ALL)
    listing = _listing("calls", tenant)
    return full_id(typed, [one.id for one in calls], what="call", listing=listing)


async def _list(asked: _Asked) -> int:
    return await _show(asked, with_history=False)


async def _history(asked: _Asked) -> int:
    return await _show(asked, with_history=True)


async def _show(asked: _Asked, *, with_history: bool) -> int:
    profile = asked.profile
    facts = await profile.facts(with_history=with_history)
    zone = await _zone(asked)
    print(await _head(asked, len(facts)))
    for line in fact_lines(facts, zone):
        print(line)
    last = await asked.memory.keeping.last_interaction(profile.tenant, profile.id)
    if last is not None:
        print("last interaction")
        print("\n".join(summary_lines(last, zone)))
    return 0


async def _head(asked: _Asked, facts: int) -> str:
    """Who it is, and how much there is."""
    profile, keeping = asked.profile, asked.memory.keeping
    calls = await keeping.calls(profile.tenant, caller_id=profile.id, limit=ALL)
    kept = f"{counted(facts, 'fact')} from {counted(len(calls), 'call')}"
    return f"{profile.kind} {profile.name}: {kept if calls else counted(facts, 'fact')}"


async def _zone(asked: _Asked) -> str:
    """Where the profile's newest call was; its times are told there."""
    profile = asked.profile
    newest = await asked.memory.keeping.calls(profile.tenant, caller_id=profile.id, limit=1)
    return newest[0].zone if newest else "UTC"


async def _decisions(asked: _Asked) -> int:
    for line in made_lines(await asked.profile.decisions()):
        print(line)
    return 0


async def _ask(asked: _Asked) -> int:
    schema, zone = asked.profile_schema, await _zone(asked)
    return await ask(asked.memory, asked.profile, asked.arguments, schema=schema, zone=zone)


async def _correct(asked: _Asked) -> int:
    fact_id = await _fact_id(asked)
    return _told(asked, await asked.profile.correct(fact_id, asked.arguments.value))


async def _retire(asked: _Asked) -> int:
    return _told(asked, await asked.profile.retire(await _fact_id(asked)))


def _told(asked: _Asked, decision: Decision) -> int:
    print(decision_line(decision))
    if decision.action is not Action.SKIP:
        return 0
    schema = asked.profile_schema
    field = schema.field(decision.candidate.key)
    if field is None:
        print(f"    schema {schema.name!r} has no such key; --schema names another one")
    elif field.choices:
        print(f"    it may be: {', '.join(field.choices)}")
    return 1


async def _forget(asked: _Asked) -> int:
    arguments = asked.arguments
    fact = await _fact_id(asked) if arguments.fact is not None else None
    call = await _call_id(asked) if arguments.call is not None else None
    if not arguments.yes:
        _confirm(await _what(asked, fact, call))
    erased = await asked.profile.forget(
        fact=fact, call=call, everything=arguments.everything, questions=arguments.ask
    )
    _print_receipt(erased)
    return 0 if erased.is_clean else 1


async def _what(asked: _Asked, fact: str | None, call: str | None) -> list[str]:
    """What would go, for whoever is asked."""
    profile, keeping = asked.profile, asked.memory.keeping
    facts = await profile.facts(with_history=True)
    if fact is not None:
        (line,) = fact_lines([one for one in facts if one.id == fact], await _zone(asked))
        return [line, "  with all its versions, what repeats it, and its words in every turn"]
    if call is not None:
        view = await keeping.call(profile.tenant, call)
        line = call_line(view.call) if view is not None else call
        return [f"  {line}", "  with all that was said in it, and what was made of it"]
    return [f"  {await _head(asked, len(facts))}", "  with every word and every number"]


def _confirm(what: Sequence[str]) -> None:
    """Ask before anything is deleted; without somebody to ask, refuse."""
    if not sys.stdin.isatty():
        raise UsageError("this deletes for good: add --yes where nobody can be asked")
    print("This deletes for good:", *what, sep="\n")
    print("Type yes to go on: ", end="", flush=True)
    if sys.stdin.readline().strip().lower() != "yes":
        raise UsageError("nothing was deleted")


def _print_receipt(erased: Erased) -> None:
    receipt = erased.receipt
    print(f"forgotten: {receipt.what} {receipt.target_id} at {receipt.at:%Y-%m-%d %H:%M} UTC")
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
        whose = " (of all callers: files are searched whole)" if look.path == "files" else ""
        print(f"  {look.path:10} {'nothing' if look.is_clean else look.detail + whose}")


async def _merge(asked: _Asked) -> int:
    into = await _caller_id(asked.memory, asked.profile.tenant, asked.arguments.into)
    return await memory_moves.merge(asked.memory, asked.profile, into, asked.arguments)


async def _split(asked: _Asked) -> int:
    return await memory_moves.split(asked.memory, asked.profile, asked.arguments)


async def _moves(asked: _Asked) -> int:
    return await memory_moves.moves(asked.memory, asked.profile)


async def _undo(asked: _Asked) -> int:
    return await memory_moves.undo(asked.memory, asked.profile, asked.arguments)


async def _export(asked: _Asked) -> int:
    print(json.dumps(await asked.profile.export(), ensure_ascii=False, indent=2))
    return 0


Do = Callable[[_Asked], Awaitable[int]]
ACTIONS: dict[str, tuple[Do, str]] = {
    "list": (_list, "What is kept, and from which words; without a caller, all callers"),
    "history": (_history, "Also what was superseded, retired or expired"),
    "ask": (
        _ask,
        "What answers a question: likeness in 0 to 1, when it was said, and by which ways it was "
        "found. Exits with 1 if some way could not be looked by",
    ),
    "decisions": (
        _decisions,
        "What was decided about each statement, newest first, and why: "
        "+ added, ~ took another's place, x ended it, - left out",
    ),
    "correct": (
        _correct,
        "Put a fact right; the old version stays in history. Exits with 1 if it is refused",
    ),
    "retire": (_retire, "End a fact's influence; history keeps it. Exits with 1 if it is refused"),
    "forget": (_forget, "Delete for good, then ask again; exits with 1 if anything still answers"),
    "merge": (
        _merge,
        "Make all that is kept of one caller another's: they are one person. It can be undone",
    ),
    "split": (
        _split,
        "Make some calls of one caller another's: somebody else was on the line. It can be undone",
    ),
    "moves": (_moves, "What was merged and split, and by whom, newest first"),
    "undo": (_undo, "Put back what was merged or split; what came since stays"),
    "verify": (
        _verify,
        "Ask again whether some words are still answered anywhere; exits with 1 if they are",
    ),
    "export": (_export, "Everything that is kept, as JSON"),
}
