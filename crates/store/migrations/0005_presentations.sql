-- Presentation settings that were changed while the gateway ran, one row for each gateway or agent that has any. They
-- stand over what the settings file says. What is NULL was not changed: there the file's value holds, or the default.
CREATE TABLE presentations (
    kind          TEXT   NOT NULL CHECK (kind IN ('gateway', 'agent')),
    id            TEXT   NOT NULL, -- name of the gateway, or id of the agent
    agent_id      TEXT   REFERENCES agents (id) ON DELETE CASCADE, -- the same id for an agent, whose settings go with it
    mode          TEXT,            -- direct, discovery, unified, adaptive, recommend, progressive
    autonomy      TEXT,            -- full, confirm, read_only
    system_tools  TEXT,            -- JSON array of skills, journal, form, workflow
    changed_at_ms BIGINT NOT NULL, -- when any of it was changed last
    PRIMARY KEY (kind, id),
    CHECK ((kind = 'agent') = (agent_id IS NOT NULL))
);
