import { makePause } from '../../../async/index.ts';
import type { CoverageStore, StoredCell, StoredMask, WantedCells } from '../../../coverage/index.ts';
import type { ContrastStore, IntensityAnswer, IntensityStore } from '../../../render/index.ts';
import type { Measured, SceneStatisticsStore } from '../../../zonal/index.ts';
import { sql } from '../../sql/sql.ts';
import type { SqlClient } from '../connection/sql-client.ts';

/** Computed contrast ranges in PostgreSQL. Only the newest are stored, so that a stream of new expressions does not fill the disk. */
export function makePostgresContrastStore(client: SqlClient, maxStored = 1_000_000): ContrastStore {
  return {
    async find(key) {
      const [row] = await client.query<{ min: number; max: number }>(
        sql`SELECT low AS min, high AS max FROM contrasts WHERE key = ${key}`,
      );
      return row ?? null;
    },
    async put(key, { min, max }) {
      await client.query(
        sql`INSERT INTO contrasts (key, low, high) VALUES (${key}, ${min}, ${max})
          ON CONFLICT (key) DO UPDATE SET low = excluded.low, high = excluded.high`,
      );
      await client.query(
        sql`DELETE FROM contrasts WHERE number <= (SELECT max(number) FROM contrasts) - ${maxStored}::bigint`,
      );
    },
  };
}

/** Intensity ranges in PostgreSQL. Only the newest are stored, so that a stream of new rectangles does not fill the disk. */
export function makePostgresIntensityStore(client: SqlClient, maxStored = 100_000): IntensityStore {
  return {
    async find(key) {
      const [row] = await client.query<{ answer: string }>(
        sql`SELECT answer FROM intensities WHERE key = ${key}`,
      );
      return row === undefined ? null : (JSON.parse(row.answer) as IntensityAnswer);
    },
    async put(key, answer) {
      await client.query(
        sql`INSERT INTO intensities (key, answer) VALUES (${key}, ${JSON.stringify(answer)})
          ON CONFLICT (key) DO UPDATE SET answer = excluded.answer`,
      );
      await client.query(
        sql`DELETE FROM intensities WHERE number <= (SELECT max(number) FROM intensities) - ${maxStored}::bigint`,
      );
    },
  };
}

/** The oldest rows are removed after this many new ones, and not with each, which would be another round trip. */
const TRIM_AFTER = 1_000;

/** Measurements in PostgreSQL. Only the newest are stored: about 400 bytes each. */
export function makePostgresSceneStatisticsStore(
  client: SqlClient,
  maxStored = 1_000_000,
): SceneStatisticsStore {
  let untrimmed = 0;
  return {
    async findMany(keys) {
      const rows = await client.query<{ key: string; measured: string }>(
        sql`SELECT key, measured FROM scene_statistics WHERE key IN (SELECT jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb))`,
      );
      const found = new Map<string, Measured>();
      const pause = makePause();
      for (const { key, measured } of rows) {
        await pause();
        found.set(key, JSON.parse(measured) as Measured);
      }
      return found;
    },
    async putMany(entries) {
      // Sorted, so that two processes that store the same keys do not deadlock.
      const sorted = [...new Map(entries)].toSorted(([a], [b]) => (a < b ? -1 : 1));
      const rows = sorted.map(([key, measured]) => ({ key, measured: JSON.stringify(measured) }));
      await client.query(
        sql`INSERT INTO scene_statistics (key, measured)
          SELECT key, measured FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row (key text, measured text)
          ON CONFLICT (key) DO UPDATE SET measured = excluded.measured`,
      );
      untrimmed += rows.length;
      if (untrimmed < TRIM_AFTER) return;
      untrimmed = 0;
      await client.query(
        sql`DELETE FROM scene_statistics WHERE number <= (SELECT max(number) FROM scene_statistics) - ${maxStored}::bigint`,
      );
    },
  };
}

export const toFindMasks = (keys: readonly string[]) =>
  sql`SELECT key, mask FROM coverage_masks
    WHERE key = ANY (ARRAY(SELECT jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb)))`;

/**
 * Arrays are looked up in the index; with a subquery as a list, cells would be joined with the whole table.
 */
export const toFindCells = (wanted: readonly WantedCells[]) =>
  sql`SELECT c.key, c.cell, c.pixels
    FROM jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) AS w (key text, cells integer[])
    CROSS JOIN LATERAL (
      SELECT key, cell, pixels FROM coverage_cells WHERE key = w.key AND cell = ANY (w.cells) OFFSET 0
    ) c`;

/** Sorted, and each once: so that two processes that store the same keys do not deadlock. */
const toRows = <Row>(rows: readonly Row[], keyOf: (row: Row) => string): readonly Row[] =>
  [...new Map(rows.map((row) => [keyOf(row), row]))]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, row]) => row);

/**
 * Cells of cloud masks in PostgreSQL. Only the newest are stored: most have a few hundred bytes, none more than four
 * kilobytes.
 */
export function makePostgresCoverageStore(client: SqlClient, maxStored = 250_000): CoverageStore {
  let untrimmed = 0;
  return {
    async findMasks(keys) {
      const rows = await client.query<StoredMask>(toFindMasks(keys));
      return new Map(rows.map(({ key, mask }) => [key, mask]));
    },
    findCells: (wanted) => client.query<StoredCell>(toFindCells(wanted)),
    async put(masks, cells) {
      const maskRows = toRows(masks, ({ key }) => key);
      const cellRows = toRows(cells, ({ key, cell }) => `${key} ${cell}`).map(({ key, cell, pixels }) => ({
        key,
        cell,
        pixels: Buffer.from(pixels.buffer, pixels.byteOffset, pixels.length).toString('base64'),
      }));
      await client.inTransaction(async ({ query }) => {
        await query(
          sql`INSERT INTO coverage_masks (key, mask)
            SELECT key, mask FROM jsonb_to_recordset(${JSON.stringify(maskRows)}::jsonb) AS row (key text, mask text)
            ON CONFLICT (key) DO UPDATE SET mask = excluded.mask`,
        );
        await query(
          sql`INSERT INTO coverage_cells (key, cell, pixels)
            SELECT key, cell, decode(pixels, 'base64')
              FROM jsonb_to_recordset(${JSON.stringify(cellRows)}::jsonb) AS row (key text, cell integer, pixels text)
            ON CONFLICT (key, cell) DO UPDATE SET pixels = excluded.pixels`,
        );
      });
      untrimmed += masks.length + cells.length;
      if (untrimmed < Math.min(TRIM_AFTER, maxStored)) return;
      untrimmed = 0;
      await client.query(
        sql`DELETE FROM coverage_masks WHERE number <= (SELECT max(number) FROM coverage_masks) - ${maxStored}::bigint`,
      );
      await client.query(
        sql`DELETE FROM coverage_cells WHERE number <= (SELECT max(number) FROM coverage_cells) - ${maxStored}::bigint`,
      );
    },
  };
}
