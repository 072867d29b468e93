/** A result of before that is a document: what `JSON.stringify` writes before it, and the bracket after it. */
const BEFORE = '{"kind":"document","document":';
const isDocument = `result GLOB '${BEFORE}*'`;
const document = `substr(result, ${BEFORE.length + 1}, length(result) - ${BEFORE.length + 1})`;

const removeUnused = `DELETE FROM task_areas WHERE owner = OLD.owner AND digest = OLD.area AND NOT EXISTS (
      SELECT 1 FROM tasks WHERE owner = OLD.owner AND area = OLD.area AND state <> 'finished')`;

/**
 * The migration that moves what may be large out of the table of tasks: orders, documents, and areas, which an owner has
 * once however many orders name them. Lists, polls and counts then read rows of some hundred bytes. Orders from before keep
 * their area inside. Orders and documents count: `order_bytes` is that of the order without its area.
 */
export const tasksApartStep = `
  ALTER TABLE tasks ADD COLUMN view_id TEXT;
  ALTER TABLE tasks ADD COLUMN area TEXT;
  ALTER TABLE tasks ADD COLUMN order_bytes INTEGER NOT NULL DEFAULT 0;

  CREATE TABLE task_orders (
    task_id TEXT PRIMARY KEY REFERENCES tasks (id) ON DELETE CASCADE,
    body    TEXT NOT NULL
  ) STRICT;
  CREATE TABLE task_documents (
    task_id  TEXT PRIMARY KEY REFERENCES tasks (id) ON DELETE CASCADE,
    document TEXT NOT NULL
  ) STRICT;
  CREATE TABLE task_areas (
    owner  TEXT NOT NULL,
    digest TEXT NOT NULL,
    bytes  INTEGER NOT NULL,
    json   TEXT NOT NULL,
    PRIMARY KEY (owner, digest)
  ) STRICT;
  -- Holds all that usage is counted from.
  CREATE INDEX task_areas_of_owner ON task_areas (owner, bytes);

  INSERT INTO task_orders SELECT id, body FROM tasks;
  INSERT INTO task_documents SELECT id, ${document} FROM tasks WHERE ${isDocument};
  UPDATE tasks SET order_bytes = octet_length(body),
    view_id = CASE WHEN json_type(body, '$.viewId') = 'text' THEN json_extract(body, '$.viewId') END;
  UPDATE tasks SET result_bytes = octet_length(${document}) WHERE ${isDocument};
  UPDATE tasks SET result = json_object('kind', 'document', 'bytes', result_bytes) WHERE ${isDocument};
  ALTER TABLE tasks DROP COLUMN body;

  DROP INDEX tasks_of_owner;
  CREATE INDEX tasks_of_owner ON tasks (owner, state, turn, estimated_bytes, result_bytes, order_bytes);
  -- Pages of an owner's tasks: the number of the row is part of each index.
  CREATE INDEX tasks_by_owner ON tasks (owner);
  CREATE INDEX tasks_ended_of_owner ON tasks (owner, ended_at) WHERE ended_at IS NOT NULL;
  CREATE INDEX tasks_by_area ON tasks (owner, area) WHERE area IS NOT NULL AND state <> 'finished';

  -- An area goes with the last task that may run again: a failed or cancelled one may.
  CREATE TRIGGER areas_of_removed AFTER DELETE ON tasks WHEN OLD.area IS NOT NULL
  BEGIN
    ${removeUnused};
  END;
  CREATE TRIGGER areas_of_finished AFTER UPDATE OF state ON tasks WHEN OLD.area IS NOT NULL AND NEW.state = 'finished'
  BEGIN
    ${removeUnused};
  END;`;
