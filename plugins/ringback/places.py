"""Every place that holds what callers said: forgetting walks this register, and tests check it.

A table, an index, a file or a cache that is not listed here fails
`ringback.testing.places_check.unregistered`, or the test that looks for a marker word in the
process. Add it here together with what empties it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Place:
    """Where something about callers is kept, and what empties it."""

    name: str
    """A table's, index's or attribute's name; of a file, what follows the store's name."""
    kind: Literal["table", "index", "file", "cache"]
    holds: str
    forgotten_by: str
    """What removes a forgotten thing from here."""


_ROWS = "Store.forget deletes the rows; freed space is overwritten with zeros"

SQLITE_TABLES = (
    Place("call", "table", "when somebody called, and who that was", _ROWS),
    Place("call_handle", "table", "numbers and names that a call came with", _ROWS),
    Place("caller", "table", "ids of profiles", _ROWS),
    Place("caller_handle", "table", "numbers and names of a profile", _ROWS),
    Place("turn", "table", "what was said", f"{_ROWS}; one fact's words are blotted out"),
    Place("fact", "table", "what is known, with the words it rests on", _ROWS),
    Place("summary", "table", "calls in a few sentences", _ROWS),
    Place("decision", "table", "what was decided about candidates; no values", _ROWS),
    Place("job", "table", "work that waits, by call", _ROWS),
    Place("dead_letter", "table", "work that was given up, by call", _ROWS),
    Place("posting", "index", "which fact, turn or exchange holds which term, as hashes", _ROWS),
    Place("term_count", "index", "how many of them hold a term, as hashes", _ROWS),
    Place("vector", "index", "facts and turns as directions", _ROWS),
    Place("vector_sign", "index", "signs of those, by profile", _ROWS),
    Place("passage", "index", "which facts and turns have vectors", _ROWS),
    Place("unindexed", "index", "which facts and turns wait for vectors", _ROWS),
    Place("embedder", "table", "names of embedding models", "nothing of a caller"),
    Place("vector_change", "table", "a counter", "nothing of a caller"),
    Place("model_use", "table", "what language models cost a call; no words", _ROWS),
    Place("move", "table", "whose calls became whose, with numbers; no words", _ROWS),
    Place("tombstone", "table", "hashes of what was forgotten", "kept: it holds no words"),
    Place("erasure", "table", "receipts: ids and numbers", "kept: it says what was forgotten"),
)
"""Tables of the SQLite file; those of kind `index` are made from the others."""

SQLITE_FILES = (
    Place("", "file", "the database", "Store.forget: zeros over freed space, VACUUM if need be"),
    Place("-wal", "file", "the newest pages", "Store.forget: a checkpoint that truncates it"),
    Place("-shm", "file", "where pages are in the log; no words", "goes with the log"),
    Place(
        "-journal", "file", "pages before a change, while a file is made", "goes when it is made"
    ),
    Place(
        ".spill-*.jsonl", "file", "entries the database could not take", "folded in, then deleted"
    ),
    Place(
        ".spill-*.jsonl.unreadable",
        "file",
        "lines of spill files that made no sense",
        "Store.forget drops lines that name what it deletes",
    ),
)
"""Files beside the store, by what follows its name; `*` stands for digits and dashes."""

SQLITE_CACHES = (
    Place(
        "VectorCache",
        "cache",
        "signs and directions of profiles' vectors, no words",
        "Store.forget; in other processes Store.erasures, which Invalidation asks",
    ),
)
"""What the SQLite store keeps in memory, by class."""

MEMORY_TABLES = (
    Place("calls", "table", "calls with their turns", "Store.forget deletes them"),
    Place("callers", "table", "profiles with their handles", "Store.forget deletes them"),
    Place("facts", "table", "what is known", "Store.forget deletes them"),
    Place("summaries", "table", "calls in a few sentences", "Store.forget deletes them"),
    Place("decisions", "table", "what was decided; no values", "Store.forget deletes them"),
    Place("jobs", "table", "work that waits, by call", "Store.forget deletes them"),
    Place("dead", "table", "work that was given up, by call", "Store.forget deletes them"),
    Place("model_use", "table", "what language models cost a call", "Store.forget deletes them"),
    Place("fact_terms", "index", "terms of facts", "Store.forget deletes them"),
    Place("turn_terms", "index", "terms of turns", "Store.forget deletes them"),
    Place("vectors", "index", "facts and turns as directions", "Store.forget deletes them"),
    Place("moves", "table", "whose calls became whose", "Store.forget deletes them"),
    Place("tombstones", "table", "hashes of what was forgotten", "kept: they hold no words"),
    Place("erasures", "table", "receipts: ids and numbers", "kept: they say what was forgotten"),
)
"""What the twin in memory keeps, by the attributes of its state."""

MEM0_PLACES = (
    Place(
        "mem0",
        "index",
        "texts of facts and turns, with the ids of their tenant, caller and call, in a service",
        "Mem0Store.forget deletes there what is not here; a local one's files are vacuumed",
    ),
    Place("Remote", "cache", "texts that wait for mem0's answer", "goes when it is answered"),
    Place("_Embedding", "cache", "the last question and its vector", "the next text"),
)
"""What is kept outside the store where there is an external memory service."""

_HISTORY = "end of its call: the application's own history holds the same"

LIBRARY_CACHES = (
    Place(
        "LiveCall", "cache", "turns and facts of a call that goes on", "Invalidation, then end()"
    ),
    Place("CallHandle", "cache", "the briefing of a call that goes on", "Invalidation, then end()"),
    Place("Shelf", "cache", "what was retrieved for the next turn", "Invalidation, then end()"),
    Place("Cueing", "cache", "the caller's last words and terms", "Invalidation, then end()"),
    Place("Introduction", "cache", "who the caller says they are", "Invalidation, then end()"),
    Place("Identifier", "cache", "what a call is identified with", "Invalidation, then the answer"),
    Place("CaseState", "cache", "what tools returned in a call", "Invalidation, then end()"),
    Place("Stager", "cache", "the cue that waits to be looked up", "Invalidation, then end()"),
    Place(
        "SpokenCue", "cache", "words that retrieval was asked with", "with the shelf and the stager"
    ),
    Place("Staged", "cache", "lines and terms of what was retrieved", "with the shelf"),
    Place("CaseRecord", "cache", "one record that a tool returned", "with the call's state"),
    Place("Compressor", "cache", "turns that wait to become a digest", "goes when it is made"),
    Place("Window", "cache", "the digest of a running call, and what it was made of", _HISTORY),
    Place("Cut", "cache", "the digest that a call's next request has", _HISTORY),
    Place("Passage", "cache", "turns that leave a window", _HISTORY),
    Place("Message", "cache", "one message of a call's history", _HISTORY),
    Place("Settler", "cache", "jobs under way, with their turns", "the store discards their work"),
    Place(
        "Indexer",
        "cache",
        "texts of the few passages that are being embedded; ids of those that were refused",
        "the store drops what is made of them",
    ),
    Place(
        "QuestionWriter",
        "cache",
        "the memory that a model writes questions for; ids of those that it refused",
        "the store drops what is made of it",
    ),
    Place(
        "_Heard",
        "cache",
        "the last turns of a call that goes on, to join numbers; also their masked digits",
        "Invalidation, then end()",
    ),
    Place("answers._asked_for", "cache", "what a schema may be asked of; nothing said", "nothing"),
    Place("likeness._terms_of_key", "cache", "keys of schemas; nothing said", "nothing"),
    Place("phrases._spoken", "cache", "what a schema listens for; nothing said", "nothing"),
    Place("phrase_pattern.compiled", "cache", "phrases of schemas; nothing said", "nothing"),
    Place("phrase_value._choice_pattern", "cache", "choices of schemas; nothing said", "nothing"),
    Place("topics._listening", "cache", "what a schema is asked for; nothing said", "nothing"),
    Place(
        "terms._stem", "cache", "single words and their stems", "the newest 50,000; dropped in use"
    ),
)
"""What the library keeps in memory outside stores."""
