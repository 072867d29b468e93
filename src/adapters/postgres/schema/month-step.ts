import { SCENES_CAME, SCENES_WENT, toTallyBranch } from './trigger-steps.ts';

/** Rows of a month from which on they are merged into one. */
const ROWS_OF_A_MONTH = 8;

/** Months that are filled at once while writers wait: some milliseconds for ten million scenes. */
export const MONTHS_AT_ONCE = 6;

/** The class of scenes without a cloud cover, above all others, and the last one of those with. */
export const NO_CLOUDS = 300;
export const LAST_CLOUDS = 201;

/**
 * Classes of cloud covers, in their order: each whole percent from 0 to 100 has an even one, all between two of them
 * share the odd one. So a threshold of whole percents divides the classes exactly.
 */
const CLASS = `(CASE WHEN cloud = 'NaN' THEN ${NO_CLOUDS} WHEN cloud < 0 THEN -1 WHEN cloud > 100 THEN ${LAST_CLOUDS}
  ELSE 2 * floor(cloud) + (cloud > floor(cloud))::integer END)::smallint`;

/** Rows for months from a SELECT of dataset, month, class and a number of scenes, which may be negative. */
const toMonthRows = (changes: string): string => `
  INSERT INTO month_tallies (dataset, month, classes, totals)
    SELECT dataset, month, array_agg(class ORDER BY class), array_agg(total ORDER BY class) FROM (
      SELECT dataset, month, class, (sum(sum(n)) OVER (PARTITION BY dataset, month ORDER BY class))::integer AS total
      FROM (${changes}) changes GROUP BY dataset, month, class HAVING sum(n) <> 0
    ) sums GROUP BY dataset, month`;

const toClasses = (changes: string): string => `
  SELECT dataset, left(date, 7) AS month, ${CLASS} AS class, weight AS n
  FROM (SELECT dataset, date, coalesce(cloud, 'NaN') AS cloud, weight FROM (${changes}) scenes_changed) known`;

/** Merges the rows of months that have many, as `trigger-steps.ts` does with days: no transaction waits for another one. */
const mergeMonthRows = (changes: string): string => `
  WITH crowded AS (
    SELECT dataset, month FROM month_tallies
    WHERE (dataset, month) IN (SELECT dataset, left(date, 7) FROM (${changes}) changes)
    GROUP BY 1, 2 HAVING count(*) > ${ROWS_OF_A_MONTH}
  ), taken AS (
    DELETE FROM month_tallies WHERE ctid = ANY (ARRAY(
      SELECT t.ctid FROM month_tallies t JOIN crowded USING (dataset, month) FOR UPDATE OF t SKIP LOCKED
    )) RETURNING dataset, month, classes, totals
  ) ${toMonthRows(`SELECT dataset, month, classes[i] AS class, totals[i] - coalesce(totals[i - 1], 0) AS n
    FROM taken, generate_subscripts(classes, 1) AS i`)}`;

// Merging is planned each time, as that of days is.
const toMonthBranch = (changes: string): string => `${toMonthRows(toClasses(changes))};
      IF FOUND THEN
        EXECUTE $sql$${mergeMonthRows(changes)}$sql$;
      END IF;`;

const toBranch = (changes: string): string => `${toTallyBranch(changes)}
      ${toMonthBranch(changes)}`;

/**
 * The migration that adds `month_tallies`: for each dataset and month the cumulative number of scenes by class of cloud
 * cover. A search counts whole months in it and reads `tallies`, which has a row for 200 scenes of a day, only for the
 * rest, so that a count takes as long among ten million scenes as among one million. Any number of rows make up a month, and
 * their sums count. Writers are locked out while the function is replaced, because each scene is counted by one of them;
 * months from before are filled afterwards, while nodes work (online-steps.ts).
 */
export const monthTableStep = `
  LOCK TABLE scenes IN SHARE MODE;
  CREATE TABLE month_tallies (
    dataset text COLLATE "C" NOT NULL,
    -- The first seven characters of the date.
    month   text COLLATE "C" NOT NULL,
    -- Ascending.
    classes smallint[] NOT NULL,
    -- Scenes of this class and of all before it.
    totals  integer[] NOT NULL
  );
  CREATE INDEX month_tallies_by_month ON month_tallies (dataset, month);
  ALTER TABLE month_tallies SET (autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_vacuum_scale_factor = 0.01,
    autovacuum_analyze_scale_factor = 0.01);
  CREATE TABLE months_to_fill AS SELECT DISTINCT dataset, left(date, 7) AS month FROM tallies;

  CREATE OR REPLACE FUNCTION tally_scenes() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
  BEGIN
    IF TG_OP = 'INSERT' THEN ${toBranch(SCENES_CAME)}
    ELSIF TG_OP = 'DELETE' THEN ${toBranch(SCENES_WENT)}
    ELSIF TG_OP = 'UPDATE' THEN ${toBranch(`${SCENES_CAME} UNION ALL ${SCENES_WENT}`)}
    ELSE
      TRUNCATE tallies, month_tallies, months_to_fill;
    END IF;
    RETURN NULL;
  END $body$;`;

/**
 * Fills some months from before, from what `tallies` has. Writers must be locked out: a scene that one has stored since is in
 * both tables, and so the rows that writers have made of these months are replaced.
 */
export const FILL_MONTHS = `
  WITH filled AS (
    DELETE FROM months_to_fill WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM months_to_fill ORDER BY dataset, month LIMIT ${MONTHS_AT_ONCE}
    )) RETURNING dataset, month
  ), replaced AS (
    DELETE FROM month_tallies USING filled
    WHERE month_tallies.dataset = filled.dataset AND month_tallies.month = filled.month
  ) ${toMonthRows(`SELECT dataset, month, ${CLASS} AS class, weight AS n FROM (
      SELECT t.dataset, filled.month, unnest(t.clouds) AS cloud, t.weight FROM filled
      JOIN tallies t ON t.dataset = filled.dataset AND t.date >= filled.month AND t.date <= filled.month || chr(1114111)
        AND left(t.date, 7) = filled.month
    ) scenes_before`)}`;
