"""Which part of a call a language model reads: the newest turns, and a digest of the rest.

History is never touched: a window only says which messages of a request are read. It moves
in strides, not with every turn, because each move changes the prefix that the model's cache
holds; and it moves between turns, not while somebody waits for a reply.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TypeAlias

from ringback.core.budget import Count, Gauge, fitted_lines, rough_count
from ringback.core.fitting import (
    CUT,
    GAP,
    Cut,
    Message,
    Sizes,
    View,
    WindowSettings,
    cut_places,
    fitted,
    head_of,
    users,
)
from ringback.records import Context, Role, Turn

INPUT_SHARE = 0.75  # of what a model can read and write; the rest is for its answer
UNTIMED = datetime(1970, 1, 1, tzinfo=UTC)  # a request does not say when its turns were

_ROLES = {"user": Role.CALLER, "assistant": Role.AGENT}


@dataclass(frozen=True, slots=True)
class Passage:
    """What leaves a window: turns that shall become a digest."""

    turns: tuple[Turn, ...]
    """What the digest shall stand for, oldest first."""
    fresh_from: int
    """How many of them come from the passage before this one."""
    digest: str
    """The digest before this one; empty for the first."""
    start: int
    """Where the window will begin, as a place in the history."""
    first: object
    """The host's message there."""


@dataclass(frozen=True, slots=True)
class Digest:
    """What became of a passage."""

    text: str
    """A few sentences; empty where none could be made."""
    turns: tuple[Turn, ...] = ()
    """What the next digest needs of the passage."""


Compress: TypeAlias = Callable[[Passage, Callable[[Digest], None]], None]
"""Has a digest made in the background and given to the callable, on the loop; never waits."""


class Window:
    """Where the part of a call begins that a language model reads.

    Lives as long as its call; one loop calls it; nothing in it waits. A turn sees one
    window: what changes meanwhile holds from the next turn on, and what comes between a
    caller's pause and the request that follows, from the turn after that.

    Args:
        settings: Bounds.
        count: Counts tokens, in this process.
        compress: Makes digests; without it turns stay until they are too many tokens.
    """

    def __init__(
        self,
        settings: WindowSettings,
        *,
        count: Count = rough_count,
        compress: Compress | None = None,
    ) -> None:
        self.gauge = Gauge()
        self.sizes = Sizes(count)
        self.stands_back = False
        """The host summarises its history itself: no digest is made here."""
        self.counted = 0
        """Tokens of the newest request, as counted."""
        self.settings = settings
        self._compress = compress
        self._listeners: list[Callable[[], None]] = []
        self._turn: Hashable = None
        self._is_held = False
        self._histories = 0
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._histories += 1  # digests of another one are not taken
        self._cut = Cut()
        self._next = Cut()
        self._came: tuple[Passage, Digest] | None = None
        self._told: tuple[Turn, ...] = ()
        self._told_to = 0
        self._digest = ""
        self._asked_at = 0

    def look(
        self,
        messages: Sequence[Message],
        memory: Context,
        *,
        turn: Hashable = None,
        other_tokens: int = 0,
    ) -> View:
        """Say what is read of a request.

        Args:
            messages: The whole history.
            memory: What memory adds.
            turn: The same window for the same turn; None: as the coming turn will see it,
                whose words the last message will have.
            other_tokens: Of what else the request holds, e.g. its tools.
        """
        self._notice(messages)
        if turn is not None and turn != self._turn:
            self._turn, self._cut = turn, self._next
            self.go_on()
        before = self._next if turn is None else self._cut
        limit = self.gauge.counted(int(self.settings.context_tokens * INPUT_SHARE)) - other_tokens
        cut, view = fitted(messages, before, memory, limit, (self.settings, self.sizes))
        if turn is not None:
            self._cut, self.counted = cut, view.tokens + other_tokens
        elif cut.start == len(messages) - 1:
            return view  # that message is not in the history yet
        if self._next == before or self._next.start < cut.start:
            self._next = cut  # nothing comes back that had to go
        if turn is not None:
            self._ask(messages)
        return view

    def on_change(self, listener: Callable[[], None]) -> None:
        """Have it told when the coming turn will see another window than this one."""
        self._listeners.append(listener)

    def hold(self) -> None:
        """The caller has paused: the request that comes sees the window as it is."""
        self._is_held = True

    def go_on(self) -> None:
        """The request has been made, or the caller speaks on."""
        self._is_held = False
        self._take_what_came()

    def _notice(self, messages: Sequence[Message]) -> None:
        """Begin anew where the history is no longer the one that the window was made for."""
        known = [(cut.start, cut.first) for cut in (self._cut, self._next)]
        if self._came is not None:
            known.append((self._came[0].start, self._came[0].first))
        for start, first in known:
            if first is not None and (start >= len(messages) or messages[start].of is not first):
                self._begin_anew()
                return

    def _ask(self, messages: Sequence[Message]) -> None:
        """Have a digest made where there are too many turns; again after `keep` more."""
        start, keep = self._next.start, self.settings.keep
        said = users(messages)
        shown = [place for place in said if place >= start]
        if self._compress is None or self.stands_back or len(shown) < self.settings.turns:
            return
        if self._asked_at <= len(said) < self._asked_at + keep and self._asked_at:
            return
        places = [p for p in cut_places(messages, self._told_to) if start < p <= shown[-keep]]
        if not places:
            return
        self._asked_at = len(said)
        begin = max(self._told_to, head_of(messages))
        passage = Passage(
            turns=self._told + turns_of(messages[begin : places[-1]]),
            fresh_from=len(self._told),
            digest=self._digest,
            start=places[-1],
            first=messages[places[-1]].of,
        )
        history = self._histories
        self._compress(passage, lambda digest: self._take(passage, digest, history))

    def _take(self, passage: Passage, digest: Digest, history: int) -> None:
        """Take in a digest that was asked for, unless history has changed or gone on without it."""
        if digest.text and history == self._histories and passage.start > self._told_to:
            self._came = (passage, digest)
            if not self._is_held:
                self._take_what_came()

    def _take_what_came(self) -> None:
        if self._came is None:
            return
        (passage, digest), self._came = self._came, None
        note = fitted_lines(digest.text, self.settings.digest_tokens, self.sizes.count) or CUT
        self._told, self._told_to, self._digest = digest.turns, passage.start, note
        if passage.start < self._next.start:  # more had to go meanwhile
            self._next = replace(self._next, note=f"{note}\n{GAP}")
        else:
            short_before = max(passage.start, self._next.short_before)
            self._next = Cut(passage.start, passage.first, note, short_before)
        for listener in self._listeners:
            listener()


def turns_of(messages: Sequence[Message]) -> tuple[Turn, ...]:
    """What caller and agent said in some messages; tools and instructions say nothing."""
    return tuple(
        Turn(_ROLES[message.role], message.text, at=UNTIMED)
        for message in messages
        if message.role in _ROLES and not (message.calls or message.is_kept)
        if message.text.strip()
    )
