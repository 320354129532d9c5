"""People that callers speak of by what they are to them: "my mother", 我媽媽."""

from __future__ import annotations

import re
from types import MappingProxyType

from ringback.core.entities import PERSON, entity_ref
from ringback.core.given_names import GIVEN_NAMES
from ringback.records import SELF

_ENGLISH = {
    "mother": "mother mom mum mommy mummy mama",
    "father": "father dad daddy papa",
    "husband": "husband",
    "wife": "wife",
    "partner": "partner spouse",
    "girlfriend": "girlfriend",
    "boyfriend": "boyfriend",
    "son": "son",
    "daughter": "daughter",
    "child": "child kid",
    "baby": "baby",
    "brother": "brother",
    "sister": "sister",
    "grandmother": "grandmother grandma granny",
    "grandfather": "grandfather grandpa grandad granddad",
    "aunt": "aunt",
    "uncle": "uncle",
    "cousin": "cousin",
    "nephew": "nephew",
    "niece": "niece",
    "friend": "friend",
    "colleague": "colleague coworker co-worker",
    "boss": "boss",
    "neighbour": "neighbour neighbor",
    "roommate": "roommate flatmate",
}
_CHINESE = {
    "mother": "媽媽 妈妈 母親 母亲 媽 妈",
    "father": "爸爸 父親 父亲 爸",
    "husband": "先生 老公 丈夫",
    "wife": "太太 老婆 妻子",
    "girlfriend": "女朋友",
    "boyfriend": "男朋友",
    "son": "兒子 儿子",
    "daughter": "女兒 女儿",
    "child": "孩子 小孩",
    "brother": "哥哥 弟弟",
    "sister": "姊姊 姐姐 妹妹",
    "grandmother": "奶奶 外婆 阿嬤 阿嬷",
    "grandfather": "爺爺 爷爷 外公 阿公",
    "friend": "朋友",
    "colleague": "同事",
    "boss": "老闆 老板",
}
_ROLES = MappingProxyType(
    {
        word: role
        for words_of in (_ENGLISH, _CHINESE)
        for role, words in words_of.items()
        for word in words.split()
    }
)


_RELATIONS = frozenset(role + law for role in _ENGLISH for law in ("", "-in-law"))


ONLY_ONE = frozenset({"mother", "father", "partner", "husband", "wife"})


def _longest_first(words_of: dict[str, str]) -> str:
    words = [word for words in words_of.values() for word in words.split()]
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


NAMED = r"(?:,?\s+(?!I\b)(?-i:[A-ZÀ-ÖØ-Þ])[\w'-]{1,30}?(?='s\b|\b(?![\w'-])))"
"""A name in capitals behind the relation, whatever the case of the rest."""
ENGLISH = rf"(?:(?:{_longest_first(_ENGLISH)})(?:[- ]in[- ]law)?)\b"
CHINESE = rf"(?:{_longest_first(_CHINESE)})"
_MENTIONED = re.compile(
    rf"\bmy\s+(?:\w+\s+)?(?P<english>{ENGLISH})(?P<name>{NAMED}?)|我(?:的)?(?P<chinese>{CHINESE})",
    re.IGNORECASE,
)
MAX_NAMED_BEFORE = 120  # characters between a name and the pronoun for it
_NAMED_SUBJECT = re.compile(r"\b([A-Z][a-z]{1,20})(?='s\b|,|\s+(?:is|has|was|and|loves|likes)\b)")
_ANIMAL = re.compile(r"\b(?:dog|cat|puppy|kitten|pet|horse|rabbit|hamster|parrot)\b", re.IGNORECASE)
_IN_LAW = re.compile(r"[- ]in[- ]law$", re.IGNORECASE)


def person_ref(said: str) -> str:
    """Make the reference of a person from the words for them.

    Args:
        said: The relation, with a name behind it if there is one: "mom", "son Bertil".

    Returns:
        By relation where somebody has one (`person:mother`), however speech recognition
        spells the name; of others by name where there is one (`person:bertil`).
    """
    match = re.match(rf"(?P<word>{ENGLISH}|{CHINESE})[\s,]*(?P<name>.*)", said, re.IGNORECASE)
    if match is None:
        return entity_ref(PERSON, said)
    role = relation(match["word"])
    return entity_ref(PERSON, role if role in ONLY_ONE else match["name"] or role)


def relation(word: str) -> str:
    """The plain word for a relation: "mom" and 媽媽 are "mother"."""
    plain = _IN_LAW.sub("", word).lower()
    role = _ROLES.get(plain, plain)
    return f"{role}-in-law" if _IN_LAW.search(word) else role


def is_person(ref: str) -> bool:
    """It is somebody: the profile's own, or a person that it speaks of."""
    return ref == SELF or ref.startswith(f"{PERSON}:")


def spoken_of(ref: str) -> str:
    """Name an entity for a sentence: "The caller's mother", "Rosa", "Order A-17"."""
    kind, _, name = ref.partition(":")
    if kind != PERSON:
        return f"{kind.capitalize()} {name.upper()}".strip()  # codes mostly; folded in the id
    return f"The caller's {name}" if relation(name) in _RELATIONS else name.title()


def named_before(text: str, end: int) -> str:
    """Whom "he" or "she" means at `end`, where one person was spoken of by name: "Milo's fine, he".

    Returns:
        Their reference; empty for nobody, several, or where animals are spoken of.
    """
    said = text[max(0, end - MAX_NAMED_BEFORE) : end]
    if _ANIMAL.search(said):
        return ""
    names = {name for name in _NAMED_SUBJECT.findall(said) if name.lower() in GIVEN_NAMES}
    return entity_ref(PERSON, names.pop()) if len(names) == 1 else ""


def person_before(text: str, start: int, end: int) -> str:
    """Whom "he", "she" or 他 means at `end`: the one person that was spoken of since `start`.

    Returns:
        Their reference; empty when nobody or several people were spoken of.
    """
    refs = {
        person_ref(f"{match['english'] or match['chinese']} {(match['name'] or '').strip(' ,')}")
        for match in _MENTIONED.finditer(text, start, end)
    }
    return refs.pop() if len(refs) == 1 else ""
