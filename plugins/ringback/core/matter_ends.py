"""When a matter is over: "it works again", "that's sorted", "never mind"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ringback.core.reading import LIKELY, Found, Reading, is_question
from ringback.text import Span

_OVER = re.compile(
    r"\b(?:works?|working|fine|okay|ok|back|fixed|resolved|sorted|solved|better)\s+"
    r"(?:again\s+|perfectly\s+)?(?:now|again|since)\b|\bused to\b"
    r"|\bno (?:problems?|issues?|trouble)\b|\b(?:fixed|solved|sorted|resolved) (?:it|that|itself)\b"
    r"|\b(?:isn't|is not|'s not|not|wasn't|hasn't|never|no longer)\s+(?:been\s+)?"
    r"(?:down|broken|out|dead|slow|stuck|leaking|offline|dropped|dropping|failed|missing|a problem"
    r"|the problem|an issue)\b|\bdon't have (?:a|any)\b",
    re.IGNORECASE,
)
_DONE = r"(?:fixed|repaired|sorted(?: out)?|solved|resolved|taken care of|settled|dealt with)"
_NOUN = r"(?:(?:my|our|the|that|this)\s+(?:(?!(?:and|but|or|is|are|was|has|it|that)\b)[\w'-]+\s+){1,4}?)"
_THING_OVER = re.compile(
    rf"\b(?P<thing>{_NOUN})(?:(?:works?|is working|are working|runs?)\s+(?:fine\s+|perfectly\s+)?(?:again|now)\b"
    rf"|(?:is|are|'s|has been|have been|got|was)\s+(?:now\s+|finally\s+|already\s+|all\s+)?(?:{_DONE}|back(?: on| up)?\b"
    r"(?! (?:to|in|at|of)\b)|(?:fine|okay|ok|up|good)\s+(?:again|now))\b"
    r"|(?:came|come) back(?: on)?\b|(?:has\s+)?(?:stopped|quit)\s+(?:leaking|beeping|dripping|flickering|dropping|"
    r"buzzing|rattling)\b|(?:has |have )?(?:finally|now|just) (?:arrived|come|came|turned up)\b"
    r"|(?:has |have )?(?:arrived|turned up|came)\s+(?:today|now|after all|this morning|yesterday)\b)",
    re.IGNORECASE,
)
_ABOUT_OVER = re.compile(
    rf"\babout\s+(?P<thing>{_NOUN.replace('1,4', '0,4')}[\w'-]+),?\s+(?:(?:but|and|well)\s+)?"
    rf"(?:that|it|they)(?:'s|'re| is| are| has been|'s been)\s+(?:now\s+|all\s+|been\s+)?(?:{_DONE}|fine|okay|over|gone)\b",
    re.IGNORECASE,
)
_IT_OVER = re.compile(
    r"\b(?:it|that|they|everything)(?:'s|'re| is| are| has been|'s been)\s+(?:now\s+|all\s+|already\s+|been\s+|just\s+)?"
    rf"(?:{_DONE}|back(?: on| up)?\b(?! (?:to|in|at|of)\b)|working (?:again|now|fine)|(?:fine|okay|ok|good) (?:again|now))"
    r"|\b(?:it|everything)\s+(?:works|is working|came back|stopped)(?:\s+(?:fine|again|now|on|on its own|by itself))*\b"
    rf"|\b(?:i|we)(?:'ve| have)?\s+(?:already\s+|just\s+)?(?:{_DONE})\s+(?:it|that)\b"
    r"|\b(?:oh\s+)?never ?mind\b|\bforget (?:about )?it\b",
    re.IGNORECASE,
)
_NOT_OVER = re.compile(
    r"\b(?:not|never(?! ?mind)|n't|hardly|until|till|when|once|if|wish|hope|hoping|want|wanted|need|should|"
    r"will|would|has to|must|said|says|told|thought|was supposed|before|still)\b|n't\b",
    re.IGNORECASE,
)

_UNNAMED = frozenset("problem issue matter thing trouble whole thing case fault error".split())  # noqa: SIM905


def is_over(sentence: str) -> bool:
    """A sentence says that something is in order, or used to be out of order."""
    return bool(_OVER.search(sentence) or _THING_OVER.search(sentence))


def ended(reading: Reading, span: Span, reported: Sequence[str]) -> Iterator[Found]:
    """Find which matter a sentence says is over.

    Args:
        reading: The turn.
        span: The sentence.
        reported: Matters that the same turn reported before it.

    Returns:
        A withdrawal of the matter as this call reported it, where it names the same thing,
        else of the thing by itself.
    """
    text = reading.text
    sentence = text[span.start : span.end]
    if is_question(sentence):
        return
    known = [*reported, *([reading.known["open_matter"]] if "open_matter" in reading.known else [])]
    for pattern in (_ABOUT_OVER, _THING_OVER):
        for match in pattern.finditer(text, span.start, span.end):
            said = match.group() if pattern is _ABOUT_OVER else _clause(text, span, match)
            value = _named(match["thing"].strip(), known)
            if value and not _NOT_OVER.search(said):
                yield _withdrawn(value, match.start(), match.end())
                return
    it = _IT_OVER.search(text, span.start, span.end)
    if it and known and not _NOT_OVER.search(_clause(text, span, it)):
        yield _withdrawn(reported[-1] if reported else known[-1], it.start(), it.end())


def _clause(text: str, span: Span, match: re.Match[str]) -> str:
    lead = text[span.start : match.start()]
    cut = max(lead.rfind(sign) for sign in ",;.")
    return f"{lead[cut + 1 :]}{match.group()}"


def _named(thing: str, known: Sequence[str]) -> str:
    """The matter of this call that speaks of the thing; else the thing, if it is named."""
    bare = thing.lower().split(None, 1)[-1]
    if bare in _UNNAMED:
        return known[-1] if known else ""
    return next((one for one in reversed(known) if bare in one.lower()), thing.lower())


def _withdrawn(value: str, start: int, end: int) -> Found:
    return Found("open_matter", value, start, end, LIKELY, is_withdrawal=True)
