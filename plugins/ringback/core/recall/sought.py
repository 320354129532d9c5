"""A question with all that is known of whom it is about, when an answer is looked for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ringback.core.recall.asked import Asked
from ringback.core.recall.narrowing import About
from ringback.core.recall.wanted import wanted_terms
from ringback.records import Cardinality
from ringback.schemas import Schema
from ringback.terms import terms

_SAID_THEN = re.compile(
    r"\b(?:sa(?:y|id)|t(?:ell|old)|call(?:ed)?|complain\w*|want\w*|ask\w*|report\w*|promise\w*"
    r"|happen\w*|mention\w*|talk\w*|wrong)\b|說|说|講|讲|打電話|打电话|言|말",
    re.IGNORECASE,
)
_QUALIFIER = re.compile(
    r"\b(?:old|previous|former|earlier|other|another|second|third"
    r"|(?:work|office|business|company|billing|delivery|shipping)(?= (?:phone|number|address|e-?mail))"
    r"|spare|maiden|middle|temporary|backup)\b"
    r"|used to|lived? before"
    r"|以前|之前|原本|原来|舊|旧|另|公司|辦公室|办公室|臨時|临时|備用|备用|娘家",
    re.IGNORECASE,
)
_ACQUAINTANCE = (
    r"(?:neighbou?r|landlord|landlady|boss|manager|doctor|dentist|vet|lawyer|teacher|nurse|colleague"
    r"|friend|accountant|plumber|electrician|cleaner|tenant|shop|clinic|bank)"
)
_OF_ANOTHER = re.compile(
    rf"\b{_ACQUAINTANCE}(?='s?\b)|(?<=\bof my ){_ACQUAINTANCE}\b|(?<=\bof the ){_ACQUAINTANCE}\b"
    r"|(?:鄰居|邻居|隔壁|房東|房东|老闆|老板|上司|同事|同學|同学|朋友|醫生|医生|牙醫|牙医|老師|老师)"
    r"(?=的|電話|电话|地址|電郵|电邮|生日)"
    r"|(?:妻|夫|母|父|兄|姉|弟|妹|息子|娘|上司|友達|友人|同僚|隣の人|大家)(?=(?:さん)?の)"
    r"|(?:아내|남편|어머니|아버지|엄마|아빠|누나|언니|오빠|동생|아들|딸|이웃|상사|친구)(?=의)",
    re.IGNORECASE,
)
"""Who is nobody that the profile knows by name: whose a number or an address is said to be."""
_ALL_ABOUT = frozenset(
    terms(
        "tell told say said know remember mention happen thing talk complain want ring call ask"
        " report promise"
    )
)
"""What is left of a question that asks for everything: "what do I know about Mei"."""


@dataclass(frozen=True, slots=True)
class Sought:
    """A question with what is known of whom it is about."""

    asked: Asked
    topic: str
    """Its words without names and times."""
    about: About
    single: frozenset[str] = frozenset()
    """Keys that have one value each, such as a number: who asks for it asks by its key."""
    speakers: tuple[str, ...] = ()
    """Those who speak in recorded conversations and whom it names."""

    @property
    def asks_for_one(self) -> bool:
        """It asks for something that has one value."""
        return not self.single.isdisjoint(self.asked.keys)

    @property
    def is_of_everything(self) -> bool:
        """Beside a name or a time it asks for nothing in particular."""
        return not set(wanted_terms(self.topic)) - _ALL_ABOUT

    @property
    def is_of_what_was_said(self) -> bool:
        """It asks what was said or done in a stretch of time: nothing else answers it."""
        return bool(self.asked.frames and _SAID_THEN.search(self.asked.text))

    def bears_qualifiers(self, text: str) -> bool:
        """Whose address is asked for, and which: an old one, or the landlord's, is not their own."""
        others = () if self.about.others else _OF_ANOTHER.findall(self.asked.text)
        return _qualifiers(self.asked.text) <= _qualifiers(text) and all(
            other.lower() in text.lower() for other in others
        )


def single_keys(schema: Schema) -> frozenset[str]:
    """Keys that have one value, and no words of anybody's own."""
    return frozenset(
        field.key
        for field in schema.fields
        if field.cardinality is Cardinality.ONE and not field.is_quoted
    )


def _qualifiers(text: str) -> set[str]:
    return {found.lower() for found in _QUALIFIER.findall(text)}
