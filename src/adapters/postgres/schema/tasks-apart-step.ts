const isOpen = `state IN ('queued', 'running')`;

/** A result of before that is a document: what `JSON.stringify` writes before it, and the bracket after it. */
const BEFORE = '{"kind":"document","document":';
const isDocument = `left(result, ${BEFORE.length}) = '${BEFORE}'`;
const document = `substr(result, ${BEFORE.length + 1}, length(result) - ${BEFORE.length + 1})`;

/** What tasks of a transition table add to the usage of their owners (1), or took from it (-1). */
const toChanges = (table: string, weight: 1 | -1): string => `
  SELECT owner, CASE WHEN ${isOpen} THEN ${weight} ELSE 0 END AS open,
    CASE WHEN ${isOpen} THEN 0 ELSE ${weight} END AS ended,
    ${weight} * (order_bytes + CASE WHEN ${isOpen} THEN estimated_bytes ELSE result_bytes END) AS bytes
  FROM ${table}`;

/** The same of areas. */
const toAreaChanges = (table: string, weight: 1 | -1): string =>
  `SELECT owner, 0 AS open, 0 AS ended, ${weight} * bytes AS bytes FROM ${table}`;

const addChanges = (changes: string): string => `
  INSERT INTO task_usage (owner, open, ended, bytes)
    SELECT owner, sum(open), sum(ended), sum(bytes) FROM (${changes}) changes
    GROUP BY owner HAVING sum(open) <> 0 OR sum(ended) <> 0 OR sum(bytes) <> 0`;

/** A trigger function that counts the changes of a table. What empties it takes all that it had added. */
const countFunction = (
  name: string,
  { changes, emptied }: { readonly changes: typeof toChanges; readonly emptied: string },
): string => `
  CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
  BEGIN
    IF TG_OP = 'INSERT' THEN ${addChanges(changes('came', 1))};
    ELSIF TG_OP = 'DELETE' THEN ${addChanges(changes('went', -1))};
    ELSIF TG_OP = 'UPDATE' THEN ${addChanges(`${changes('came', 1)} UNION ALL ${changes('went', -1)}`)};
    ELSE
      TRUNCATE task_usage;
      ${addChanges(emptied)};
    END IF;
    RETURN NULL;
  END $body$;`;

/**
 * The migration that stores what may be large apart: documents in a column of their own, and areas in a table, which an
 * owner has once however many orders name them. Orders from before keep their area inside. Orders, areas and documents
 * count towards the usage of their owner, and so do tasks that are over.
 */
export const tasksApartStep = `
  ALTER TABLE tasks ADD COLUMN view_id text, ADD COLUMN area text COLLATE "C", ADD COLUMN document text,
    ADD COLUMN order_bytes bigint NOT NULL DEFAULT 0;
  CREATE TABLE task_areas (
    owner  text COLLATE "C" NOT NULL,
    digest text COLLATE "C" NOT NULL,
    bytes  bigint NOT NULL,
    json   text NOT NULL,
    PRIMARY KEY (owner, digest)
  );
  UPDATE tasks SET order_bytes = octet_length(body), view_id = substring(body from '"viewId":"([^"]+)"');
  UPDATE tasks SET document = ${document}, result_bytes = octet_length(${document}),
      result = '{"kind":"document","bytes":' || octet_length(${document}) || '}'
    WHERE ${isDocument};

  CREATE INDEX tasks_by_owner ON tasks (owner, number);
  CREATE INDEX tasks_ended_of_owner ON tasks (owner, ended_at) WHERE ended_at IS NOT NULL;
  CREATE INDEX tasks_by_area ON tasks (owner, area) WHERE area IS NOT NULL AND state <> 'finished';

  ALTER TABLE task_usage ADD COLUMN ended integer NOT NULL DEFAULT 0;
  ${countFunction('count_task_usage', { changes: toChanges, emptied: toAreaChanges('task_areas', 1) })}
  ${countFunction('count_task_areas', { changes: toAreaChanges, emptied: toChanges('tasks', 1) })}
  CREATE TRIGGER task_area_came AFTER INSERT ON task_areas REFERENCING NEW TABLE AS came
    FOR EACH STATEMENT EXECUTE FUNCTION count_task_areas();
  CREATE TRIGGER task_area_went AFTER DELETE ON task_areas REFERENCING OLD TABLE AS went
    FOR EACH STATEMENT EXECUTE FUNCTION count_task_areas();
  CREATE TRIGGER task_area_changed AFTER UPDATE ON task_areas REFERENCING OLD TABLE AS went NEW TABLE AS came
    FOR EACH STATEMENT EXECUTE FUNCTION count_task_areas();
  CREATE TRIGGER task_areas_emptied AFTER TRUNCATE ON task_areas
    FOR EACH STATEMENT EXECUTE FUNCTION count_task_areas();

  TRUNCATE task_usage;
  ${addChanges(toChanges('tasks', 1))};`;
