"""What a language model is told about the tools of a call: names, descriptions, parameters.

Every host tells it in these words. They stand in each request to the model, so they are
short; docs/tools.md says what they cost.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ringback.records import Source
from ringback.schemas import Schema
from ringback.schemas.declaration import Promotion

SEARCH = "search_memory"
REMEMBER = "remember"
CORRECT = "correct"
FORGET = "forget_that"

NOTE = "note"
"""The key of what a model remembers without naming one."""


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """One tool, as JSON schema has it; it has no parameter that says who is calling."""

    name: str
    description: str
    properties: Mapping[str, Mapping[str, Any]]
    required: tuple[str, ...]


def tool_definitions(schema: Schema) -> tuple[ToolDefinition, ...]:
    """The four tools of a call.

    Args:
        schema: Of the memory: `remember` names the keys that a caller may state.
    """
    return (
        ToolDefinition(
            SEARCH,
            "Look up what this caller said or agreed before.",
            {"question": _text("In plain words.")},
            ("question",),
        ),
        ToolDefinition(
            REMEMBER,
            "Note something the caller has just said about themselves.",
            {"key": _key(schema), "value": _text("As the caller said it.")},
            ("key", "value") if schema.is_closed else ("value",),
        ),
        ToolDefinition(
            CORRECT,
            "Replace something noted about the caller, when they say it is wrong.",
            {"what": _text("What is wrong."), "value": _text("What is right.")},
            ("what", "value"),
        ),
        ToolDefinition(
            FORGET,
            "Delete something noted about the caller, when they ask for it.",
            {"what": _text("Their words; 'that' for what was said last.")},
            ("what",),
        ),
    )


def keys_to_state(schema: Schema) -> tuple[str, ...]:
    """The keys under which a caller may state something."""
    return tuple(
        field.key
        for field in schema.fields
        if Source.CALLER in field.sources and field.promotion is not Promotion.REFUSED
    )


def _text(description: str) -> dict[str, str]:
    return {"type": "string", "description": description}


def _key(schema: Schema) -> dict[str, Any]:
    """An open schema has dozens of keys, and takes any other: naming them all costs too much."""
    if schema.is_closed:
        return {"type": "string", "enum": list(keys_to_state(schema))}
    return _text("A short name, e.g. hobby.")
