-- name: add_decision
INSERT INTO decision (
    tenant, id, call_id, caller_id, position, key, action, reason, at, fact_id, superseded_id,
    checks
) VALUES (
    :tenant, :id, :call_id, :caller_id, :position, :key, :action, :reason, :at, :fact_id,
    :superseded_id, :checks
)
ON CONFLICT (tenant, id) DO NOTHING;

-- name: decisions
SELECT * FROM decision WHERE tenant = :tenant AND caller_id = :caller_id
ORDER BY at DESC, number DESC LIMIT :limit;

-- name: revision_of_caller
SELECT revision FROM caller WHERE tenant = :tenant AND id = :caller_id;

-- name: revision_of_call
SELECT count(*) + coalesce(max(number), 0) AS revision
FROM decision WHERE tenant = :tenant AND call_id = :call_id;

-- name: tombstone
SELECT 1 FROM tombstone WHERE tenant = :tenant AND id = :id;

-- name: caller_of_call
SELECT caller_id FROM call WHERE tenant = :tenant AND id = :call_id;
