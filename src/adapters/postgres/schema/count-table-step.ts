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

const CAME = 'SELECT dataset, date, cloud, 1 AS weight FROM came';
const WENT = 'SELECT dataset, date, cloud, -1 AS weight FROM went';

// Merging is planned each time: a plan made for an empty table would last until it is analysed.
const toBranch = (changes: string): string => `${toCountRows(changes)};
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
  ${toCountRows('SELECT dataset, date, cloud, 1 AS weight FROM scenes')};`;
