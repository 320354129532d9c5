-- What facts speak of, and how they may be used.
ALTER TABLE fact ADD COLUMN subject TEXT NOT NULL DEFAULT 'self';
ALTER TABLE fact ADD COLUMN object TEXT NOT NULL DEFAULT '';
ALTER TABLE fact ADD COLUMN speaker TEXT NOT NULL DEFAULT '';
ALTER TABLE fact ADD COLUMN sensitivity TEXT NOT NULL DEFAULT 'personal';
ALTER TABLE fact ADD COLUMN is_speakable INTEGER NOT NULL DEFAULT 1;
ALTER TABLE fact ADD COLUMN is_withdrawal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE fact ADD COLUMN uses INTEGER NOT NULL DEFAULT 0;
ALTER TABLE fact ADD COLUMN last_used_at INTEGER;
ALTER TABLE fact ADD COLUMN evidence_started_ms INTEGER;
ALTER TABLE fact ADD COLUMN evidence_ended_ms INTEGER;
CREATE INDEX fact_by_evidence ON fact (tenant, evidence_call_id);
CREATE INDEX fact_by_expiry ON fact (expires_at)
    WHERE expires_at IS NOT NULL AND status IN ('active', 'provisional');

-- Counts the changes of a profile's facts: who decides by what is known sees that it changed.
ALTER TABLE caller ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
CREATE TRIGGER fact_added AFTER INSERT ON fact BEGIN
    UPDATE caller SET revision = revision + 1
    WHERE tenant = NEW.tenant AND id = NEW.caller_id;
END;
CREATE TRIGGER fact_changed
AFTER UPDATE OF caller_id, status, confidence, valid_from, valid_to, expires_at ON fact BEGIN
    UPDATE caller SET revision = revision + 1
    WHERE tenant = NEW.tenant AND id IN (OLD.caller_id, NEW.caller_id);
END;
CREATE TRIGGER fact_removed AFTER DELETE ON fact BEGIN
    UPDATE caller SET revision = revision + 1
    WHERE tenant = OLD.tenant AND id = OLD.caller_id;
END;

-- Turns get a number, by which full text names them, and what identifies them outside.
-- Numbers are given in order of writing: text is appended, and hardly ever moved about.
CREATE TABLE numbered_turn (
    number INTEGER PRIMARY KEY,
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
    ref TEXT NOT NULL DEFAULT '',
    UNIQUE (tenant, call_id, position, role),
    FOREIGN KEY (tenant, call_id) REFERENCES call (tenant, id) ON DELETE CASCADE
) STRICT;
INSERT INTO numbered_turn (
    tenant, call_id, position, role, text, at, speaker, started_ms, ended_ms, interrupted, partial
)
SELECT
    tenant, call_id, position, role, text, at, speaker, started_ms, ended_ms, interrupted, partial
FROM turn ORDER BY tenant, call_id, position, role;
DROP TABLE turn;
ALTER TABLE numbered_turn RENAME TO turn;

-- What was decided about candidates: never a value.
CREATE TABLE decision (
    number INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    call_id TEXT NOT NULL,
    caller_id TEXT,
    position INTEGER NOT NULL,
    key TEXT NOT NULL,
    action TEXT NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL,
    fact_id TEXT,
    superseded_id TEXT,
    checks TEXT NOT NULL,
    UNIQUE (tenant, id)
) STRICT;
CREATE INDEX decision_by_caller ON decision (tenant, caller_id, at);
CREATE INDEX decision_by_call ON decision (tenant, call_id);
CREATE INDEX decision_by_fact ON decision (tenant, fact_id) WHERE fact_id IS NOT NULL;
CREATE INDEX decision_by_superseded ON decision (tenant, superseded_id)
    WHERE superseded_id IS NOT NULL;
CREATE INDEX fact_by_superseded ON fact (tenant, supersedes) WHERE supersedes IS NOT NULL;
CREATE INDEX dead_letter_by_call ON dead_letter (tenant, call_id);

-- What keeps a forgotten thing from coming back, without holding it.
CREATE TABLE tombstone (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

-- Receipts. scrub_ms is -1 until indexes, logs and free pages are clear of what went.
CREATE TABLE erasure (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL,
    what TEXT NOT NULL,
    target_id TEXT NOT NULL,
    caller_id TEXT,
    at INTEGER NOT NULL,
    removed TEXT NOT NULL,
    call_ids TEXT NOT NULL,
    scrub_ms INTEGER NOT NULL
) STRICT;

-- Full text. A term is a hash of 63 bits: no words stand here, and what is deleted leaves
-- none behind. Postings are ordered by owner first, so that nobody else's are ever read.
-- owner: caller.number; what: 0 a fact, 1 a turn; document: fact.number or turn.number.
-- at is when it was said: of equals the newest are found first, without reading all.
-- Each document has a posting under term 0: their count is how many documents there are.
CREATE TABLE posting (
    what INTEGER NOT NULL,
    document INTEGER NOT NULL,
    term INTEGER NOT NULL,
    owner INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (what, document, term)
) STRICT, WITHOUT ROWID;
CREATE INDEX posting_by_term ON posting (owner, what, term, document, at);
CREATE TABLE term_count (
    owner INTEGER NOT NULL,
    what INTEGER NOT NULL,
    term INTEGER NOT NULL,
    documents INTEGER NOT NULL,
    PRIMARY KEY (owner, what, term)
) STRICT, WITHOUT ROWID;
