"""Which facts there may be: schemas are data, read from top to bottom."""

from __future__ import annotations

from ringback.schemas.declaration import Field, Schema
from ringback.schemas.support import SUPPORT

__all__ = ["SUPPORT", "Field", "Schema"]
