"""Every entry comes back from a spill file as it was, also from one that is older."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ringback.protocols import Entry, FactsUsed, TurnAmended, TurnObserved
from ringback.stores.sqlite.spill_line import entry_of, line_of
from ringback.testing.made_records import START_AT, TENANT, ended, opened, said

pytestmark = pytest.mark.unit

TURN = replace(said(3, "my card is ****").turn, ref="message-17", started_ms=5, partial=True)
ENTRIES: tuple[Entry, ...] = (
    opened(),
    TurnObserved(TENANT, "c1", TURN),
    TurnAmended(TENANT, "c1", TURN),
    FactsUsed(TENANT, ("f1", "f2"), START_AT),
    ended(),
)
OLDER = (
    b'{"v": 1, "type": "TurnObserved", "tenant": "acme", "call_id": "c1", "turn": {"role":'
    b' "caller", "text": "yes", "at": "2026-03-02T15:00:00.123456+00:00", "position": 0,'
    b' "speaker": "", "started_ms": null, "ended_ms": null, "interrupted": false,'
    b' "partial": false}}\n'
)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: type(entry).__name__)
def test_an_entry_comes_back_as_it_was(entry):
    assert entry_of(line_of(entry)) == entry


def test_a_line_of_an_older_ringback_is_read():
    assert entry_of(OLDER) == said(0, "yes")


@pytest.mark.parametrize(
    "line",
    [
        b'{"v": 1, "type": "FactsUsed", "tenant": "acme", "at": "2026-03-02T15:00:00+00:00"}\n',
        b'{"v": 1, "type": "TurnAmended", "tenant": "acme", "call_id": "c1"}\n',
        b'{"v": 2, "type": "CallEnded"}\n',
        b"{}\n",
    ],
)
def test_a_line_that_is_no_entry_is_refused(line):
    with pytest.raises(ValueError, match="entry"):
        entry_of(line)
