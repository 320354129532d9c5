"""Who is said to be calling: handles and ids as an application gives them, checked and put in order.

What is wrong with them is the application's slip, and is told where it is made: when a call
is rung, when somebody is named. Nothing of it is found out later, on the line.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ringback.core import identity
from ringback.errors import UsageError
from ringback.records import Assurance, Call, Handle, HandleKind, ProfileKind
from ringback.text import composed

HandleLike: TypeAlias = Handle | tuple[str, str]

BETWEEN = ":/|"  # signs that stand between a tenant and an id of it


@dataclass(frozen=True, slots=True)
class Identity:
    """Who an application's own systems say is calling.

    Raises:
        UsageError: The id cannot be a caller's, the assurance is `UNKNOWN`, or a handle is none.
    """

    caller_id: str
    assurance: Assurance = Assurance.CLAIMED
    handles: tuple[HandleLike, ...] = ()
    """What leads to them from now on as well."""

    def __post_init__(self) -> None:
        checked_caller_id(self.caller_id)
        checked_assurance(self.assurance)
        normalised(self.handles)


LookUp: TypeAlias = Callable[[Call, Mapping[str, str]], Awaitable[Identity | None]]
"""An application's question to its own systems: who is on this line?

It is given the call, with the handles that it came with, and what the caller has said of
themselves so far, by key of the schema: `{"account_number": "4821"}`. None: nobody is found.
It runs beside the call: it may be slow, raise or never answer, and nothing waits for it.
"""


def normalised(given: Iterable[HandleLike], region: str = "") -> tuple[Handle, ...]:
    """Normalise claims, national numbers as of a region; those that name nobody are left out.

    Raises:
        UsageError: There is no such kind, or one is no pair of a kind and a text.
    """
    found: list[Handle] = []
    for one in given:
        kind, value = _pair(one)
        try:
            handle = identity.normalise_handle(HandleKind(kind), value, region=region)
        except ValueError:
            kinds = ", ".join(HandleKind)
            raise UsageError(f"no handle kind {kind!r}; there are {kinds}") from None
        if handle is not None and handle not in found:
            found.append(handle)
    return tuple(found)


def checked_id(what: str, given: object) -> str:
    """An id as it is given, where it can be one.

    A blank, or one with a space at its end, is somebody else's than it looks: refused, not mended.

    Args:
        what: What it is, for the message.
        given: The id.

    Raises:
        UsageError: It is no text, is empty, begins or ends with a space, or has a sign in it
            that cannot be kept.
    """
    if not isinstance(given, str) or not given:
        raise UsageError(f"{what} has to be a text with something in it")
    if given != given.strip():
        raise UsageError(f"{what} begins or ends with a space")
    if "\0" in given or any("\ud800" <= sign <= "\udfff" for sign in given):
        raise UsageError(f"{what} has a sign in it that cannot be kept")
    return given


def checked_caller_id(caller_id: str, *, tenant: str = "", tenants: Collection[str] = ()) -> str:
    """Put a caller's id into one form, so that two encodings of one name are one caller.

    Args:
        caller_id: As the application has it.
        tenant: Whose caller it is.
        tenants: All that are known here.

    Raises:
        UsageError: It can be no id, begins as the id of an agent or a team does, or with
            another tenant's name: `globex:dana` is no caller of `acme`.
    """
    checked_id("a caller's id", caller_id)
    for kind in (ProfileKind.AGENT, ProfileKind.TEAM):
        if caller_id.startswith(f"{kind}:"):
            raise UsageError(f"no caller's id begins with {kind}: - that is a profile's own")
    for sign in BETWEEN:
        before, found, _ = caller_id.partition(sign)
        if found and before != tenant and before in tenants:
            raise UsageError("this caller's id begins with another tenant's name")
    return composed(caller_id)


def checked_assurance(assurance: Assurance) -> Assurance:
    """How sure it is who somebody is, where it is known who.

    Raises:
        UsageError: It is no assurance, or `UNKNOWN`.
    """
    try:
        known = Assurance(assurance)
    except ValueError:
        known = Assurance.UNKNOWN
    if known is Assurance.UNKNOWN:
        raise UsageError("whoever is named is `claimed` or `verified`")
    return known


def _pair(given: object) -> tuple[str, str]:
    if isinstance(given, Handle):
        return given.kind, given.value
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise UsageError('a handle is a kind and a text: ("phone", "+1 555 123 4567")')
    kind, value = given
    if value is None:  # the host has no number: it was withheld
        value = ""
    if not isinstance(value, str):
        raise UsageError(f"a handle of kind {kind!r} is no text")
    return kind, value
