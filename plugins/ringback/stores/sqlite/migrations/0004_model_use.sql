-- What language models have cost a call, and how far they have read it.
CREATE TABLE model_use (
    tenant TEXT NOT NULL,
    call_id TEXT NOT NULL,
    calls INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    read_to INTEGER NOT NULL,
    PRIMARY KEY (tenant, call_id),
    FOREIGN KEY (tenant, call_id) REFERENCES call (tenant, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
