-- Agents of the context API. Everything learned for an agent hangs on its row and goes with it: deleting the row is one
-- statement that leaves nothing behind.

-- The catalog of each agent.
CREATE TABLE agents (
    id            TEXT   NOT NULL PRIMARY KEY, -- as its owner chose it
    catalog_json  TEXT   NOT NULL, -- the body it was published with, byte for byte
    updated_at_ms BIGINT NOT NULL  -- when that was
);

-- Past conversations that an agent learns from. Bounded in number and bytes; the oldest leave first.
CREATE TABLE agent_conversations (
    agent_id TEXT   NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    id       TEXT   NOT NULL, -- as its owner chose it
    position BIGINT NOT NULL, -- larger ones were added or replaced later
    json     TEXT   NOT NULL, -- the conversation as it came
    at_ms    BIGINT NOT NULL, -- when that was
    PRIMARY KEY (agent_id, id)
);

-- Vectors of an agent's texts by content, so that a restart embeds nothing. They say something about the texts, so they
-- are kept by agent and not shared.
CREATE TABLE agent_vectors (
    agent_id   TEXT  NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    encoder_id TEXT  NOT NULL, -- which model and which encoding of the numbers made it
    digest     BYTEA NOT NULL CHECK (length(digest) = 32), -- SHA-256 of the text
    vector     BYTEA NOT NULL, -- as the encoder wrote it
    PRIMARY KEY (agent_id, encoder_id, digest)
);
