"""An entry as one line of a spill file, and back."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from typing import Any

from ringback.protocols import CallEnded, CallOpened, Entry, TurnObserved
from ringback.records import Assurance, Call, Handle, HandleKind, Role, Turn

VERSION = 1  # of the lines; a newer one is left for a newer Ringback


def line_of(entry: Entry) -> bytes:
    """One line of JSON in ASCII, with its line feed."""
    head = {"v": VERSION, "type": type(entry).__name__}
    return json.dumps({**head, **asdict(entry)}, default=datetime.isoformat).encode() + b"\n"


def entry_of(line: bytes) -> Entry:
    """The entry that a line was made of.

    Raises:
        ValueError: It is not such a line.
    """
    try:
        return _entry(json.loads(line))
    except (KeyError, TypeError) as error:
        raise ValueError("not an entry") from error


def _entry(data: dict[str, Any]) -> Entry:
    if data["v"] != VERSION:
        raise ValueError("an entry of another version")
    if data["type"] == CallOpened.__name__:
        return CallOpened(_call(data["call"]))
    if data["type"] == CallEnded.__name__:
        return CallEnded(data["tenant"], data["call_id"], datetime.fromisoformat(data["at"]))
    turn = data["turn"]
    return TurnObserved(
        data["tenant"],
        data["call_id"],
        Turn(**{**turn, "role": Role(turn["role"]), "at": datetime.fromisoformat(turn["at"])}),
    )


def _call(data: dict[str, Any]) -> Call:
    ended_at = data["ended_at"]
    return Call(
        **{
            **data,
            "started_at": datetime.fromisoformat(data["started_at"]),
            "handles": tuple(
                Handle(HandleKind(one["kind"]), one["value"]) for one in data["handles"]
            ),
            "assurance": Assurance(data["assurance"]),
            "ended_at": None if ended_at is None else datetime.fromisoformat(ended_at),
        }
    )
