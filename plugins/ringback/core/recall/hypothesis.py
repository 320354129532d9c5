"""The likely answer to a question, as whoever knows it would say it.

"When did Rosa buy the car?" was once told as "I bought the car": nearer to it, by its vector,
than the question is. What is asked for is left out, and the rest is put into the first person.
"""

from __future__ import annotations

import re
from types import MappingProxyType

MOST_WORDS = 30  # of a question; a longer one is no single question
LEAST_WORDS = 3  # of an answer: "I live" is near to anything

_ASKED_FOR = (
    r"(?:(?:so|and|please|tell me|do you know|remind me),? )*"
    r"(?:(?:what|which|how (?:many|much))(?: (?:kind|sort|type)s? of)?(?P<noun>(?: [\w-]+){0,3}?)|when|where|why|how(?: (?:long|often|soon))?"
    r"|who(?:m)?|since when)"
)
_OTHERS = r"(?:(?:my|our|his|her|their) [\w-]+)"
_SUBJECT = rf"(?P<who>{_OTHERS}|[\w-]+(?: and [\w-]+)?)"
_DID = re.compile(rf"^{_ASKED_FOR} did {_SUBJECT} (?P<verb>[\w-]+)(?P<rest>.*)$", re.I)
_YES_DID = re.compile(rf"^did {_SUBJECT} (?P<verb>[\w-]+)(?P<rest>.*)$", re.I)
_DO = re.compile(rf"^(?:{_ASKED_FOR} )?(?:do|does) {_SUBJECT} (?P<verb>[\w-]+)(?P<rest>.*)$", re.I)
_OWN = re.compile(
    r"^(?:what|who|when|where|which|how)(?:'s| is| are| was| were) (?:my|your|his|her|their|[\w-]+'s)"
    r" (?P<what>[\w' -]+)$",
    re.I,
)
_BE = re.compile(
    rf"^(?:{_ASKED_FOR} )?(?P<be>am|is|are|was|were|has|have|can|could|will|would|should|may)"
    rf" {_SUBJECT} (?P<rest>.+)$",
    re.I,
)
_NOT_VERBS = frozenset({"not", "never", "also", "ever", "still", "usually", "often", "really"})
_FIRST = MappingProxyType({"is": "am", "are": "am", "were": "was", "has": "have"})
_VOWELS = frozenset("aeiou")
_IRREGULAR = """
    be/was become/became begin/began break/broke bring/brought build/built buy/bought
    catch/caught choose/chose come/came cost/cost cut/cut do/did draw/drew drink/drank
    drive/drove eat/ate fall/fell feed/fed feel/felt fight/fought find/found fly/flew
    forget/forgot get/got give/gave go/went grow/grew have/had hear/heard hide/hid hit/hit
    hold/held hurt/hurt keep/kept know/knew lead/led learn/learned leave/left lend/lent let/let
    lie/lay lose/lost make/made mean/meant meet/met pay/paid put/put quit/quit read/read
    ride/rode ring/rang rise/rose run/ran say/said see/saw sell/sold send/sent set/set
    show/showed shut/shut sing/sang sit/sat sleep/slept speak/spoke spend/spent stand/stood
    steal/stole swim/swam take/took teach/taught tell/told think/thought throw/threw
    understand/understood wake/woke wear/wore win/won write/wrote
"""
_PAST = MappingProxyType(
    {verb: then for verb, _, then in (pair.partition("/") for pair in _IRREGULAR.split())}
)


def statement(question: str) -> str:
    """Turn a question in English into what was likely said in answer.

    Args:
        question: One line.

    Returns:
        Without what is asked for; empty of what is no such question.
    """
    line = " ".join(question.strip().rstrip("?!. ").split())
    if not line or line.count(" ") >= MOST_WORDS:
        return ""
    said = _stated(line)
    return said if said.count(" ") + 1 >= LEAST_WORDS else ""


def _stated(line: str) -> str:
    if match := _DID.match(line) or _YES_DID.match(line):
        return _said(match, past(match["verb"].lower()))
    if match := _DO.match(line):
        return _said(match, match["verb"])
    if match := _OWN.match(line):
        return f"My {match['what']} is"
    if match := _BE.match(line):
        who, be = _speaker(match["who"]), match["be"].lower()
        return f"{who} {_FIRST.get(be, be) if who == 'I' else be} {match['rest']}"
    return ""


def past(verb: str) -> str:
    """The past of an English verb."""
    if verb in _PAST:
        return _PAST[verb]
    if verb.endswith("e"):
        return f"{verb}d"
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return f"{verb[:-1]}ied"
    is_short = len(verb) in (3, 4) and verb[-2] in _VOWELS and verb[-3] not in _VOWELS
    is_doubled = is_short and verb[-1] not in _VOWELS | set("wxy")
    return f"{verb}{verb[-1] if is_doubled else ''}ed"


def _said(match: re.Match[str], verb: str) -> str:
    if match["verb"].lower() in _NOT_VERBS:
        return ""
    noun = match.groupdict().get("noun") or ""  # "which car did I buy": I bought a car
    return f"{_speaker(match['who'])} {verb}{noun}{match['rest']}"


def _speaker(who: str) -> str:
    """Whoever is asked about said it of themself; a relative was spoken of."""
    return who if re.fullmatch(_OTHERS, who, re.I) else "I"
