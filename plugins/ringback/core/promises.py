"""What the agent promised: the agent's word, with the day by which it was given."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ringback.core.dates import find_dates
from ringback.core.matter_text import trimmed_end
from ringback.core.reading import CORRECTION, SURE, Found, Reading, is_question, statements
from ringback.core.settled_dates import settled_date
from ringback.text import Span

_DEED = (
    r"(?:send|text|call|e-?mail|ring|phone|let you know|get back|follow up|refund|credit|arrange|"
    r"schedule|book|order|replace|ship|deliver|contact|notify|inform|update|post|waive|"
    r"cancel|escalate|forward|pass|look into|fix|repair|come|visit|dispatch|open|issue|return|"
    r"reserve|raise|report|check back|report back|reach out|remove|take (?:it|that|this|the \w+|you|your \w+) off|"
    r"extend|activate|block|reset|renew|(?:add|apply|process|submit|put through|file) (?:(?:a|an|the|your|that) (?:\w+ )?)"
    r"(?:refund|credit|discount|replacement|claim|complaint|order|payment|request|change)|make sure (?:that|it|you|he|she|they|we|"
    r"someone|somebody|your|the)|see to it|reimburse|pay (?:you|it|that|back)|mail|"
    r"have (?:someone|somebody|an? \w+|the \w+|my \w+|our \w+|him|her|them) |"
    r"get (?:someone|somebody|an? \w+|the \w+|our \w+|(?:it|that|this) (?:fixed|sorted|done|replaced|changed)) |"
    r"chase|speak to|talk to|ask (?:the|my|our)|put (?:you|an? \w+|the \w+) (?:on|in|through to|down)|"
    r"(?:correct|change) (?:the|your) (?:\w+ )?(?:bill|invoice|order|contract|plan|tariff|price|booking)|"
    r"bring|collect|pick (?:it|that|up)|give you (?:a (?:call|ring)|an? (?:\w+ )?(?:credit|refund|discount)))"
)
_FILLER = (
    r"(?:(?:also|then|just|definitely|certainly|gladly|personally|be sure to|make sure to)\s+)*"
)
_WILL = r"(?:'ll|\s+will|\s+am going to|'m going to|\s+are going to|'re going to|\s+is going to)"
_PROMISE = re.compile(
    rf"\b(?:i|we){_WILL}\s+{_FILLER}(?P<own>{_DEED}\b)"
    rf"|\b(?:i|we)(?:'m| am|'re| are)\s+{_FILLER}(?P<doing>(?:sending|arranging|ordering|refunding|crediting|"
    r"issuing|shipping|replacing|booking)\b)"
    rf"|\b(?:i|we) promise (?:you )?(?:that )?(?:i|we|it|you){_WILL}\s+{_FILLER}(?P<sworn>\w+\b)"
    rf"|\b(?:the|your|a) (?:\w+ ){{0,2}}\w+{_WILL}\s+be\s+(?P<passive>(?:sent|paid|refunded|credited|delivered|"
    r"shipped|replaced|waived|cancelled|activated|fixed|repaired|in your|on its way)\b)"
    rf"|\b(?:someone|somebody|(?:an?|the|our|my) (?:engineer|technician|colleague|team|specialist|"
    rf"supervisor|manager|agent))(?: from [\w ]+?)?{_WILL}\s+{_FILLER}(?P<other>{_DEED}\b)"
    rf"|\byou{_WILL}\s+(?P<get>(?:receive|get|hear|have (?:it|your|the|that|an?))\b)(?!\s+(?:used|over|it)\b)",
    re.IGNORECASE,
)
_GROUPS = ("own", "doing", "sworn", "passive", "other", "get")
_NOT_NOW = re.compile(
    r"\b(?:right now|just a (?:moment|second)|one moment|hold on|up on my screen|if|unless|once i|"
    r"up your|that up|it up|try|see what|see if|back up|ask you|put you (?:on hold|through)|on hold|down as|"
    r"add (?:it|that) to (?:the )?note)\b|^\W*(?:not|never)\b",
    re.IGNORECASE,
)
_OFFER = re.compile(
    r"^\W{0,8}(?:and |so |or |okay |well )*(?:shall|should|can|could|may|would|do you|might)\b",
    re.IGNORECASE,
)
_PROMISE_END = re.compile(
    r"[,;]?\s+(?:and (?:is there|can|could|in the meantime)|is there|anything else|okay\?|right\?)"
    r"|[,;]\s+(?:okay|alright|all right|so|but|and (?:i|we|you))\b|\s+-\s",
    re.IGNORECASE,
)


def read(reading: Reading) -> Iterator[Found]:
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
    end = trimmed_end(text, match.end(), stop, _PROMISE_END)
    clause = text[match.start() : end]
    begin = max(match.start(group) for group in _GROUPS)
    if match["passive"]:
        begin = match.start()
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
