"""Makes one caller with any number of memories: words as people use them, vectors, a file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count, islice
from pathlib import Path

import numpy as np

from ringback.clock import SystemClock
from ringback.core.given_names import GIVEN_NAMES
from ringback.core.passages import passage_texts
from ringback.protocols import CallEnded, CallOpened, Embedder, TurnObserved
from ringback.recollection import Facet, Passage, PassageVectors, Vector
from ringback.records import (
    SELF,
    Action,
    Assurance,
    Call,
    Candidate,
    Cardinality,
    Decision,
    Evidence,
    Fact,
    JobKind,
    Role,
    Source,
    Status,
    Turn,
    fact_id,
)
from ringback.schemas.general import GENERAL
from ringback.stores.sqlite import SqliteStore
from ringback.terms import EMPTY_WORDS
from ringback_ops.bench.extraction_set import read_set
from ringback_ops.bench.vector_search import made_vectors
from ringback_ops.bench.vector_ways import Vectors

TENANT, CALLER = "bench", "caller-1"
BEGIN_AT = datetime(2024, 1, 8, 9, 0, tzinfo=UTC)
SEED = 11
WORDS = 20_000  # as many different ones as some hundred thousand sentences have
ZIPF_SHIFT = 2.7  # Mandelbrot: the commonest words of English are flatter than 1/rank
LEAST_WORDS, MOST_WORDS = 5, 22  # of a turn
TURNS_OF_A_CALL = 100
FACT_OF = 3  # every third memory is a fact
LINKED_OF = 10  # and of those every tenth is about somebody else
NAMED_OF = 8  # one sentence in so many names somebody
REAL_TEXTS = 600  # are embedded by the model; the rest are mixtures of them
STEP = 2_000  # facts, or passages, in one transaction
LEASE_MS = 600_000

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_KEYS = ("note", "likes", "dislikes", "order", "appointment", "complaint", "promise")
_SYLLABLES = tuple(
    "ba be bi bo cor dan del fen gar hal ja kel lor mar nor pel ras sol tam ver".split()  # noqa: SIM905
)
_FRAMES = (
    "What did I say about the {0} and the {1}?",
    "When did the {0} get {1}?",
    "Which {0} did I want for the {1}?",
    "What did {name} tell me about the {0}?",
    "Where is the {0} {1} now?",
    "{0} {1} {2}",
    "Do you remember the {0} that was {1} by the {2}?",
    "What do I like about {0}?",
    "What did I say last week about the {0}?",
    "Who is {name}?",
)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words with how often each is said, and names."""

    words: tuple[str, ...]
    """The commonest first."""
    shares: Vector
    telling: tuple[str, ...]
    """Real ones that a question is about; as common as they are."""
    telling_shares: Vector
    names: tuple[str, ...]


def vocabulary() -> Vocabulary:
    """Take the words of the extraction set, the commonest first, and made ones after them."""
    dialogues = [one for one in read_set() if one.language == "en"]
    said = Counter(
        word
        for dialogue in dialogues
        for turn in dialogue.turns
        for word in _WORD.findall(turn.text.lower())
    )
    real = [word for word, _ in said.most_common()]
    known = set(real)
    made = (word for word in map(_made_word, count()) if word not in known)
    words = tuple(real + list(islice(made, WORDS - len(real))))[:WORDS]
    shares = 1.0 / (np.arange(len(words)) + 1 + ZIPF_SHIFT)
    telling = np.array([word in known and len(word) > 2 for word in words])
    telling &= np.array([word not in EMPTY_WORDS for word in words])
    return Vocabulary(
        words,
        (shares / shares.sum()).astype(np.float64),
        tuple(word for word, tells in zip(words, telling, strict=True) if tells),
        (shares[telling] / shares[telling].sum()).astype(np.float64),
        tuple(name.capitalize() for name in sorted(GIVEN_NAMES)[:40]),
    )


def _made_word(number: int) -> str:
    word = ""
    number += len(_SYLLABLES) ** 2  # three syllables at least
    while number:
        number, place = divmod(number, len(_SYLLABLES))
        word += _SYLLABLES[place]
    return word


def sentences(said: Vocabulary, random: np.random.Generator) -> Iterator[str]:
    """Make sentences for ever; some name somebody."""
    while True:
        lengths = random.integers(LEAST_WORDS, MOST_WORDS + 1, size=STEP)
        drawn = iter(random.choice(len(said.words), size=int(lengths.sum()), p=said.shares))
        for number, length in enumerate(lengths):
            words = [said.words[next(drawn)] for _ in range(length)]
            if number % NAMED_OF == 0:
                words[1] = str(random.choice(said.names))
            yield f"{' '.join(words).capitalize()}."


def questions(said: Vocabulary, wanted: int) -> list[str]:
    """Make questions with words as common as they are in what is kept."""
    random = np.random.default_rng(SEED + 1)
    return [
        _FRAMES[number % len(_FRAMES)].format(
            *random.choice(said.telling, size=3, p=said.telling_shares),
            name=random.choice(said.names),
        )
        for number in range(wanted)
    ]


async def real_vectors(said: Vocabulary, embedder: Embedder) -> Vectors:
    """Embed some sentences; all vectors of facts' and turns' words are made of these."""
    texts = list(islice(sentences(said, np.random.default_rng(SEED + 2)), REAL_TEXTS))
    return await embedder.embed(texts)


async def fill(
    path: Path, said: Vocabulary, memories: int, embedder: Embedder, real: Vectors
) -> None:
    """Make a store with so many memories of one caller: a third facts, the others turns.

    Facts and turns go through the store's own verbs. Their vectors are the real ones and
    mixtures of them, as in `vector-search`; those of the questions that a fact answers are
    what the embedder makes of them.
    """
    random = np.random.default_rng(SEED)
    texts = sentences(said, random)
    facts = memories // FACT_OF
    async with await SqliteStore.open(path) as store:
        await _say(store, texts, memories - facts)
        made = [_fact(number, next(texts), said.names) for number in range(facts)]
        for start in range(0, facts, STEP):
            decided = [
                Decision(Action.ADD, "new", _candidate(one), one)
                for one in made[start : start + STEP]
            ]
            await store.write(TENANT, decided)
        await index(store, embedder, iter(made_vectors(real, 2 * memories)))


async def _say(store: SqliteStore, texts: Iterator[str], turns: int) -> None:
    """Have calls with so many turns; nothing is to be read from them."""
    for number, start in enumerate(range(0, turns, TURNS_OF_A_CALL)):
        at = BEGIN_AT + timedelta(hours=7 * number)
        call_id = f"call-{number}"
        call = Call(call_id, TENANT, at, caller_id=CALLER, assurance=Assurance.VERIFIED)
        store.record_nowait(CallOpened(call))
        for place in range(min(TURNS_OF_A_CALL, turns - start)):
            role = Role.AGENT if place % 2 else Role.CALLER
            turn = Turn(role, next(texts), at + timedelta(seconds=8 * place), place)
            store.record_nowait(TurnObserved(TENANT, call_id, turn))
        store.record_nowait(CallEnded(TENANT, call_id, at + timedelta(minutes=30)))
        await store.flush()
        await store.attach(TENANT, call_id, caller_id=CALLER, assurance=Assurance.VERIFIED)
    later_at = SystemClock().now_at() + timedelta(days=1)
    while job := await store.lease(now_at=later_at, lease_ms=LEASE_MS):
        if job.kind is JobKind.EXTRACT:
            await store.settle(job, ())
        else:
            await store.put_summary(job, None)


def _candidate(fact: Fact) -> Candidate:
    return Candidate(
        key=fact.key,
        value=fact.value,
        source=fact.source,
        confidence=fact.confidence,
        observed_at=fact.observed_at,
        evidence=fact.evidence,
        subject=fact.subject,
        cardinality=fact.cardinality,
    )


def _fact(number: int, text: str, names: Sequence[str]) -> Fact:
    at = BEGIN_AT + timedelta(minutes=11 * number)
    words = text.rstrip(".")
    is_linked = number % LINKED_OF == 0
    name = names[number // LINKED_OF % len(names)]
    candidate = Candidate(
        key=_KEYS[number % len(_KEYS)],
        value=words,
        source=Source.SYSTEM,
        confidence=1.0,
        observed_at=at,
        evidence=Evidence(f"application:{number}", 0, words, 0, len(words)),
        cardinality=Cardinality.MANY,
        subject=f"person:{name.lower()}" if is_linked else SELF,
    )
    return Fact(
        id=fact_id(TENANT, candidate),
        tenant=TENANT,
        call_id=candidate.evidence.call_id,
        caller_id=CALLER,
        key=candidate.key,
        value=words,
        source=candidate.source,
        confidence=1.0,
        observed_at=at,
        recorded_at=at,
        evidence=candidate.evidence,
        cardinality=Cardinality.MANY,
        status=Status.ACTIVE,
        subject=candidate.subject,
    )


async def index(store: SqliteStore, embedder: Embedder, given: Iterator[Vector]) -> None:
    """Give every passage the vectors that the indexer would."""
    asked: dict[str, Vector] = {}
    while passages := await store.unindexed(embedder.name, limit=STEP):
        texts = [passage_texts(one, GENERAL) for one in passages]
        new = {text for some in texts for facet, text in some if facet is Facet.QUESTION} - {*asked}
        asked |= zip(sorted(new), await embedder.embed(sorted(new)), strict=True)
        made = [_made(one, some, asked, given) for one, some in zip(passages, texts, strict=True)]
        await store.put_vectors(embedder.name, made)


def _made(
    passage: Passage,
    texts: Sequence[tuple[Facet, str]],
    asked: dict[str, Vector],
    given: Iterator[Vector],
) -> PassageVectors:
    vectors = (
        (facet, asked[text] if facet is Facet.QUESTION else next(given)) for facet, text in texts
    )
    return PassageVectors(passage, tuple(vectors))
