"""What can go wrong with a model's files, as one tree.

```
ModelError
├── ModelSettingsError    (also ValueError) a setting or a manifest that cannot be
├── ModelUnknownError     no model of that name
├── ModelMissingError     not here, and not to be fetched
├── ModelChecksumError    here or served, but not the right bytes
├── ModelNetworkError     no source could be reached, or none has it
└── ModelDiskError        no space, or a folder that cannot be written
```

Each error's text is one line: what happened, then what to do about it.
"""

from __future__ import annotations


class ModelError(Exception):
    """A model's files cannot be had.

    Print it: its text is one line that ends with what to do.

    Args:
        reason: What happened, without a final stop.
        advice: What the reader can do about it, without a final stop.
    """

    def __init__(self, reason: str, advice: str) -> None:
        super().__init__(reason, advice)
        self.reason = " ".join(reason.split())
        """What happened, on one line."""
        self.advice = " ".join(advice.split())
        """What to do about it, on one line."""

    def __str__(self) -> str:
        return f"{self.reason}. {self.advice[:1].upper()}{self.advice[1:]}."


class ModelSettingsError(ModelError, ValueError):
    """An environment variable or a manifest holds a value that cannot be.

    Set what the message names to one of the values it lists.
    """


class ModelUnknownError(ModelError):
    """No model in the manifest has that name, and no file has that path.

    Take one of the names in the message, or give the path of an existing file.
    """


class ModelMissingError(ModelError):
    """A model's files are not here, and the call or the settings forbid to fetch them.

    Fetch them with the command in the message, or put them into the folder it names.
    """


class ModelChecksumError(ModelError):
    """A file's size or SHA-256 is not the manifest's, so the file was refused.

    Fetch it again with the command in the message, or take another source.
    """


class ModelNetworkError(ModelError):
    """No source could be reached, or none of them has the model.

    Run the same again once the network is back (what came so far is kept), or change
    the setting that the message names.
    """


class ModelDiskError(ModelError):
    """There is no space for the model, or its folder cannot be written.

    Free what the message asks for, or name another folder in `RINGBACK_MODELS_DIR`.
    """
