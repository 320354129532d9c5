"""How and when the caller wants to be contacted, and in which language."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ringback.core.contact_times import read_time_for_contact
from ringback.core.languages import read_language
from ringback.core.reading import (
    ANSWERED,
    LIKELY,
    SURE,
    Found,
    Reading,
    is_question,
    statements,
)
from ringback.text import Span

_METHODS = {
    "text": r"(?:text messages?|texts?|texting|sms(?:es)?|messages?)",
    "phone call": r"(?:phone calls?|calls?|calling|being called|the phone|phone|telephone)",
    "email": r"(?:e-?mails?|emailing)",
    "letter": r"(?:letters?|(?:the )?(?:post|mail))",
}
_NONE = {"text": "no texts", "phone call": "no calls", "email": "no emails", "letter": "no letters"}
_VERBS = {"text": "text", "phone call": "(?:call|phone|ring)", "email": "e-?mail"}
_ARTICLE = r"(?:(?:a|an|the|by|via|through|to get|to receive|to have|getting|to be)\s+)*"
# A look back, too: searched from a sentence on, "^" matches only where the text begins.
_START = (
    r"(?:^|(?<=[.!?]\s)|[,.;!-]\s*|\b(?:please|just|you can|can you|could you|would you|will you|better|"
    r"rather|and|then|so|only|instead)\s+)"
)
_LIKES = (
    r"\b(?:i(?:'d| would)?\s+(?:prefer|rather\s+(?:have|get|receive|you)|like|want)|better to)\s+"
)
_DISLIKES = (
    r"\b(?:i(?:'d| would)\s+(?:rather|prefer)\s+not\s+(?:to\s+)?(?:have|get|receive|want|be)?\s*"
    r"|i\s+(?:don't|do not)\s+(?:want|like|need)\s+(?:any\s+)?|no(?:\s+more)?\s+|stop\s+"
    r"|(?:not|instead of|rather than)\s+)"
)
_FIRST = r"(?:^|(?<=[.!?]\s)|[,;]\s*|\b(?:an?|and|but|think|guess|by|no)\s+)"
_BEST = (
    r"(?:'s|\s+(?:is|are|would be|works?))\s+(?:(?:always|just|so|much|usually|actually)\s+)*"
    r"(?:better|best|easier|easiest|preferred|good for me|fine for me|for me)\b"
)
_BY = re.compile(r"\b(?:by|via|through)\b|\b(?:is|'s)\b", re.IGNORECASE)
_CONTACT_BY = (
    r"\b(?:(?:contact|reach|inform|notify|answer|update|tell) me|(?:reply|respond|answer|write back)(?: to me)?|let me know|get (?:back to|in touch with|hold of) me"
    r"|send (?:it|that|them|everything)(?: to me)?|(?:best|easiest|only) way (?:to (?:reach|contact|get) me )?is|"
    r"(?:prefer|like) to be (?:contacted|reached|informed))\s+(?:(?:only|please|just)\s+)?(?:(?:by|via|through)\s+)?(?:an?\s+|the\s+)?"
)
_ASKS_WAY = re.compile(
    r"\bhow (?:shall|should|can|could|may|would|do|will) (?:we|i|you)\b[^.?]*"
    r"\b(?:let you know|contact|reach|get (?:back|in touch)|inform|update|notify|send|hear|like|tell)\b"
    r"|\b(?:prefer|rather)\b[^.?]*\b(?:call|text|e-?mail|letter|phone)\b"
    r"|\b(?:call|text|e-?mail|letter|phone|post)s?,? or (?:by |an? |via )?(?:call|text|e-?mail|letter|phone|post)"
    r"|\bbest way to (?:reach|contact)\b|\b(?:okay|all right|alright|fine) (?:if|to) (?:we |i )?(?:call|text|e-?mail)",
    re.IGNORECASE,
)
_ANSWER = (
    r"^\W{0,8}(?:(?:uh|um|oh|well|yes|yeah|no|just|by|via|an?|the|maybe|i think|i'd say|with|through|"
    r"in|per|make it|please)[\s,]+)*"
)
_ANSWERED = (
    r"(?=\W*$|\s*[,;]|\s+(?:please|thanks|is|would|will|i|if|because|so|then|only|works|and)\b)"
)
_REPORTED = re.compile(
    r"\b(?:did|do|does|they|he|she|why|keeps?|always)\b[^,.;]*$|\b(?:could|can|should) i\b[^,.;]*$",
    re.IGNORECASE,
)


def read(reading: Reading) -> Iterator[Found]:
    """Find preferences in one of the caller's turns; the last one said wins."""
    newest: dict[str, Found] = {}
    for span in statements(reading.text):
        for found in (
            *_method(reading, span),
            *read_time_for_contact(reading, span),
            *read_language(reading.text, span, reading.asked),
        ):
            newest[found.key] = found
    yield from newest.values()


def _method(reading: Reading, span: Span) -> Iterator[Found]:
    """The way the caller wants; if only an unwanted way is named, that it is unwanted."""
    text = reading.text
    sentence = text[span.start : span.end]
    unwanted = [(match, method) for method in _METHODS for match in _disliked(sentence, method)]
    wanted = [
        (match, method, confidence)
        for method in _METHODS
        for match, confidence in (
            *_liked(sentence, method),
            *_named(sentence, method, reading.asked),
        )
        if not any(bad.start() <= match.end() - 1 < bad.end() for bad, _ in unwanted)
    ]
    calls = _plain_call(sentence) if unwanted and not wanted else None
    if calls and all(method != "phone call" for _, method in unwanted):
        wanted = [(calls, "phone call", LIKELY)]
    key = "contact_preference"
    if wanted:
        match, method, confidence = max(wanted, key=lambda entry: entry[0].end())
        start, end = match.span()
        yield _found(text, key, method, span.start + start, span.start + end, confidence)
    elif unwanted:
        match, method = max(unwanted, key=lambda entry: entry[0].end())
        yield _found(
            text, key, _NONE[method], span.start + match.start(), span.start + match.end(), SURE
        )


def _found(text: str, key: str, value: str, start: int, end: int, confidence: float) -> Found:
    words = text[start:end]
    left = len(words) - len(words.lstrip(" ,.;!-"))
    return Found(key, value, start + left, start + len(words.rstrip(" ,")), confidence)


def _liked(sentence: str, method: str) -> Iterator[tuple[re.Match[str], float]]:
    way = _METHODS[method]
    for match in re.finditer(rf"{_LIKES}{_ARTICLE}{way}\b", sentence, re.IGNORECASE):
        if not is_question(sentence):
            yield match, SURE
    verb = _VERBS.get(method)
    if verb is None:
        return
    asked = [rf"{_START}(?:send|write|drop)\s+me\s+(?:a|an)\s+{way}\b"]
    asked.append(
        rf"{_START}send\s+(?:the|your)\s+(?:text|e-?mail)\b" if method == "text" else "(?!)"
    )
    asked.append(
        rf"\bi(?:'d| would)\s+(?:rather|prefer it if)\s+you\s+(?:just\s+)?{verb}(?:e?d)?\b"
    )
    asked.append(rf"{_LIKES}(?:to\s+|that\s+)?(?:you\s+)?{verb}(?:ed)?\s+me\b")
    if method != "phone call":  # "call me" is most often about this one time
        asked.append(rf"{_START}{verb}\s+me\b(?!\s+(?:the|a|an|my|your|that|this|back)\b)")
    for pattern in asked:
        for match in re.finditer(pattern, sentence, re.IGNORECASE):
            if not _REPORTED.search(sentence[: match.start()]):
                yield match, LIKELY


def _named(sentence: str, method: str, asked: str) -> Iterator[tuple[re.Match[str], float]]:
    """A bare way: praised, as in "text is better for me", or as the answer to "how?"."""
    way, verb = _METHODS[method], _VERBS.get(method, "(?!)")
    praised = rf"{_FIRST}{way}{_BEST}"
    requests = [rf"{_CONTACT_BY}{way}\b"] if _BY.search(sentence) else []
    requests.append(rf"\b{verb}\b(?=\s+(?:me\s+)?(?:instead|rather than)\b)")
    requests.append(
        rf"\bplease\s+(?:just\s+|only\s+)?{verb}(?=\W*$)" if method != "phone call" else "(?!)"
    )
    requests.append(
        rf"(?:^|(?<=[.!?]\s)|[,;]\s*|\b)(?:just|only)\s+(?:by\s+)?{way}(?=\W*$|\s*[,;]|\s+please\b)"
    )
    answers = [rf"{_ANSWER}{way}{_ANSWERED}"] if _ASKS_WAY.search(asked) else []
    for patterns, confidence in (([praised], SURE), (requests, LIKELY), (answers, ANSWERED)):
        for pattern in patterns:
            for match in re.finditer(pattern, sentence, re.IGNORECASE):
                if patterns is not requests or not _REPORTED.search(sentence[: match.start()]):
                    yield match, confidence


def _disliked(sentence: str, method: str) -> Iterator[re.Match[str]]:
    way = _METHODS[method]
    pattern = rf"{_DISLIKES}{_ARTICLE}{way}\b(?!\s+(?:has|have|was|came|centre|center|arrived))"
    for match in re.finditer(pattern, sentence, re.IGNORECASE):
        is_plain_no = re.match(r"no\b", match.group(), re.IGNORECASE)
        if not is_plain_no or re.search(r"\bplease\b", sentence, re.IGNORECASE):
            yield match
    verb = _VERBS.get(method)
    if verb:
        when = r"(?!\s+(?:back\s+)?(?:before|after|between|on|at|until|today|tomorrow))"
        pattern = (
            rf"{_START}(?:don't|do not|never|stop)\s+(?:ever\s+)?{verb}(?:ing)?"
            rf"(?:\s+me\b{when}|(?=\s*(?:[,.;!]|$|please\b|any ?more\b)))"
        )
        yield from re.finditer(pattern, sentence, re.IGNORECASE)


def _plain_call(sentence: str) -> re.Match[str] | None:
    return re.search(rf"{_START}(?:call|phone|ring)\s+me\b", sentence, re.IGNORECASE)
