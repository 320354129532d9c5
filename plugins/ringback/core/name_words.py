"""Which words are a name where one may stand, and what is spelled of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ringback.core.given_names import GIVEN_NAMES
from ringback.core.relatives import ENGLISH

MAX_NAME_WORDS = 3

_WORD = r"[A-Za-zÀ-ÖØ-öø-ÿ]+(?:['-][A-Za-zÀ-ÖØ-öø-ÿ]+)*"
_NAME_WORD = re.compile(rf"(?:,?\s+(?:uh|um|er)\b,?)?\s*({_WORD})")
_LEAD_IN = re.compile(
    r"[\s,]{0,6}(?:(?:uh|um|er|erm|eh|ah)\b[\s,.]*)*(?:(?:(?:[Mm]r|[Mm]rs|[Mm]s)\b\.?|[Mm]iss\b|[Dd]r\b\.?|[Dd]octor\b|"
    r"[Mm]ister\b|[Mm]issus\b)\s+)?"
)
_SPELLED = re.compile(
    r"[\s,.]{0,6}(?:(?:that's|that is|it's|spelled|spelt|spelling is|which is|so|and)[\s,]+)*"
    r"((?:double[ -])?[A-Za-z](?:[\s,.-]+(?:double[ -])?[A-Za-z]\b(?!'))+)(?![A-Za-z'])",
    re.IGNORECASE,
)
_SPELLED_WITH_WORDS = re.compile(
    r"[\s,.]{0,6}(?:(?:that's|that is|it's|spelled|spelt|so|and)[\s,]+)*"
    r"([A-Za-z]\s+(?:as in|for|like)\s+[A-Za-z]+(?:[\s,.-]+[A-Za-z]\s+(?:as in|for|like)\s+"
    r"[A-Za-z]+)+)",
    re.IGNORECASE,
)
_AS_IN = re.compile(r"\b([A-Za-z])\s+(?:as in|for|like)\s+[A-Za-z]+", re.IGNORECASE)
_LETTER = re.compile(r"(double[ -])?([a-z])\b", re.IGNORECASE)
_RELATIVE = re.compile(ENGLISH, re.IGNORECASE)
_PARTICLES = re.compile(
    r"(?:\s(?:van|der|den|de|la|le|von|zu|bin|al|el|del|da|di|dos|ter|ten|du)){1,3}\b(?=\s[A-ZÀ-ÖØ-Þ])"
)
_NOT_NAMES = frozenset(
    """
    a about again ahead all already also am an and any anyone are as ask at available away
    back bad be because been before bored busy but by call caller calling can concerned
    confused correct could customer day did difficult disappointed do done down due expecting
    experiencing fed fine first for from frustrated getting glad going gonna good great had
    happy hard has have having he hello her here hi his hoping how i if in interested is it
    its jammed just kind last late left like living looking lost mad maybe me moving my name
    needing never new no not now of off ok okay old on one only or our out over please
    possible pretty quite ready really regarding ridiculous right running she sick so sorry
    speaking spelled spelt still stuck such sure terrible than thank thanks that the their
    them then there they thing this through time tired to today tomorrow tonight too trying
    turning unable unhappy unsure up upset urgent very waiting was we well were what when
    where which who why will wish with without wondering working worried would wrong yes
    yesterday yet you your january february march april may june july august september october
    november december monday tuesday wednesday thursday friday saturday sunday english spanish
    french german italian polish portuguese dutch russian ukrainian chinese mandarin japanese
    korean arabic hindi turkish greek swedish danish norwegian finnish american canadian
    british irish scottish welsh australian mexican european african asian indian brazilian
    christian jewish muslim internet wifi
    uh um er erm eh ah oh hm hmm yeah yep nope actually mine ours yours it'll nothing none
    nobody somebody someone important account number phone email address city street office
    company support service team billing sales customer technical help question problem issue
    think guess believe suppose probably afraid allowed able asking bit little lot much
    more most same another other every everything anything something exactly absolutely
    definitely certainly basically apparently unfortunately honestly obviously seriously
    cancelled broken down fixed closed open finished married single retired pregnant allergic
    vegetarian vegan moved moving visiting driving cooking confused calling home outside
    following returning leaving thinking wait hold hang let see don't doesn't isn't won't can't
    mrs mr ms miss dr prof doctor sir madam ma'am dear guys folks there'll between under
    """.split()  # noqa: SIM905 - a paragraph of words reads better than a list
)
_ALSO_NAMES = frozenset({"april", "may", "june", "august", "christian", "will"})


@dataclass(frozen=True, slots=True)
class Name:
    """A name as it is to be written, and where its words stand."""

    value: str
    start: int
    end: int
    """Behind what is spelled of it."""


def is_cased(text: str) -> bool:
    """Names can be told from other words by their capitals."""
    return any(letter.isupper() for letter in re.sub(r"\bI\b", "", text))


def is_doubtful(name: str) -> bool:
    """It is also a month, or another ordinary word."""
    return name.lower() in _ALSO_NAMES


def is_known(name: str) -> bool:
    """It begins with a given name that is no ordinary word."""
    return name.lower().split()[0].split("-")[0] in GIVEN_NAMES


def name_at(text: str, start: int, *, cased: bool) -> Name | None:
    """Read the name that begins at an offset; the last word as it is spelled.

    Args:
        text: What was said.
        start: Where the name begins; hesitation and "Mrs." may come first.
        cased: Names are written in capitals here.
    """
    lead = _LEAD_IN.match(text, start)
    end = lead.end() if lead else start
    words: list[str] = []
    begin = end
    while len(words) < MAX_NAME_WORDS and (match := _NAME_WORD.match(text, end)):
        word = match.group(1)
        particles = _PARTICLES.match(text, end) if words and cased else None
        if particles:  # "Jan van der Berg"
            words[-1], end = f"{words[-1]}{particles.group()}", particles.end()
            continue
        if not _can_be_name(word, cased):
            break
        begin = match.start(1) if not words else begin
        if not words or word.lower() != words[-1].lower():  # "dana dana whitfield"
            words.append(word if cased else word.title())
        end = match.end()
    if not words or words[-1].lower().endswith("'s"):  # "this is Dana's husband"
        return None
    letters, after = spelled_at(text, end)
    if letters and letters[0] == words[-1][0].upper():
        words[-1], end = letters.capitalize(), after
    return Name(" ".join(words), begin, end)


def spelled_at(text: str, start: int) -> tuple[str, int]:
    """The capitals of a word that is spelled at an offset, and where it ends; "" for none."""
    spelled = _SPELLED_WITH_WORDS.match(text, start) or _SPELLED.match(text, start)
    if spelled is None:
        return "", start
    said = _AS_IN.sub(r"\1", spelled.group(1))
    letters = "".join(
        letter.upper() * (2 if double else 1) for double, letter in _LETTER.findall(said)
    )
    return letters, spelled.end()


def _can_be_name(word: str, cased: bool) -> bool:
    bare = word.lower().split("'")[0]
    if cased and word[0].isupper() and bare in _ALSO_NAMES:
        return True
    if len(word) < 2 or bare in _NOT_NAMES or word.lower() in _NOT_NAMES:
        return False
    if _RELATIVE.fullmatch(word) or re.fullmatch(r"[A-Za-z](?:-[A-Za-z])+", word):
        return False  # "her husband"; spelled letters
    return word[0].isupper() or not cased
