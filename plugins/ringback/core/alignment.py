"""Which turns of a conversation that is offered from outside are new.

An application hands over a conversation piece by piece, and the pieces overlap: the whole
history each time, the last ten messages, the same export twice. Positions are append-only,
so the question is how many leading turns of a window are already there. Answered in this
order:

1. The whole window lies within what is known: nothing is new. Ingesting a conversation, or
   an old part of it, again changes nothing.
2. The end of what is known is the beginning of the window: the longest such run counts, and
   what follows it is new. [m0…m9] and then [m5…m14] gives 15 turns.
3. The beginning of what is known appears later in the window, so the window begins earlier.
   Those *earlier* turns are reported and not appended: at the end they would stand in the
   wrong place, and the run that tells a repeated window would break. What follows the known
   turns is new. (A window that ends with all that is known is recognised as this before a
   partial run as in 2, or offering it twice would append it.)
4. Neither: there is a gap, and the whole window is new.

Without ids and times, some windows can be read in two ways; then fewer turns are appended:

- "yes", "yes", "yes" known, and "yes", "yes" offered: nothing new, by 1. Two real "yes" in
  a row stay two where they are offered with what came before or after them.
- A window of nothing but common words that were said before is taken for a repetition.
  The reading is certain when the window is the whole history, or when the overlap holds one
  turn that occurs only once; times make nearly every turn such a turn.

An edited turn breaks the run, in the window as a whole: it is a gap, and what was known of
it stands twice. To a hash, an edit looks the same as a second exchange like the first ("The
order number?" "4822" "Shipped."); a turn that is there twice can be merged later, one that
is left out is lost. Ids tell the two apart.

An explicit id wins: a turn with a known id is skipped, and one with a new id is appended,
whatever its words and its place. Turns without ids are aligned among themselves. So offer a
turn in the same way each time: with its id or never, with its time or never.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from ringback.errors import UsageError
from ringback.records import Role, content_id
from ringback.text import one_line, plain

ID_PREFIX = "id:"  # no hash begins with it: hashes are hexadecimal


@dataclass(frozen=True, slots=True)
class OfferedTurn:
    """A turn as an application offers it, with no place in a call yet.

    Raises:
        UsageError: Its time has no zone.
    """

    role: Role
    text: str
    speaker: str = ""
    at: datetime | None = None
    """Aware; None when the application does not know."""
    id: str = ""
    """The application's own id of it; empty when it has none."""

    def __post_init__(self) -> None:
        if self.at is not None and self.at.utcoffset() is None:
            raise UsageError("the time of an offered turn needs a zone")

    @property
    def ref(self) -> str:
        """What identifies it when it is offered again: its id, or a hash of what was said.

        Of the text, typographic quotes, dashes and spaces do not count; case, punctuation
        and digits do. Equal instants are equal in every zone. Two turns with the same
        words by the same speaker at the same time have one hash, and their run tells them
        apart.
        """
        if self.id:
            return ID_PREFIX + self.id
        at = None if self.at is None else self.at.astimezone(UTC).isoformat()
        return content_id(self.role, self.speaker, one_line(plain(self.text)), at)


@dataclass(frozen=True, slots=True)
class Alignment:
    """How a window lies to what is known."""

    skipped: int = 0
    """How many leading turns of the window are not to be appended; 0 is a gap."""
    earlier: int = 0
    """How many of those lie before everything that is known, and are stored nowhere."""


@dataclass(frozen=True, slots=True)
class Placement:
    """Which turns of a window go where, as places in the window, ascending."""

    new: tuple[int, ...]
    """To be appended, in this order."""
    earlier: tuple[int, ...] = ()
    """Neither known nor appended: they come before all that is known. An application that
    wants them ingests them as a conversation of their own."""


def turns_to_append(known: Sequence[str], window: Sequence[OfferedTurn]) -> Placement:
    """Find the turns of a window that are not stored yet.

    Args:
        known: The `ref` of each stored turn of this conversation, in order; empty where a
            turn has none, which matches nothing.
        window: The turns that are offered, in order.

    Returns:
        Offered again, after these were appended, the same window has nothing new.
    """
    without_id = [place for place, turn in enumerate(window) if not turn.id]
    alignment = aligned(
        [ref for ref in known if not ref.startswith(ID_PREFIX)],
        [window[place].ref for place in without_id],
    )
    new = without_id[alignment.skipped :]
    seen = set(known)
    for place, turn in enumerate(window):
        if turn.id and turn.ref not in seen:
            seen.add(turn.ref)
            new.append(place)
    return Placement(tuple(sorted(new)), tuple(without_id[: alignment.earlier]))


def aligned(known: Sequence[str], window: Sequence[str]) -> Alignment:
    """Lay a window over what is known, by their runs of hashes.

    Args:
        known: One hash a stored turn, in order.
        window: One hash an offered turn, in order.

    Returns:
        See the rules at the top. Takes time in proportion to both lengths together.
    """
    if not known:
        return Alignment()
    runs = _runs(window, known)
    if max(runs) == len(window):
        return Alignment(len(window))
    overlap = next((run for place, run in enumerate(runs) if place + run == len(known)), 0)
    if overlap == len(known):
        return Alignment(overlap)
    later = _runs(known, window)
    earlier = len(window) - len(known)
    if earlier > 0 and later[earlier] == len(known):
        return Alignment(len(window), earlier)
    if overlap:
        return Alignment(overlap)
    for place, run in enumerate(later):
        if run and (run == len(known) or place + run == len(window)):
            return Alignment(place + run, place)
    return Alignment()


def _runs(head: Sequence[str], along: Sequence[str]) -> list[int]:
    """How many leading items of `head` stand at each place of `along`.

    The Z algorithm: Gusfield 1997, "Algorithms on Strings, Trees, and Sequences", 1.3-1.5.
    """
    items = [*head, None, *along]  # None equals no hash, so that no run leaves the head
    runs = [0] * len(items)
    left = right = 0
    for place in range(1, len(items)):
        run = min(runs[place - left], right - place) if place < right else 0
        while place + run < len(items) and items[run] == items[place + run]:
            run += 1
        runs[place] = run
        if place + run > right:
            left, right = place, place + run
    return runs[len(head) + 1 :]
