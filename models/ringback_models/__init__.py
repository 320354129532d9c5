"""Which model files there are, where they come from, and whether they are the right bytes.

`resolve("whisper-tiny.en")` returns a folder with verified files, fetching them if need be.
Nothing here knows what the files are for.
"""

from __future__ import annotations

from ringback_models.errors import (
    ModelChecksumError,
    ModelDiskError,
    ModelError,
    ModelMissingError,
    ModelNetworkError,
    ModelSettingsError,
    ModelUnknownError,
)
from ringback_models.fetch import fetch_model
from ringback_models.manifest import (
    HubSource,
    Manifest,
    Model,
    ModelFile,
    Package,
    PackagePart,
    PackageSource,
    load_manifest,
)
from ringback_models.plan import Plan, missing, plans_line
from ringback_models.progress import Reporter, SilentReporter, TqdmReporter
from ringback_models.resolve import resolve, resolve_file
from ringback_models.settings import ModelSettings
from ringback_models.verify import verify

__all__ = [
    "HubSource",
    "Manifest",
    "Model",
    "ModelChecksumError",
    "ModelDiskError",
    "ModelError",
    "ModelFile",
    "ModelMissingError",
    "ModelNetworkError",
    "ModelSettings",
    "ModelSettingsError",
    "ModelUnknownError",
    "Package",
    "PackagePart",
    "PackageSource",
    "Plan",
    "Reporter",
    "SilentReporter",
    "TqdmReporter",
    "fetch_model",
    "load_manifest",
    "missing",
    "plans_line",
    "resolve",
    "resolve_file",
    "verify",
]
