-- name: open_job
INSERT INTO job (tenant, call_id, kind, generation, due_at)
VALUES (:tenant, :call_id, :kind, :generation, :due_at)
ON CONFLICT (tenant, call_id, kind) DO UPDATE SET
    generation = excluded.generation,
    due_at = CASE WHEN leased_until IS NULL THEN due_at ELSE excluded.due_at END;

-- name: open_anew
INSERT INTO job (tenant, call_id, kind, generation, due_at)
VALUES (:tenant, :call_id, :kind, :generation, :due_at)
ON CONFLICT (tenant, call_id, kind) DO UPDATE SET
    generation = excluded.generation,
    leased_generation = NULL,
    leased_until = NULL,
    due_at = excluded.due_at,
    attempts = 0,
    reason = '';

-- name: lease
UPDATE job SET
    attempts = attempts + (leased_until IS NOT NULL),
    reason = CASE WHEN leased_until IS NULL THEN reason ELSE :expired END,
    leased_until = :until,
    leased_generation = generation
WHERE number = (
    SELECT number FROM job AS due
    WHERE due_at <= :now
        AND (leased_until IS NULL OR leased_until <= :now)
        AND kind IN (SELECT value FROM json_each(:kinds))
        AND NOT (kind = 'summarise' AND EXISTS (
            SELECT 1 FROM job
            WHERE job.tenant = due.tenant AND job.call_id = due.call_id AND job.kind = 'extract'
        ))
    ORDER BY kind = 'deepen', due_at, number LIMIT 1
)
RETURNING *;

-- name: job
SELECT * FROM job WHERE tenant = :tenant AND call_id = :call_id AND kind = :kind;

-- name: finish
DELETE FROM job WHERE number = :number;

-- name: reopen
UPDATE job SET leased_until = NULL, leased_generation = NULL, attempts = 0, reason = ''
WHERE number = :number;

-- name: retry
UPDATE job SET
    leased_until = NULL,
    leased_generation = NULL,
    attempts = attempts + 1,
    due_at = :due_at,
    reason = :reason
WHERE number = :number;

-- name: bury
INSERT INTO dead_letter (id, tenant, call_id, kind, due_at, attempts, reason)
VALUES (:id, :tenant, :call_id, :kind, :due_at, :attempts, :reason);

-- name: dead
SELECT * FROM dead_letter ORDER BY number;

-- name: open_count
SELECT count(*) FROM job WHERE kind IN (SELECT value FROM json_each(:kinds));

-- name: drop_job
DELETE FROM job WHERE tenant = :tenant AND call_id = :call_id AND kind = :kind;

-- name: note_use
INSERT INTO model_use (tenant, call_id, calls, prompt_tokens, completion_tokens, read_to)
SELECT tenant, id, :calls, :prompt_tokens, :completion_tokens, :read_to
FROM call WHERE tenant = :tenant AND id = :call_id
ON CONFLICT (tenant, call_id) DO UPDATE SET
    calls = calls + excluded.calls,
    prompt_tokens = prompt_tokens + excluded.prompt_tokens,
    completion_tokens = completion_tokens + excluded.completion_tokens,
    read_to = max(read_to, excluded.read_to);

-- name: model_use
SELECT * FROM model_use WHERE tenant = :tenant AND call_id = :call_id;
