"""What may be said and written, by how sure it is who is calling.

A handle is a claim. A phone number is chosen by whoever sets up the call; where it is
signed (STIR/SHAKEN: RFC 8224, RFC 8588), the strongest attestation says that a carrier
knows its customer and that the customer may use the number, not who is speaking, and the
signature is lost on the way through an older network. A family shares a phone. So a number,
like the caller's own word, gives `CLAIMED` and no more; `VERIFIED` comes from code.

The table speaks of memory kept from *earlier* calls and of what is kept from this one. What
a caller has said in the running call they know already: it may be repeated to them (unless
it is secret) and taken back by them at every level, and is not asked about here.

Why the lines lie where they do:

- Unknown: there is nobody whose things could be told. What they say is written to the call
  alone, provisionally, until the call is somebody's. What is sensitive is not written: a
  record of a nameless person's health could be shown to nobody and erased for nobody. Its
  turn is in the journal, so it is decided on again once the call is identified.
- Claimed: names and matters may be spoken, for that is what a caller expects of memory, and
  what most callers are is honest. An address, health or an amount may be noted but not told:
  a stranger with the right number must learn nothing that hurts.
- Correcting is telling in reverse. A stranger who overwrites an address has a parcel sent to
  them, so what is sensitive is replaced for a verified caller only. Withdrawing counts as
  correcting.
- Secret: never said aloud, to anybody, for others hear a loudspeaker. It is written for a
  verified caller only, since a secret may serve to verify a caller later.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ringback.records import Assurance, Sensitivity


@dataclass(frozen=True, slots=True)
class _Cell:
    speak: bool
    write: bool
    correct: bool


_YES, _NO = True, False

# fmt: off
_TABLE: Mapping[tuple[Assurance, Sensitivity], _Cell] = MappingProxyType({
    #                                                   speak  write correct
    (Assurance.UNKNOWN,  Sensitivity.OPEN):      _Cell(_YES,  _YES,  _NO),
    (Assurance.UNKNOWN,  Sensitivity.PERSONAL):  _Cell(_NO,   _YES,  _NO),
    (Assurance.UNKNOWN,  Sensitivity.SENSITIVE): _Cell(_NO,   _NO,   _NO),
    (Assurance.UNKNOWN,  Sensitivity.SECRET):    _Cell(_NO,   _NO,   _NO),
    (Assurance.CLAIMED,  Sensitivity.OPEN):      _Cell(_YES,  _YES,  _YES),
    (Assurance.CLAIMED,  Sensitivity.PERSONAL):  _Cell(_YES,  _YES,  _YES),
    (Assurance.CLAIMED,  Sensitivity.SENSITIVE): _Cell(_NO,   _YES,  _NO),
    (Assurance.CLAIMED,  Sensitivity.SECRET):    _Cell(_NO,   _NO,   _NO),
    (Assurance.VERIFIED, Sensitivity.OPEN):      _Cell(_YES,  _YES,  _YES),
    (Assurance.VERIFIED, Sensitivity.PERSONAL):  _Cell(_YES,  _YES,  _YES),
    (Assurance.VERIFIED, Sensitivity.SENSITIVE): _Cell(_YES,  _YES,  _YES),
    (Assurance.VERIFIED, Sensitivity.SECRET):    _Cell(_NO,   _YES,  _YES),
})
# fmt: on


def may_speak(assurance: Assurance, sensitivity: Sensitivity) -> bool:
    """A fact kept from an earlier call may be put into words for this caller."""
    return _TABLE[assurance, sensitivity].speak


def may_write(assurance: Assurance, sensitivity: Sensitivity) -> bool:
    """A new fact that this call states may be kept.

    While the caller is unknown that means: as the call's own and provisional, not as part
    of anybody's profile.
    """
    return _TABLE[assurance, sensitivity].write


def may_correct(assurance: Assurance, sensitivity: Sensitivity) -> bool:
    """A fact kept from an earlier call may be replaced or withdrawn by this caller.

    Where the old and the new fact differ in sensitivity, ask with the higher of the two.
    """
    return _TABLE[assurance, sensitivity].correct
