-- Times are whole microseconds since 1970 in UTC: they sort, and come back exact.

CREATE TABLE caller (
    number INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    UNIQUE (tenant, id)
) STRICT;

CREATE TABLE caller_handle (
    number INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    caller_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    UNIQUE (tenant, kind, value, caller_id),
    FOREIGN KEY (tenant, caller_id) REFERENCES caller (tenant, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX caller_handle_by_caller ON caller_handle (tenant, caller_id);

-- A call is there as soon as anything of it is: is_opened is 0 until its opening came.
-- generation counts what happened in it, and never goes back.
CREATE TABLE call (
    number INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    zone TEXT NOT NULL DEFAULT 'UTC',
    caller_id TEXT,
    assurance TEXT NOT NULL DEFAULT 'unknown',
    ended_at INTEGER,
    is_opened INTEGER NOT NULL DEFAULT 0,
    generation INTEGER NOT NULL DEFAULT 0,
    UNIQUE (tenant, id)
) STRICT;
CREATE INDEX call_by_caller ON call (tenant, caller_id, started_at);
CREATE INDEX call_by_start ON call (tenant, started_at);

CREATE TABLE call_handle (
    number INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    call_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    UNIQUE (tenant, call_id, kind, value),
    FOREIGN KEY (tenant, call_id) REFERENCES call (tenant, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX call_handle_by_value ON call_handle (tenant, kind, value);

CREATE TABLE turn (
    tenant TEXT NOT NULL,
    call_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    role TEXT NOT NULL,
    text TEXT NOT NULL,
    at INTEGER NOT NULL,
    speaker TEXT NOT NULL,
    started_ms INTEGER,
    ended_ms INTEGER,
    interrupted INTEGER NOT NULL,
    partial INTEGER NOT NULL,
    PRIMARY KEY (tenant, call_id, position, role),
    FOREIGN KEY (tenant, call_id) REFERENCES call (tenant, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE fact (
    number INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    call_id TEXT NOT NULL,
    caller_id TEXT,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    source TEXT NOT NULL,
    confidence REAL NOT NULL,
    observed_at INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    evidence_call_id TEXT NOT NULL,
    evidence_position INTEGER NOT NULL,
    evidence_words TEXT NOT NULL,
    evidence_start INTEGER NOT NULL,
    evidence_end INTEGER NOT NULL,
    kind TEXT NOT NULL,
    scope TEXT NOT NULL,
    cardinality TEXT NOT NULL,
    status TEXT NOT NULL,
    valid_from INTEGER,
    valid_to INTEGER,
    expires_at INTEGER,
    supersedes TEXT,
    UNIQUE (tenant, id)
) STRICT;
CREATE INDEX fact_by_caller ON fact (tenant, caller_id, status);
CREATE INDEX fact_by_call ON fact (tenant, call_id);

CREATE TABLE summary (
    tenant TEXT NOT NULL,
    call_id TEXT NOT NULL,
    caller_id TEXT,
    at INTEGER NOT NULL,
    text TEXT NOT NULL,
    resolved INTEGER,
    promises TEXT NOT NULL,
    numbers TEXT NOT NULL,
    PRIMARY KEY (tenant, call_id)
) STRICT;
CREATE INDEX summary_by_caller ON summary (tenant, caller_id, at);

-- One open job of a kind per call. It covers the call up to leased_generation once it is
-- leased; if generation has moved on when it is done, it stays open.
CREATE TABLE job (
    number INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    call_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    generation INTEGER NOT NULL,
    leased_generation INTEGER,
    leased_until INTEGER,
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT '',
    UNIQUE (tenant, call_id, kind),
    FOREIGN KEY (tenant, call_id) REFERENCES call (tenant, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX job_by_due ON job (due_at, number);

CREATE TABLE dead_letter (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    tenant TEXT NOT NULL,
    call_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    reason TEXT NOT NULL
) STRICT;
