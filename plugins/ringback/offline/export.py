"""Everything that is kept about a profile, in plain data: for the person it is about."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from enum import Enum
from typing import Any

from ringback.offline.forgetting import ALL, Keeping, known_of


async def exported(keeping: Keeping, tenant: str, caller_id: str) -> dict[str, Any]:
    """Export a profile.

    Returns:
        Ready for `json.dumps`: the caller with handles, every call with its turns, facts of
        every status with their evidence, every call's summary, and what was decided why.

    Raises:
        StoreError: It could not be read whole.
    """
    caller = await keeping.caller(tenant, caller_id)
    known = await known_of(keeping, tenant, caller_id)
    summaries = await keeping.summaries(tenant, caller_id=caller_id, limit=ALL)
    decisions = await keeping.decisions(tenant, caller_id=caller_id)
    return {
        "caller": _plain(caller),
        "calls": _plain([{"call": view.call, "turns": view.turns} for view in known.calls]),
        "facts": _plain(known.facts),
        "summaries": _plain(summaries),
        "decisions": _plain(decisions),
    }


def _plain(value: Any) -> Any:
    """Records as dictionaries, times in ISO 8601, enumerations as their words."""
    match value:
        case Enum():
            return value.value
        case datetime():
            return value.isoformat()
        case dict():
            return {key: _plain(one) for key, one in value.items()}
        case list() | tuple():
            return [_plain(one) for one in value]
        case None | str() | int() | float():
            return value
        case _:
            return _plain(asdict(value))
