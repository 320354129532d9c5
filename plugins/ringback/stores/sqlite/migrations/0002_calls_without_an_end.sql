-- Calls that go on or were cut off: few, whatever the number of calls.
CREATE INDEX call_without_end ON call (started_at) WHERE ended_at IS NULL;
