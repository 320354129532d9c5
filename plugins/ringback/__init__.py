"""Memory for voice agents.

`ringback` is the library: it knows no framework, no web server and no model runtime.
Pipecat meets it in `ringback_pipecat`; local speech parts are in `ringback_voice`,
runnable bots in `ringback_pipelines`, the `ringback` command in `ringback_ops`, model
files in `ringback_models`. Records are in `ringback.records`, errors in `ringback.errors`;
the names that every application needs are here.
"""

from __future__ import annotations

from ringback.clock import Clock, SystemClock
from ringback.errors import (
    InferenceUnavailableError,
    RecordingError,
    RingbackError,
    StoreError,
    UsageError,
)
from ringback.memory import CallHandle, Memory
from ringback.protocols import Receipt
from ringback.records import Assurance, Call, Context, Decision, Fact, Handle, Role, Turn
from ringback.settings import MemorySettings

__all__ = [
    "Assurance",
    "Call",
    "CallHandle",
    "Clock",
    "Context",
    "Decision",
    "Fact",
    "Handle",
    "InferenceUnavailableError",
    "Memory",
    "MemorySettings",
    "Receipt",
    "RecordingError",
    "RingbackError",
    "Role",
    "StoreError",
    "SystemClock",
    "Turn",
    "UsageError",
]
