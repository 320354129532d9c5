"""Account numbers and phone numbers that callers give, spoken as digits or as words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType

from ringback.core.number_values import number_at
from ringback.core.reading import (
    AMBIGUOUS,
    ANSWERED,
    SURE,
    Found,
    Reading,
    is_question,
    statements,
)
from ringback.core.relatives import ENGLISH, NAMED, person_before, person_ref
from ringback.records import SELF
from ringback.text import Span

_ACCOUNT = re.compile(
    r"\b(?:(?:my|our|the|that's|it's)\s+)?(?:accounts?|customer|client|contract|membership|member)"
    r"(?:\s+(?:number|no\.?|id)|\s+(?:reference|ref)(?:\s+number)?)"
    r"(?:\s+(?:for|of)\s+(?:this|that|the)(?:\s+\w+)?)?(?:\s+(?:here|on the \w+))?"
    r"(?:\s+(?:is|was|as|would be|it's|should be)|'s)?(?:\s+now)?[\s,:]+"
    r"|\b(?:my|our|it's|under|the|for|on)\s+account(?:\s+is|'s)?[\s,:]+"
    r"|(?<![\w'] )(?<![\w'])account(?:\s+is|'s)[\s,:]+"
    r"|\bmy\s+count\s+number(?:\s+is|'s)?[\s,:]+",  # "account", as recognisers mishear it
    re.IGNORECASE,
)
_PHONE = re.compile(
    r"(?:(?<![\w'] )(?<![\w'])|\b(?:my|our|his|her|(?:the|a) (?:best|good|right))\s+|(?<='s\s))(?:(?:own|new|mobile|cell|cellphone|phone|"
    r"telephone|home|work|callback|call back|contact|current|personal|private|daytime|direct)\s+)*"
    r"(?:number|phone|mobile|cell|cellphone|landline)(?:\s+(?:to (?:reach|call) me(?: (?:on|at))?|here))?"
    r"(?:\s+(?:is|would be)|'s)(?:\s+now)?[\s,:]+"
    r"|\b(?:call|reach|ring|text|phone|try|get)\s+me(?:\s+back)?\s+(?:at|on)\s+"
    r"(?:(?:my\s+(?:\w+\s+)?(?:number\s+)?|this number,?\s+)(?:which is\s+|it's\s+)?)?",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"\b(?:(?:the|my) (?:new|right|correct|real|current) (?:one|number)(?:'s|\s+is)|my own(?: one| number)?"
    r"(?:'s|\s+is)|mine(?:'s|\s+is)|(?:it's|it is|is)\s+now|now\s+(?:it's|it is)|changed to|"
    r"since \w+,? (?:it's|it is)|but it's)\s+",
    re.IGNORECASE,
)
_WAS = re.compile(r"(?:used to be|was)\s+", re.IGNORECASE)
_OTHERS = re.compile(
    r"\b(?:his|her|their|your|\w+'s|old|previous|former|wrong)\s+(?:\w+\s+)?$", re.IGNORECASE
)
_RELATIVES = re.compile(rf"\bmy\s+(?P<who>{ENGLISH}{NAMED}?)'s\s+$", re.IGNORECASE)
_PRONOUN = re.compile(r"\b(?:his|her)\s+$", re.IGNORECASE)
_OWN_PRONOUN = re.compile(r"\s*(?:his|her)\b", re.IGNORECASE)
_DOUBTED = re.compile(r"\b(?:i think|i believe|i guess|probably)\b[^.;]*$", re.IGNORECASE)
_OPEN = re.compile(
    r"\b(?:maybe|might|could|not sure|don't know|whether|if|what if|don't use|wrong)\b[^.;]*$",
    re.IGNORECASE,
)
_IS_MY = re.compile(
    r"\b(?:is|'s|that's) my (?:new )?(?:(?:account|customer|client|contract|member(?:ship)?)"
    r"(?: (?:number|id|reference))|(?P<phone>(?:phone|mobile|telephone|cell) number))\b",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:don't|not|never|isn't|if|whether|maybe|perhaps|think|guess|says?|said|told|or)\b",
    re.IGNORECASE,
)
_WORD_START = re.compile(r"(?<!\S)\S")
_ASKS_WHETHER = re.compile(
    r"^\W{0,8}(?:and |so |but )*(?:is|was|are|do|does|did|have|has|can|could|what|which)\b",
    re.IGNORECASE,
)
_ASKS = MappingProxyType(
    {
        "account_number": re.compile(
            r"\b(?:account|customer|client|contract|member(?:ship)?) (?:number|id|reference)\b",
            re.IGNORECASE,
        ),
        "phone": re.compile(
            r"\b(?:phone|mobile|telephone|callback|call back|contact|cell) number\b"
            r"|\bnumber to (?:reach|call)\b|\bnumber (?:can|should|could|shall) (?:i|we) (?:call|reach|use)"
            r"|\bbest number\b|\byour number\b|\bwhere can (?:i|we) (?:call|reach)\b",
            re.IGNORECASE,
        ),
    }
)
_OF = MappingProxyType(
    {
        "account_number": re.compile(
            r"\b(?:account|customer|client|contract|member(?:ship)?)\b", re.IGNORECASE
        ),
        "phone": re.compile(r"\b(?:phone|mobile|cell|telephone|call me|reach me)\b", re.IGNORECASE),
    }
)
_ASKS_AGAIN = re.compile(r"\bwhat(?:'s| is) (?:it|the (?:right|correct) one)\b", re.IGNORECASE)
_ANSWER_LEAD = re.compile(
    r"^\W{0,8}(?:(?:yes|yeah|yep|sure|of course|okay|ok|right|certainly|uh|um|er|well|so|oh|it's|it is|"
    r"that's|that is|that would be|it would be|here it is|let me see|i think|i believe|"
    r"(?:the|my) number(?: on \w+ \w+| here| i have(?: here)?)?(?:'s| is)|(?:it|the \w+) says(?: here)?|"
    r"i(?:'ve got| have) it here|got it|number|account|you can (?:use|take|try)|no)\b[\s,.:]*)*",
    re.IGNORECASE,
)
_ANSWER_TAIL = re.compile(
    r"[\s.,!?]{0,6}(?:(?:please|thanks|thank you|i think|i believe|got (?:that|it)|okay|right|"
    r"there you go|that's (?:it|all|my (?:cell|mobile|home|work)(?: (?:phone|number))?)|"
    r"it's my (?:cell|mobile)(?: phone)?|if i remember (?:right|correctly))\b[\s.,!?]{0,6}){0,3}",
    re.IGNORECASE,
)
_NOT_THAT = re.compile(
    r"^\W{0,8}(?:(?:no|nope|sorry|wait|actually|correction|i mean|it's|it is|that's|that should be|"
    r"make that|the number is)\b[\s,.:]*)+",
    re.IGNORECASE,
)


def read(reading: Reading) -> Iterator[Found]:
    """Find the account number and the phone number in one of the caller's turns.

    A relative's number is found as theirs: "my mother's account number is", and "her phone
    number is" after "I'm calling for my mother".
    """
    newest: dict[tuple[str, str], Found] = {}
    for span in statements(reading.text):
        for found in (*_stated(reading, span), *_answered(reading, span)):
            newest[found.key, found.subject] = found
    yield from newest.values()


def _stated(reading: Reading, span: Span) -> Iterator[Found]:
    text = reading.text
    sentence = text[span.start : span.end]
    if is_question(sentence) and _ASKS_WHETHER.match(sentence):
        return
    for key, pattern in (("account_number", _ACCOUNT), ("phone", _PHONE)):
        if key == "phone" and _is_asked(reading, "account_number"):
            continue  # "my number is 48215533"
        for cue in pattern.finditer(text, span.start, span.end):
            before = text[span.start : cue.start()]
            subject = _owner(reading, cue, before)
            if subject and not _OPEN.search(before):
                yield from _given(reading, cue.end(), key, subject, before)
    yield from _named_behind(text, span)
    yield from _renewed(reading, span)


def _named_behind(text: str, span: Span) -> Iterator[Found]:
    """Read "four four nine one seven is my account number"."""
    for cue in _IS_MY.finditer(text, span.start, span.end):
        key = "phone" if cue["phone"] else "account_number"
        for word in _WORD_START.finditer(text, span.start, cue.start()):
            found = number_at(text, word.start(), key, SURE)
            if found and not text[found.end : cue.start()].strip(" ,"):
                if not _UNSURE.search(text, span.start, found.start):
                    yield found
                break


def _given(reading: Reading, start: int, key: str, subject: str, before: str) -> Iterator[Found]:
    text = reading.text
    if _WAS.match(text, start) and key == "account_number":
        return  # what it is now is `_renewed`
    found = number_at(text, start, key, SURE)
    if found:
        confidence = AMBIGUOUS if _DOUBTED.search(before) else found.confidence
        yield replace(found, subject=subject, confidence=confidence)


def _owner(reading: Reading, cue: re.Match[str], before: str) -> str:
    """Whose number it is; "" when that is nobody we know."""
    relative = _RELATIVES.search(before)
    if relative:
        return person_ref(relative["who"])
    if _PRONOUN.search(before) or _OWN_PRONOUN.match(cue.group()):
        said = f"{reading.before} . {reading.text[: cue.start()]}"
        return person_before(said, 0, len(said))
    return "" if _OTHERS.search(before) else SELF


def _renewed(reading: Reading, span: Span) -> Iterator[Found]:
    """Read what a number is now: "used to be 3310 but it's 7745", "my own is 5550177"."""
    text = reading.text
    for cue in _NOW.finditer(text, span.start, span.end):
        for key, of in _OF.items():
            if of.search(text, 0, cue.start()) or _is_asked(reading, key):
                found = number_at(text, cue.end(), key, SURE)
                if found:
                    yield found
                    break


def _answered(reading: Reading, span: Span) -> Iterator[Found]:
    """A bare number after the agent asked for it; "no, 4827" after it was read back."""
    text = reading.text
    sentence = text[span.start : span.end]
    for key in _ASKS:
        lead = _ANSWER_LEAD.match(sentence) if _is_asked(reading, key, span) else None
        found = number_at(text, span.start + lead.end(), key, ANSWERED) if lead else None
        if found and _is_all(text, found.end, span.end):
            yield found
    lead = _NOT_THAT.match(sentence)
    for key in ("account_number", "phone") if lead else ():
        known = reading.known.get(key, "")
        found = number_at(text, span.start + lead.end(), key, ANSWERED) if lead and known else None
        if found and len(found.value) == len(known):
            yield found


def _is_all(text: str, place: int, end: int) -> bool:
    """Nothing but thanks stands between a place and the end of the sentence."""
    tail = _ANSWER_TAIL.match(text, place, end)
    return place >= end or (tail is not None and tail.end() >= end)


def _is_asked(reading: Reading, key: str, span: Span | None = None) -> bool:
    """The agent asks for it, or the caller did just before: "My account number? It's 4821"."""
    if _ASKS[key].search(reading.asked):
        return True
    if _ASKS_AGAIN.search(reading.asked) and _ASKS[key].search(reading.before):
        return True
    own = reading.text[max(0, span.start - 40) : span.start].rstrip() if span else ""
    return own.endswith("?") and bool(re.search(r"\bmy\b", own, re.I) and _ASKS[key].search(own))
