"""What somebody is like, and how they feel about somebody or something: a way of its own.

Traits and attitudes are facts that a question seldom names by their words: "is she patient?"
is answered by "never loses her temper", "is he satisfied with the app?" by being unhappy with
it. So such a question is read for whom or what the feeling is towards, and looks at all
attitudes, of either sign, that are towards it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ringback.core.recall.scripts import SIMPLIFIED
from ringback.core.recall.wanted import wanted_terms
from ringback.recollection import Hit
from ringback.records import SELF, Fact
from ringback.terms import terms

TRAIT = "trait"
ATTITUDES = ("pleased_with", "unhappy_with", "likes", "dislikes")
PERSONA_KEYS = frozenset({TRAIT, *ATTITUDES})

NAMED = 0.5  # the least share of what the feeling is towards, of a fact that is
PERHAPS = 0.3  # of a trait in other words than those that were asked for

_FAMILY = 5  # letters that words of one family begin with
_WHO = (
    r"(?:i|you|he|she|they|we|(?:the|my|his|her|our|their|your) [\w'-]+(?: [\w'-]+)?"
    r"|[\w'-]+(?: [\w'-]+)?)"
)
_VERY = r"(?:(?:still|really|very|so|quite|rather|at all|generally|usually|an?) )*"
_FEELING = (
    r"(?:happy|pleased|satisfied|content|delighted|unhappy|disappointed|dissatisfied|angry|annoyed"
    r"|upset|fed up|cross|impressed)"
)
_TOWARDS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bhow (?:do|does|did) {_WHO} (?:really )?feel (?:about|towards?|regarding) (?P<to>[^?]+)",
        rf"\bwhat (?:do|does|did) {_WHO} (?:really )?think (?:of|about) (?P<to>[^?]+)",
        r"\b(?:opinion|view|attitude|impression|feelings?) (?:of|on|about|towards?) (?P<to>[^?]+)",
        rf"\b(?:am|is|are|was|were) {_WHO} {_VERY}{_FEELING} (?:with|about|at|by) (?P<to>[^?]+)",
        rf"\b(?:do|does|did) {_WHO} {_VERY}(?:like|love|enjoy|hate|dislike|trust) (?P<to>[^?]+)",
        "对(?P<to>.{1,20}?)的?(?:很|有多|还|满不)*(?:满意|不满|失望|信任|生气|看法|感觉|评价|印象|态度|感受)",
        "(?:怎么看|怎么想|信不信任|信任|喜不喜欢|喜欢|讨厌)(?P<to>.{1,20}?)(?:吗|呢|的|\\?|$)",
        "[觉覺]得(?P<to>.{1,15}?)(?:怎么样|如何|好不好|好吗)",
        "(?P<to>[^はがの、]{1,15}?)(?:に|を|のことを|についてどう)(?:満足|不満|信頼|どう思|思って)",
        r"(?P<to>\S{1,12}?)(?:에|을|를|에 대해)\s?(?:만족|불만|신뢰|어떻게 생각|좋아하|싫어하)",
    )
)
_ANYTHING = frozenset(terms("什么 谁 哪 哪些 啥 何 誰 뭐 무엇 누구"))
"""Asked for, not named: what somebody likes at all is found by its key."""
_TRAITS = frozenset(
    terms(
        "patient impatient shy careful careless cautious anxious nervous calm friendly unfriendly"
        " polite rude outgoing quiet talkative organised organized tidy stubborn generous honest"
        " kind adventurous optimistic pessimistic punctual reliable curious creative ambitious"
        " sensitive confident perfectionist introvert introverted extrovert extroverted sociable"
        " reserved demanding easygoing thrifty frugal forgetful religious funny serious hard-working"
    )
)
_TRAIT = re.compile(
    rf"\b(?:am|is|are|was) {_WHO} {_VERY}(?P<trait>[\w-]+)(?: (?:person|man|woman|one|type))?\s*\??$",
    re.IGNORECASE,
)
_CHARACTER = re.compile(
    rf"\bwhat (?:am|is|are|was) {_WHO} like\b(?! to\b)|\bwhat (?:kind|sort|type) of (?:an? )?"
    r"(?:person|man|woman|character)\b|\bdescribe (?:me|him|her|them)\b|\b(?:personality|temperament)\b"
    "|什么样的人|怎样的人|哪种人|个性|性格|脾气|どんな人|どういう人|성격|어떤 사람",
    re.IGNORECASE,
)
_SIGNS_OF_TRAIT = re.compile(
    "耐心|内向|外向|害羞|急性子|细心|谨慎|节俭|乐观|悲观|固执|守时|大方|友善|勤劳|健谈|幽默"
)


@dataclass(frozen=True, slots=True)
class Persona:
    """What a question asks of somebody's character or feelings."""

    keys: tuple[str, ...]
    towards: frozenset[str] = frozenset()
    """Terms of whom or what a feeling is towards, or of the trait; empty for any."""


def persona_asked(question: str) -> Persona | None:
    """Read a question for what it asks of somebody's character or feelings; mostly nothing.

    Args:
        question: One line.
    """
    line = question.translate(SIMPLIFIED).strip()
    for pattern in _TOWARDS:
        match = pattern.search(line)
        if match and (towards := frozenset(wanted_terms(match["to"])) - _ANYTHING):
            return Persona(ATTITUDES, towards)
    if match := _SIGNS_OF_TRAIT.search(line):
        return Persona((TRAIT,), frozenset(terms(match[0])))
    if (match := _TRAIT.search(line)) and (trait := _TRAITS & set(terms(match["trait"]))):
        return Persona((TRAIT,), trait)
    return Persona((TRAIT,)) if _CHARACTER.search(line) else None


def persona_hits(facts: Sequence[Fact], persona: Persona | None) -> list[Hit]:
    """Facts that tell of it, best first.

    Args:
        facts: Current ones, of any key.
        persona: What was asked.

    Returns:
        Of attitudes, those towards what is named; of traits, those that name it with a
        score of at least `NAMED`, and the others with less: they may say it in other words.
    """
    found = list(_hits(facts, persona)) if persona is not None else []
    return sorted(found, key=lambda hit: -hit.score)


def _hits(facts: Sequence[Fact], persona: Persona) -> Iterator[Hit]:
    for fact in facts:
        if fact.key not in persona.keys or fact.is_withdrawal:
            continue
        told = _told(fact)
        held = [term for term in persona.towards if any(_is_alike(term, one) for one in told)]
        share = len(held) / len(persona.towards) if persona.towards else 1.0
        if share >= NAMED:
            yield Hit(share, fact=fact)
        elif fact.key == TRAIT:
            yield Hit(PERHAPS, fact=fact)


def _is_alike(term: str, other: str) -> bool:
    """The same word, or one of its family: "patient" and "patience"."""
    return term == other or (len(term) > _FAMILY and term[:_FAMILY] == other[:_FAMILY])


def _told(fact: Fact) -> set[str]:
    named = fact.object.partition(":")[2] if fact.object != SELF else ""
    return set(terms(f"{fact.value} {fact.evidence.words} {named}".translate(SIMPLIFIED)))
