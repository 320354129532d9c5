-- name: decisions_of_fact
DELETE FROM decision WHERE tenant = :tenant AND fact_id = :id;

-- name: unname_superseded
UPDATE decision SET superseded_id = NULL WHERE tenant = :tenant AND superseded_id = :id;

-- name: unname_supersedes
UPDATE fact SET supersedes = NULL WHERE tenant = :tenant AND supersedes = :id;

-- name: fact
DELETE FROM fact WHERE tenant = :tenant AND id = :id;

-- name: facts_of_call
SELECT * FROM fact WHERE tenant = :tenant AND call_id = :call_id
UNION
SELECT * FROM fact WHERE tenant = :tenant AND evidence_call_id = :call_id;

-- name: turns_of_call
SELECT number, text FROM turn WHERE tenant = :tenant AND call_id = :call_id;

-- name: other_words
SELECT text || ' ' || promises || ' ' || numbers AS words FROM summary
WHERE tenant = :tenant AND call_id = :call_id
UNION ALL
SELECT value FROM call_handle WHERE tenant = :tenant AND call_id = :call_id;

-- name: summary_words
SELECT text || ' ' || promises || ' ' || numbers AS words FROM summary
WHERE tenant = :tenant AND call_id = :call_id;

-- name: words_of_caller
SELECT value AS words FROM caller_handle INDEXED BY caller_handle_by_caller
WHERE tenant = :tenant AND caller_id = :caller_id
UNION ALL
SELECT text || ' ' || promises || ' ' || numbers FROM summary
WHERE tenant = :tenant AND caller_id = :caller_id;

-- name: turn
DELETE FROM turn WHERE tenant = :tenant AND call_id = :call_id;

-- name: call_handle
DELETE FROM call_handle WHERE tenant = :tenant AND call_id = :call_id;

-- name: summary
DELETE FROM summary WHERE tenant = :tenant AND call_id = :call_id;

-- name: decision
DELETE FROM decision WHERE tenant = :tenant AND call_id = :call_id;

-- name: dead_letter
DELETE FROM dead_letter WHERE tenant = :tenant AND call_id = :call_id;

-- name: model_use
DELETE FROM model_use WHERE tenant = :tenant AND call_id = :call_id;

-- name: job
DELETE FROM job WHERE tenant = :tenant AND call_id = :call_id;

-- name: call
DELETE FROM call WHERE tenant = :tenant AND id = :call_id;

-- name: facts_of_caller
SELECT * FROM fact WHERE tenant = :tenant AND caller_id = :caller_id;

-- name: decisions_of_caller
DELETE FROM decision WHERE tenant = :tenant AND caller_id = :caller_id;

-- name: summaries_of_caller
DELETE FROM summary WHERE tenant = :tenant AND caller_id = :caller_id;

-- name: handles_of_caller
DELETE FROM caller_handle WHERE tenant = :tenant AND caller_id = :caller_id;

-- name: caller
DELETE FROM caller WHERE tenant = :tenant AND id = :caller_id;

-- Left alone, the planner reads the tenant's calls in order of their ids, to merge the two.
-- name: calls_of_caller
SELECT id FROM call INDEXED BY call_by_caller WHERE tenant = :tenant AND caller_id = :caller_id
UNION
SELECT call.id
FROM caller_handle INDEXED BY caller_handle_by_caller
CROSS JOIN call_handle INDEXED BY call_handle_by_value USING (tenant, kind, value)
CROSS JOIN call ON call.tenant = call_handle.tenant AND call.id = call_handle.call_id
WHERE caller_handle.tenant = :tenant AND caller_handle.caller_id = :caller_id
    AND call.caller_id IS NULL
    AND NOT EXISTS (
        SELECT 1 FROM call_handle AS other
        CROSS JOIN caller_handle AS owned USING (tenant, kind, value)
        WHERE other.tenant = call.tenant AND other.call_id = call.id
            AND owned.caller_id IS NOT :caller_id
    )
ORDER BY id;

-- name: add_tombstone
INSERT INTO tombstone (tenant, id) VALUES (:tenant, :id) ON CONFLICT (tenant, id) DO NOTHING;

-- name: add_erasure
INSERT INTO erasure (tenant, what, target_id, caller_id, at, removed, call_ids, scrub_ms)
VALUES (:tenant, :what, :target_id, :caller_id, :at, :removed, :call_ids, :scrub_ms)
RETURNING number;

-- name: erasures
SELECT * FROM erasure WHERE number > :after ORDER BY number LIMIT :limit;

-- name: scrubbed
UPDATE erasure SET scrub_ms = :scrub_ms WHERE scrub_ms = -1 AND number <= :number;

-- name: unscrubbed
SELECT max(number) AS number FROM erasure WHERE scrub_ms = -1;

-- name: reword
UPDATE fact SET evidence_words = :words WHERE number = :number;

-- name: restore
UPDATE fact SET
    status = :status,
    valid_from = :valid_from,
    valid_to = :valid_to,
    expires_at = :expires_at
WHERE tenant = :tenant AND id = :id;

-- name: expire
UPDATE fact SET status = 'expired'
WHERE expires_at <= :now AND status IN ('active', 'provisional');

-- name: settled_calls
SELECT tenant, id FROM call
WHERE started_at < :words_before AND ended_at IS NOT NULL
    AND EXISTS (SELECT 1 FROM turn WHERE turn.tenant = call.tenant AND turn.call_id = call.id)
    AND NOT EXISTS (SELECT 1 FROM job WHERE job.tenant = call.tenant AND job.call_id = call.id)
LIMIT :limit;

-- name: is_settled
SELECT 1 FROM call
WHERE tenant = :tenant AND id = :call_id AND ended_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM job WHERE job.tenant = call.tenant AND job.call_id = call.id);
