"""The numbers of the last turns: what may go on in the next turn, and what must be masked.

A number that runs over turns is looked for in a `Stream`: the items of earlier turns and
those of the new one, as if they had been said in one go.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from ringback.core.number_search import Found
from ringback.core.number_topics import Topic, may_continue
from ringback.core.said_numbers import BROKEN, LISTED, Item, Reading
from ringback.core.sensitive_numbers import Sensitive
from ringback.records import Role, Turn

TURNS = 8  # that a number may run over, and that are kept
ITEMS = 64  # the last of a turn; a card has at most 19 digits

OPEN = 0  # readable
MASKED = 1  # masked, and maybe not all of its number
DONE = 2  # masked with the whole of its number


class Heard:
    """One turn with its numbers; lives as long as it is among the last `TURNS`."""

    __slots__ = ("gap", "is_corrected", "items", "labels", "spans", "states", "turn")

    def __init__(self, turn: Turn, reading: Reading) -> None:
        self.turn = turn
        self.items = list(reading.items)
        self.states = bytearray(len(self.items))
        self.gap = reading.gap
        self.is_corrected = reading.is_corrected
        self.labels = reading.labels
        self.spans: list[tuple[int, int, Sensitive]] = []
        """What of the text is to be masked; empty once that has been done."""

    def settle(self) -> Turn | None:
        """Mask what is to be masked; None when there is nothing."""
        if not self.spans:
            return None
        spans = _merged(self.spans)
        self.spans = []
        text, pieces, at = self.turn.text, [], 0
        for start, end, kind in spans:
            pieces += [text[at:start], kind.token]
            at = end
        self.turn = replace(self.turn, text="".join([*pieces, text[at:]]))
        self._move_items(spans)
        return self.turn

    def forget_all_but_the_last(self) -> None:
        """Keep no more than `ITEMS`."""
        if len(self.items) > ITEMS:
            self.items = self.items[-ITEMS:]
            self.items[0] = self.items[0]._replace(gap=BROKEN)
            self.states = self.states[-ITEMS:]

    def _move_items(self, spans: list[tuple[int, int, Sensitive]]) -> None:
        """Items keep their places as the text before them grows or shrinks."""
        waiting, moved = deque(spans), 0
        for place, item in enumerate(self.items):
            while waiting and waiting[0][1] <= item.start:
                start, end, kind = waiting.popleft()
                moved += len(kind.token) - (end - start)
            if moved and not self.states[place]:
                self.items[place] = item._replace(
                    start=item.start + moved,
                    end=item.end + moved,
                    letter_starts=tuple(start + moved for start in item.letter_starts),
                )


class Stream(NamedTuple):
    """Items of several turns, in the order in which they were said."""

    items: list[Item]
    owners: list[tuple[Heard, int]]
    """Where each item before `fresh` comes from."""
    fresh: int
    """Items from here on are the new turn's."""
    newest: Heard

    def owner(self, place: int) -> tuple[Heard, int]:
        """The turn of an item, and its place among the items of that turn."""
        if place < self.fresh:
            return self.owners[place]
        return self.newest, place - self.fresh

    def done(self) -> bytearray:
        """A flag per item: masked with the whole of its number."""
        earlier = bytes(heard.states[place] == DONE for heard, place in self.owners)
        return bytearray(earlier + self.newest.states.replace(b"\1", b"\0").replace(b"\2", b"\1"))

    def take(self, found: Found) -> bool:
        """Have a number masked; True when any of it was still readable."""
        is_new = False
        owners = map(self.owner, range(found.first, found.last))
        for heard, run in groupby(owners, key=lambda owner: owner[0]):
            places = [place for _, place in run]
            spans = _open_spans(heard, places)
            if spans and found.letters_before and (heard, places[0]) == self.owner(found.first):
                letter_starts = heard.items[places[0]].letter_starts[-found.letters_before :]
                spans[0] = (min(spans[0][0], *letter_starts), spans[0][1])
            if spans and found.letters_after and places[-1] + 1 < len(heard.items):
                letter_starts = heard.items[places[-1] + 1].letter_starts[: found.letters_after]
                spans[-1] = (spans[-1][0], max(spans[-1][1], *(at + 1 for at in letter_starts)))
            heard.spans += [(start, end, found.kind) for start, end in spans]
            is_new |= bool(spans)
            for place in places:
                state = DONE if found.is_complete else MASKED
                heard.states[place] = max(state, heard.states[place])
        return is_new


class History:
    """The last turns of a call, oldest first; bounded by `TURNS`."""

    def __init__(self) -> None:
        self._turns: deque[Heard] = deque(maxlen=TURNS)

    def __iter__(self) -> Iterator[Heard]:
        return iter(self._turns)

    def add(self, heard: Heard) -> None:
        """Keep a turn, and let the oldest go; call it when the turn is settled."""
        heard.forget_all_but_the_last()
        self._turns.append(heard)

    def drop(self, position: int) -> None:
        """Forget what stood at this place of the call, as it is being said anew."""
        if position >= 0:
            kept = [heard for heard in self._turns if heard.turn.position != position]
            self._turns = deque(kept, maxlen=TURNS)

    def stream(self, newest: Heard, *roles: Role) -> Stream:
        """What these roles said in the last turns, and the newest turn behind it."""
        items: list[Item] = []
        owners: list[tuple[Heard, int]] = []
        gap, is_corrected = 0, False
        for heard in [*self._turns, newest]:
            topic = items[-1].topic if items else None
            is_corrected |= heard.is_corrected and (not heard.items or heard.turn.role not in roles)
            if heard.turn.role not in roles or not heard.items:
                if any(not may_continue(topic, label) for label in heard.labels):
                    gap = BROKEN
                if heard.turn.role in roles:
                    gap = max(gap, heard.gap)
                continue
            first = heard.items[0]
            joint = first._replace(
                gap=max(gap, first.gap), is_corrected=is_corrected or first.is_corrected
            )
            if joint.gap == BROKEN:
                items, owners = [], []
            fresh = len(items)
            items = [*items, joint, *heard.items[1:]]
            if heard is not newest:
                owners += [(heard, place) for place in range(len(heard.items))]
            gap, is_corrected = heard.gap, heard.is_corrected
        return Stream(items, owners, len(owners), newest)


def _open_spans(heard: Heard, places: list[int]) -> list[tuple[int, int]]:
    """Where the readable items among these stand in the text, those side by side as one."""
    spans: list[tuple[int, int]] = []
    before = -1
    for place in places:
        item = heard.items[place]
        if heard.states[place] != OPEN:
            continue
        if spans and place == before + 1 and item.gap <= LISTED and not item.is_corrected:
            spans[-1] = (spans[-1][0], item.end)
        else:
            spans.append((item.start, item.end))
        before = place
    return spans


def _merged(spans: list[tuple[int, int, Sensitive]]) -> list[tuple[int, int, Sensitive]]:
    """In order, and those that overlap as one; the earlier one says what it was."""
    merged: list[tuple[int, int, Sensitive]] = []
    for start, end, kind in sorted(spans):
        if merged and start < merged[-1][1]:
            first, last, before = merged[-1]
            merged[-1] = (first, max(last, end), before)
        else:
            merged.append((start, end, kind))
    return merged
