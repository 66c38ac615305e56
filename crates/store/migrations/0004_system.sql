-- Notes and workflows of the gateway's own tools. Each row belongs to one holder at one gateway: `user:NAME` for an end
-- user that the caller named, `key:ID` for a key that named none. Nobody else's rows are ever read.

-- The last number given to a note, so that the number of a deleted note is not given again.
CREATE TABLE note_numbers (
    gateway TEXT   NOT NULL,
    holder  TEXT   NOT NULL,
    last_id BIGINT NOT NULL,
    PRIMARY KEY (gateway, holder)
);

-- Notes of the journal. Bounded in number for each holder; the oldest leave first.
CREATE TABLE notes (
    gateway TEXT   NOT NULL,
    holder  TEXT   NOT NULL,
    id      BIGINT NOT NULL, -- counts from 1 for each holder; larger ones are later
    at_ms   BIGINT NOT NULL,
    text    TEXT   NOT NULL,
    tags    TEXT   NOT NULL, -- each in lower case between line feeds: `\n` for none, `\na\nb\n` for two
    folded  TEXT   NOT NULL, -- the text in lower case, which words are looked for in
    PRIMARY KEY (gateway, holder, id)
);

-- Saved sequences of tool calls. Bounded in number for each holder.
CREATE TABLE workflows (
    gateway       TEXT   NOT NULL,
    holder        TEXT   NOT NULL,
    name          TEXT   NOT NULL,
    description   TEXT   NOT NULL, -- empty for none
    json          TEXT   NOT NULL, -- parameters and steps
    updated_at_ms BIGINT NOT NULL,
    PRIMARY KEY (gateway, holder, name)
);

-- Runs of workflows. Bounded in number for each holder; the oldest leave first.
CREATE TABLE workflow_runs (
    gateway       TEXT   NOT NULL,
    holder        TEXT   NOT NULL,
    id            TEXT   NOT NULL, -- ordered by time
    workflow      TEXT   NOT NULL, -- the name it was started by; the workflow may be gone since
    status        TEXT   NOT NULL, -- running, failed, cancelled, finished
    attempt       BIGINT NOT NULL, -- grows each time somebody takes the run up: only the last one may write
    held_until_ms BIGINT NOT NULL, -- a running one whose time is over was left by a process that died
    started_at_ms BIGINT NOT NULL,
    json          TEXT   NOT NULL, -- what was done and what the next steps need; `{}` once finished
    PRIMARY KEY (gateway, holder, id)
);
