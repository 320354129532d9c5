"""Who somebody is and how they feel about somebody: stable traits and attitudes.

They have a higher bar than other facts: said once, they are provisional.
"""

from __future__ import annotations

from ringback.records import Cardinality, Source
from ringback.schemas.declaration import Field, Promotion

CALLER = (Source.CALLER,)
ATTITUDE_DAYS = 365  # how somebody feels about a company or a person changes

PERSONA: tuple[Field, ...] = (
    Field(
        key="trait",
        label="trait",
        sentence="The caller says of themself: {value}",
        sources=CALLER,
        cardinality=Cardinality.MANY,
        promotion=Promotion.CONFIRMED,
        is_quoted=True,
        phrases=(
            "I'm the kind of person who {value}",
            "I'm the sort of person who {value}",
            "I'm someone who {value}",
            "I've always been someone who {value}",
            "我這個人{value}",
            "我这个人{value}",
        ),
    ),
    Field(
        key="pleased_with",
        label="pleased with",
        sentence="The caller is pleased with {value}",
        sources=CALLER,
        cardinality=Cardinality.MANY,
        promotion=Promotion.CONFIRMED,
        ttl_days=ATTITUDE_DAYS,
        object_kind="thing",
        phrases=(
            "I'm very happy with {value}",
            "I'm really pleased with {value}",
            "I really trust {value}",
            "no longer: I'm disappointed with {value}",
            "我很信任{value}",
            "我對{value}很滿意",
            "我对{value}很满意",
        ),
    ),
    Field(
        key="unhappy_with",
        label="unhappy with",
        sentence="The caller is unhappy with {value}",
        sources=CALLER,
        cardinality=Cardinality.MANY,
        promotion=Promotion.CONFIRMED,
        ttl_days=ATTITUDE_DAYS,
        object_kind="thing",
        phrases=(
            "I'm disappointed with {value}",
            "I'm angry with {value}",
            "I'm fed up with {value}",
            "I don't trust {value}",
            "no longer: I'm very happy with {value}",
            "我不信任{value}",
            "我對{value}很失望",
            "我对{value}很失望",
        ),
    ),
)
