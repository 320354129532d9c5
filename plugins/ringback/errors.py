"""What can go wrong, as one tree.

```
RingbackError
├── UsageError            the caller's bug, or a setting that cannot be
├── RecordingError        a recording or call folder that cannot be used
└── InferenceError        a model or its server; .retryable
    └── InferenceUnavailableError
```

Messages carry names, counts and bounds, never words that were spoken.
"""

from __future__ import annotations


class RingbackError(Exception):
    """Anything Ringback raises on purpose.

    A command turns it into one line and an exit status; a program can catch it whole.
    """

    retryable = False


class UsageError(RingbackError):
    """An argument or setting that cannot be.

    Change what the message names; trying again as it stands gives the same.
    """


class RecordingError(RingbackError):
    """A recording or a call folder that cannot be used.

    Its message names the file and what is wrong with it; give another file, or mend it.
    """


class InferenceError(RingbackError):
    """A model or its server did not do its part.

    See the subclass, and `retryable`.
    """


class InferenceUnavailableError(InferenceError):
    """A model server that refuses, does not start or does not answer in time.

    Start it, correct its address, or try again later.
    """

    retryable = True
