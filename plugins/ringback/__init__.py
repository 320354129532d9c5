"""Memory for voice agents.

`ringback` is the library: it knows no framework, no web server and no model runtime.
Local speech parts are in `ringback_voice`, runnable bots in `ringback_pipelines`, the
`ringback` command in `ringback_ops`, model files in `ringback_models`.
"""

from __future__ import annotations

from ringback.clock import Clock, SystemClock
from ringback.errors import (
    InferenceError,
    InferenceUnavailableError,
    RecordingError,
    RingbackError,
    UsageError,
)

__all__ = [
    "Clock",
    "InferenceError",
    "InferenceUnavailableError",
    "RecordingError",
    "RingbackError",
    "SystemClock",
    "UsageError",
]
