"""Memory for voice agents.

`ringback` is the library: it knows no framework, no web server and no model runtime.
Local speech parts are in `ringback_voice`, runnable bots in `ringback_pipelines`, the
`ringback` command in `ringback_ops`, model files in `ringback_models`.
"""

from __future__ import annotations

from ringback.clock import Clock, SystemClock
from ringback.errors import (
    ClosedError,
    InferenceError,
    InferenceUnavailableError,
    RecordingError,
    RingbackError,
    SchemaVersionError,
    StoreCorruptError,
    StoreError,
    StoreUnavailableError,
    UsageError,
)

__all__ = [
    "Clock",
    "ClosedError",
    "InferenceError",
    "InferenceUnavailableError",
    "RecordingError",
    "RingbackError",
    "SchemaVersionError",
    "StoreCorruptError",
    "StoreError",
    "StoreUnavailableError",
    "SystemClock",
    "UsageError",
]
