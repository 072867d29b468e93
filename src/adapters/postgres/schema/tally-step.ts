/**
 * Clouds of one row at most: 1.6 kB, which stays in the table. From 2 kB on PostgreSQL would put a row's list aside
 * and fetch it piece by piece.
 */
const CLOUDS_OF_A_ROW = 200;

/** Rows of a day, beside twice as many as it needs, from which on they are put together. */
const ROWS_OF_A_DAY = 8;

/**
 * Tallies of scenes that came (1) or went (-1), from a SELECT of dataset, date, cloud and weight. What comes and goes
 * within it needs none.
 */
const toTallies = (changes: string): string => `
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
 * Puts the rows of crowded days together. Every row is taken by one transaction only, which writes the same tally
 * again, so the sums stay right whatever happens at once; nobody waits for a row that another has taken.
 */
const mergeTallies = (days: string): string => `
  WITH crowded AS (
    SELECT dataset, date FROM tallies WHERE (dataset, date) IN (${days})
    GROUP BY 1, 2 HAVING count(*) > ${ROWS_OF_A_DAY} + 2 * sum(cardinality(clouds)) / ${CLOUDS_OF_A_ROW}
  ), taken AS (
    DELETE FROM tallies WHERE ctid = ANY (ARRAY(
      SELECT t.ctid FROM tallies t JOIN crowded USING (dataset, date) FOR UPDATE OF t SKIP LOCKED
    )) RETURNING dataset, date, weight, clouds
  ) ${toTallies('SELECT dataset, date, cloud, weight FROM taken, unnest(clouds) AS cloud')}`;

const CAME = 'SELECT dataset, date, cloud, 1 AS weight FROM came';
const WENT = 'SELECT dataset, date, cloud, -1 AS weight FROM went';

// Putting together is planned anew each time: a plan made for an empty table would last until it is analysed.
const toBranch = (changes: string): string => `${toTallies(changes)};
      IF FOUND THEN
        EXECUTE $sql$${mergeTallies(`SELECT dataset, date FROM (${changes}) changes`)}$sql$;
      END IF;`;

/**
 * The migration that keeps tallies of scenes: the sorted clouds of each dataset and day, in any number of rows of
 * either sign. A search by date and cloud counts in them, a few thousand rows instead of some hundred thousand. Rows
 * are only ever added, so that writers do not wait for each other; triggers do it, so that whatever is done to scenes
 * by whom is counted, and with the search path of the migration, because an administrator's is another.
 */
export const tallyStep = `
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
    IF TG_OP = 'INSERT' THEN ${toBranch(CAME)}
    ELSIF TG_OP = 'DELETE' THEN ${toBranch(WENT)}
    ELSIF TG_OP = 'UPDATE' THEN ${toBranch(`${CAME} UNION ALL ${WENT}`)}
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
  ${toTallies('SELECT dataset, date, cloud, 1 AS weight FROM scenes')};`;
