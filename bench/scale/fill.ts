import type { Client } from 'pg';
import { FILL_MONTHS } from '../../src/adapters/postgres/schema/month-step.ts';
import type { SceneStore } from '../../src/catalog/index.ts';
import { readServerCpuS } from '../exports/spent.ts';
import type { makeSyntheticScene } from '../search/synthetic-scenes.ts';

/** What loading scenes through the store took. */
export interface Load {
  readonly scenes: number;
  readonly wallS: number;
  /** Of this process, the making of the scenes included. */
  readonly clientS: number;
  readonly serverS: number;
  readonly walBytes: number;
}

/** Scenes handed over at once, and how many such batches wait to be stored, as in the search bench. */
const BATCH = 2_000;
const IN_FLIGHT = 8;

/** Loads scenes as an ingest does; `toScene` makes one of them. */
export async function loadScenes(
  scenes: SceneStore,
  count: number,
  toScene: (n: number) => ReturnType<typeof makeSyntheticScene>,
  { client, postmaster }: { readonly client: Client; readonly postmaster: number },
): Promise<Load> {
  const readWal = async (): Promise<number> => {
    const { rows } = await client.query<{ at: string }>(
      `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS at`,
    );
    return Number(rows[0]?.at);
  };
  const [startedAt, cpu, serverAt, walAt] = [
    performance.now(),
    process.cpuUsage(),
    readServerCpuS(postmaster),
    await readWal(),
  ];
  const storing: Promise<unknown>[] = [];
  for (let n = 0; n < count; n += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - n) }, (_, i) => toScene(n + i));
    if (storing.length >= IN_FLIGHT) await storing.shift();
    storing.push(scenes.putMany(batch));
  }
  await Promise.all(storing);
  const { user, system } = process.cpuUsage(cpu);
  return {
    scenes: count,
    wallS: (performance.now() - startedAt) / 1_000,
    clientS: (user + system) / 1e6,
    serverS: readServerCpuS(postmaster) - serverAt,
    walBytes: (await readWal()) - walAt,
  };
}

/** Keeps what the store holds as the seed of a larger catalog. */
export async function keepSeed(client: Client): Promise<void> {
  await client.query(
    `CREATE UNLOGGED TABLE seed AS SELECT s.*, r.hit, r.rest FROM scenes s JOIN records r USING (number) ORDER BY number;
     WITH placed AS (SELECT number, row_number() OVER (ORDER BY number) AS place FROM seed)
       UPDATE seed SET number = place FROM placed WHERE placed.number = seed.number`,
  );
  await client.query('ANALYZE seed');
}

/**
 * A copy has a name, a place, a day and clouds of its own, near those of its seed; the first is the seed itself. All scenes of a
 * copy move by the same number of days, so that they stay in the order of their days, as an archive is filled.
 */
const COPY = `
  SELECT s.number + $1::bigint * (SELECT count(*) FROM seed) AS number, s.scene_id, s.view_id, s.product_id,
    CASE $1::integer WHEN 0 THEN '' ELSE '_' || $1 END AS suffix,
    to_char(s.date::date - ($1::integer * 53) % 181, 'YYYY-MM-DD') AS day,
    least(100, round((s.cloud * (1 + 0.01 * $1))::numeric, 2)::float8) AS clouds,
    s.dataset, s.version, s.fields, s.hit, s.rest, ST_Translate(s.footprint, 0.0005 * $1, 0.0003 * $1) AS area
  FROM seed s ORDER BY s.number`;

/**
 * Replaces the catalog by `copies` of each seed. It would take an hour to load ten million scenes through the store, so the
 * database multiplies them; indexes are made afterwards.
 */
export async function multiply(client: Client, copies: number): Promise<void> {
  const { rows: indexes } = await client.query<{ name: string; made: string; constraint: string | null }>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS made, i.indrelid::regclass::text AS table,
       (SELECT conname FROM pg_constraint c WHERE c.conindid = i.indexrelid) AS constraint
     FROM pg_index i WHERE i.indrelid IN ('scenes'::regclass, 'records'::regclass, 'tallies'::regclass,
       'month_tallies'::regclass)`,
  );
  const plain = indexes.filter(({ constraint }) => constraint === null);
  await client.query('BEGIN');
  for (const table of ['scenes', 'records', 'tallies'])
    await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  for (const { name } of plain) await client.query(`DROP INDEX ${name}`);
  await client.query(`ALTER TABLE scenes DROP CONSTRAINT scenes_pkey, DROP CONSTRAINT scenes_view_id_key;
    ALTER TABLE records DROP CONSTRAINT records_pkey; TRUNCATE scenes, records, tallies, month_tallies`);
  for (let copy = 0; copy < copies; copy++) {
    await client.query(
      `INSERT INTO scenes (number, view_id, scene_id, product_id, dataset, date, cloud, version, footprint, fields)
         OVERRIDING SYSTEM VALUE
         SELECT number, view_id || suffix, scene_id || suffix, product_id || suffix, dataset, day, clouds, version, area, fields
         FROM (${COPY}) copied`,
      [copy],
    );
    await client.query(
      `INSERT INTO records SELECT number, CASE suffix WHEN '' THEN hit ELSE replace(hit, scene_id, scene_id || suffix) END, rest
         FROM (${COPY}) copied`,
      [copy],
    );
  }
  await client.query(
    `INSERT INTO tallies (dataset, date, weight, clouds)
       SELECT dataset, date, 1, array_agg(cloud ORDER BY cloud) FROM (
         SELECT dataset, date, coalesce(cloud, 'NaN') AS cloud,
           row_number() OVER (PARTITION BY dataset, date ORDER BY cloud) - 1 AS place FROM scenes
       ) placed GROUP BY dataset, date, place / 200 ORDER BY dataset, date`,
  );
  await client.query('INSERT INTO months_to_fill SELECT DISTINCT dataset, left(date, 7) FROM tallies');
  while (((await client.query('SELECT FROM months_to_fill LIMIT 1')).rowCount ?? 0) > 0)
    await client.query(FILL_MONTHS);
  await client.query('COMMIT');
  await client.query(`ALTER TABLE scenes ADD PRIMARY KEY (number), ADD CONSTRAINT scenes_view_id_key UNIQUE (view_id);
    ALTER TABLE records ADD PRIMARY KEY (number)`);
  for (const { made } of plain) await client.query(made);
  for (const table of ['scenes', 'records', 'tallies'])
    await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  await client.query(
    `SELECT setval(pg_get_serial_sequence('scenes', 'number'), (SELECT max(number) FROM scenes))`,
  );
  await tidy(client);
}

/** Autovacuum and the checkpointer do the same within minutes; the bench does not wait for them. */
export async function tidy(client: Client): Promise<void> {
  for (const table of ['scenes', 'records', 'tallies', 'month_tallies'])
    await client.query(`VACUUM (ANALYZE) ${table}`);
  await client.query('CHECKPOINT');
}

/** Sizes of tables and indexes in bytes, the largest first. */
export async function readSizes(client: Client): Promise<readonly (readonly [string, number])[]> {
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `SELECT c.relname AS name, pg_table_size(c.oid) AS bytes FROM pg_class c
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'i')
       AND c.relname ~ '^(scenes|records|tallies|month_tallies)' ORDER BY 2 DESC`,
  );
  return rows.map(({ name, bytes }) => [name, Number(bytes)]);
}
