-- name: calls_of
SELECT id AS call_id FROM call WHERE tenant = :tenant AND caller_id = :caller_id
UNION
SELECT call_id FROM fact WHERE tenant = :tenant AND caller_id = :caller_id
UNION
SELECT call_id FROM summary WHERE tenant = :tenant AND caller_id = :caller_id
UNION
SELECT call_id FROM decision WHERE tenant = :tenant AND caller_id = :caller_id
ORDER BY call_id;

-- name: is_of
SELECT 1 FROM call WHERE tenant = :tenant AND id = :call_id AND caller_id = :from_id;

-- name: is_claimed
SELECT 1 FROM call
WHERE tenant = :tenant AND id = :call_id AND caller_id = :from_id AND assurance = 'claimed';

-- name: states
SELECT id, status, valid_to FROM fact
WHERE tenant = :tenant AND caller_id IN (:from_id, :into_id)
    AND status IN ('active', 'provisional', 'retired')
ORDER BY number;

-- name: state
SELECT id, status, valid_to FROM fact WHERE tenant = :tenant AND id = :id;

-- name: move_call
UPDATE call SET caller_id = :into_id
WHERE tenant = :tenant AND id = :call_id AND caller_id = :from_id;

-- name: claim_call
UPDATE call SET assurance = 'claimed' WHERE tenant = :tenant AND id = :call_id;

-- name: move_facts
UPDATE fact SET caller_id = :into_id
WHERE tenant = :tenant AND call_id = :call_id AND caller_id = :from_id;

-- name: move_summary
UPDATE summary SET caller_id = :into_id
WHERE tenant = :tenant AND call_id = :call_id AND caller_id = :from_id;

-- name: move_decisions
UPDATE decision SET caller_id = :into_id
WHERE tenant = :tenant AND call_id = :call_id AND caller_id = :from_id;

-- name: drop_handle
DELETE FROM caller_handle
WHERE tenant = :tenant AND caller_id = :caller_id AND kind = :kind AND value = :value;

-- name: drop_empty
DELETE FROM caller
WHERE tenant = :tenant AND id = :caller_id
    AND NOT EXISTS (SELECT 1 FROM call WHERE tenant = :tenant AND caller_id = :caller_id)
    AND NOT EXISTS (SELECT 1 FROM fact WHERE tenant = :tenant AND caller_id = :caller_id)
    AND NOT EXISTS (SELECT 1 FROM summary WHERE tenant = :tenant AND caller_id = :caller_id)
    AND NOT EXISTS (SELECT 1 FROM caller_handle WHERE tenant = :tenant AND caller_id = :caller_id);

-- name: add
INSERT INTO move (
    tenant, id, kind, from_id, into_id, at, by, call_ids, handles, added, before
) VALUES (
    :tenant, :id, :kind, :from_id, :into_id, :at, :by, :call_ids, :handles, :added, :before
);

-- name: count
SELECT count(*) AS moves FROM move WHERE tenant = :tenant;

-- name: move
SELECT * FROM move WHERE tenant = :tenant AND id = :id;

-- name: moved_on
SELECT later.id FROM move AS later JOIN move AS earlier
    ON earlier.tenant = later.tenant AND earlier.into_id = later.from_id
    AND earlier.number < later.number
WHERE earlier.tenant = :tenant AND earlier.id = :id AND later.undone_at IS NULL
    AND (later.kind = 'merge' OR EXISTS (
        SELECT 1 FROM json_each(later.call_ids) AS gone
        JOIN json_each(earlier.call_ids) AS moved ON moved.value = gone.value
    ))
ORDER BY later.number DESC LIMIT 1;

-- name: undone
UPDATE move SET undone_at = :at, undone_by = :by WHERE tenant = :tenant AND id = :id;

-- name: history
SELECT * FROM move
WHERE tenant = :tenant AND (:profile_id IS NULL OR :profile_id IN (from_id, into_id))
ORDER BY number DESC;

-- name: merged_into
SELECT into_id FROM move
WHERE tenant = :tenant AND from_id = :caller_id AND kind = 'merge' AND undone_at IS NULL
    AND NOT EXISTS (
        SELECT 1 FROM move AS back
        WHERE back.tenant = :tenant AND back.into_id = :caller_id AND back.kind = 'split'
            AND back.undone_at IS NULL AND back.number > move.number
    )
ORDER BY number DESC LIMIT 1;

-- name: merged
SELECT call_ids FROM move
WHERE tenant = :tenant AND into_id = :caller_id AND kind = 'merge' AND undone_at IS NULL
ORDER BY number;

-- name: words_of_moves
WITH RECURSIVE gone (id) AS (
    SELECT :caller_id
    UNION
    SELECT move.from_id FROM move JOIN gone ON move.into_id = gone.id
    WHERE move.tenant = :tenant AND move.kind = 'merge' AND move.undone_at IS NULL
)
SELECT number, handles || ' ' || added AS words FROM move
WHERE tenant = :tenant AND (from_id IN (SELECT id FROM gone) OR into_id IN (SELECT id FROM gone));

-- name: forget_move
DELETE FROM move WHERE number = :number;
