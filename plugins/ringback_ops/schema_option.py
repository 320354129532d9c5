"""Which schema a command reads a memory by: one that comes along, or one of your own."""

from __future__ import annotations

import argparse
import importlib
import sys

from ringback import UsageError
from ringback.schemas import GENERAL, MEDICAL_INTAKE, SUPPORT, Schema

SCHEMAS = {schema.name.replace(" ", "-"): schema for schema in (SUPPORT, GENERAL, MEDICAL_INTAKE)}


def add_schema_argument(parser: argparse.ArgumentParser) -> None:
    """Add --schema."""
    parser.add_argument(
        "--schema",
        default="support",
        metavar="NAME",
        help=f"{', '.join(SCHEMAS)}, or MODULE:NAME of your own; the one your application uses",
    )


def schema_named(name: str) -> Schema:
    """The schema that an option names.

    Raises:
        UsageError: There is none of this name.
    """
    if name in SCHEMAS:
        return SCHEMAS[name]
    module, colon, attribute = name.partition(":")
    if not (module and colon and attribute):
        raise UsageError(f"no schema {name!r}: there are {', '.join(SCHEMAS)}, or MODULE:NAME")
    sys.path.insert(0, "")  # as `python -m` does: the module may lie where the command is run
    try:
        found = getattr(importlib.import_module(module), attribute, None)
    except ModuleNotFoundError as error:
        raise UsageError(f"no schema {name!r}: no module {error.name}") from None
    finally:
        sys.path.remove("")
    if not isinstance(found, Schema):
        raise UsageError(f"no schema {name!r}: {module} has no Schema of that name")
    return found
