"""Where a spoken value begins and ends: clause ends, lists, corrections; English and Chinese.

"I'm allergic to, uh, penicillin and latex, so I carry a card" holds two values. What is
no noun phrase of a few words ("it", "to be honest", "my sister is") is no value.
"""

# ruff: noqa: RUF001 - Chinese signs are meant

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ringback.core.reading import CORRECTION
from ringback.text import spoken_digits

MAX_WORDS = 6  # of one value; a longer one is a clause of its own
MAX_CHARACTERS = 60
MAX_CHINESE_CHARACTERS = 16
MAX_QUOTED_CHARACTERS = 160
MAX_ITEMS = 8  # of one list
REACH = 500  # characters behind a phrase in which its values must lie

_WORD_ENDS = r"""
    but because cause so since although though when whenever while which who whose where that if
    unless until till except then than rather instead please thanks thank for with without along
    after before during every each twice once daily weekly about per too also now today anymore
    again actually currently maybe probably perhaps possibly anyway whatever etc
""".split()  # noqa: SIM905 - a paragraph of words reads better than a list
_VERB_ENDS = r"""
    is are was were am be been isn't aren't wasn't have has had haven't hasn't do does did don't
    doesn't didn't will won't would can can't could should might may must makes make gives give
    gets get causes cause gave made got went came takes said says
""".split()  # noqa: SIM905
_SUBJECT_ENDS = r"""
    i i'm i've i'd i'll my mine you your you're he he's she she's we we're our they they're
    their it it's its his her me us him them there there's
""".split()  # noqa: SIM905
_PHRASE_ENDS = (
    r"an? (?:day|week|month|year|night)|in the (?:morning|afternoon|evening|past)|"
    r"at (?:night|the moment|least|all|work|home|times)|right now|these days|any more|as well|"
    r"as(?! well as\b)|you know|the most|a lot|very much|so much|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?"
)
_VERB_END = re.compile(rf",?\s{{1,3}}(?:{'|'.join(_VERB_ENDS)})\b", re.IGNORECASE)
_END = re.compile(
    r"[;:!?()\[\]\"。；！？：，]|\s-\s|\.{2,}|\.(?=\s)|,?\s{1,3}"
    rf"(?:{_PHRASE_ENDS}|{'|'.join([*_WORD_ENDS, *_VERB_ENDS, *_SUBJECT_ENDS])})(?:'\w{{1,2}})?(?![\w'])",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"[,\s]{0,3}\b(?P<word>and|or|nor|plus|as well as)\s{1,3}|,\s{0,3}", re.IGNORECASE
)
_LEAD_IN = re.compile(
    r"[\s,]{0,3}(?:(?:uh|um|er|erm|like|well|mainly|mostly|both|only|either|just|certain|some|any|an?|"
    r"the|my|all kinds of|things like|also)\b[\s,]{1,3}){0,3}",
    re.IGNORECASE,
)
_QUOTED_LEAD_IN = re.compile(r"[\s,:，：]{0,4}(?:(?:and|that|by)\s{1,3})?", re.IGNORECASE)
_LOOSE_END = re.compile(
    r"(?:[\s,]{1,4}(?:and|or|nor|plus|but|uh|um))?[\s,.'-]{0,8}$", re.IGNORECASE
)
_NOT_FIRST = frozenset(
    """
    those one what how why to here there very much more less everything something someone
    somebody stuff things being getting having no not yes yeah okay ok wait sorry oh hello hi
    sir madam ma'am and or of on at in well myself home night
    """.split()  # noqa: SIM905
) | {*_WORD_ENDS, *_VERB_ENDS, *_SUBJECT_ENDS}
_EMPTY_NOUNS = frozenset("way fact thing one ones part kind sort lot bit people".split())  # noqa: SIM905
_OBJECT = re.compile(r"\s{1,3}(?:me|him|her|us|them)\b", re.IGNORECASE)
"""Behind a word, makes it a verb: "my job is killing me"."""
_NOT_AFTER_IN = frozenset("a an my our your his her this that".split())  # noqa: SIM905
_NOT_AFTER_LIGHT_VERB = frozenset(
    """
    the a an my your our his her care part place time turns it off on out up over after down
    notes note back advantage calls messages
    """.split()  # noqa: SIM905
)
_LIGHT_VERBS = frozenset(
    "take taking have having get getting make making do doing give giving".split()  # noqa: SIM905
)
"""Verbs that mean little by themselves: "I take the bus" takes nothing. Behind one of
them only a bare noun is a value."""

_CHINESE_END = re.compile(
    r"[，。；！？：,.;!?\s「」『』()（）]|但是|可是|不過|不过|因為|因为|所以|而且|然後|然后|的時候|的时候|"
    r"這件|这件|我|你|您|他|她"
)
_CHINESE_BETWEEN = re.compile(r"、|以及|還有|还有|和|跟|與|与|及|或者|或是|或")
_CHINESE_PARTICLES = re.compile(r"[了啊呀喔哦啦呢吧的嗎吗]+$")
_CHINESE_LEAD_IN = re.compile(r"(?:一些|一點|一点|一個|一个|那個|那个|嗯|呃|[，、\s])*")
_CHINESE_NO_VALUE = re.compile(r"[這这那哪它]|什麼|什么|很多|所有|大家|自己")
ANYTHING = re.compile(
    r"any|anything(?: else)?(?: (?:at all|really))?|nothing|none|nobody|no one|anybody|anyone|"
    r"(?:任何|什麼|什么)\w{0,4}都?",
    re.IGNORECASE,
)
"""No value in particular: of a denial, all of them."""
NOTHING = frozenset({"nothing", "none", "nobody", "no one"})
"""Of these, the ones that deny by themselves."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One value as it was said, without what leads into it."""

    value: str
    start: int
    end: int
    is_alternative: bool = False
    """One of several that cannot all be meant: "penicillin or amoxicillin"."""


def english_items(text: str, start: int, end: int, *, word_before: str) -> tuple[Piece, ...]:
    """Read the list of values that begins at an offset; a correction replaces the last one.

    Args:
        text: What was said.
        start: Where the first value is to begin, a lead-in ("uh, the") not counted.
        end: The end of its sentence.
        word_before: The word before it, in lower case; behind some, only a bare noun will do.
    """
    pieces = _items(text, start, end, word_before)
    cue = CORRECTION.match(text, pieces[-1].end, end) if pieces else None
    is_number = cue is not None and spoken_digits(text, cue.end()) is not None
    # A number corrects the dose, not what it is of.
    better = _items(text, cue.end(), end, word_before) if cue and not is_number else []
    return tuple([*pieces[:-1], *better] if better else pieces)[:MAX_ITEMS]


def english_whole(text: str, start: int, end: int, *, word_before: str) -> Piece | None:
    """Read the one value that begins at an offset, "nurse and carer" as it stands."""
    comma = text.find(",", start + 1, end)
    pieces = _items(text, start, comma if comma >= 0 else end, word_before)
    cue = CORRECTION.match(text, pieces[-1].end, end) if pieces else None
    better = english_whole(text, cue.end(), end, word_before=word_before) if cue else None
    if better or not pieces:
        return better
    first, last = pieces[0], pieces[-1]
    return Piece(text[first.start : last.end], first.start, last.end, last.is_alternative)


def chinese_items(text: str, start: int, end: int) -> tuple[Piece, ...]:
    """Read the list of Chinese values that begins at an offset."""
    lead = _CHINESE_LEAD_IN.match(text, start, end)
    place = lead.end() if lead else start
    stop = _CHINESE_END.search(text, place, end)
    limit = stop.start() if stop else end
    pieces: list[Piece] = []
    is_alternative = False
    for begin, finish, joint in _chunks(text, place, limit, _CHINESE_BETWEEN):
        if finish - begin > MAX_CHINESE_CHARACTERS:
            break
        value = _CHINESE_PARTICLES.sub("", text[begin:finish])
        if not value:
            break
        if _CHINESE_NO_VALUE.match(value) and not ANYTHING.fullmatch(value):
            break
        is_alternative = is_alternative or joint.startswith("或")
        pieces.append(Piece(value, begin, begin + len(value)))
    return tuple(_marked(pieces, is_alternative))[:MAX_ITEMS]


def quoted(text: str, start: int, end: int) -> Piece | None:
    """Read somebody's own words up to the end of the sentence."""
    lead = _QUOTED_LEAD_IN.match(text, start, end)
    begin = lead.end() if lead else start
    words = text[begin:end].rstrip(" .,;!-。，；！")
    if not words or len(words) > MAX_QUOTED_CHARACTERS:
        return None
    return Piece(words, begin, begin + len(words))


def _items(text: str, start: int, end: int, word_before: str) -> list[Piece]:
    place = _lead_in_end(text, start, end)
    if _first_word(text[start:end]) in _barred_after(word_before):
        return []
    stop = _END.search(text, place, end)
    limit = stop.start() if stop else end
    opens_clause = bool(stop and _VERB_END.match(text, limit))
    pieces: list[Piece] = []
    is_alternative = False
    for begin, finish, joint in _chunks(text, place, limit, _BETWEEN):
        piece = _piece(text, begin, finish)
        if piece is None or (opens_clause and pieces and finish == limit):
            break  # "latex and the weather is fine": the last one begins a clause of its own
        is_alternative = is_alternative or joint.lower() == "or"
        pieces.append(piece)
    return _marked(pieces, is_alternative)


def _barred_after(word: str) -> frozenset[str]:
    """Words with which no value begins there: "I take the bus", "I live in a flat"."""
    if word in _LIGHT_VERBS:
        return _NOT_AFTER_LIGHT_VERB
    return _NOT_AFTER_IN if word == "in" else frozenset()


def _marked(pieces: list[Piece], is_alternative: bool) -> list[Piece]:
    if not is_alternative:
        return pieces
    return [Piece(piece.value, piece.start, piece.end, True) for piece in pieces]


def _chunks(
    text: str, start: int, end: int, between: re.Pattern[str]
) -> Iterator[tuple[int, int, str]]:
    """The parts of a list with the word that joins each to the one before."""
    place, joint = start, ""
    for match in between.finditer(text, start, end):
        yield place, match.start(), joint
        place, joint = match.end(), match.groupdict().get("word") or match.group()
    yield place, end, joint


def _piece(text: str, start: int, end: int) -> Piece | None:
    begin = _lead_in_end(text, start, end)
    loose = _LOOSE_END.search(text, begin, end)
    value = text[begin : loose.start() if loose else end]
    words = value.lower().split()
    if not 1 <= len(words) <= MAX_WORDS or len(value) > MAX_CHARACTERS:
        return None
    if words[0].split("'")[0] in _NOT_FIRST or (len(words) == 1 and words[0] in _EMPTY_NOUNS):
        return None
    if _OBJECT.match(text, begin + len(value)) or not any(sign.isalpha() for sign in value):
        return None
    return Piece(value, begin, begin + len(value))


def _lead_in_end(text: str, start: int, end: int) -> int:
    lead = _LEAD_IN.match(text, start, end)
    return lead.end() if lead else start


def _first_word(text: str) -> str:
    words = text.replace(",", " ").split(None, 1)
    return words[0].lower() if words else ""
