-- name: ensure_call
INSERT INTO call (tenant, id, started_at) VALUES (:tenant, :call_id, :at)
ON CONFLICT (tenant, id) DO NOTHING;

-- name: open_call
UPDATE call SET
    started_at = :started_at,
    zone = :zone,
    assurance = CASE WHEN caller_id IS NULL THEN :assurance ELSE assurance END,
    caller_id = coalesce(caller_id, :caller_id),
    is_opened = 1
WHERE tenant = :tenant AND id = :call_id AND is_opened = 0;

-- name: add_call_handle
INSERT INTO call_handle (tenant, call_id, kind, value)
VALUES (:tenant, :call_id, :kind, :value)
ON CONFLICT (tenant, call_id, kind, value) DO NOTHING;

-- name: add_turn
INSERT INTO turn (
    tenant, call_id, position, role, text, at, speaker, started_ms, ended_ms,
    interrupted, partial, ref
) VALUES (
    :tenant, :call_id, :position, :role, :text, :at, :speaker, :started_ms, :ended_ms,
    :interrupted, :partial, :ref
)
ON CONFLICT (tenant, call_id, position, role) DO NOTHING
RETURNING number;

-- name: turn
SELECT * FROM turn
WHERE tenant = :tenant AND call_id = :call_id AND position = :position AND role = :role;

-- name: amend_turn
UPDATE turn SET text = :text WHERE number = :number;

-- name: count_turn
UPDATE call SET
    generation = generation + 1,
    started_at = CASE WHEN is_opened THEN started_at ELSE min(started_at, :at) END
WHERE tenant = :tenant AND id = :call_id
RETURNING generation, ended_at, caller_id;

-- name: count_change
UPDATE call SET generation = generation + 1
WHERE tenant = :tenant AND id = :call_id
RETURNING generation, started_at, ended_at;

-- name: end_call
UPDATE call SET generation = generation + 1, ended_at = :at
WHERE tenant = :tenant AND id = :call_id AND (ended_at IS NULL OR ended_at < :at)
RETURNING generation;

-- name: call
SELECT * FROM call WHERE tenant = :tenant AND id = :call_id;

-- name: call_handles
SELECT kind, value FROM call_handle
WHERE tenant = :tenant AND call_id = :call_id ORDER BY number;

-- name: turns
SELECT * FROM turn WHERE tenant = :tenant AND call_id = :call_id ORDER BY position, role;

-- name: calls
SELECT * FROM call WHERE tenant = :tenant
ORDER BY started_at DESC, number DESC LIMIT :limit;

-- name: calls_of_caller
SELECT * FROM call WHERE tenant = :tenant AND caller_id = :caller_id
ORDER BY started_at DESC, number DESC LIMIT :limit;

-- The planner cannot know that a list of handles is short, and likes an index that covers better
-- than one that narrows: left alone, it reads all calls of the tenant.
-- name: unsettled
SELECT * FROM call
WHERE number IN (
    SELECT number FROM call WHERE tenant = :tenant AND caller_id = :caller_id
    UNION
    SELECT call.number
    FROM json_each(:handles) AS wanted
    CROSS JOIN call_handle INDEXED BY call_handle_by_value
        ON call_handle.tenant = :tenant
        AND call_handle.kind = wanted.value ->> 0
        AND call_handle.value = wanted.value ->> 1
    CROSS JOIN call ON call.tenant = call_handle.tenant AND call.id = call_handle.call_id
)
AND id IS NOT :besides
AND (
    ended_at IS NULL
    OR EXISTS (
        SELECT 1 FROM job
        WHERE job.tenant = call.tenant AND job.call_id = call.id AND job.kind <> 'deepen'
    )
)
ORDER BY started_at, number;

-- name: abandoned
SELECT * FROM call
WHERE ended_at IS NULL
    AND started_at < :quiet_since
    AND coalesce(
        (
            SELECT at FROM turn
            WHERE turn.tenant = call.tenant AND turn.call_id = call.id
            ORDER BY position DESC, role DESC LIMIT 1
        ),
        started_at
    ) < :quiet_since
ORDER BY started_at, number LIMIT :limit;
