"""What a support desk keeps about its callers."""

from __future__ import annotations

from ringback.records import Cardinality, Durability, Kind, Scope, Sensitivity, Source
from ringback.schemas.asking import asked
from ringback.schemas.declaration import Field, Schema, ValueType

CALLER = (Source.CALLER,)
AGENT = (Source.AGENT,)
EITHER = (Source.CALLER, Source.AGENT)

SUPPORT = Schema(
    name="support",
    fields=asked(
        Field(
            key="name",
            label="name",
            sentence="The caller's name is {value}",
            sources=CALLER,
            type=ValueType.PERSON,
        ),
        Field(
            key="account_number",
            label="account number",
            sentence="The caller's account number is {value}",
            sources=CALLER,
            type=ValueType.CODE,
        ),
        Field(
            key="open_matter",
            label="open matter",
            sentence="The caller reported: {value}",
            sources=CALLER,
            cardinality=Cardinality.MANY,
            kind=Kind.TASK,
            scope=Scope.CASE,
            durability=Durability.CASE,
            ttl_days=90,
            is_quoted=True,
        ),
        Field(
            key="promise",
            label="promise",
            sentence="You promised the caller: {value}",
            sources=AGENT,
            is_quoted=True,
            is_evidence=True,
            cardinality=Cardinality.MANY,
            kind=Kind.TASK,
            scope=Scope.CASE,
            durability=Durability.CASE,
            ttl_days=90,
        ),
        Field(
            key="appointment",
            label="appointment",
            sentence="The date agreed with the caller is {value}",
            sources=EITHER,
            type=ValueType.DATE,
            kind=Kind.EVENT,
            scope=Scope.CASE,
            durability=Durability.CASE,
            ttl_days=1,
            is_agreed=True,
        ),
        Field(
            key="exception",
            label="exception",
            sentence="One exception, for this case only and no rule: {value}",
            sources=AGENT,
            cardinality=Cardinality.MANY,
            kind=Kind.EVENT,
            scope=Scope.CASE,
            durability=Durability.CASE,
            ttl_days=365,
            is_quoted=True,
            look_up="the case it was made for",
            phrases=(
                "as an exception {value}",
                "as a one-time exception {value}",
                "as a one-off exception {value}",
                "I've made an exception {value}",
                "I made an exception {value}",
                "I'll make an exception {value}",
                "as a courtesy {value}",
                "as a gesture of goodwill {value}",
                "as a goodwill gesture {value}",
                "just this once {value}",
                "{value} as an exception",
                "{value} as a one-time exception",
                "{value} just this once",
            ),
        ),
        Field(
            key="contact_preference",
            label="contact preference",
            sentence="How to contact the caller: {value}",
            sources=CALLER,
            type=ValueType.CHOICE,
            choices=(
                "text",
                "phone call",
                "email",
                "letter",
                "no texts",
                "no calls",
                "no emails",
                "no letters",
            ),
        ),
        Field(
            key="contact_time",
            label="time for contact",
            sentence="When to contact the caller: {value}",
            sources=CALLER,
        ),
        Field(
            key="language",
            label="language",
            sentence="The caller prefers {value}",
            sources=CALLER,
            sensitivity=Sensitivity.OPEN,
        ),
        Field(
            key="phone",
            label="phone number",
            sentence="The caller's phone number is {value}",
            sources=CALLER,
            type=ValueType.PHONE,
        ),
        Field(
            key="email",
            label="e-mail address",
            sentence="The caller's e-mail address is {value}",
            sources=CALLER,
            type=ValueType.EMAIL,
        ),
        Field(
            key="address",
            label="address",
            sentence="The caller's address is {value}",
            sources=CALLER,
            sensitivity=Sensitivity.SENSITIVE,
        ),
    ),
)
