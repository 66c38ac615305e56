-- The first schema. Everything here is SQL that SQLite and Postgres both accept: BIGINT for numbers,
-- TEXT for text and JSON, BYTEA for bytes (SQLite stores bytes unchanged whatever the type is called).
-- Times are milliseconds since 1970, UTC.
--
-- An applied migration is never edited: the database remembers its checksum. Add the next file instead.

-- API keys. The key itself is never stored. A revoked key keeps its row, so that the record of what it
-- did still has a name.
CREATE TABLE api_keys (
    hash          BYTEA  NOT NULL PRIMARY KEY CHECK (length(hash) = 32), -- SHA-256 of the key
    id            TEXT   NOT NULL UNIQUE, -- public identifier, as lists and records show it
    label         TEXT   NOT NULL,        -- what a person calls it
    scopes        TEXT   NOT NULL,        -- JSON array: read, execute, admin
    roles         TEXT   NOT NULL,        -- JSON array of strings
    created_at_ms BIGINT NOT NULL,
    revoked_at_ms BIGINT                  -- NULL while the key is good
);

-- What each upstream server last offered, so that a start needs no server to be up. A cache: losing a
-- row costs one fetch.
CREATE TABLE catalogs (
    server           TEXT   NOT NULL PRIMARY KEY, -- configured name
    settings_digest  TEXT   NOT NULL, -- of the server's settings; a different one makes the row stale
    era              TEXT,            -- protocol revision the server speaks, when known
    transport        TEXT,            -- how it was reached, when there was a choice
    tools_json       TEXT   NOT NULL, -- JSON array of tools, all pages, byte for byte as they came
    server_info_json TEXT,            -- what the server says about itself
    fetched_at_ms    BIGINT NOT NULL
);

-- Vectors of tool texts by content, so that a restart embeds nothing. A cache.
CREATE TABLE vectors (
    encoder_id TEXT  NOT NULL, -- which model and which encoding of the numbers made it
    digest     BYTEA NOT NULL CHECK (length(digest) = 32), -- SHA-256 of the text
    vector     BYTEA NOT NULL, -- as the encoder wrote it
    PRIMARY KEY (encoder_id, digest)
);

-- Every answered selection. Bounded by age and by number of rows.
CREATE TABLE selections (
    query_id   TEXT   NOT NULL PRIMARY KEY, -- what the caller was given to link calls with
    at_ms      BIGINT NOT NULL,
    key_id     TEXT   NOT NULL, -- api_keys.id, or `local`; no reference, because `local` has no row
    user_id    TEXT,            -- the end user, when the caller named one
    gateway    TEXT,            -- NULL when the whole project was used
    source     TEXT   NOT NULL, -- select, search, discover
    tasks      BIGINT NOT NULL, -- how many tasks were described
    tasks_json TEXT,            -- their texts; only when settings ask for it
    tools_json TEXT   NOT NULL, -- what was suggested: names and scores
    latency_us BIGINT NOT NULL
);
CREATE INDEX selections_by_time ON selections (at_ms, query_id);

-- Every call of a tool, refused ones included. Bounded by age and by number of rows.
CREATE TABLE calls (
    id             TEXT   NOT NULL PRIMARY KEY,
    at_ms          BIGINT NOT NULL,
    key_id         TEXT   NOT NULL,
    user_id        TEXT,
    gateway        TEXT,
    tool           TEXT   NOT NULL, -- canonical name, or what the caller wrote when nothing has that name
    source         TEXT   NOT NULL, -- mode and front it came through
    outcome        TEXT   NOT NULL, -- ok, tool_error, denied, invalid, unavailable, timeout, cancelled, rpc_error
    error          TEXT,
    latency_us     BIGINT NOT NULL,
    query_id       TEXT REFERENCES selections (query_id) ON DELETE SET NULL, -- only a selection of the same key
    arguments_json TEXT,            -- only when settings ask for it
    result_json    TEXT             -- only when settings ask for it
);
CREATE INDEX calls_by_time ON calls (at_ms, id);
-- Most calls follow from no selection, and cost this index nothing.
CREATE INDEX calls_by_query ON calls (query_id) WHERE query_id IS NOT NULL;
