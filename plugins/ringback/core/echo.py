"""The bot hears itself: which words of the caller's line are only what the bot had just said.

A loudspeaker without echo cancellation plays the bot into the caller's microphone, and the
speech recognition writes it down as the caller's. Words are taken for an echo only where
both agree: they began while the bot was audible, and they are the bot's own, in its order.
Whoever truly repeats something begins with words of their own, or after the bot is done.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from difflib import SequenceMatcher

from ringback.text import folded, is_cjk

MIN_WORDS = 4  # of fewer in a row, people say the same by chance: "yes, latex"
MIN_SIGNS = 5  # the same of a script without spaces
SHARE = 0.8  # of an echo's words; the recogniser mishears some
RUN = 2  # so many in the same order count; single ones are chance
MISHEARD = 1  # words that may stand before the first that agree
TAIL = timedelta(milliseconds=250)  # sound comes back so much later than it was sent

_UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+(?:['’][^\W_{_UNSPACED}]+)*")  # noqa: RUF001
_OWN = re.compile(r"(?:yes|yeah|yep|no|nope|not|never|.*n't|是|對|对|不|沒|没|.*\d.*)")
"""Words that turn what is repeated into an answer."""


@dataclass(frozen=True, slots=True)
class Playout:
    """What the bot said, while it could be heard."""

    text: str
    started_at: datetime
    ended_at: datetime | None = None
    """None: it still plays."""


def own_words(said: str, began_at: datetime, playouts: Sequence[Playout]) -> str:
    """Give what the caller said without the echo that it begins with.

    Args:
        said: What was recognised on the caller's line.
        began_at: When that began.
        playouts: What the bot said lately, in order.

    Returns:
        All of it, when it is no echo; "" when it is nothing else.
    """
    audible = [one.text for one in playouts if _is_heard(one, began_at)]
    if not audible:
        return said
    end = _echoed(said, " ".join(audible))
    return said[end:].lstrip(" ,.?!;:，。？！；、") if end else said  # noqa: RUF001


def _is_heard(playout: Playout, at: datetime) -> bool:
    return playout.started_at <= at and (playout.ended_at is None or at <= playout.ended_at + TAIL)


def _echoed(said: str, played: str) -> int:
    """Where the echo that a text begins with ends; 0 when it begins with none."""
    tokens = [*_TOKEN.finditer(said)]
    words = [folded(token[0]) for token in tokens]
    matcher = SequenceMatcher(None, words, [folded(w) for w in _TOKEN.findall(played)], False)
    runs = [one for one in matcher.get_matching_blocks() if one.size >= RUN]
    echoed = end = 0
    for run in runs if runs and runs[0].a <= MISHEARD else ():
        between = words[end : run.a]
        is_answer = any(_OWN.fullmatch(word) for word in between)
        if is_answer or echoed + run.size < SHARE * (run.a + run.size):
            break
        echoed, end = echoed + run.size, run.a + run.size
    if re.search(r"\d", "".join(words[end : end + 1])):
        return 0  # another number than the bot said: they put it right
    least = MIN_SIGNS if end and is_cjk(words[end - 1]) else MIN_WORDS
    return tokens[end - 1].end() if echoed >= least else 0
