"""What is unresolved and what was promised: the caller's problem, the agent's word."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ringback.core.appointments import settled_date
from ringback.core.dates import find_dates
from ringback.core.reading import (
    CORRECTION,
    LIKELY,
    SURE,
    Found,
    Reading,
    is_question,
    statements,
)
from ringback.text import Span

MAX_MATTER_CHARACTERS = 160
SHORTEST_MATTER_WORDS = 3

_OWNER = r"(?:my|our|the|a|an|this|that)"
_SUBJECT = rf"\b{_OWNER}\s+(?:(?!(?:and|but|or|so|because|that)\b)[\w'-]+\s+){{1,5}}?"
_ADVERB = (
    r"(?:\s*\b(?:just|still|now|always|often|suddenly|completely|constantly|again|not|also)\b)*\s*"
)
_BROKEN = (
    r"(?:down|broken|out|dead|slow|very slow|so slow|too slow|stuck|leaking|flickering|offline|"
    r"faulty|damaged|missing|locked|blocked|frozen|jammed|wrong|cracked|dropping|failing|"
    r"blinking|flashing|coming on|beeping|making (?:a|strange|weird) [\w ]+)"
)
_FAILS = (
    r"(?:drops|dropped|fails|failed|freezes|froze|crashes|crashed|breaks|broke|leaks|leaked|dies|"
    r"died|stops|stopped|stopped working|disconnects|disconnected|cuts out|cut out|goes down|"
    r"went down|gone down|went out|gone out|been down|been out|been slow|been dropping|"
    r"been broken|broken down)"
)
_WORKS = (
    r"(?:work(?:ing)?|respond(?:ing)?|load(?:ing)?|charg(?:e|ing)|connect(?:ing)?|start(?:ing)?|"
    r"turn(?:ing)? on|print(?:ing)?|ring(?:ing)?|open(?:ing)?|arrive[d]?|shown? up|turned up|"
    r"heat(?:ing)?|cool(?:ing)?|boot(?:ing)?|log me in|let me|come(?: on)?)"
)
_NOT = (
    r"(?:isn't|is not|'s not|aren't|are not|doesn't|does not|don't|do not|won't|will not|"
    r"hasn't|has not|haven't|have not|can't|cannot|didn't|did not|never)"
)
_PROBLEM = re.compile(
    rf"{_SUBJECT}(?:is|are|has been|have been|seems|seems to be|keeps|'s){_ADVERB}\b{_BROKEN}\b"
    rf"|{_SUBJECT}(?:keeps|keep)\s+(?!on\b)\w+ing\b"
    rf"|{_SUBJECT}(?:has\s+|have\s+|just\s+|has just\s+|has also\s+|always\s+|often\s+)?{_FAILS}\b"
    rf"|{_SUBJECT}{_NOT}\s+(?:\w+\s+){{0,1}}?{_WORKS}\b"
    r"|\b(?:i've|i have|i am having|i'm having|we have|we've|there's|there is|having)\s+"
    r"(?:got\s+|had\s+)?(?:a|an|some|another)?\s*(?:\w+\s+){0,2}?"
    r"(?:problems?|issues?|trouble|fault|leak|outage)\b(?:\s+with\b)?"
    r"|\b(?:i|we) (?:have|have got|'ve got|'ve had|have had) no (?:internet|signal|service|power|"
    r"water|heating|connection|dial tone|hot water|electricity)\b"
    rf"|\b(?:i|we) (?:can't|cannot|can not|am not able to|am unable to|'m unable to|couldn't) "
    r"(?:log|get|connect|access|make|open|use|reach|see|download|print|pay|sign|turn|send|receive|"
    rf"watch)\b(?!\s+(?:you|me|a text|it right)\b)"
    r"|\b(?:i|we)(?:'ve| have)?\s+(?:was|were|been|got)\s+(?:charged|billed|overcharged)\b"
    r"|\b(?:i|we)(?:'ve| have)? (?:lost|never (?:got|received))\s+(?:my|our|the)\b"
    r"|\b(?:i|we) (?:haven't|have not|didn't|did not) (?:received?|got|gotten|get)\s+(?:my|our|the)\b",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"[,;]?\s+(?:and\s+(?:so\s+|then\s+)?(?:i(?:'m| am| was|'d| would)|can|could|what)|"
    r"so\s+(?:i|can|could|what|please)|(?:can|could|would) you|what (?:can|should)|please|"
    r"and (?:my (?:name|account|number)|i (?:want|need|would)))\b|\s+-\s|,\s+(?:right|you know)\b",
    re.IGNORECASE,
)
_OVER = re.compile(
    r"\b(?:works?|working|fine|okay|ok|back|fixed|resolved|sorted|solved|better)\s+"
    r"(?:again\s+|perfectly\s+)?(?:now|again|since)\b|\bused to\b"
    r"|\bno (?:problems?|issues?|trouble)\b|\b(?:fixed|solved|sorted|resolved) (?:it|that|itself)\b"
    r"|\b(?:isn't|is not|'s not|not|wasn't|hasn't|never|no longer)\s+(?:been\s+)?"
    r"(?:down|broken|out|dead|slow|stuck|leaking|offline|dropped|dropping|failed|missing|a problem"
    r"|the problem|an issue)\b|\bdon't have (?:a|any)\b",
    re.IGNORECASE,
)
_TOLD = re.compile(
    r"\b(?:said|says|told|thinks?|asked|wondered|heard|read|hope|afraid|worried|might|may|could be"
    r"|would be)\b[^,;]*$",
    re.IGNORECASE,
)

_UNNAMED = re.compile(
    r".*\b(?:a|an|some|another)\s+\w*\s*(?:problems?|issues?|trouble)", re.IGNORECASE
)

_DEED = (
    r"(?:send|text|call|e-?mail|ring|phone|let you know|get back|follow up|refund|credit|arrange|"
    r"schedule|book|order|replace|ship|deliver|contact|notify|inform|update|post|waive|"
    r"cancel|escalate|forward|pass|look into|fix|repair|come|visit|dispatch|open|issue|return|"
    r"reserve|raise|report|check back|report back|reach out)"
)
_FILLER = (
    r"(?:(?:also|then|just|definitely|certainly|gladly|personally|be sure to|make sure to)\s+)*"
)
_WILL = r"(?:'ll|\s+will|\s+am going to|'m going to|\s+are going to|'re going to|\s+is going to)"
_PROMISE = re.compile(
    rf"\b(?:i|we){_WILL}\s+{_FILLER}(?P<own>{_DEED}\b)"
    rf"|\b(?:someone|somebody|(?:an?|the|our|my) (?:engineer|technician|colleague|team|specialist|"
    rf"supervisor|manager|agent))(?: from [\w ]+?)?{_WILL}\s+{_FILLER}(?P<other>{_DEED}\b)"
    rf"|\byou{_WILL}\s+(?P<get>(?:receive|get|hear)\b)(?!\s+(?:used|over|it)\b)",
    re.IGNORECASE,
)
_NOT_NOW = re.compile(
    r"\b(?:right now|just a (?:moment|second)|one moment|hold on|up on my screen|if|unless|once i|"
    r"up your|that up|it up)\b",
    re.IGNORECASE,
)
_OFFER = re.compile(
    r"^\W{0,8}(?:and |so |or |okay |well )*(?:shall|should|can|could|may|would|do you|might)\b",
    re.IGNORECASE,
)
_LOOSE_END = re.compile(r"(?:\s+(?:and|or|then|so|but))?\s*$", re.IGNORECASE)
_PROMISE_END = re.compile(
    r"[,;]?\s+(?:and (?:is there|can|could|in the meantime)|is there|anything else|okay\?|right\?)"
    r"|[,;]\s+(?:okay|alright|all right|so|but|and (?:i|we|you))\b|\s+-\s",
    re.IGNORECASE,
)


def read(reading: Reading) -> Iterator[Found]:
    """Find problems that the caller reports."""
    text = reading.text
    for span in statements(text):
        sentence = text[span.start : span.end]
        if is_question(sentence) or _OVER.search(sentence):
            continue
        match = _PROBLEM.search(text, span.start, span.end)
        if match is None or _TOLD.search(text[span.start : match.start()]):
            continue
        end = _trimmed_end(text, match.end(), span.end, _TAIL)
        value = text[match.start() : end]
        if _UNNAMED.fullmatch(value):
            continue
        if len(value.split()) >= SHORTEST_MATTER_WORDS and len(value) <= MAX_MATTER_CHARACTERS:
            yield Found("open_matter", _lower_first(value), match.start(), end, LIKELY)


def read_promises(reading: Reading) -> Iterator[Found]:
    """Find what the agent promises; offers, questions and conditions are none."""
    text = reading.text
    for span in statements(text):
        sentence = text[span.start : span.end]
        if is_question(sentence) or _OFFER.match(sentence):
            continue
        for match in _PROMISE.finditer(text, span.start, span.end):
            found = _promise(reading, match, span)
            if found:
                yield found


def _promise(reading: Reading, match: re.Match[str], span: Span) -> Found | None:
    text = reading.text
    following = _PROMISE.search(text, match.end(), span.end)
    stop = following.start() if following else span.end
    end = _trimmed_end(text, match.end(), stop, _PROMISE_END)
    clause = text[match.start() : end]
    begin = max(match.start(group) for group in ("own", "other", "get"))
    if _NOT_NOW.search(clause) or len(text[begin:end].split()) < 2:
        return None
    dates = list(find_dates(text, reading.at, reading.zone, start=begin, end=end))
    date = settled_date(reading, Span(begin, end))
    if (dates and date is None) or (CORRECTION.search(text, begin, end) and date is None):
        return None
    words = text[begin:end]
    if date:
        words = text[begin : dates[0].start] + text[date.start : end] + f" ({date.value})"
    if match.group("get"):
        words = f"let you {words}"
    elif match.group("other"):
        words = f"have somebody {words}"
    confidence = min(SURE, date.confidence) if date else SURE
    return Found("promise", _third_person(words), match.start(), end, confidence)


def _third_person(words: str) -> str:
    """Speak of "the caller" instead of "you"; the agent's words are kept in the evidence."""
    words = re.sub(r"\byourself\b|\byours\b", "the caller", words, flags=re.IGNORECASE)
    words = re.sub(r"\byour\b", "the caller's", words, flags=re.IGNORECASE)
    return re.sub(r"\byou\b", "the caller", words, flags=re.IGNORECASE)


def _trimmed_end(text: str, least: int, end: int, tail: re.Pattern[str]) -> int:
    cut = tail.search(text, least, end)
    end = cut.start() if cut else end
    end -= len(_LOOSE_END.search(text[least:end]).group())  # type: ignore[union-attr]
    return least + len(text[least:end].rstrip(" .,;!-"))


def _lower_first(value: str) -> str:
    first = value.split()[0]
    return value if first.startswith("I") else value[0].lower() + value[1:]
