"""Whether a language model's summary of a call may be kept."""

from __future__ import annotations

import re

from ringback.core.reading import is_instruction
from ringback.records import CallView, Summary
from ringback.text import DIGITS, TEENS, TENS, ordinal, plain, spoken_digits

MAX_PROSE_CHARACTERS = 500
MIN_PROSE_CHARACTERS = 20

_CHATTER = re.compile(
    r"^\W*(?:sure|certainly|of course|here(?:'s| is)|okay|i\b|i'm|as an|sorry|summary|note)\b"
    r"|\b(?:i cannot|i can't|i'm sorry|language model|as an ai|you|your|we|our)\b"
    r"|\b(?:i|my|me)\b",
    re.IGNORECASE,
)
_SUBJECT = re.compile(r"\b(?:callers?|customers?|agent|client)\b", re.IGNORECASE)
_SOLVED = re.compile(r"\b(?:resolved|solved|fixed|sorted out|settled)\b", re.IGNORECASE)
_NEGATED = re.compile(r"\b(?:not|n't|un|never|yet|still)\W*(?:\w+\W+){0,2}$", re.IGNORECASE)
_PROMISED = re.compile(r"\b(?:promis\w+|assured|guarantee\w*|agreed to|will)\b", re.IGNORECASE)
_DATE_WORD = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|"
    r"august|september|october|november|december|today|tonight|tomorrow|yesterday|noon|midnight|"
    r"morning|afternoon|evening|night|weekend)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-zÀ-ÿ]+(?:'[a-z]+)?")
_LETTERS = re.compile(r"\S+")
_SAYABLE = {"one"}  # more often a pronoun than a number


def is_faithful(line: str, view: CallView, fallback: Summary) -> bool:
    """The prose is a short summary, and its numbers, dates and names are the call's own.

    Args:
        line: The prose, on one line.
        view: The call.
        fallback: The deterministic summary, whose resolved dates may be used as well.
    """
    if not MIN_PROSE_CHARACTERS <= len(line) <= MAX_PROSE_CHARACTERS or is_instruction(line):
        return False
    line = plain(line)
    if _CHATTER.search(line) or line.rstrip().endswith("?"):
        return False
    spoken = plain(" \n ".join([*(turn.text for turn in view.turns), fallback.text]))
    names = _names(fallback.text) & {word.lower() for word in _WORD.findall(line)}
    if not (_SUBJECT.search(line) or names):
        return False
    return (
        numbers(line) <= numbers(spoken)
        and date_words(line) <= date_words(spoken)
        and proper_words(line) <= {word.lower() for word in _WORD.findall(spoken)}
        and _claims_hold(line, fallback)
    )


def numbers(text: str) -> frozenset[str]:
    """Every number in a text, as digits, however it was written."""
    found: set[str] = set()
    reached = 0
    for match in _LETTERS.finditer(text):
        start = match.start() + len(match.group()) - len(match.group().lstrip("\"'($€£#+"))
        found |= _inside(match.group())
        run = spoken_digits(text, start) if start >= reached else None
        if run and text[run.start : run.end].lower() not in _SAYABLE:
            found.add(run.digits)
            reached = run.end
    return frozenset(found)


def _inside(word: str) -> set[str]:
    """Digits and ordinals in one word: "21st", "18:00", "$40.50"."""
    bare = word.strip(".,;:!?\"'()").lower()
    found = set(re.findall(r"\d+", word))
    number = ordinal(bare) if bare not in {"second", "first"} else None
    if number:
        found.add(str(number))
    if bare in TEENS or bare in TENS or (bare in DIGITS and bare not in _SAYABLE):
        found.add(TEENS.get(bare) or DIGITS.get(bare) or f"{TENS.get(bare, '')}0")
    return found


def date_words(text: str) -> frozenset[str]:
    """Days, months and times of day that a text names."""
    return frozenset(match.group().lower() for match in _DATE_WORD.finditer(text))


def proper_words(text: str) -> frozenset[str]:
    """Words with a capital that do not begin a sentence, in lower case."""
    found = set()
    for match in _WORD.finditer(text):
        before = text[: match.start()].rstrip(" \"'(")
        is_first = not before or before[-1] in ".!?:"
        if match.group()[0].isupper() and not is_first:
            found.add(match.group().lower().removesuffix("'s"))
    return frozenset(found)


def _names(text: str) -> set[str]:
    first = re.match(r"((?:[A-ZÀ-Þ][\w'-]+ )+)(?:reported|said):", text)
    return {word.lower() for word in first.group(1).split() if word != "The"} if first else set()


def _claims_hold(line: str, fallback: Summary) -> bool:
    """It does not call the matter solved, or promise anything, unless somebody did."""
    for match in _SOLVED.finditer(line):
        is_negated = bool(_NEGATED.search(line[: match.start()]))
        if is_negated is (fallback.resolved is True) or (
            not is_negated and fallback.resolved is None
        ):
            return False
    return bool(fallback.promises) or not _PROMISED.search(line)
