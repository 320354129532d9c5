"""An entry as one line of a spill file, and back."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from typing import Any

from ringback.protocols import (
    CallEnded,
    CallOpened,
    Entry,
    FactsUsed,
    TurnAmended,
    TurnObserved,
)
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
    if data["type"] == FactsUsed.__name__:
        used_at = datetime.fromisoformat(data["at"])
        return FactsUsed(data["tenant"], tuple(data["fact_ids"]), used_at)
    kind = TurnAmended if data["type"] == TurnAmended.__name__ else TurnObserved
    return kind(data["tenant"], data["call_id"], _turn(data["turn"]))


def _turn(data: dict[str, Any]) -> Turn:
    return Turn(**{**data, "role": Role(data["role"]), "at": datetime.fromisoformat(data["at"])})


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
