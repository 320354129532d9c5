-- name: add_fact
INSERT INTO fact (
    tenant, id, call_id, caller_id, key, value, source, confidence, observed_at, recorded_at,
    evidence_call_id, evidence_position, evidence_words, evidence_start, evidence_end,
    evidence_started_ms, evidence_ended_ms, kind, scope, cardinality, status, valid_from,
    valid_to, expires_at, supersedes, subject, object, speaker, sensitivity, is_speakable,
    is_withdrawal, uses, last_used_at
) VALUES (
    :tenant, :id, :call_id, :caller_id, :key, :value, :source, :confidence, :observed_at,
    :recorded_at, :evidence_call_id, :evidence_position, :evidence_words, :evidence_start,
    :evidence_end, :evidence_started_ms, :evidence_ended_ms, :kind, :scope, :cardinality,
    :status, :valid_from, :valid_to, :expires_at, :supersedes, :subject, :object, :speaker,
    :sensitivity, :is_speakable, :is_withdrawal, :uses, :last_used_at
)
ON CONFLICT (tenant, id) DO NOTHING
RETURNING number;

-- name: fact
SELECT * FROM fact WHERE tenant = :tenant AND id = :id;

-- name: use_fact
UPDATE fact SET
    uses = uses + (last_used_at IS NOT :at),
    last_used_at = max(coalesce(last_used_at, :at), :at)
WHERE tenant = :tenant AND id = :id;

-- name: end_fact
UPDATE fact SET
    status = :status,
    confidence = :confidence,
    valid_from = :valid_from,
    valid_to = :valid_to,
    expires_at = :expires_at
WHERE tenant = :tenant AND id = :id;

-- name: facts
SELECT * FROM fact
WHERE tenant = :tenant
    AND (:call_id IS NULL OR call_id = :call_id)
    AND caller_id = :caller_id
    AND status IN (SELECT value FROM json_each(:statuses))
    AND (:keys IS NULL OR key IN (SELECT value FROM json_each(:keys)))
ORDER BY observed_at, evidence_position, number;

-- name: linked
SELECT * FROM fact
WHERE tenant = :tenant AND caller_id = :caller_id
    AND (subject <> 'self' OR object <> '' OR key IN ('name', 'alias'))
    AND +status IN ('active', 'provisional')
ORDER BY observed_at DESC, evidence_position DESC, number DESC LIMIT :limit;

-- name: linked_each
SELECT * FROM fact
WHERE number IN (
    WITH newest AS (
        SELECT number, subject, expires_at, is_withdrawal,
            object <> '' OR key IN ('name', 'alias') AS gives_name
        FROM fact
        WHERE tenant = :tenant AND caller_id = :caller_id
            AND (subject <> 'self' OR object <> '' OR key IN ('name', 'alias'))
            AND +status IN ('active', 'provisional')
        ORDER BY observed_at DESC, evidence_position DESC, number DESC LIMIT :limit
    )
    SELECT number FROM newest WHERE gives_name
    UNION ALL
    SELECT number FROM (
        SELECT number, max(coalesce(expires_at, 9223372036854775807)) FROM newest
        WHERE NOT gives_name AND NOT is_withdrawal GROUP BY subject
    )
)
ORDER BY observed_at DESC, evidence_position DESC, number DESC;

-- name: with_keys
SELECT * FROM fact
WHERE tenant = :tenant AND caller_id = :caller_id
    AND key IN (SELECT value FROM json_each(:keys))
    AND +status IN ('active', 'provisional')
ORDER BY observed_at DESC, evidence_position DESC, number DESC LIMIT :limit;

-- name: facts_of_call
SELECT * FROM fact
WHERE tenant = :tenant AND call_id = :call_id
    AND +status IN (SELECT value FROM json_each(:statuses))
    AND (:keys IS NULL OR key IN (SELECT value FROM json_each(:keys)))
ORDER BY observed_at, evidence_position, number;

-- name: facts_of_place
SELECT * FROM fact
WHERE tenant = :tenant AND evidence_call_id = :call_id AND evidence_position = :position;

-- name: drop_summary
DELETE FROM summary WHERE tenant = :tenant AND call_id = :call_id;

-- name: put_summary
INSERT INTO summary (tenant, call_id, caller_id, at, text, resolved, promises, numbers)
VALUES (
    :tenant, :call_id,
    (SELECT caller_id FROM call WHERE tenant = :tenant AND id = :call_id),
    :at, :text, :resolved, :promises, :numbers
)
ON CONFLICT (tenant, call_id) DO UPDATE SET
    caller_id = excluded.caller_id,
    at = excluded.at,
    text = excluded.text,
    resolved = excluded.resolved,
    promises = excluded.promises,
    numbers = excluded.numbers;

-- name: summaries
SELECT * FROM summary WHERE tenant = :tenant AND caller_id = :caller_id
ORDER BY at DESC, rowid DESC LIMIT :limit;
