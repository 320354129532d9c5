"""Vectors that tests of stores make: whatever waits is embedded by its words."""

from __future__ import annotations

from ringback.recollection import Facet, Hit, Passage, PassageVectors, VectorCue
from ringback.testing.hash_embedder import HashEmbedder
from ringback.testing.made_records import LATER_AT, TENANT, Backend

HASH = HashEmbedder("hash", 64)


async def made_of(passage: Passage, embedder: HashEmbedder) -> PassageVectors:
    """What an embedder makes of a passage."""
    texts = []
    if passage.fact is not None:
        texts = [(Facet.TEXT, passage.fact.value), (Facet.QUESTION, passage.fact.key)]
    if passage.turn is not None:
        texts = [(Facet.TEXT, passage.turn.text)]
    if passage.turn is not None and passage.before is not None:
        texts.append((Facet.EXCHANGE, f"{passage.before.text} {passage.turn.text}"))
    vectors = await embedder.embed([text for _, text in texts])
    made = tuple(zip((facet for facet, _ in texts), vectors, strict=True))
    return PassageVectors(passage, made, texts=tuple(texts))


async def index_all(store: Backend, embedder: HashEmbedder = HASH) -> int:
    """Embed whatever is not; how many passages."""
    done = 0
    while waiting := await store.unindexed(embedder.name, limit=500):
        made = [await made_of(one, embedder) for one in waiting]
        await store.put_vectors(embedder.name, made)
        done += len(waiting)
    return done


async def near(
    store: Backend, text: str, *, by: HashEmbedder = HASH, caller_id: str = "dana", **fields: object
) -> tuple[Hit, ...]:
    """What is nearest to a question."""
    vectors = tuple(await by.embed_query([text]))
    given = {"at": LATER_AT, "text": text, **fields}
    cue = VectorCue(TENANT, caller_id, by.name, vectors, **given)  # type: ignore[arg-type]
    return await store.nearest(cue)


def text_of(hit: Hit) -> str:
    """A fact's value, or a turn's words."""
    return hit.fact.value if hit.fact else hit.turn.text if hit.turn else ""
