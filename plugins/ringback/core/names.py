"""The caller's own name, as callers say it, spell it and correct it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ringback.core.name_words import Name, is_cased, is_doubtful, is_known, name_at, spelled_at
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

_LAST_NAME = re.compile(
    r"[\s,.]{0,6}(?:and\s+)?(?:my\s+)?(?:last name|surname|family name)(?:'s|\s+is)?,?\s+",
    re.IGNORECASE,
)
_AGAIN_BEHIND = re.compile(r"\s*[,.]\s+")  # "Bond, James Bond", "Bond. James Bond."
_STATED = re.compile(
    r"\b(?:my|the) (?:(?:full|first|real|correct) )?name(?:'s| is|, is| would be| here is),?\s+"
    r"|\byou(?:'re| are) (?:speaking|talking) (?:with|to)\s+"
    r"|\bmy name, it's\s+"
    r"|\bmy name(?:'s not| is not| isn't)\s+[\w' -]{2,30}?[\s,.;-]+(?:but\s+)?(?:it's|it is|my name is)\s+",
    re.IGNORECASE,
)
_PART_STATED = re.compile(
    r"\bmy (?:(?P<first>first name|given name)|last name|surname|family name)"
    r"(?:'s|\s+is|\s+would be)\s+",
    re.IGNORECASE,
)
_INTRODUCED = re.compile(
    r"(?:^|[,.!?;-]\s*|\b(?:hello|hi|hey|evening|morning|afternoon|yes|yeah|yep|no|well|so|and|"
    r"again|there|okay|ok|oh|uh|um|er|right|name),?\s+|^(?:hello|hi|hey)\s+(?:\w+\s+){1,2})"
    r"(?:(this is|it's me again,?|it's me,?|it is me again,?|it is me,?)|(it's|it is)|(i'm|i am))\s+",
    re.IGNORECASE,
)
_SPEAKING = re.compile(r"[\s,]*(?:speaking|calling|on the (?:line|phone))\b", re.IGNORECASE)
_SIGNED = re.compile(
    r"[\s,]*(?:speaking|calling|here|again|once more|this time|on the (?:line|phone))\b",
    re.IGNORECASE,
)
_CLOSED = re.compile(r"\s*(?:[.,!;]|$|\b(?:and|from|with|without|at)\b)", re.IGNORECASE)
_GOES_ON = re.compile(r"\s*(?:,|\band\b|\bi\b|\bfrom\b)\s*\w", re.IGNORECASE)
_SIGNS = re.compile(
    r",?\s+(?:(?:speaking|here|calling)\b|is my name\b|is the name\b)", re.IGNORECASE
)
_RATHER = re.compile(r",?\s*(?:actually,?\s*)?not\s+(?P<wrong>\w+)", re.IGNORECASE)
_ACCOUNT_BEHIND = re.compile(r"\s*,\s*(?:my )?(?:account|customer)\b", re.IGNORECASE)
_LEAD = re.compile(
    r"^\W{0,8}(?:(?:hello|hi|hey|good (?:evening|morning|afternoon)|yes|yeah|uh|um)\b\W{0,8})*",
    re.IGNORECASE,
)
_ASKS_NAME = re.compile(
    r"\byour (?:(?:own|full|good|correct|first and last|first|last) )*names?\b(?! spelled)"
    r"|\b(?:first|last|family|full|what|which) name\b[^.]*\?|\bsurname\b|\bname,? please\b"
    r"|\bwho(?:m)? (?:am i|do i have)\b|\bwho(?:'s| is) (?:this|that|calling|speaking)\b"
    r"|\band you are\b|\bwho are you\b|\b(?:have|get|take|ask) (?:a|the) name\b",
    re.IGNORECASE,
)
_ASKS_FIRST = re.compile(r"\b(?:first|given) name\b", re.IGNORECASE)
_ASKS_LAST = re.compile(r"\b(?:last|family) name\b|\bsurname\b", re.IGNORECASE)
_ASKS_AGAIN = re.compile(
    r"\bwhat (?:is|was|'s) (?:it|the (?:right|correct) one)\b|\bwhat's (?:it|the (?:right|correct) one)\b",
    re.IGNORECASE,
)
_NAME_REFUSED = re.compile(
    r"\bname(?:'s| is) not\b|\bname isn't\b|\bnot my name\b|\bisn't my name\b|\bname wrong\b"
    r"|\bwrong name\b",
    re.IGNORECASE,
)
_NAMES_CALLER = re.compile(
    r"\b(?i:so that's|is that|is this|am i (?:speaking|talking) (?:to|with)|did you say|you're|you are|"
    r"i have|your name is|under the name(?: of)?|is it)\s+(?:(?i:mr|mrs|ms|miss|doctor|dr)\.?\s+)?"
    r"[A-ZÀ-ÖØ-Þ][a-zà-ÿ]+"
)
_DENIES = re.compile(r"^\W{0,8}(?:no|nope|not quite|almost|nearly|not really)\b", re.IGNORECASE)
_ANSWER_LEAD = re.compile(
    r"^\W{0,8}(?:(?:yes|yeah|sure|of course|okay|certainly|uh|um|er|well|oh|it's|it is|that's|"
    r"that is|that would be|the name's|i'm|i am)\b\W{0,8})*",
    re.IGNORECASE,
)
_NOT_THAT = re.compile(
    r"^\W{0,8}(?:no|nope|not quite|almost)\b\W{0,8}(?:(?:it's|it is|i'm|i am|my name is)\s+)",
    re.IGNORECASE,
)
_WITH_LETTER = re.compile(
    r"^\W{0,8}(?:no|nope)\W{1,4}(?:(?:it's|that's) )?with an? [a-z]\b(?:,? not (?:with )?an? [a-z]\b)?"
    r"[.,\s]{1,4}(?:(?:so|it's|that's)\s+)?",
    re.IGNORECASE,
)
_ANSWER_TAIL = re.compile(
    r"[\s.,!]{0,6}(?:(?:please|thanks|thank you|that's me|with an? \w|is my name|is the name)\b[\s.,!]*)*",
    re.IGNORECASE,
)


def read(reading: Reading) -> Iterator[Found]:
    """Find the caller's name in one of the caller's turns; the last one said wins.

    A first and a last name that are said in different turns are put together.
    """
    text = reading.text
    cased = is_cased(text)
    found: Found | None = None
    for span in statements(text):
        if is_question(text[span.start : span.end]):
            found = _before_question(text, span, cased) or found
        else:
            found = _in_sentence(reading, span, cased) or _again(text, span, found) or found
    if found:
        yield found


def _in_sentence(reading: Reading, span: Span, cased: bool) -> Found | None:
    return (
        _stated(reading.text, span, cased)
        or _part(reading, span, cased)
        or _introduced(reading, span, cased)
        or _signed(reading.text, span, cased)
        or _answered(reading, span, cased)
        or _respelled(reading, span)
    )


def _again(text: str, span: Span, found: Found | None) -> Found | None:
    """The whole name in the next sentence: "my name is Smith. John Smith."."""
    if found is None or not is_cased(text):
        return None
    whole = _name(text, span.start, True, found.confidence)
    is_same = whole and " " in whole.value and found.value in whole.value.split()
    return whole if whole and is_same and _is_all(text, whole.end, span.end) else None


def _before_question(text: str, span: Span, cased: bool) -> Found | None:
    """Read "this is Dana Whitfield, can you help me?": a statement, then a question."""
    cues = [(cue, True) for cue in _STATED.finditer(text, span.start, span.end)]
    introduced = _INTRODUCED.finditer(text[span.start : span.end])
    cues += [(cue, False) for cue in introduced if cue.group(1) or cue.group(2)]
    for cue, is_placed in cues:
        start = cue.end() if is_placed else span.start + cue.end()
        found = _name(text, start, cased, SURE)
        if found is None or not (is_placed or cased or is_known(found.value)):
            continue
        if not is_placed and cue.group(2):  # "it's Beatrix this time, can you help me?"
            signed = _SIGNED.match(text, found.end)
            if signed and not is_doubtful(found.value) and _GOES_ON.match(text, signed.end()):
                return found
        elif _GOES_ON.match(text, found.end):
            return found
    return None


def _stated(text: str, span: Span, cased: bool) -> Found | None:
    """Read "my name is Dana Whitfield"; of "my name is uh Peter my name is" the last."""
    found: Found | None = None
    for cue in _STATED.finditer(text, span.start, span.end):
        first = _name(text, cue.end(), cased, SURE)
        if first is None:
            continue
        said = last_said(
            text,
            first,
            lambda name: name.end,
            lambda start: _name(text, _after_cue(text, start), cased, SURE),
        )
        found = _fuller(text, said, span, cased)
    return found


def _after_cue(text: str, start: int) -> int:
    cue = _STATED.match(text, start)
    return cue.end() if cue else start


def _part(reading: Reading, span: Span, cased: bool) -> Found | None:
    """Read "my last name is King", with the first name that was said before."""
    cue = _PART_STATED.search(reading.text, span.start, span.end)
    found = _name(reading.text, cue.end(), cased, SURE) if cue else None
    if cue is None or found is None:
        return None
    return _joined(reading, found, is_first=bool(cue["first"]))


def _joined(reading: Reading, found: Found, *, is_first: bool) -> Found | None:
    known = reading.known.get("name", "")
    if " " in found.value or not known or found.value.lower() in known.lower().split():
        return None if found.value.lower() in known.lower().split() else found
    if " " in known:
        kept, _, family = known.partition(" ")
        value = f"{found.value} {family}" if is_first else f"{kept} {found.value}"
    else:
        value = f"{found.value} {known}" if is_first else f"{known} {found.value}"
    return Found("name", value, found.start, found.end, found.confidence)


def _introduced(reading: Reading, span: Span, cased: bool) -> Found | None:
    """Read "this is Dana", "it's Beatrix this time", "I'm Ignace": more is asked of them."""
    text = reading.text
    is_asked = _is_asked(reading)
    # On the sentence alone: with a position, "^" would match only where the text begins.
    for cue in _INTRODUCED.finditer(text[span.start : span.end]):
        start = span.start + cue.end()
        found = _name(text, start, cased, SURE if cue.group(1) else LIKELY)
        if found and _is_introduction(
            text, cue, found, cased=cased, is_asked=is_asked, asked=reading.asked
        ):
            return _fuller(text, found, span, cased)
    return None


def _is_introduction(
    text: str, cue: re.Match[str], name: Found, *, cased: bool, is_asked: bool, asked: str
) -> bool:
    is_clear = cased or is_known(name.value)
    if _SIGNED.match(text, name.end) and (is_clear or _SPEAKING.match(text, name.end)):
        return not (cue.group(2) and is_doubtful(name.value))
    if cue.group(2):  # "it's X" alone may be anything
        rather = _RATHER.match(text, name.end)
        return bool(rather and cased and rather["wrong"].lower() in asked.lower())
    is_whole = bool(cue.group(1)) and " " in name.value
    is_closed = bool(_CLOSED.match(text, name.end))
    return (is_clear and (is_whole or is_closed)) or (is_asked and is_closed)


def _signed(text: str, span: Span, cased: bool) -> Found | None:
    """Read "Dana Whitfield speaking", "Dana here", if a sentence begins so."""
    lead = _LEAD.match(text[span.start : span.end])
    start = span.start + (lead.end() if lead else 0)
    found = _name(text, start, cased, LIKELY)
    if found is None or not (cased or is_known(found.value)):
        return None
    if _SIGNS.match(text, found.end):
        return found
    if " " in found.value and found.end - found.start > len(found.value) + 3 and cased:
        return found  # with its letters: "Marta Lopez. L-O-P-E-Z."
    return found if " " in found.value and _ACCOUNT_BEHIND.match(text, found.end) else None


def _answered(reading: Reading, span: Span, cased: bool) -> Found | None:
    """A bare name after the agent asked for it, or "no, it's Dana" after a wrong one."""
    text = reading.text
    sentence = text[span.start : span.end]
    lead = _NOT_THAT.match(sentence) if _is_read_back(reading) else None
    if lead is None and _is_denied(reading):
        lead = _WITH_LETTER.match(sentence)
    if lead is None and (_is_asked(reading) or _is_denied(reading)):
        lead = _ANSWER_LEAD.match(sentence)
    if lead is None:
        return None
    found = _name(text, span.start + lead.end(), cased, ANSWERED)
    if found is None or not _is_all(text, found.end, span.end):
        return None
    if _ASKS_FIRST.search(reading.asked) and _ASKS_LAST.search(reading.asked):
        return found
    if _ASKS_FIRST.search(reading.asked) or _ASKS_LAST.search(reading.asked):
        return _joined(reading, found, is_first=bool(_ASKS_FIRST.search(reading.asked)))
    return found


def _is_all(text: str, place: int, end: int) -> bool:
    """Nothing but thanks stands between a place and the end of the sentence."""
    tail = _ANSWER_TAIL.match(text, place, end)
    return place >= end or (tail is not None and tail.end() >= end)


def _is_asked(reading: Reading) -> bool:
    if _ASKS_NAME.search(reading.asked):
        return True
    return bool(_ASKS_AGAIN.search(reading.asked) and _NAME_REFUSED.search(reading.before))


def _is_read_back(reading: Reading) -> bool:
    """The agent has just called the caller by a name."""
    said = reading.known.get("name", "")
    if said and said.split()[0].lower() in reading.asked.lower():
        return True
    return bool(_NAMES_CALLER.search(reading.asked))


def _is_denied(reading: Reading) -> bool:
    return bool(_NAMES_CALLER.search(reading.asked) and _DENIES.match(reading.text))


def _respelled(reading: Reading, span: Span) -> Found | None:
    """Put the known name right by its letters alone: "no, it's D-A-N-A"."""
    known = reading.known.get("name", "")
    text = reading.text
    sentence = text[span.start : span.end]
    lead = _NOT_THAT.match(sentence) or _ANSWER_LEAD.match(sentence)
    start = span.start + (lead.end() if lead else 0)
    letters, end = spelled_at(text, start)
    if not known or len(letters) < 3 or text[end : span.end].strip(" .,!"):
        return None
    words = known.split()
    place = next((at for at, word in enumerate(words) if word[0].upper() == letters[0]), None)
    if place is None or words[place].upper() == letters:
        return None
    words[place] = letters.capitalize()
    return Found("name", " ".join(words), start, end, ANSWERED)


def _name(text: str, start: int, cased: bool, confidence: float) -> Found | None:
    """Read the name that begins at an offset, with a last name that is said behind it."""
    first = name_at(text, start, cased=cased)
    if first is None:
        return None
    value, end = first.value, first.end
    words = value.split()
    if len(words) == 3 and words[0] == words[2]:  # "whitfield dana whitfield"
        value = f"{words[1]} {words[2]}"
    whole = _AGAIN_BEHIND.match(text, end) if len(words) == 1 else None
    full = name_at(text, whole.end(), cased=cased) if whole else None
    if full and len(full.value.split()) == 2 and full.value.split()[1] == value:
        return Found("name", full.value, first.start, full.end, confidence)
    last = _LAST_NAME.match(text, end)
    family = name_at(text, last.end(), cased=cased) if last and " " not in value else None
    if family:
        value, end = f"{value} {family.value}", family.end
    return Found("name", value, first.start, end, confidence)


def _fuller(text: str, found: Found, span: Span, cased: bool) -> Found:
    """The whole name, where it is said again: of "Jon without an h, so J-O-N, Jon Meyer"."""
    first = found.value.split()[0]
    again = re.compile(rf"\b{re.escape(first)}\s", re.IGNORECASE)
    for match in again.finditer(text, found.end, span.end):
        name: Name | None = name_at(text, match.start(), cased=cased)
        if name and len(name.value.split()) > len(found.value.split()):
            return Found("name", name.value, name.start, name.end, found.confidence)
    return found
