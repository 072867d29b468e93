const isOpen = `state IN ('queued', 'running')`;

/** What tasks of a transition table add to the usage of their owners (1), or took from it (-1). */
const toChanges = (table: string, weight: 1 | -1): string => `
  SELECT owner, CASE WHEN ${isOpen} THEN ${weight} ELSE 0 END AS open,
    ${weight} * CASE WHEN ${isOpen} THEN estimated_bytes ELSE result_bytes END AS bytes
  FROM ${table}`;

const addChanges = (changes: string): string => `
  INSERT INTO task_usage (owner, open, bytes)
    SELECT owner, sum(open), sum(bytes) FROM (${changes}) changes
    GROUP BY owner HAVING sum(open) <> 0 OR sum(bytes) <> 0`;

const CAME = toChanges('came', 1);
const WENT = toChanges('went', -1);

/**
 * The migration that adds the usage of owners: open tasks, and the bytes of results with the estimates of open tasks, as
 * sums over any number of rows. It is read for each new task, and counting thousands of finished ones takes milliseconds.
 * Rows are only ever added, so that writers do not wait for each other; who creates a task merges those of its owner.
 * Triggers add them, so that changes by hand are counted too, with the search path of the migration, because that of an
 * administrator differs.
 */
export const taskUsageStep = `
  CREATE TABLE task_usage (
    owner text COLLATE "C" NOT NULL,
    open  integer NOT NULL,
    bytes bigint NOT NULL
  );
  CREATE INDEX task_usage_by_owner ON task_usage (owner);

  CREATE FUNCTION count_task_usage() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
  BEGIN
    IF TG_OP = 'INSERT' THEN ${addChanges(CAME)};
    ELSIF TG_OP = 'DELETE' THEN ${addChanges(WENT)};
    ELSIF TG_OP = 'UPDATE' THEN ${addChanges(`${CAME} UNION ALL ${WENT}`)};
    ELSE
      TRUNCATE task_usage;
    END IF;
    RETURN NULL;
  END $body$;
  CREATE TRIGGER task_came AFTER INSERT ON tasks REFERENCING NEW TABLE AS came
    FOR EACH STATEMENT EXECUTE FUNCTION count_task_usage();
  CREATE TRIGGER task_went AFTER DELETE ON tasks REFERENCING OLD TABLE AS went
    FOR EACH STATEMENT EXECUTE FUNCTION count_task_usage();
  CREATE TRIGGER task_changed AFTER UPDATE ON tasks REFERENCING OLD TABLE AS went NEW TABLE AS came
    FOR EACH STATEMENT EXECUTE FUNCTION count_task_usage();
  CREATE TRIGGER tasks_emptied AFTER TRUNCATE ON tasks FOR EACH STATEMENT EXECUTE FUNCTION count_task_usage();

  -- The triggers have locked the table until this is done.
  ${addChanges(toChanges('tasks', 1))};

  -- The last turn of an owner, which is read for each new task.
  DROP INDEX tasks_of_owner;
  CREATE INDEX tasks_open_of_owner ON tasks (owner, turn) WHERE ${isOpen};`;
