"""The caller's own name, as callers say it, spell it and correct it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ringback.core.reading import (
    ANSWERED,
    LIKELY,
    SURE,
    Found,
    Reading,
    is_question,
    last_said,
    statements,
)
from ringback.text import Span

MAX_NAME_WORDS = 3

_WORD = r"[A-Za-zÀ-ÖØ-öø-ÿ]+(?:['-][A-Za-zÀ-ÖØ-öø-ÿ]+)*"
_NAME_WORD = re.compile(rf"\s*({_WORD})")
_SPELLED = re.compile(
    r"[\s,]*(?:(?:that's|that is|it's|spelled|spelt|spelling is|which is)[\s,]+)*"
    r"((?:double[ -])?[A-Za-z](?:[\s,.-]+(?:double[ -])?[A-Za-z]\b)+)(?![A-Za-z'])",
    re.IGNORECASE,
)
_LETTER = re.compile(r"(double[ -])?([a-z])\b", re.IGNORECASE)
_LAST_NAME = re.compile(
    r"[\s,.]*(?:and\s+)?(?:my\s+)?(?:last name|surname|family name)(?:'s|\s+is)\s+", re.IGNORECASE
)
_NOT_NAMES = frozenset(
    re.findall(
        r"\S+",
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
    """,
    )
)
_ALSO_NAMES = frozenset({"april", "may", "june", "august", "christian", "will"})
_STATED = re.compile(
    r"\b(?:my|the) (?:(?:full|first|real) )?name(?:'s| is|, is| would be)\s+"
    r"|\byou(?:'re| are) (?:speaking|talking) (?:with|to)\s+"
    r"|\bmy name, it's\s+",
    re.IGNORECASE,
)
_INTRODUCED = re.compile(
    r"(?:^|[,.!?;-]\s*|\b(?:hello|hi|hey|evening|morning|afternoon|yes|yeah|well|so|and|again),?\s+)"
    r"(?:(this is|it's me,?|it is me,?)|(it's|it is)|(i'm|i am))\s+",
    re.IGNORECASE,
)
_SIGNED = re.compile(
    r"[\s,]*(?:speaking|calling|here|again|once more|this time|on the (?:line|phone))\b",
    re.IGNORECASE,
)
_CLOSED = re.compile(r"\s*(?:[.,!;]|$|\b(?:and|from|with)\b)", re.IGNORECASE)
_LEAD = re.compile(
    r"^\W{0,8}(?:(?:hello|hi|hey|good (?:evening|morning|afternoon)|yes|yeah)\b\W{0,8})*",
    re.IGNORECASE,
)
_ASKS_NAME = re.compile(
    r"\byour (?:full |first and last |first |last )?name\b(?! spelled)|\bwho am i speaking"
    r"|\bwho is (?:this|calling)|\bwho's calling",
    re.IGNORECASE,
)
_ANSWER_LEAD = re.compile(
    r"^\W{0,8}(?:(?:yes|yeah|sure|of course|okay|certainly|uh|um|it's|it is|that's|that is)\b\W{0,8})*",
    re.IGNORECASE,
)
_NOT_THAT = re.compile(
    r"^\W{0,8}no\b\W{0,8}(?:(?:it's|it is|i'm|i am|my name is)\s+)", re.IGNORECASE
)


def read(reading: Reading) -> Iterator[Found]:
    """Find the caller's name in one of the caller's turns; the last one said wins."""
    text = reading.text
    is_cased = any(letter.isupper() for letter in re.sub(r"\bI\b", "", text))
    found: Found | None = None
    for span in statements(text):
        if not is_question(text[span.start : span.end]):
            found = _in_sentence(reading, span, is_cased) or found
    if found:
        yield found


def _in_sentence(reading: Reading, span: Span, is_cased: bool) -> Found | None:
    return (
        _stated(reading.text, span, is_cased)
        or _introduced(reading.text, span, is_cased)
        or _signed(reading.text, span, is_cased)
        or _answered(reading, span, is_cased)
    )


def _stated(text: str, span: Span, is_cased: bool) -> Found | None:
    """Read "my name is Dana Whitfield"."""
    cue = _STATED.search(text, span.start, span.end)
    first = _name_at(text, cue.end(), is_cased, SURE) if cue else None
    if first is None:
        return None
    return last_said(
        text,
        first,
        lambda name: name.end,
        lambda start: _name_at(text, _after_cue(text, start), is_cased, SURE),
    )


def _after_cue(text: str, start: int) -> int:
    cue = _STATED.match(text, start)
    return cue.end() if cue else start


def _introduced(text: str, span: Span, is_cased: bool) -> Found | None:
    """Read "this is Dana", "it's Beatrix this time", "I'm Ignace": more is asked of them."""
    # On the sentence alone: with a position, "^" would match only where the text begins.
    for cue in _INTRODUCED.finditer(text[span.start : span.end]):
        start = span.start + cue.end()
        name = _name_at(text, start, is_cased, SURE if cue.group(1) else LIKELY)
        if name and _is_introduction(text, cue, name, is_cased):
            return name
    return None


def _is_introduction(text: str, cue: re.Match[str], name: Found, is_cased: bool) -> bool:
    if _SIGNED.match(text, name.end):
        return not (cue.group(2) and name.value.lower() in _ALSO_NAMES)
    if cue.group(2):  # "it's X" alone may be anything
        return False
    is_whole = bool(cue.group(1)) and " " in name.value
    return is_cased and (is_whole or bool(_CLOSED.match(text, name.end)))


def _signed(text: str, span: Span, is_cased: bool) -> Found | None:
    """Read "Dana Whitfield speaking", "Dana here", if a sentence begins so, in capitals."""
    lead = _LEAD.match(text[span.start : span.end])
    start = span.start + (lead.end() if lead else 0)
    name = _name_at(text, start, True, LIKELY) if is_cased else None
    if name and re.compile(r",?\s+(?:speaking|here|calling)\b", re.I).match(text, name.end):
        return name
    return None


def _answered(reading: Reading, span: Span, is_cased: bool) -> Found | None:
    """A bare name after the agent asked for it, or "no, it's Dana" after a wrong one."""
    text = reading.text
    asks = _ASKS_NAME.search(reading.asked)
    said = reading.known.get("name", "")
    is_read_back = bool(said) and said.split()[0].lower() in reading.asked.lower()
    lead = _NOT_THAT.match(text[span.start : span.end]) if is_read_back else None
    if lead is None and asks:
        lead = _ANSWER_LEAD.match(text[span.start : span.end])
    if lead is None:
        return None
    name = _name_at(text, span.start + lead.end(), is_cased, ANSWERED)
    if name and not text[name.end : span.end].strip(" .,!"):
        return name
    return None


def _name_at(text: str, start: int, is_cased: bool, confidence: float) -> Found | None:
    """Read the name that begins at an offset, with what is spelled of it."""
    first = _words_at(text, start, is_cased)
    if first is None:
        return None
    value, begin, end = first
    last = _LAST_NAME.match(text, end)
    family = _words_at(text, last.end(), is_cased) if last and " " not in value else None
    if family:
        value, end = f"{value} {family[0]}", family[2]
    return Found("name", value, begin, end, confidence)


def _words_at(text: str, start: int, is_cased: bool) -> tuple[str, int, int] | None:
    """Words that can be a name, the last as spelled; with their span."""
    words: list[str] = []
    begin = end = start
    while len(words) < MAX_NAME_WORDS and (match := _NAME_WORD.match(text, end)):
        word = match.group(1)
        if not _can_be_name(word, is_cased):
            break
        begin = match.start(1) if not words else begin
        words.append(word if is_cased else word.title())
        end = match.end()
    if not words:
        return None
    spelled = _SPELLED.match(text, end)
    if spelled:
        letters = "".join(
            letter.upper() * (2 if double else 1)
            for double, letter in _LETTER.findall(spelled.group(1))
        )
        if letters[0] == words[-1][0].upper():
            words[-1], end = letters.capitalize(), spelled.end()
    return " ".join(words), begin, end


def _can_be_name(word: str, is_cased: bool) -> bool:
    bare = word.lower().split("'")[0]
    if is_cased and word[0].isupper() and bare in _ALSO_NAMES:
        return True
    if len(word) < 2 or bare in _NOT_NAMES:
        return False
    if re.fullmatch(r"[A-Za-z](?:-[A-Za-z])+", word):
        return False  # spelled letters
    return word[0].isupper() or not is_cased
