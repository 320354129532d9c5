-- name: ensure_caller
INSERT INTO caller (tenant, id) VALUES (:tenant, :caller_id)
ON CONFLICT (tenant, id) DO NOTHING;

-- name: add_caller_handle
INSERT INTO caller_handle (tenant, caller_id, kind, value)
VALUES (:tenant, :caller_id, :kind, :value)
ON CONFLICT (tenant, kind, value, caller_id) DO NOTHING;

-- name: caller
SELECT * FROM caller WHERE tenant = :tenant AND id = :caller_id;

-- name: caller_handles
SELECT kind, value FROM caller_handle
WHERE tenant = :tenant AND caller_id = :caller_id ORDER BY number;

-- The planner cannot know that a list of handles is short: a cross join keeps the order.
-- name: callers_by_handle
SELECT DISTINCT caller_handle.caller_id
FROM json_each(:handles) AS wanted
JOIN caller_handle
    ON caller_handle.tenant = :tenant
    AND caller_handle.kind = wanted.value ->> 0
    AND caller_handle.value = wanted.value ->> 1
ORDER BY caller_handle.number;

-- name: callers
SELECT id FROM caller WHERE tenant = :tenant
ORDER BY (
    SELECT max(started_at) FROM call
    WHERE call.tenant = caller.tenant AND call.caller_id = caller.id
) DESC NULLS LAST, number DESC
LIMIT :limit;

-- name: is_attached
SELECT 1 FROM call
WHERE tenant = :tenant AND id = :call_id AND caller_id = :caller_id AND assurance = :assurance;

-- name: is_somebodys
SELECT 1 FROM call WHERE tenant = :tenant AND id = :call_id AND caller_id IS NOT NULL;

-- name: attach_call
UPDATE call SET caller_id = :caller_id, assurance = :assurance
WHERE tenant = :tenant AND id = :call_id;

-- name: attach_facts
UPDATE fact SET caller_id = :caller_id WHERE tenant = :tenant AND call_id = :call_id;

-- name: attach_summary
UPDATE summary SET caller_id = :caller_id WHERE tenant = :tenant AND call_id = :call_id;

-- name: attach_decisions
UPDATE decision SET caller_id = :caller_id WHERE tenant = :tenant AND call_id = :call_id;
