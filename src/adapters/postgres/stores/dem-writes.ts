import { randomUUID } from 'node:crypto';
import type { DemFileRow } from '../../sql/dems.ts';
import { unknownDem } from '../../sql/dems.ts';
import { sql } from '../../sql/sql-clause.ts';
import type { SqlClient } from '../connection/sql-client.ts';
import { hasNul } from '../scenes/without-nul.ts';
import { toPutFiles } from './dem-statements.ts';
import { lockDemFiles } from './write-locks.ts';

/** Files of one statement: about a megabyte of JSON. */
const ROWS_AT_A_TIME = 500;

/** Puts all files or none, inside a transaction. */
export async function putDemFiles(client: SqlClient, rows: readonly DemFileRow[]): Promise<void> {
  await lockDemFiles(client);
  await refuseUnknown(client, rows);
  // Of files with the same id the last one stays.
  const files = [...new Map(rows.map((row) => [row.id, row])).values()];
  // A file that changes its layer changes two.
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

/** The number of each layer that files are put into; the layers count as changed. */
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
export async function removeDemFiles(client: SqlClient, ids: readonly string[]): Promise<void> {
  await lockDemFiles(client);
  await client.query({
    sql: `WITH gone AS (DELETE FROM dem_files WHERE id = ANY(?::text[]) RETURNING layer)
      UPDATE dem_layers SET revision = ? WHERE number IN (SELECT layer FROM gone)`,
    values: [ids, randomUUID()],
  });
}

/** Removes a model with its layers and files, inside a transaction; the number of files as ingested, or null. */
export async function removeDem(client: SqlClient, name: string): Promise<number | null> {
  await lockDemFiles(client);
  const [row] = await client.query<{ n: string }>(
    sql`SELECT count(*) AS n FROM dem_layers l JOIN dem_files f ON f.layer = l.number
      WHERE l.dem = ${name} AND l.overview = 0`,
  );
  // Its layers and files go with it, by the foreign keys.
  const gone = await client.query(sql`DELETE FROM dems WHERE name = ${name} RETURNING name`);
  return gone.length === 0 ? null : Number(row?.n);
}
