"""What people ask, key by key: `where … live` asks for the address."""

from __future__ import annotations

from dataclasses import replace

from ringback.schemas import (
    asking_chinese,
    asking_english,
    asking_japanese,
    asking_korean,
)
from ringback.schemas.declaration import Field

LANGUAGES = (asking_english, asking_chinese, asking_japanese, asking_korean)


def asked(*fields: Field) -> tuple[Field, ...]:
    """Add to each field, by its key, how people ask for it; what it has already stays first."""
    return tuple(
        replace(field, asked_by=tuple(dict.fromkeys((*field.asked_by, *phrases(field.key)))))
        for field in fields
    )


def phrases(key: str) -> tuple[str, ...]:
    """How people ask for a key, in all languages; none for a key that no shipped schema has."""
    return tuple(phrase for language in LANGUAGES for phrase in language.PHRASES.get(key, ()))
