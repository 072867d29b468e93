import { randomUUID } from 'node:crypto';
import type { LonLatBounds } from '../../../geo/index.ts';
import type { DemLayer, DemStore } from '../../../terrain/index.ts';
import type { DemFileRow, DemSummary, ListedRow } from '../../sql/dems.ts';
import {
  DEM_SUMMARY,
  LISTED_DEMS,
  makeDemList,
  parseDem,
  parseDemFile,
  STRIP_DEG,
  toDemBox,
  toDemFileRow,
  toStripLats,
  unknownDem,
} from '../../sql/dems.ts';
import { toSpans } from '../../sql/lon-spans.ts';
import { raw, sql } from '../../sql/sql.ts';
import type { SqlClient, Statement } from '../connection/sql-client.ts';
import { hasNul } from '../connection/sql-client.ts';
import { lockDemFiles } from './write-locks.ts';

/** Files that `listFiles` reads in one batch. */
const LIST_BATCH = 500;

/** Elevation models in PostgreSQL. */
export function makePostgresDemStore(client: SqlClient): DemStore {
  const toDemList = makeDemList(async (name) => {
    const [summary] = await client.query<DemSummary>({ sql: DEM_SUMMARY, values: [name] });
    return summary as DemSummary;
  });

  return {
    async putDem(dem) {
      await client.query(
        sql`INSERT INTO dems (name, record) VALUES (${dem.name}, ${JSON.stringify(dem)})
          ON CONFLICT (name) DO UPDATE SET record = excluded.record`,
      );
    },
    async putFiles(files) {
      if (files.length === 0) return;
      const rows = files.map(toDemFileRow);
      await client.inTransaction((held) => putDemFiles(held, rows));
    },
    async list() {
      return toDemList(await client.query<ListedRow>(raw(LISTED_DEMS)));
    },
    async find(name) {
      // PostgreSQL refuses a statement with NUL.
      if (hasNul(name)) return null;
      const [row] = await client.query<{ record: string }>(sql`SELECT record FROM dems WHERE name = ${name}`);
      return row === undefined ? null : parseDem(row.record);
    },
    async findFiles(layers, bounds, limit) {
      const named = layers.filter(({ dem }) => !hasNul(dem));
      if (named.length === 0 || limit <= 0) return [];
      const rows = await client.query<{ record: string }>(toFindFiles(named, bounds, limit));
      return rows.map(({ record }) => parseDemFile(record));
    },
    async *listFiles({ dem, overview }) {
      if (hasNul(dem)) return;
      let after = '';
      while (true) {
        const rows = await client.query<{ id: string; record: string }>(
          sql`SELECT id, record FROM dem_files
            WHERE layer = (SELECT number FROM dem_layers WHERE dem = ${dem} AND overview = ${overview})
              AND id > ${after} ORDER BY id LIMIT ${LIST_BATCH}`,
        );
        for (const { record } of rows) yield parseDemFile(record);
        if (rows.length < LIST_BATCH) return;
        after = rows[LIST_BATCH - 1]?.id ?? after;
      }
    },
    async removeFiles(ids) {
      const named = ids.filter((id) => !hasNul(id));
      if (named.length > 0) await client.inTransaction((held) => removeDemFiles(held, named));
    },
    async removeDem(name) {
      return hasNul(name) ? null : client.inTransaction((held) => removeDem(held, name));
    },
  };
}

/**
 * The boxes of different layers never meet, so the box alone selects a layer. PostgreSQL compares boxes with a tolerance,
 * which the comparison of the bounds corrects. Materialized, because a small limit must not make the planner scan all
 * files in the order of their ids.
 */
const FIND = `
  WITH near AS MATERIALIZED (
    SELECT DISTINCT f.id, f.number
    FROM unnest(?::text[], ?::integer[]) AS asked(dem, overview)
    JOIN dem_layers l ON l.dem = asked.dem AND l.overview = asked.overview
    CROSS JOIN unnest(?::float8[], ?::float8[]) AS span(west, east)
    JOIN dem_files f ON f.bounds && box(point(span.west, l.number * ${STRIP_DEG}::float8 + ?::float8),
        point(span.east, l.number * ${STRIP_DEG}::float8 + ?::float8))
      AND f.west <= span.east AND f.east >= span.west AND f.south <= ?::float8 AND f.north >= ?::float8
  ), first AS (
    SELECT id, number FROM near ORDER BY id LIMIT ?
  )
  SELECT f.record FROM first JOIN dem_files f ON f.number = first.number ORDER BY first.id`;

/** Finds the records of files within bounds, by layer. */
export function toFindFiles(layers: readonly DemLayer[], bounds: LonLatBounds, limit: number): Statement {
  const spans = toSpans(bounds);
  const { low, high } = toStripLats(bounds);
  return {
    sql: FIND,
    values: [
      layers.map(({ dem }) => dem),
      layers.map(({ overview }) => overview),
      spans.map(({ west }) => west),
      spans.map(({ east }) => east),
      low,
      high,
      bounds.north,
      bounds.south,
      limit,
    ],
  };
}

const PUT_FILES = `
  INSERT INTO dem_files (id, layer, west, east, south, north, resolution, bounds, record)
    SELECT id, layer, west, east, south, north, resolution, bounds::box, record
    FROM unnest(?::text[], ?::integer[], ?::float8[], ?::float8[], ?::float8[], ?::float8[], ?::float8[], ?::text[],
      ?::text[]) AS row(id, layer, west, east, south, north, resolution, bounds, record)
  ON CONFLICT (id) DO UPDATE SET layer = excluded.layer, west = excluded.west, east = excluded.east,
    south = excluded.south, north = excluded.north, resolution = excluded.resolution, bounds = excluded.bounds,
    record = excluded.record`;

/** A file and the number of its layer. */
interface LayeredRow extends DemFileRow {
  readonly layer: number;
}

/** Puts files with different ids. */
const toPutFiles = (rows: readonly LayeredRow[]): Statement => ({
  sql: PUT_FILES,
  values: [
    rows.map(({ id }) => id),
    rows.map(({ layer }) => layer),
    rows.map(({ west }) => west),
    rows.map(({ east }) => east),
    rows.map(({ south }) => south),
    rows.map(({ north }) => north),
    rows.map(({ resolution }) => resolution),
    rows.map((row) => toBoxText(row)),
    rows.map(({ record }) => record),
  ],
});

function toBoxText(row: LayeredRow): string {
  const { west, east, low, high } = toDemBox(row.layer, row);
  return `(${west},${low}),(${east},${high})`;
}

/** Files per statement: about a megabyte of JSON. */
const ROWS_AT_A_TIME = 500;

/** Puts all files or none, inside a transaction. */
async function putDemFiles(client: SqlClient, rows: readonly DemFileRow[]): Promise<void> {
  await lockDemFiles(client);
  await refuseUnknown(client, rows);
  // The last of several files with the same id is stored.
  const files = [...new Map(rows.map((row) => [row.id, row])).values()];
  // A file that moves to another layer changes both layers.
  await reviseLayersOf(client, files);
  const layerOf = await putLayers(client, files);
  for (let i = 0; i < files.length; i += ROWS_AT_A_TIME) {
    const batch = files.slice(i, i + ROWS_AT_A_TIME);
    await client.query(toPutFiles(batch.map((row) => ({ ...row, layer: layerOf(row) }))));
  }
}

async function refuseUnknown(client: SqlClient, rows: readonly DemFileRow[]): Promise<void> {
  const names = [...new Set(rows.map(({ dem }) => dem))];
  const found = await client.query<{ name: string }>({
    sql: 'SELECT name FROM dems WHERE name = ANY(?::text[])',
    values: [names.filter((name) => !hasNul(name))],
  });
  const known = new Set(found.map(({ name }) => name));
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) throw unknownDem(unknown);
}

async function reviseLayersOf(client: SqlClient, files: readonly DemFileRow[]): Promise<void> {
  await client.query({
    sql: `UPDATE dem_layers SET revision = ?
      WHERE number IN (SELECT layer FROM dem_files WHERE id = ANY(?::text[]))`,
    values: [randomUUID(), files.map(({ id }) => id)],
  });
}

/** The number of each layer that the files belong to; marks these layers as changed. */
async function putLayers(
  client: SqlClient,
  files: readonly DemFileRow[],
): Promise<(file: DemFileRow) => number> {
  const nameOf = ({ dem, overview }: { dem: string; overview: number }): string => `${overview} ${dem}`;
  const layers = [...new Map(files.map((file) => [nameOf(file), file])).values()];
  const rows = await client.query<{ number: number; dem: string; overview: number }>({
    sql: `INSERT INTO dem_layers (dem, overview, revision)
        SELECT dem, overview, ?::text FROM unnest(?::text[], ?::integer[]) AS asked(dem, overview)
      ON CONFLICT (dem, overview) DO UPDATE SET revision = excluded.revision
      RETURNING number, dem, overview`,
    values: [randomUUID(), layers.map(({ dem }) => dem), layers.map(({ overview }) => overview)],
  });
  const numbers = new Map(rows.map((row) => [nameOf(row), row.number]));
  return (file) => numbers.get(nameOf(file)) as number;
}

/** Removes files, inside a transaction. */
async function removeDemFiles(client: SqlClient, ids: readonly string[]): Promise<void> {
  await lockDemFiles(client);
  await client.query({
    sql: `WITH gone AS (DELETE FROM dem_files WHERE id = ANY(?::text[]) RETURNING layer)
      UPDATE dem_layers SET revision = ? WHERE number IN (SELECT layer FROM gone)`,
    values: [ids, randomUUID()],
  });
}

/** Removes a model, inside a transaction; returns its number of ingested files, or null if there is no such model. */
async function removeDem(client: SqlClient, name: string): Promise<number | null> {
  await lockDemFiles(client);
  const [row] = await client.query<{ n: string }>(
    sql`SELECT count(*) AS n FROM dem_layers l JOIN dem_files f ON f.layer = l.number
      WHERE l.dem = ${name} AND l.overview = 0`,
  );
  // The foreign keys remove its layers and files too.
  const gone = await client.query(sql`DELETE FROM dems WHERE name = ${name} RETURNING name`);
  return gone.length === 0 ? null : Number(row?.n);
}
