"""What a support desk keeps about its callers."""

from __future__ import annotations

from ringback.records import Cardinality, Kind, Scope, Sensitivity, Source
from ringback.schemas.declaration import Field, Schema

CALLER = (Source.CALLER,)
AGENT = (Source.AGENT,)
EITHER = (Source.CALLER, Source.AGENT)

SUPPORT = Schema(
    name="support",
    fields=(
        Field(
            key="name",
            label="name",
            sentence="The caller's name is {value}",
            sources=CALLER,
        ),
        Field(
            key="account_number",
            label="account number",
            sentence="The caller's account number is {value}",
            sources=CALLER,
        ),
        Field(
            key="open_matter",
            label="open matter",
            sentence="The caller reported: {value}",
            sources=CALLER,
            cardinality=Cardinality.MANY,
            kind=Kind.TASK,
            scope=Scope.CASE,
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
            ttl_days=90,
        ),
        Field(
            key="appointment",
            label="appointment",
            sentence="The date agreed with the caller is {value}",
            sources=EITHER,
            kind=Kind.EVENT,
            scope=Scope.CASE,
            ttl_days=1,
            is_agreed=True,
        ),
        Field(
            key="contact_preference",
            label="contact preference",
            sentence="How to contact the caller: {value}",
            sources=CALLER,
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
        ),
        Field(
            key="phone",
            label="phone number",
            sentence="The caller's phone number is {value}",
            sources=CALLER,
        ),
        Field(
            key="email",
            label="e-mail address",
            sentence="The caller's e-mail address is {value}",
            sources=CALLER,
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
