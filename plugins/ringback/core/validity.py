"""How long a fact holds: from its own date if its value is one, else from when it was said."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from ringback.records import Candidate
from ringback.schemas import Field

_DATE_LENGTH = len("2026-03-06")


def expires_at(candidate: Candidate, field: Field) -> datetime | None:
    """When a fact ends by itself; None when its field has no time to live."""
    if field.ttl_days is None:
        return None
    starts_at = end_of(candidate.value) or candidate.observed_at
    return max(starts_at, candidate.observed_at) + timedelta(days=field.ttl_days)


def end_of(value: str) -> datetime | None:
    """A value that is a date, as the end of that day or its exact time, in UTC.

    Returns:
        None for any other value, and for a time without an offset: nobody knows when it is.
    """
    try:
        if len(value) == _DATE_LENGTH:
            day = date.fromisoformat(value)
            return datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1)
        moment = datetime.fromisoformat(value)
    except (ValueError, OverflowError):
        return None
    return moment.astimezone(UTC) if moment.tzinfo else None
