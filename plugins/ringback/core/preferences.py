"""How and when the caller wants to be contacted, and in which language."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ringback.core.dates import read_time
from ringback.core.reading import (
    AMBIGUOUS,
    LIKELY,
    SURE,
    Found,
    Reading,
    is_question,
    statements,
)
from ringback.text import Span

LANGUAGES = [
    "english",
    "spanish",
    "french",
    "german",
    "italian",
    "polish",
    "portuguese",
    "dutch",
    "russian",
    "ukrainian",
    "mandarin",
    "cantonese",
    "chinese",
    "japanese",
    "korean",
    "arabic",
    "hindi",
    "urdu",
    "turkish",
    "greek",
    "swedish",
    "danish",
    "norwegian",
    "finnish",
    "czech",
    "hungarian",
    "romanian",
    "vietnamese",
    "tagalog",
    "hebrew",
    "bengali",
    "punjabi",
    "persian",
    "farsi",
]

_METHODS = {
    "text": r"(?:text messages?|texts?|texting|sms(?:es)?|messages?)",
    "phone call": r"(?:phone calls?|calls?|calling|being called|the phone)",
    "email": r"(?:e-?mails?|emailing)",
    "letter": r"(?:letters?|(?:the )?post)",
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
_LANGUAGE = re.compile(
    r"\b(?:i(?:'d| would)?\s+(?:prefer|rather|like)\s+(?:to\s+)?(?:speak(?:ing)?\s+|talk\s+|"
    r"continue\s+|do this\s+)?(?:in\s+)?"
    r"|(?:can|could|may|shall) we\s+(?:please\s+)?(?:speak|talk|continue|do this|switch)\s+(?:in\s+|to\s+)?"
    r"|(?:can|could) you\s+(?:please\s+)?(?:speak|talk|answer)\s+(?:to me\s+)?(?:in\s+)?"
    r"|i only speak\s+|please speak\s+|my (?:preferred )?language is\s+)"
    rf"({'|'.join(LANGUAGES)})\b",
    re.IGNORECASE,
)
_IN_LANGUAGE = re.compile(rf"\bin ({'|'.join(LANGUAGES)}),?\s+please\b", re.IGNORECASE)
_CONTACT = re.compile(
    r"\b(?:(don't|do not|never|not)\s+)?(?:(?:call|phone|ring|text|contact|reach)\s+me"
    r"(?:\s+back)?|send\s+(?:me\s+)?(?:the|a|your)\s+(?:text|message|e-?mail)|(?:call|text)s)"
    r"(?:\s+(?:only|please))?\s+(after|before|between)\s+",
    re.IGNORECASE,
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
            *_method(reading.text, span),
            *_time(reading, span),
            *_language(reading.text, span),
        ):
            newest[found.key] = found
    yield from newest.values()


def _method(text: str, span: Span) -> Iterator[Found]:
    """The way the caller wants; if only an unwanted way is named, that it is unwanted."""
    sentence = text[span.start : span.end]
    unwanted = [(match, method) for method in _METHODS for match in _disliked(sentence, method)]
    wanted = [
        (match, method, confidence)
        for method in _METHODS
        for match, confidence in _liked(sentence, method)
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
    asked.append(rf"{_LIKES}(?:to\s+|that\s+)?(?:you\s+)?{verb}(?:ed)?\s+me\b")
    if method != "phone call":  # "call me" is most often about this one time
        asked.append(rf"{_START}{verb}\s+me\b(?!\s+(?:the|a|an|my|your|that|this|back)\b)")
    for pattern in asked:
        for match in re.finditer(pattern, sentence, re.IGNORECASE):
            if not _REPORTED.search(sentence[: match.start()]):
                yield match, LIKELY


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


def _time(reading: Reading, span: Span) -> Iterator[Found]:
    """Read "call me after six": a time of day without a date."""
    text = reading.text
    for cue in _CONTACT.finditer(text, span.start, span.end):
        first = read_time(text, cue.end())
        if first is None:
            continue
        value, end = f"{cue.group(2).lower()} {first.clock}", first.end
        if cue.group(2).lower() == "between":
            joint = re.compile(r"\s+and\s+").match(text, end)
            second = read_time(text, joint.end()) if joint else None
            if second is None:
                continue
            value, end = f"{value} and {second.clock}", second.end
        value = f"not {value}" if cue.group(1) else value
        confidence = AMBIGUOUS if first.is_ambiguous else SURE
        yield Found("contact_time", value, cue.start(), end, confidence)


def _language(text: str, span: Span) -> Iterator[Found]:
    for pattern in (_LANGUAGE, _IN_LANGUAGE):
        for match in pattern.finditer(text, span.start, span.end):
            yield Found("language", match.group(1).capitalize(), match.start(), match.end(), SURE)
