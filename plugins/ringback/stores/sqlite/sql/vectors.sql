-- name: embedder
SELECT * FROM embedder WHERE name = :name;

-- name: add_embedder
INSERT INTO embedder (name, facts_to, turns_to) VALUES (
    :name,
    (SELECT coalesce(max(number), 0) + 1 FROM fact),
    (SELECT coalesce(max(number), 0) + 1 FROM turn)
)
ON CONFLICT (name) DO NOTHING;

-- name: set_dimensions
UPDATE embedder SET dimensions = :dimensions WHERE number = :embedder;

-- name: next_facts
SELECT min(number) AS lowest FROM (
    SELECT number FROM fact WHERE number < :to ORDER BY number DESC LIMIT :limit
);

-- name: list_facts
INSERT OR IGNORE INTO unindexed (what, document, embedder, at)
SELECT 0, number, :embedder, observed_at FROM fact
WHERE number >= :lowest AND number < :to
    AND caller_id IS NOT NULL AND status IN ('active', 'provisional')
    AND NOT EXISTS (
        SELECT 1 FROM passage
        WHERE what = 0 AND document = fact.number AND embedder = :embedder
    );

-- name: facts_looked_through
UPDATE embedder SET facts_to = :lowest WHERE number = :embedder;

-- name: next_turns
SELECT min(number) AS lowest FROM (
    SELECT number FROM turn WHERE number < :to ORDER BY number DESC LIMIT :limit
);

-- name: list_turns
INSERT OR IGNORE INTO unindexed (what, document, embedder, at)
SELECT 1, turn.number, :embedder, turn.at FROM turn
JOIN call ON call.tenant = turn.tenant AND call.id = turn.call_id
WHERE turn.number >= :lowest AND turn.number < :to AND call.caller_id IS NOT NULL
    AND NOT EXISTS (
        SELECT 1 FROM passage
        WHERE what = 1 AND document = turn.number AND embedder = :embedder
    );

-- name: turns_looked_through
UPDATE embedder SET turns_to = :lowest WHERE number = :embedder;

-- name: unindexed
SELECT what, document FROM unindexed WHERE embedder = :embedder
ORDER BY at DESC, what, document LIMIT :limit;

-- name: waiting
SELECT
    (SELECT count(*) FROM unindexed WHERE embedder = :embedder)
    + (
        SELECT count(*) FROM fact
        WHERE number < :facts_to AND caller_id IS NOT NULL AND status IN ('active', 'provisional')
            AND NOT EXISTS (
                SELECT 1 FROM unindexed
                WHERE what = 0 AND document = fact.number AND embedder = :embedder
            )
            AND NOT EXISTS (
                SELECT 1 FROM passage
                WHERE what = 0 AND document = fact.number AND embedder = :embedder
            )
    )
    + (
        SELECT count(*) FROM turn
        JOIN call ON call.tenant = turn.tenant AND call.id = turn.call_id
        WHERE turn.number < :turns_to AND call.caller_id IS NOT NULL
            AND NOT EXISTS (
                SELECT 1 FROM unindexed
                WHERE what = 1 AND document = turn.number AND embedder = :embedder
            )
            AND NOT EXISTS (
                SELECT 1 FROM passage
                WHERE what = 1 AND document = turn.number AND embedder = :embedder
            )
    ) AS waiting;

-- name: fact
SELECT * FROM fact WHERE number = :document;

-- name: turn
SELECT turn.*, call.caller_id FROM turn
JOIN call ON call.tenant = turn.tenant AND call.id = turn.call_id
WHERE turn.number = :document;

-- name: before
SELECT * FROM turn
WHERE tenant = :tenant AND call_id = :call_id AND (position, role) < (:position, :role)
ORDER BY position DESC, role DESC LIMIT 1;

-- name: fact_number
SELECT number FROM fact WHERE tenant = :tenant AND id = :id;

-- name: turn_number
SELECT number FROM turn
WHERE tenant = :tenant AND call_id = :call_id AND position = :position AND role = :role;

-- name: drop_passage
DELETE FROM passage WHERE what = :what AND document = :document AND embedder = :embedder;

-- name: add_passage
INSERT INTO passage (what, document, embedder) VALUES (:what, :document, :embedder);

-- name: indexed
DELETE FROM unindexed WHERE what = :what AND document = :document AND embedder = :embedder;

-- name: add_vector
INSERT INTO vector (codes) VALUES (:codes) RETURNING number;

-- name: add_signs
INSERT INTO vector_sign (owner, embedder, what, number, document, facet, at, signs)
VALUES (:owner, :embedder, :what, :number, :document, :facet, :at, :signs);

-- name: count_vectors
SELECT count(*) AS vectors FROM vector_sign WHERE what = :what AND document = :document;

-- name: drop_passages
DELETE FROM passage WHERE what = :what AND document = :document;

-- name: turn_after
SELECT number FROM turn
WHERE tenant = :tenant AND call_id = :call_id AND (position, role) > (:position, :role)
ORDER BY position, role LIMIT 1;

-- name: indexed_with
SELECT name, dimensions, (SELECT count(*) FROM passage WHERE embedder = embedder.number) AS passages
FROM embedder ORDER BY number;

-- name: drop_embedders
DELETE FROM embedder WHERE name NOT IN (SELECT value FROM json_each(:besides));

-- name: dropped
WITH RECURSIVE given (number) AS (
    SELECT 1
    UNION ALL
    SELECT number + 1 FROM given
    WHERE number < (SELECT seq FROM sqlite_sequence WHERE name = 'embedder')
)
SELECT given.number FROM given
WHERE given.number NOT IN (SELECT number FROM embedder)
    AND (
        EXISTS (SELECT 1 FROM passage WHERE embedder = given.number)
        OR EXISTS (SELECT 1 FROM unindexed WHERE embedder = given.number)
    )
LIMIT 1;

-- name: drop_some_passages
DELETE FROM passage WHERE (what, document, embedder) IN (
    SELECT what, document, embedder FROM passage WHERE embedder = :embedder LIMIT :limit
);

-- name: drop_some_lines
DELETE FROM unindexed WHERE (what, document, embedder) IN (
    SELECT what, document, embedder FROM unindexed WHERE embedder = :embedder LIMIT :limit
);

-- name: owner
SELECT number, vectors, vectors_fewer FROM caller WHERE tenant = :tenant AND id = :caller_id;

-- name: signs
SELECT number, document, facet, at, signs FROM vector_sign
WHERE owner = :owner AND embedder = :embedder AND what = :what AND number > :after
ORDER BY number;

-- name: codes_of_owner
SELECT vector.codes FROM vector_sign JOIN vector USING (number)
WHERE owner = :owner AND embedder = :embedder AND what = :what AND number > :after
ORDER BY number;

-- name: codes
SELECT number, codes FROM vector WHERE number IN (SELECT value FROM json_each(:numbers));

-- name: expired
SELECT number FROM fact
WHERE expires_at <= :at AND status IN ('active', 'provisional')
    AND +tenant = :tenant AND +caller_id = :caller_id;

-- name: narrowed
SELECT number FROM fact
WHERE tenant = :tenant AND caller_id = :caller_id
    AND status IN (SELECT value FROM json_each(:statuses))
    AND kind IN (SELECT value FROM json_each(:kinds))
    AND (:subjects IS NULL OR subject IN (SELECT value FROM json_each(:subjects)))
    AND (expires_at IS NULL OR expires_at > :at);
