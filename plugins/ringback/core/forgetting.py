"""What has to go when one fact or one call is forgotten, and what stays as it was.

A fact is forgotten with all its versions, with the facts that repeat its value, and with
its words wherever this profile's turns hold them, said as digits, as words, or read back
by the agent. The words are blotted out in place, so that every other fact's evidence still
points at its own words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import TypeAlias

from ringback.core.correction import HEADS, Slot, current_again, rank, slot_of
from ringback.core.full_dates import read_full_date
from ringback.erasure import BLOT, Erasure, Forgotten, Redaction, call_tombstone, fact_tombstone
from ringback.records import CallView, Fact, Role, Summary
from ringback.schemas import Schema
from ringback.text import Span, folded, plain, spoken_digits

TELLING_DIGITS = 3  # fewer digits in a row say nothing about anybody
TELLING_LETTERS = 3  # a shorter part of a name is an initial, or a word of every day

_WORD = re.compile(r"\w+")
_DIGITS = re.compile(r"\d")
_LETTERS = re.compile(r"[^\W\d_]+")
_ANY_DAY = date(2000, 1, 1)  # from where a day without its year is looked for: it is left out
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_CJK = re.compile(r"[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]")

_TurnKey: TypeAlias = tuple[str, int, Role]


@dataclass(frozen=True, slots=True)
class Known:
    """All that is kept about the profile that a forgotten fact belongs to."""

    facts: tuple[Fact, ...]
    """Of every status."""
    calls: tuple[CallView, ...]
    summaries: tuple[Summary, ...] = ()


def fact_erasure(target: Fact, known: Known, *, at: datetime, schema: Schema) -> Erasure:
    """Plan to forget one fact.

    Args:
        target: Any version of it.
        known: What is kept about its profile.
        at: When it is asked for.
        schema: Says what is a version of what.

    Returns:
        The versions of the fact, the facts that hold its value or rest on the very same
        words, the turns that hold those words with them blotted out, and a tombstone for each
        place where it was said.
    """
    versions = _versions(target, known.facts, schema)
    values = telling_values(fact.value for fact in versions)
    gone = {fact.id: fact for fact in known.facts if _holds(fact, values)}
    gone |= {fact.id: fact for fact in versions}
    said = {fact.evidence for fact in gone.values()}
    gone |= {fact.id: fact for fact in known.facts if fact.evidence in said}
    spans = _spans_to_blot(gone.values(), values, known.calls)
    kept = [fact for fact in known.facts if fact.id not in gone]
    return Erasure(
        tenant=target.tenant,
        what=Forgotten.FACT,
        target_id=target.id,
        caller_id=target.caller_id,
        at=at,
        fact_ids=tuple(sorted(gone)),
        redactions=tuple(_redactions(spans, known.calls)),
        summarised_anew=tuple(_summaries_that_tell(gone.values(), values, known.summaries)),
        reworded=tuple(_reworded(kept, spans)),
        tombstones=_tombstones(target, gone.values(), spans),
    )


def _versions(target: Fact, facts: Sequence[Fact], schema: Schema) -> list[Fact]:
    """All statements of its slot, and whatever a chain of corrections ties to one of them."""
    field = schema.field(target.key)
    versions = {target.id: target} | {
        fact.id: fact
        for fact in facts
        if fact.key == target.key and slot_of(fact, field) == slot_of(target, field)
    }
    is_growing = True
    while is_growing:
        earlier = {fact.supersedes for fact in versions.values()}
        tied = [
            fact
            for fact in facts
            if fact.id not in versions and (fact.id in earlier or fact.supersedes in versions)
        ]
        versions |= {fact.id: fact for fact in tied}
        is_growing = bool(tied)
    return list(versions.values())


def gone_with_fact(erasure: Erasure, known: Known) -> Gone:
    """What nobody may answer once a fact's erasure is done."""
    ids, redacted = set(erasure.fact_ids), {(r.call_id, r.position) for r in erasure.redactions}
    said = [
        turn.text
        for view in known.calls
        for turn in view.turns
        if (view.call.id, turn.position) in redacted
    ]
    telling = telling_values(fact.value for fact in known.facts if fact.id in ids)
    return Gone(telling, texts=_telling_texts(said, telling))


def call_erasure(
    tenant: str, call_id: str, caller_id: str, known: Known, *, at: datetime, schema: Schema
) -> Erasure:
    """Plan to forget a call: all that it said, and what was made of it.

    A fact that this call had replaced is current again, as if the call had never been.
    """
    gone = {fact.id for fact in known.facts if fact.call_id == call_id}
    gone |= {fact.id for fact in _spent_withdrawals(known.facts, gone, schema)}
    return Erasure(
        tenant=tenant,
        what=Forgotten.CALL,
        target_id=call_id,
        caller_id=caller_id,
        at=at,
        fact_ids=tuple(sorted(gone)),
        restored=tuple(restored(known.facts, gone, schema)),
        tombstones=(call_tombstone(tenant, call_id),),
    )


def _spent_withdrawals(facts: Sequence[Fact], gone: set[str], schema: Schema) -> Iterator[Fact]:
    """Withdrawals from elsewhere that repeat a value which nothing else holds any more."""
    left = [fact for fact in facts if fact.id not in gone]
    for withdrawal in left:
        if not withdrawal.is_withdrawal or withdrawal.supersedes not in gone:
            continue
        slot = slot_of(withdrawal, schema.field(withdrawal.key))
        if not any(
            slot_of(one, schema.field(one.key)) == slot for one in left if not one.is_withdrawal
        ):
            yield withdrawal


def profile_erasure(tenant: str, profile_id: str, known: Known, *, at: datetime) -> Erasure:
    """Plan to forget a whole profile; nothing of it that comes late is taken in again."""
    call_ids = {view.call.id for view in known.calls} | {fact.call_id for fact in known.facts}
    return Erasure(
        tenant=tenant,
        what=Forgotten.PROFILE,
        target_id=profile_id,
        caller_id=profile_id,
        at=at,
        tombstones=tuple(sorted(call_tombstone(tenant, call_id) for call_id in call_ids)),
    )


def gone_with_calls(erasure: Erasure, known: Known) -> Gone:
    """What nobody may answer once a call's, or a whole profile's, erasure is done."""
    ids = set(erasure.fact_ids) or {fact.id for fact in known.facts}
    is_whole = erasure.what is Forgotten.PROFILE
    went = [view for view in known.calls if is_whole or view.call.id == erasure.target_id]
    stays = [view for view in known.calls if not is_whole and view.call.id != erasure.target_id]
    values = telling_values(fact.value for fact in known.facts if fact.id in ids)
    telling = values.less(turn.text for view in stays for turn in view.turns)
    said = [turn.text for view in went for turn in view.turns]
    return Gone(telling, texts=_telling_texts(said, telling))


def telling_texts(known: Known) -> tuple[str, ...]:
    """Turns that no file may hold whole once all of this is forgotten."""
    telling = telling_values(fact.value for fact in known.facts)
    return _telling_texts([turn.text for view in known.calls for turn in view.turns], telling)


def _telling_texts(said: Iterable[str], telling: Telling) -> tuple[str, ...]:
    """Without a telling value a turn is anybody's words, and others may have said the same."""
    return tuple(text for text in said if occurrences(text, telling))


def restored(facts: Sequence[Fact], gone: set[str], schema: Schema) -> Iterator[Fact]:
    """Of each slot that loses its head, the best of what is left, current again."""
    slots: dict[Slot, list[Fact]] = {}
    for fact in facts:
        slots.setdefault(slot_of(fact, schema.field(fact.key)), []).append(fact)
    for chain in slots.values():
        left = [fact for fact in chain if fact.id not in gone]
        has_lost = any(fact.status in HEADS for fact in chain if fact.id in gone)
        if left and has_lost and not any(fact.status in HEADS for fact in left):
            yield current_again(max(left, key=lambda fact: rank(fact, schema)))


@dataclass(frozen=True, slots=True)
class Telling:
    """What to look for in other words: values that would give a forgotten fact away."""

    digits: frozenset[str] = frozenset()
    """Runs of digits, however they are said."""
    words: frozenset[str] = frozenset()
    """Folded words and phrases."""
    dates: frozenset[str] = frozenset()
    """Days, `1980-05-03`, in whatever words; without its year a day may be any."""

    def less(self, texts: Iterable[str]) -> Telling:
        """Without what stands in texts that stay: it is not for this to give it away."""
        kept = [plain(text) for text in texts]
        return Telling(
            frozenset(d for d in self.digits if not _is_in(kept, Telling(frozenset({d})))),
            frozenset(w for w in self.words if not _is_in(kept, Telling(words=frozenset({w})))),
            frozenset(d for d in self.dates if not _is_in(kept, Telling(dates=frozenset({d})))),
        )


@dataclass(frozen=True, slots=True)
class Gone:
    """What must not be answered any more."""

    telling: Telling
    texts: tuple[str, ...] = ()
    """Turns as they were said, with the forgotten words: no file may hold one whole."""
    questions: tuple[str, ...] = ()
    """To ask besides the values themselves: paraphrases, keys."""


def telling_values(values: Iterable[str]) -> Telling:
    """Take from values what gives them away: runs of digits, days, names, whole phrases.

    A single everyday word ("text") gives nothing away by itself; such a fact's own evidence
    goes, and no more.
    """
    digits: set[str] = set()
    words: set[str] = set()
    days: set[str] = set()
    for value in set(values):
        day = read_full_date(value, 0, _ANY_DAY)
        if day is not None and (day.end == len(value) or _ISO_DATE.match(value)):
            if day.has_year:
                days.add(day.day.isoformat())
            else:
                words.add(folded(value))
            continue
        run = "".join(_DIGITS.findall(value))
        if len(run) >= TELLING_DIGITS:
            digits.add(run)
        words |= {folded(name) for name in _names(value)}
        if len(_WORD.findall(value)) > 1 and len(run) < TELLING_DIGITS:
            words.add(folded(value))
    return Telling(frozenset(digits), frozenset(words), frozenset(days))


def asked_values(words: Sequence[str]) -> Telling:
    """What somebody asks after, whether it tells anything by itself or not."""
    found = telling_values(words)
    asked = {folded(word) for word in words if word.strip()}
    return replace(found, words=found.words | asked)


def occurrences(text: str, telling: Telling) -> tuple[Span, ...]:
    """Find where a text gives something away, in order and without overlap."""
    found = [
        *_digit_runs(text, telling.digits),
        *_phrases(text, telling.words),
        *_days(text, telling.dates),
    ]
    merged: list[Span] = []
    for span in sorted(found, key=lambda span: (span.start, span.end)):
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return tuple(merged)


def _names(value: str) -> Iterator[str]:
    """The words of a value that is a name; part of it gives it away as well."""
    words = _LETTERS.findall(value)
    if all(_CJK.search(word) or word[0].isupper() for word in words):
        yield from (word for word in words if _CJK.search(word) or len(word) >= TELLING_LETTERS)


def _digit_runs(text: str, wanted: frozenset[str]) -> Iterator[Span]:
    if not wanted:
        return
    place, read = 0, plain(text)
    for word in _WORD.finditer(read):
        if word.start() < place:
            continue
        run = spoken_digits(read, word.start())
        if run is not None:
            place = run.end
            if any(digits in run.digits for digits in wanted):
                yield Span(run.start, run.end)


def _days(text: str, wanted: frozenset[str]) -> Iterator[Span]:
    place, read = 0, plain(text) if wanted else ""
    for word in _WORD.finditer(read):
        day = read_full_date(read, word.start(), _ANY_DAY) if word.start() >= place else None
        if day is None:
            continue
        place = day.end
        if day.has_year and day.day.isoformat() in wanted:
            yield Span(day.start, day.end)


def _phrases(text: str, wanted: frozenset[str]) -> Iterator[Span]:
    for phrase in wanted:
        loose = r"\W+".join(re.escape(word) for word in _WORD.findall(phrase))
        edges = ("", "") if _CJK.search(phrase) else (r"\b", r"\b")
        for match in re.finditer(f"{edges[0]}{loose}{edges[1]}", text, re.IGNORECASE):
            yield Span(match.start(), match.end())


def _is_in(texts: Iterable[str], telling: Telling) -> bool:
    return any(occurrences(text, telling) for text in texts)


def _holds(fact: Fact, telling: Telling) -> bool:
    return bool(occurrences(f"{fact.value}\n{fact.evidence.words}", telling))


def _spans_to_blot(
    gone: Iterable[Fact], telling: Telling, calls: Sequence[CallView]
) -> dict[_TurnKey, list[Span]]:
    own: dict[tuple[str, int], list[Span]] = {}
    for fact in gone:
        evidence = fact.evidence
        own.setdefault((evidence.call_id, evidence.position), []).append(
            Span(evidence.start, evidence.end)
        )
    found: dict[_TurnKey, list[Span]] = {}
    for view in calls:
        for turn in view.turns:
            spans = [*own.get((view.call.id, turn.position), ()), *occurrences(turn.text, telling)]
            if spans:
                found[view.call.id, turn.position, turn.role] = spans
    return found


def _redactions(
    spans: Mapping[_TurnKey, list[Span]], calls: Sequence[CallView]
) -> Iterator[Redaction]:
    for view in calls:
        for turn in view.turns:
            found = spans.get((view.call.id, turn.position, turn.role))
            if found:
                text = blotted(turn.text, found)
                yield Redaction(view.call.id, turn.position, turn.role, text)


def _summaries_that_tell(
    gone: Iterable[Fact], telling: Telling, summaries: Sequence[Summary]
) -> Iterator[str]:
    """Calls whose summary may hold the fact: it was read from them, or its value stands there."""
    calls = {fact.evidence.call_id for fact in gone}
    for summary in summaries:
        text = " ".join([summary.text, *summary.promises, *summary.numbers])
        if summary.call_id in calls or occurrences(text, telling):
            yield summary.call_id


def blotted(text: str, spans: Sequence[Span]) -> str:
    """Replace each character of the spans by a block."""
    for span in spans:
        end = min(span.end, len(text))
        text = text[: span.start] + BLOT * max(0, end - span.start) + text[end:]
    return text


def _reworded(
    kept: Sequence[Fact], spans: Mapping[_TurnKey, list[Span]]
) -> Iterator[tuple[str, str]]:
    by_turn = {(call_id, position): found for (call_id, position, _), found in spans.items()}
    for fact in kept:
        evidence = fact.evidence
        found = by_turn.get((evidence.call_id, evidence.position), [])
        inside = [
            Span(max(0, span.start - evidence.start), span.end - evidence.start)
            for span in found
            if span.start < evidence.end and span.end > evidence.start
        ]
        if inside:
            yield fact.id, blotted(evidence.words, inside)


def _tombstones(
    target: Fact, gone: Iterable[Fact], spans: Mapping[_TurnKey, list[Span]]
) -> tuple[str, ...]:
    made = {
        fact_tombstone(
            fact.tenant, fact.evidence.call_id, fact.evidence.position, fact.key, fact.subject
        )
        for fact in gone
    }
    made |= {
        fact_tombstone(target.tenant, call_id, position, target.key, target.subject)
        for call_id, position, _ in spans
    }
    return tuple(sorted(made))
