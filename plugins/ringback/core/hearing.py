"""Which of a caller's turns count: not those that speech recognition made up.

Silence becomes a stock phrase, one phrase becomes twenty, a click becomes a letter, a
cough a word of another language. Such turns stay in the journal as they came; nothing is
read from them and no summary tells them. The rules look at words alone and know no sound,
so they are careful: in doubt, a turn counts. The agent's turns always do.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from ringback.core import repetition
from ringback.core.phantom import is_sound, is_stock
from ringback.core.spoken_order import in_spoken_order
from ringback.records import Role, Turn
from ringback.text import folded, is_filler

MAX_CHARACTERS = 400  # of a longer turn, the beginning shows its letters
ROW_WORDS = 3  # "no", "yes please" are said four times in a row; longer turns hardly
ROW_SIGNS = 4
MAX_SCRAPS = 2  # different ones in a script; more are a second language
SCRAP_WORDS = 3  # so few in a script of their own are a scrap; more are another language
SCRAP_SIGNS = 4  # in Chinese
SCRAP_SYLLABLES = 12  # in Japanese, Thai and others that write sounds without spaces

_LATIN, _HAN, _KANA = "LATIN", "CJK", "KANA"
_SYLLABLES = frozenset({_KANA, "THAI", "LAO", "KHMER", "MYANMAR"})
_ASKED_FOR_LETTER = re.compile(
    r"\b(?:spell\w*|letters?|initials?|option|plan|type|class|grade|section|row|gate|seat|unit|"
    r"which|or)\b|(?<![\w'])[B-HJ-Z](?![\w'])|字母|拼|哪|[还還]是"
)


class Unheard(StrEnum):
    """Why a turn does not count."""

    WORDLESS = "no words in it"
    STOCK = "a stock phrase of speech recognition"
    SOUND = "the name of a sound"
    LETTER = "a letter by itself"
    SCRAP = "a scrap in a script of its own"
    REPEATED = "the same words over and over"


@dataclass(frozen=True, slots=True)
class Heard:
    """A call's turns, sorted by whether somebody said them."""

    turns: tuple[Turn, ...]
    """Those that count, as they are, in order."""
    ignored: tuple[tuple[int, Unheard], ...] = ()
    """Places in the call of the others, in order, and why."""


def heard(turns: Sequence[Turn]) -> Heard:
    """Sort out what nobody of the call said.

    - Stock phrases and names of sounds, where they are all of a turn.
    - A letter by itself, unless something is being spelled or chosen.
    - One or two times a few words in a script that neither the agent nor a longer turn of
      the caller uses, and not most of what is heard; Latin letters are in every call.
    - Of four turns and more with the same three words or more in a row, all but the first.
      What the agent says in between starts a new row, unless it is one same thing.

    A turn with a digit counts, unless it is said over and over or the digit belongs to a
    stock phrase ("Untertitel im Auftrag des ZDF, 2020").

    Args:
        turns: A call's, in order; a turn without a position takes its index.

    Returns:
        What counts, in the order in which it was spoken.
    """
    turns = in_spoken_order(turns)
    reasons: dict[int, Unheard] = {}
    for find in (_made_up, _letters, _scraps, _rows):
        left = [place for place in range(len(turns)) if place not in reasons]
        found = find([turns[place] for place in left])
        reasons.update({left[place]: reason for place, reason in found.items()})
    return Heard(
        tuple(turn for place, turn in enumerate(turns) if place not in reasons),
        tuple((_position(turns[place], place), reasons[place]) for place in sorted(reasons)),
    )


def told(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The turns that count, each saying once what it says over and over: to quote from."""
    return tuple(
        turn if (text := repetition.once(turn.text)) == turn.text else replace(turn, text=text)
        for turn in heard(turns).turns
    )


def _position(turn: Turn, place: int) -> int:
    return turn.position if turn.position >= 0 else place


def _callers(turns: Sequence[Turn]) -> list[int]:
    return [place for place, turn in enumerate(turns) if turn.role is Role.CALLER]


def _made_up(turns: Sequence[Turn]) -> dict[int, Unheard]:
    """What is made up by itself, whatever is around it."""
    return {
        place: reason
        for place in _callers(turns)
        for holds, reason in _ALONE
        if holds(turns[place].text)
    }


def _is_wordless(text: str) -> bool:
    return not any(sign.isalnum() for sign in text)


_ALONE: tuple[tuple[Callable[[str], bool], Unheard], ...] = (
    (_is_wordless, Unheard.WORDLESS),
    (is_sound, Unheard.SOUND),
    (is_stock, Unheard.STOCK),
)


def _letters(turns: Sequence[Turn]) -> dict[int, Unheard]:
    """Letters by themselves that nobody asked for and that spell nothing."""
    places = _callers(turns)
    found: dict[int, Unheard] = {}
    for index, place in enumerate(places):
        beside = [*places[max(index - 1, 0) : index], *places[index + 1 : index + 2]]
        if (
            _is_letter(turns[place].text)
            and not any(_is_spelling(turns[one].text) for one in beside)
            and not _ASKED_FOR_LETTER.search(_asked(turns, place)[-MAX_CHARACTERS:])
        ):
            found[place] = Unheard.LETTER
    return found


def _is_letter(text: str) -> bool:
    signs = [sign for sign in text[:MAX_CHARACTERS] if sign.isalnum()]
    return len(signs) == 1 and signs[0].isascii() and signs[0].isalpha()


def _is_spelling(text: str) -> bool:
    return _is_letter(text) or any(sign.isdecimal() for sign in text[:MAX_CHARACTERS])


def _asked(turns: Sequence[Turn], place: int) -> str:
    """What the agent said last before a turn."""
    before = (turn.text for turn in reversed(turns[:place]) if turn.role is Role.AGENT)
    return next(before, "")


def _scraps(turns: Sequence[Turn]) -> dict[int, Unheard]:
    """A few words in a script that the call is not in."""
    used = {place: _scripts(turn.text[:MAX_CHARACTERS]) for place, turn in enumerate(turns)}
    callers = [place for place in _callers(turns) if used[place]]
    long = {place for place in used if not _is_short(turns[place].text, used[place])}
    known = {
        script
        for place, scripts in used.items()
        if turns[place].role is Role.AGENT or place in long
        for script in scripts
    }
    found: dict[int, Unheard] = {}
    for script in {script for place in callers for script in used[place]} - known - {_LATIN}:
        if script == _HAN and _KANA in known:
            continue  # Japanese writes words in Chinese signs
        mine = {
            folded(turns[place].text[:MAX_CHARACTERS]) for place in callers if script in used[place]
        }
        others = {
            folded(turns[place].text[:MAX_CHARACTERS])
            for place in callers
            if script not in used[place]
        }
        if len(mine) <= MAX_SCRAPS and len(mine) < len(others):
            alone = [place for place in callers if used[place] == {script}]
            found.update(dict.fromkeys(alone, Unheard.SCRAP))
    return found


def _is_short(text: str, scripts: frozenset[str]) -> bool:
    """So few words that they may be none; never what has digits, or a second script."""
    if (
        len(scripts) > 1
        or len(text) > MAX_CHARACTERS
        or any(sign.isnumeric() and not sign.isalpha() for sign in text)
    ):
        return False
    signs = sum(sign.isalpha() for sign in text)
    if scripts == {_HAN}:
        return signs <= SCRAP_SIGNS
    if scripts <= _SYLLABLES:
        return signs <= SCRAP_SYLLABLES
    return len(text.split()) <= SCRAP_WORDS


def _scripts(text: str) -> frozenset[str]:
    """The scripts of a text's letters; Japanese is one."""
    letters = unicodedata.normalize("NFKC", text)
    scripts = frozenset(_script(sign) for sign in letters if sign.isalpha())
    return scripts - {_HAN} if _KANA in scripts else scripts


def _script(sign: str) -> str:
    script = unicodedata.name(sign, "UNNAMED").split()[0]
    return _KANA if script.startswith(("HIRAGANA", "KATAKANA")) else script


def _rows(turns: Sequence[Turn]) -> dict[int, Unheard]:
    """Turns with the same words in a row, but for the first of each row."""
    found: dict[int, Unheard] = {}
    row: list[int] = []
    said: tuple[str, ...] = ()
    prompt = ""
    for place, turn in enumerate(turns):
        if turn.role is Role.AGENT:
            asked = folded(turn.text[:MAX_CHARACTERS])
            if is_filler(asked) or asked == prompt:
                continue
            row, said = ([], ()) if prompt else (row, said)
            prompt = asked if row else ""
            continue
        words = repetition.words_of(repetition.once(turn.text))
        if words != said:
            row, said, prompt = [], words, ""
        row.append(place)
        if len(row) >= repetition.TIMES and repetition.has_enough(
            words, at_least=ROW_WORDS, signs=ROW_SIGNS
        ):
            found.update(dict.fromkeys(row[1:], Unheard.REPEATED))
    return found
