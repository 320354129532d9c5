-- Full text counts how often a term stands in a document, and finds exchanges: a turn together
-- with the one before it. Made anew for what older files hold.
-- what: 0 a fact, 1 a turn, 2 an exchange, whose document is its turn's number, 3 who said a
-- turn: its terms are those of the speaker's name.
-- times: how often the term stands there; of term 0, how many terms there are in all.
DROP TABLE posting;
DROP TABLE term_count;
CREATE TABLE posting (
    what INTEGER NOT NULL,
    document INTEGER NOT NULL,
    term INTEGER NOT NULL,
    owner INTEGER NOT NULL,
    at INTEGER NOT NULL,
    times INTEGER NOT NULL,
    PRIMARY KEY (what, document, term)
) STRICT, WITHOUT ROWID;
CREATE INDEX posting_by_term ON posting (owner, what, term, document, at);
CREATE TABLE term_count (
    owner INTEGER NOT NULL,
    what INTEGER NOT NULL,
    term INTEGER NOT NULL,
    documents INTEGER NOT NULL,
    times INTEGER NOT NULL,
    PRIMARY KEY (owner, what, term)
) STRICT, WITHOUT ROWID;

-- Turns of profiles as full text takes them, each with the words of the turn ahead of it.
CREATE VIEW spoken AS
SELECT
    turn.number, turn.tenant, turn.call_id, turn.position, turn.role, turn.text, turn.at, turn.speaker,
    caller.number AS owner, (
        SELECT text FROM turn AS ahead
        WHERE ahead.tenant = turn.tenant AND ahead.call_id = turn.call_id
            AND (ahead.position, ahead.role) < (turn.position, turn.role)
        ORDER BY ahead.position DESC, ahead.role DESC LIMIT 1
    ) AS ahead
FROM turn
JOIN call ON call.tenant = turn.tenant AND call.id = turn.call_id
JOIN caller ON caller.tenant = call.tenant AND caller.id = call.caller_id;

-- What recall narrows by: a key, and what links a profile with others.
CREATE INDEX fact_by_key ON fact (tenant, caller_id, key);
CREATE INDEX fact_linked ON fact (tenant, caller_id, observed_at)
    WHERE subject <> 'self' OR object <> '' OR key IN ('name', 'alias');

-- Vectors. An embedder looks through facts and turns once, from the newest to the oldest:
-- facts_to and turns_to are the lowest numbers it has come to. What comes later is listed in
-- `unindexed` by triggers.
CREATE TABLE embedder (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL DEFAULT 0,
    facts_to INTEGER NOT NULL,
    turns_to INTEGER NOT NULL
) STRICT;
CREATE TABLE unindexed (
    what INTEGER NOT NULL,
    document INTEGER NOT NULL,
    embedder INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (what, document, embedder)
) STRICT, WITHOUT ROWID;
CREATE INDEX unindexed_by_time ON unindexed (embedder, at, what, document);
CREATE TABLE passage (
    what INTEGER NOT NULL,
    document INTEGER NOT NULL,
    embedder INTEGER NOT NULL,
    PRIMARY KEY (what, document, embedder)
) STRICT, WITHOUT ROWID;
CREATE INDEX passage_by_embedder ON passage (embedder);

-- Signs of a profile's vectors lie together, so that they are read in one go; the vectors
-- themselves, a byte per dimension, are read one by one for the few that are near.
CREATE TABLE vector (
    number INTEGER PRIMARY KEY,
    codes BLOB NOT NULL
) STRICT;
CREATE TABLE vector_sign (
    owner INTEGER NOT NULL,
    embedder INTEGER NOT NULL,
    what INTEGER NOT NULL,
    number INTEGER NOT NULL,
    document INTEGER NOT NULL,
    facet INTEGER NOT NULL,
    at INTEGER NOT NULL,
    signs BLOB NOT NULL,
    PRIMARY KEY (owner, embedder, what, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX vector_sign_by_document ON vector_sign (what, document, embedder);

-- By these numbers every process sees that the vectors of a profile have changed since it read
-- them. They are never given twice, so that a profile that takes the place of a forgotten one
-- is not taken for it.
CREATE TABLE vector_change (number INTEGER NOT NULL) STRICT;
INSERT INTO vector_change (number) VALUES (0);
ALTER TABLE caller ADD COLUMN vectors INTEGER NOT NULL DEFAULT 0;
ALTER TABLE caller ADD COLUMN vectors_fewer INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER vector_added AFTER INSERT ON vector_sign BEGIN
    UPDATE vector_change SET number = number + 1;
    UPDATE caller SET
        vectors = (SELECT number FROM vector_change),
        vectors_fewer = CASE vectors
            WHEN 0 THEN (SELECT number FROM vector_change) ELSE vectors_fewer
        END
    WHERE number = NEW.owner;
END;
CREATE TRIGGER vector_moved AFTER UPDATE OF owner ON vector_sign BEGIN
    UPDATE vector_change SET number = number + 1;
    UPDATE caller SET
        vectors = (SELECT number FROM vector_change),
        vectors_fewer = (SELECT number FROM vector_change)
    WHERE number IN (OLD.owner, NEW.owner);
END;
CREATE TRIGGER vector_removed AFTER DELETE ON vector_sign BEGIN
    DELETE FROM vector WHERE number = OLD.number;
    UPDATE vector_change SET number = number + 1;
    UPDATE caller SET
        vectors = (SELECT number FROM vector_change),
        vectors_fewer = (SELECT number FROM vector_change)
    WHERE number = OLD.owner;
END;

-- What loses its vectors, is there and is current is made anew.
CREATE TRIGGER passage_removed AFTER DELETE ON passage BEGIN
    DELETE FROM vector_sign
    WHERE what = OLD.what AND document = OLD.document AND embedder = OLD.embedder;
    INSERT OR IGNORE INTO unindexed (what, document, embedder, at)
    SELECT 0, fact.number, embedder.number, fact.observed_at
    FROM fact JOIN embedder ON embedder.number = OLD.embedder
    WHERE OLD.what = 0 AND fact.number = OLD.document
        AND fact.caller_id IS NOT NULL AND fact.status IN ('active', 'provisional');
    INSERT OR IGNORE INTO unindexed (what, document, embedder, at)
    SELECT 1, turn.number, embedder.number, turn.at
    FROM turn JOIN embedder ON embedder.number = OLD.embedder
    WHERE OLD.what = 1 AND turn.number = OLD.document;
END;

CREATE TRIGGER fact_to_index AFTER INSERT ON fact
WHEN NEW.caller_id IS NOT NULL AND NEW.status IN ('active', 'provisional') BEGIN
    INSERT OR IGNORE INTO unindexed (what, document, embedder, at)
    SELECT 0, NEW.number, number, NEW.observed_at FROM embedder;
END;
CREATE TRIGGER fact_to_index_again
AFTER UPDATE OF caller_id, status, evidence_words ON fact BEGIN
    DELETE FROM passage
    WHERE what = 0 AND document = NEW.number
        AND (
            NEW.status NOT IN ('active', 'provisional')
            OR NEW.evidence_words IS NOT OLD.evidence_words
        );
    DELETE FROM unindexed
    WHERE what = 0 AND document = NEW.number AND NEW.status NOT IN ('active', 'provisional');
    UPDATE vector_sign SET owner = (
        SELECT number FROM caller WHERE tenant = NEW.tenant AND id = NEW.caller_id
    )
    WHERE what = 0 AND document = NEW.number AND NEW.caller_id IS NOT OLD.caller_id;
    INSERT OR IGNORE INTO unindexed (what, document, embedder, at)
    SELECT 0, NEW.number, number, NEW.observed_at FROM embedder
    WHERE NEW.caller_id IS NOT NULL AND NEW.status IN ('active', 'provisional')
        AND NOT EXISTS (
            SELECT 1 FROM passage
            WHERE what = 0 AND document = NEW.number AND passage.embedder = embedder.number
        );
END;
CREATE TRIGGER fact_not_to_index AFTER DELETE ON fact BEGIN
    DELETE FROM passage WHERE what = 0 AND document = OLD.number;
    DELETE FROM unindexed WHERE what = 0 AND document = OLD.number;
END;

CREATE TRIGGER turn_to_index AFTER INSERT ON turn BEGIN
    INSERT OR IGNORE INTO unindexed (what, document, embedder, at)
    SELECT 1, NEW.number, embedder.number, NEW.at FROM embedder
    JOIN call ON call.tenant = NEW.tenant AND call.id = NEW.call_id
    WHERE call.caller_id IS NOT NULL;
    DELETE FROM passage WHERE what = 1 AND document = (
        SELECT number FROM turn
        WHERE tenant = NEW.tenant AND call_id = NEW.call_id
            AND (position, role) > (NEW.position, NEW.role)
        ORDER BY position, role LIMIT 1
    );
END;
CREATE TRIGGER turn_to_index_again AFTER UPDATE OF text ON turn WHEN NEW.text <> OLD.text BEGIN
    DELETE FROM passage WHERE what = 1 AND document = NEW.number;
    DELETE FROM passage WHERE what = 1 AND document = (
        SELECT number FROM turn
        WHERE tenant = NEW.tenant AND call_id = NEW.call_id
            AND (position, role) > (NEW.position, NEW.role)
        ORDER BY position, role LIMIT 1
    );
END;
CREATE TRIGGER turn_not_to_index AFTER DELETE ON turn BEGIN
    DELETE FROM passage WHERE what = 1 AND document = OLD.number;
    DELETE FROM unindexed WHERE what = 1 AND document = OLD.number;
    DELETE FROM passage WHERE what = 1 AND document = (
        SELECT number FROM turn
        WHERE tenant = OLD.tenant AND call_id = OLD.call_id
            AND (position, role) > (OLD.position, OLD.role)
        ORDER BY position, role LIMIT 1
    );
END;
CREATE TRIGGER call_to_index AFTER UPDATE OF caller_id ON call
WHEN NEW.caller_id IS NOT OLD.caller_id BEGIN
    UPDATE vector_sign SET owner = (
        SELECT number FROM caller WHERE tenant = NEW.tenant AND id = NEW.caller_id
    )
    WHERE what = 1 AND document IN (
        SELECT number FROM turn WHERE tenant = NEW.tenant AND call_id = NEW.id
    );
    INSERT OR IGNORE INTO unindexed (what, document, embedder, at)
    SELECT 1, turn.number, embedder.number, turn.at FROM turn JOIN embedder
    WHERE turn.tenant = NEW.tenant AND turn.call_id = NEW.id AND NEW.caller_id IS NOT NULL
        AND NOT EXISTS (
            SELECT 1 FROM passage
            WHERE what = 1 AND document = turn.number AND passage.embedder = embedder.number
        );
END;
