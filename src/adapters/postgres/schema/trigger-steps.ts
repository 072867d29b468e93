/**
 * Max clouds of one row: 1.6 kB, which stays in the table. From 2 kB on PostgreSQL would move a row's list out of line
 * and fetch it piece by piece.
 */
const CLOUDS_OF_A_ROW = 200;

/** Rows of a day, in addition to twice as many as it needs, from which on they are merged. */
const ROWS_OF_A_DAY = 8;

/**
 * Rows of scenes that were added (1) or removed (-1), from a SELECT of dataset, date, cloud and weight. What is added and
 * removed within it needs no row.
 */
const toCountRows = (changes: string): string => `
  INSERT INTO tallies (dataset, date, weight, clouds)
    SELECT dataset, date, weight, array_agg(cloud ORDER BY cloud) FROM (
      SELECT dataset, date, cloud, sign(net) AS weight,
        row_number() OVER (PARTITION BY dataset, date, sign(net) ORDER BY cloud) - 1 AS place
      FROM (
        SELECT dataset, date, coalesce(cloud, 'NaN') AS cloud, sum(weight)::integer AS net
        FROM (${changes}) changes GROUP BY 1, 2, 3
      ) nets, generate_series(1, abs(net))
    ) placed GROUP BY dataset, date, weight, place / ${CLOUDS_OF_A_ROW}`;

/**
 * Merges the rows of crowded days. Each row is taken by one transaction only, which writes the same counts again, so the
 * sums stay right under concurrency; no transaction waits for a row that another has taken.
 */
const mergeCountRows = (days: string): string => `
  WITH crowded AS (
    SELECT dataset, date FROM tallies WHERE (dataset, date) IN (${days})
    GROUP BY 1, 2 HAVING count(*) > ${ROWS_OF_A_DAY} + 2 * sum(cardinality(clouds)) / ${CLOUDS_OF_A_ROW}
  ), taken AS (
    DELETE FROM tallies WHERE ctid = ANY (ARRAY(
      SELECT t.ctid FROM tallies t JOIN crowded USING (dataset, date) FOR UPDATE OF t SKIP LOCKED
    )) RETURNING dataset, date, weight, clouds
  ) ${toCountRows('SELECT dataset, date, cloud, weight FROM taken, unnest(clouds) AS cloud')}`;

/** What a trigger of scenes has to count, as rows of dataset, date, cloud and weight. */
export const SCENES_CAME = 'SELECT dataset, date, cloud, 1 AS weight FROM came';
export const SCENES_WENT = 'SELECT dataset, date, cloud, -1 AS weight FROM went';

// Merging is planned each time: a plan made for an empty table would last until it is analysed.
/** The statements of a trigger that count changes of scenes by day. */
export const toTallyBranch = (changes: string): string => `${toCountRows(changes)};
      IF FOUND THEN
        EXECUTE $sql$${mergeCountRows(`SELECT dataset, date FROM (${changes}) changes`)}$sql$;
      END IF;`;

/**
 * The migration that adds the count table `tallies`: the sorted clouds of each dataset and day, in any number of rows of
 * either sign. A search by date and cloud reads a few thousand rows of it instead of some hundred thousand scenes. Rows
 * are only ever added, so that writers do not wait for each other. Triggers add them, so that changes by hand are counted
 * too, with the search path of the migration, because that of an administrator differs.
 */
export const countTableStep = `
  CREATE TABLE tallies (
    dataset text COLLATE "C" NOT NULL,
    date    text COLLATE "C" NOT NULL,
    weight  smallint NOT NULL,
    -- Ascending; NaN, which is above all numbers, for scenes without.
    clouds  float8[] NOT NULL
  );
  CREATE INDEX tallies_by_date ON tallies (dataset, date);
  ALTER TABLE tallies SET (autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_vacuum_scale_factor = 0.01,
    autovacuum_analyze_scale_factor = 0.01);

  CREATE FUNCTION tally_scenes() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
  BEGIN
    IF TG_OP = 'INSERT' THEN ${toTallyBranch(SCENES_CAME)}
    ELSIF TG_OP = 'DELETE' THEN ${toTallyBranch(SCENES_WENT)}
    ELSIF TG_OP = 'UPDATE' THEN ${toTallyBranch(`${SCENES_CAME} UNION ALL ${SCENES_WENT}`)}
    ELSE
      TRUNCATE tallies;
    END IF;
    RETURN NULL;
  END $body$;
  CREATE TRIGGER tally_came AFTER INSERT ON scenes REFERENCING NEW TABLE AS came
    FOR EACH STATEMENT EXECUTE FUNCTION tally_scenes();
  CREATE TRIGGER tally_went AFTER DELETE ON scenes REFERENCING OLD TABLE AS went
    FOR EACH STATEMENT EXECUTE FUNCTION tally_scenes();
  CREATE TRIGGER tally_changed AFTER UPDATE ON scenes REFERENCING OLD TABLE AS went NEW TABLE AS came
    FOR EACH STATEMENT EXECUTE FUNCTION tally_scenes();
  CREATE TRIGGER tally_emptied AFTER TRUNCATE ON scenes FOR EACH STATEMENT EXECUTE FUNCTION tally_scenes();

  -- The triggers have locked the table until this is done.
  ${toCountRows('SELECT dataset, date, cloud, 1 AS weight FROM scenes')};`;

const isOpen = `state IN ('queued', 'running')`;

/** What tasks of a transition table add to the usage of their owners (1), or took from it (-1). */
const toUsage = (table: string, weight: 1 | -1): string => `
  SELECT owner, CASE WHEN ${isOpen} THEN ${weight} ELSE 0 END AS open,
    ${weight} * CASE WHEN ${isOpen} THEN estimated_bytes ELSE result_bytes END AS bytes
  FROM ${table}`;

const addUsage = (changes: string): string => `
  INSERT INTO task_usage (owner, open, bytes)
    SELECT owner, sum(open), sum(bytes) FROM (${changes}) changes
    GROUP BY owner HAVING sum(open) <> 0 OR sum(bytes) <> 0`;

const TASKS_CAME = toUsage('came', 1);
const TASKS_WENT = toUsage('went', -1);

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
    IF TG_OP = 'INSERT' THEN ${addUsage(TASKS_CAME)};
    ELSIF TG_OP = 'DELETE' THEN ${addUsage(TASKS_WENT)};
    ELSIF TG_OP = 'UPDATE' THEN ${addUsage(`${TASKS_CAME} UNION ALL ${TASKS_WENT}`)};
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
  ${addUsage(toUsage('tasks', 1))};

  -- The last turn of an owner, which is read for each new task.
  DROP INDEX tasks_of_owner;
  CREATE INDEX tasks_open_of_owner ON tasks (owner, turn) WHERE ${isOpen};`;

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
