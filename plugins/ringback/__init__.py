"""Memory for voice agents.

`ringback` is the library: it knows no framework, no web server and no model runtime.
Pipecat meets it in `ringback_pipecat`; local speech parts are in `ringback_voice`,
runnable bots in `ringback_pipelines`, the `ringback` command in `ringback_ops`, model
files in `ringback_models`. Records are in `ringback.records`, errors in `ringback.errors`;
the names that every application needs are here.
"""

from __future__ import annotations

from ringback.claims import Identity
from ringback.clock import Clock, SystemClock
from ringback.core.alignment import OfferedTurn
from ringback.erasure import Erased
from ringback.errors import (
    InferenceUnavailableError,
    RecordingError,
    RingbackError,
    StoreError,
    UsageError,
)
from ringback.handle import CallHandle
from ringback.memory import Memory
from ringback.profile import Profile
from ringback.protocols import Receipt
from ringback.recollection import Recall
from ringback.records import Assurance, Call, Context, Decision, Fact, Handle, Role, Turn
from ringback.settings import MemorySettings

__all__ = [
    "Assurance",
    "Call",
    "CallHandle",
    "Clock",
    "Context",
    "Decision",
    "Erased",
    "Fact",
    "Handle",
    "Identity",
    "InferenceUnavailableError",
    "Memory",
    "MemorySettings",
    "OfferedTurn",
    "Profile",
    "Recall",
    "Receipt",
    "RecordingError",
    "RingbackError",
    "Role",
    "StoreError",
    "SystemClock",
    "Turn",
    "UsageError",
]
