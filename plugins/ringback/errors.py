"""What can go wrong, as one tree.

```
RingbackError
├── UsageError            the caller's bug, or a setting that cannot be
│   ├── ClosedError       used after it was closed
│   └── SettingsError     a setting or a schema that cannot be; also a ValueError
├── StoreError            where memory is kept; .retryable
│   ├── StoreUnavailableError    locked, refused, read-only, full
│   ├── StoreConflictError       somebody else wrote the same thing meanwhile
│   ├── StoreCorruptError        not a database, or a damaged one
│   └── SchemaVersionError       made by a newer Ringback
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


class ClosedError(UsageError):
    """A memory, call or store was used after it had been closed.

    Open it again, or keep it open for as long as it is used.
    """


class SettingsError(UsageError, ValueError):
    """A setting or a schema contradicts itself or its bounds.

    Change the field that the message names.
    """


class StoreError(RingbackError):
    """The place where memory is kept did not do its part.

    See the subclass, and `retryable`.
    """


class StoreUnavailableError(StoreError):
    """The store is locked, read-only, full, or refuses to answer.

    What the message names has to change; then trying again succeeds.
    """

    retryable = True


class StoreConflictError(StoreError):
    """Somebody else wrote the same thing at the same time, again and again.

    Read again and try again.
    """

    retryable = True


class StoreCorruptError(StoreError):
    """The file is no store, or a damaged one.

    Nothing is written to it; restore it from a copy, or name another file.
    """


class SchemaVersionError(StoreError):
    """The store was made by a newer Ringback than this one.

    Upgrade Ringback, or open another store; this one is left as it is.

    Args:
        found: The version that the store has.
        wanted: The newest version that this Ringback knows.
    """

    def __init__(self, found: int, wanted: int) -> None:
        super().__init__(
            f"the store has schema {found}, this Ringback knows {wanted}: upgrade Ringback"
        )
        self.found = found
        self.wanted = wanted


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
