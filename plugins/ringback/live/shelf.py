"""What was retrieved for the next turn: kept until it is used, stale, or replaced."""

from __future__ import annotations

from ringback.core import staging
from ringback.core.staging import Staged, StagingCounts

LATE_MS = 50  # of reading a prompt that may be added once the caller has stopped
LATE_TOKENS = 60  # where it is not known how fast the model reads; so much at 1,200 a second


class Shelf:
    """Holds one staged recall, and one that came late for a turn.

    From the caller's pause until the agent has answered the shelf is closed: what was made
    ready by then stays as it is, because the model may have read it in advance already. What
    comes later is put behind it, as far as it costs the caller no time, and takes its place
    when the shelf opens again.
    """

    def __init__(self) -> None:
        self.counts = StagingCounts()
        self.late_tokens = LATE_TOKENS
        """How much may be added once the caller has stopped."""
        self._ready: Staged | None = None
        self._late: Staged | None = None
        self._is_closed = False
        self._unused: set[int] = set()  # by identity: those put in place and not used yet
        self._used: tuple[str, ...] = ()  # facts that the journal has to be told of

    def put(self, staged: Staged) -> None:
        """Put in place what was retrieved; what it replaces is wasted unless it was used."""
        self.counts.staged += 1
        self._unused.add(id(staged))
        if self._is_closed:
            self._let_go(self._late)
            self._late = staged
            return
        self._let_go(self._ready)
        self._ready = staged

    def close(self) -> None:
        """The caller has stopped; what is ready now is what this turn is answered with."""
        self._is_closed = True

    def open(self) -> None:
        """The turn was answered; what came late takes its place for the next one."""
        self._is_closed = False
        if self._late is not None:
            self._let_go(self._ready)
            self._ready, self._late = self._late, None

    def text_for(self, said: str, *, is_used: bool) -> str:
        """What fits the words, within what a turn may cost; all that is ready without words.

        Args:
            said: What the caller says in this turn; "" before it is known.
            is_used: It is put before the model: counted, and kept for the journal.
        """
        ready = (
            self._ready if self._ready and (not said or staging.fits(self._ready, said)) else None
        )
        late = self._late if said and self._late and staging.fits(self._late, said) else None
        lines = list(ready.lines) if ready else []
        added: tuple[str, ...] = ()
        if late is not None:
            new = [line for line in late.lines if line not in lines[1:]]
            added = staging.lines_within(new, self.late_tokens)
            lines += added[1:] if lines else added
        if is_used:
            self._note(ready, said)
            self._note(late if added else None, said)
        return "\n".join(lines)

    def keep_if_fitting(self, said: str) -> None:
        """Discard what the settled words show to be about something else."""
        if self._ready is not None and not staging.fits(self._ready, said):
            self._discard(self._ready)
            self._ready = None
        if self._late is not None and not staging.fits(self._late, said):
            self._discard(self._late)
            self._late = None

    def discard(self) -> None:
        """The topic has moved, by its meaning."""
        for one in (self._ready, self._late):
            if one is not None:
                self._discard(one)
        self._ready = self._late = None

    def drop(self) -> None:
        """It was retrieved for somebody else, or is forgotten."""
        self._let_go(self._ready)
        self._let_go(self._late)
        self._ready = self._late = None
        self._used = ()

    def take_used(self) -> tuple[str, ...]:
        """Ids of facts that were put before the model since the last time."""
        used, self._used = self._used, ()
        return used

    def _note(self, staged: Staged | None, said: str) -> None:
        if staged is None or id(staged) not in self._unused:
            return
        self._unused.discard(id(staged))
        self._used += staged.fact_ids
        if staging.is_of_turn(staged, said):
            self.counts.used_same_turn += 1
        else:
            self.counts.used_later += 1

    def _discard(self, staged: Staged) -> None:
        if id(staged) in self._unused:  # what was used has had its turn, and is counted there
            self._unused.discard(id(staged))
            self.counts.stale += 1

    def _let_go(self, staged: Staged | None) -> None:
        if staged is not None and id(staged) in self._unused:
            self._unused.discard(id(staged))
            self.counts.wasted += 1
