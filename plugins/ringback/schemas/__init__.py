"""Which facts there may be: schemas are data, read from top to bottom."""

from __future__ import annotations

from ringback.schemas.declaration import Field, Promotion, Schema, ValueType
from ringback.schemas.general import GENERAL
from ringback.schemas.medical_intake import MEDICAL_INTAKE
from ringback.schemas.support import SUPPORT

__all__ = ["GENERAL", "MEDICAL_INTAKE", "SUPPORT", "Field", "Promotion", "Schema", "ValueType"]
