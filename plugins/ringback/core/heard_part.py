"""How much of a sentence was heard, from how much of its sound was."""

from __future__ import annotations

import re

from ringback.text import is_cjk

LETTER_S = 0.065  # of speech at an ordinary pace: about 15 letters a second
LONG_SIGN = 4  # letters that a digit or a Chinese character takes to say

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\s\u3040-\u30ff\u3400-\u9fff]+")


def heard_part(text: str, share: float) -> str:
    """Cut a sentence behind the last word of which at least half was heard.

    Args:
        text: The whole sentence.
        share: How much of its sound was heard, from 0 to 1.
    """
    heard = share * _letters(text)
    end, said = 0, 0.0
    for word in _WORD.finditer(text):
        letters = _letters(word[0])
        if said + letters / 2 > heard:
            break
        end, said = word.end(), said + letters
    return text[:end]


def as_written(words: str, text: str) -> str:
    """Find timed words in the text that they were made of, for its own spacing.

    Services that time each sign of a language without spaces give them one by one.

    Args:
        words: What was heard, from the beginning of the text, joined somehow.
        text: What the service was given to say.

    Returns:
        The beginning of the text with the same signs; the words where it has others.
    """
    end = 0
    for sign in "".join(words.split()):
        while text[end : end + 1].isspace():
            end += 1
        if text[end : end + 1] != sign:
            return words
        end += 1
    return text[:end]


def seconds_of(text: str) -> float:
    """Estimate how long a text takes to say."""
    return _letters(text) * LETTER_S


def _letters(text: str) -> float:
    """How long a text is, in letters as they are spoken."""
    return float(
        sum(LONG_SIGN if sign.isdigit() or is_cjk(sign) else sign.isalnum() for sign in text)
        + len(_WORD.findall(text))
    )
