-- What was moved between profiles, so that it can be put back: ids and handles, no words.
-- call_ids, handles, added, before: JSON lists. before: a fact's id, status and valid_to.
CREATE TABLE move (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    from_id TEXT NOT NULL,
    into_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    by TEXT NOT NULL,
    call_ids TEXT NOT NULL,
    handles TEXT NOT NULL,
    added TEXT NOT NULL,
    before TEXT NOT NULL,
    undone_at INTEGER,
    undone_by TEXT NOT NULL DEFAULT '',
    UNIQUE (tenant, id)
) STRICT;
CREATE INDEX move_by_from ON move (tenant, from_id);
CREATE INDEX move_by_into ON move (tenant, into_id);
