-- name: owner
SELECT number FROM caller WHERE tenant = :tenant AND id = :caller_id;

-- name: count
INSERT INTO term_count (owner, what, term, documents, times) VALUES (?, ?, ?, 1, ?)
ON CONFLICT (owner, what, term) DO UPDATE SET
    documents = documents + 1,
    times = times + excluded.times;

-- name: post
INSERT INTO posting (what, document, term, owner, at, times) VALUES (?, ?, ?, ?, ?, ?);

-- name: is_indexed
SELECT 1 FROM posting WHERE what = :what AND document = :document AND term = 0;

-- name: discount
UPDATE term_count SET documents = documents - 1, times = term_count.times - gone.times
FROM posting AS gone
WHERE gone.what = :what AND gone.document = :document
    AND term_count.owner = gone.owner
    AND term_count.what = gone.what
    AND term_count.term = gone.term;

-- name: drop_counts
DELETE FROM term_count
WHERE documents = 0 AND (owner, what, term) IN (
    SELECT owner, what, term FROM posting WHERE what = :what AND document = :document
);

-- name: drop_postings
DELETE FROM posting WHERE what = :what AND document = :document;

-- name: facts_to_index
SELECT fact.* FROM fact
JOIN caller ON caller.tenant = fact.tenant AND caller.id = fact.caller_id
WHERE fact.tenant = :tenant AND fact.call_id = :call_id
    AND NOT EXISTS (
        SELECT 1 FROM posting
        WHERE what = 0 AND document = fact.number AND term = 0 AND owner = caller.number
    );

-- name: turns_to_index
SELECT * FROM spoken
WHERE tenant = :tenant AND call_id = :call_id
    AND NOT EXISTS (
        SELECT 1 FROM posting
        WHERE what = 1 AND document = spoken.number AND term = 0 AND owner = spoken.owner
    );

-- name: turn_to_index
SELECT * FROM spoken WHERE number = :number;

-- name: after
SELECT * FROM spoken
WHERE tenant = :tenant AND call_id = :call_id AND (position, role) > (:position, :role)
ORDER BY position, role LIMIT 1;

-- name: all_facts
SELECT * FROM fact WHERE caller_id IS NOT NULL;

-- name: all_turns
SELECT * FROM spoken;

-- name: totals
SELECT term, documents, times FROM term_count
WHERE owner = :owner AND what = :what
    AND term IN (SELECT value FROM json_each(:terms));

-- name: within
SELECT document, at FROM posting
WHERE owner = :owner AND what = :what AND term = 0
    AND at >= coalesce(:since_at, at) AND (:until_at IS NULL OR at < :until_at);

-- name: holding
SELECT document, at FROM posting WHERE owner = :owner AND what = :what AND term = :term;

-- name: holding_among
SELECT document, at FROM posting
WHERE owner = :owner AND what = :what AND term = :term
    AND document IN (SELECT value FROM json_each(:documents));

-- name: times
SELECT document, term, times FROM posting
WHERE what = :what
    AND document IN (SELECT value FROM json_each(:documents))
    AND term IN (SELECT value FROM json_each(:terms));

-- name: narrowed_facts
SELECT number FROM fact
WHERE number IN (SELECT value FROM json_each(:documents))
    AND status IN (SELECT value FROM json_each(:statuses))
    AND kind IN (SELECT value FROM json_each(:kinds))
    AND (:subjects IS NULL OR subject IN (SELECT value FROM json_each(:subjects)))
    AND (expires_at IS NULL OR expires_at > :at)
    AND (:since_at IS NULL OR observed_at >= :since_at)
    AND (:until_at IS NULL OR observed_at < :until_at);

-- name: narrowed_turns
SELECT number FROM turn
WHERE number IN (SELECT value FROM json_each(:documents))
    AND (:since_at IS NULL OR at >= :since_at)
    AND (:until_at IS NULL OR at < :until_at);

-- name: facts_by_number
SELECT * FROM fact WHERE number IN (SELECT value FROM json_each(:documents));

-- name: outdated
SELECT turn.number, ended.evidence_start, ended.evidence_end
FROM turn
JOIN fact AS ended
    ON ended.tenant = turn.tenant
    AND ended.evidence_call_id = turn.call_id
    AND ended.evidence_position = turn.position
WHERE turn.number IN (SELECT value FROM json_each(:documents))
    AND ended.status IN ('superseded', 'retired')
    AND ended.is_withdrawal = 0
    AND NOT EXISTS (
        SELECT 1 FROM fact AS held
        WHERE held.tenant = ended.tenant
            AND held.evidence_call_id = ended.evidence_call_id
            AND held.evidence_position = ended.evidence_position
            AND held.status IN ('active', 'provisional')
            AND held.evidence_start < ended.evidence_end
            AND held.evidence_end > ended.evidence_start
    )
ORDER BY ended.evidence_start, ended.evidence_end;

-- name: turns_by_number
SELECT * FROM turn WHERE number IN (SELECT value FROM json_each(:documents));
