-- Why admission let a call through or stopped it: full_autonomy, read_only_tool, harmless_tool, confirmed, declined,
-- nobody_to_ask, no_answer, too_large, read_only_gateway, not_found, ambiguous, scope. NULL for calls of older versions.
ALTER TABLE calls ADD COLUMN decision TEXT;
