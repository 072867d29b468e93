/**
 * A catalog of ten million scenes in PostgreSQL: `npm run bench -- scale [--scenes 10000000 --searches 300]`.
 *
 * Loads half a million scenes through the store, has the database multiply them to a million and measures searches;
 * then to all scenes, measures the searches again, loads more, and removes the oldest. Prints processor times, which other
 * programs on the machine change little, and times as a caller sees them. `--stay` keeps PostgreSQL up until Ctrl-C, for
 * plans of single searches. `--layouts 3000000` compares ways to store so many scenes instead: one table, and partitions.
 * PostgreSQL runs in a temporary folder, which takes 3 kB a scene, and is removed.
 */
import { parseArgs } from 'node:util';
import { Client, Pool } from 'pg';
import { parseConnection } from '../../src/adapters/postgres/connection/connection.ts';
import { makeSqlClient, usePool } from '../../src/adapters/postgres/connection/sql-client.ts';
import { openPostgresStore } from '../../src/adapters/postgres/index.ts';
import { makePostgresSceneStore } from '../../src/adapters/postgres/stores/scene-store.ts';
import { startPostgres } from '../../test/ports/postgres-cluster.ts';
import { readServerCpuS } from '../exports/spent.ts';
import { findPostmaster } from '../mosaic/titiler-pgstac.ts';
import { makeSyntheticScene } from '../search/synthetic-scenes.ts';
import type { Load } from './fill.ts';
import { keepSeed, loadScenes, multiply, readSizes, tidy } from './fill.ts';
import { LAYOUT_SCHEMA, layouts, makeLayout } from './layouts.ts';
import type { SearchTimes } from './searches.ts';
import { measureSearches } from './searches.ts';

const { values } = parseArgs({
  options: {
    scenes: { type: 'string', default: '10000000' },
    searches: { type: 'string', default: '300' },
    layouts: { type: 'string' },
    stay: { type: 'boolean', default: false },
  },
});
const SCENES = Number(values.layouts ?? values.scenes);
const SEARCHES = Number(values.searches);
const SMALL = 1_000_000;
const SEEDS = Math.min(values.layouts === undefined ? 500_000 : 50_000, SCENES / 2);
/** Scenes that are loaded, and removed, when the catalog is full. */
const MORE = SEEDS / 5;
const LOAD_TARGET = 5_000;
const RATIO_TARGET = 2;
/** Settings of a server with 16 GB of memory, as docs/operate/scale.md has them; a load of indexes needs no log of its own. */
const SETTINGS = [
  'shared_buffers=4GB',
  'effective_cache_size=10GB',
  'max_wal_size=8GB',
  'maintenance_work_mem=1GB',
  'max_parallel_maintenance_workers=0',
  'wal_compression=lz4',
  'random_page_cost=1.1',
  'wal_level=minimal',
  'max_wal_senders=0',
  'fsync=on',
];

function demand(what: string, isMet: boolean): void {
  console.log(`${isMet ? 'met    ' : 'NOT MET'} ${what}`);
  if (!isMet) process.exitCode = 1;
}

const toMicros = (seconds: number, scenes: number): string => ((seconds / scenes) * 1e6).toFixed(0);

function showLoad(when: string, { scenes, wallS, clientS, serverS, walBytes }: Load): void {
  // With a core for the program and one for the server, the busier of the two decides.
  const possible = scenes / Math.max(clientS, serverS);
  demand(
    `${when}: ${scenes} scenes in ${wallS.toFixed(0)} s (${(scenes / wallS).toFixed(0)} a second on this machine as it was); CPU a scene: program ${toMicros(clientS, scenes)} µs, PostgreSQL ${toMicros(serverS, scenes)} µs, ${(walBytes / scenes / 1_000).toFixed(1)} kB of log: ${possible.toFixed(0)} a second with a core for each, at least ${LOAD_TARGET}`,
    possible >= LOAD_TARGET,
  );
}

function showSearches(title: string, all: readonly SearchTimes[], before?: readonly SearchTimes[]): void {
  console.log(`\n${title}\n${'search'.padEnd(44)}  p50 ms  p99 ms  CPU ms: program  PostgreSQL     found`);
  for (const [i, { name, p50Ms, p99Ms, clientMs, serverMs, found }] of all.entries()) {
    const small = before?.[i];
    const ratio =
      small === undefined
        ? ''
        : `   × ${(p99Ms / small.p99Ms).toFixed(1)} of p99, × ${((clientMs + serverMs) / (small.clientMs + small.serverMs)).toFixed(1)} of CPU`;
    console.log(
      `${name.padEnd(44)}${p50Ms.toFixed(1).padStart(8)}${p99Ms.toFixed(1).padStart(8)}${clientMs.toFixed(2).padStart(17)}${serverMs.toFixed(2).padStart(12)}${found.toFixed(0).padStart(10)}${ratio}`,
    );
  }
  if (before === undefined) return;
  for (const [i, { name, isDemanded, p99Ms }] of all.entries()) {
    const ratio = p99Ms / (before[i] as SearchTimes).p99Ms;
    if (isDemanded)
      demand(`${name}: p99 × ${ratio.toFixed(1)}, at most × ${RATIO_TARGET}`, ratio <= RATIO_TARGET);
  }
}

const cluster = await startPostgres(SETTINGS);
if (cluster === null) throw new Error('PostgreSQL with PostGIS is not installed here.');
// Also when it is interrupted: its folder is large.
process.once('exit', () => cluster.stop());
const { url } = cluster;
const store = await openPostgresStore(url, { statementTimeoutMs: 600_000 });
const client = new Client({ connectionString: url, options: '-c search_path=swath,public' });
await client.connect();
const server = { client, postmaster: findPostmaster(new URL(url).port) };
const say = (text: string): void => console.log(`        ${new Date().toISOString().slice(11, 19)} ${text}`);

showLoad(
  'into an empty catalog',
  await loadScenes(store.scenes, SEEDS, (n) => makeSyntheticScene(n, SEEDS), server),
);
await keepSeed(client);
if (values.layouts === undefined) await measureGrowth();
else await compareLayouts();
if (values.stay) {
  console.log(`\nThe catalog stays until Ctrl-C: ${url}`);
  await new Promise(() => setInterval(() => {}, 60_000));
}
await client.end();
await store.close();

async function measureGrowth(): Promise<void> {
  await multiply(client, Math.min(SMALL, SCENES / 2) / SEEDS);
  const small = await measureSearches(store.scenes, SEARCHES, { ...server, seeds: SEEDS });
  showSearches(`${Math.min(SMALL, SCENES / 2)} scenes`, small);
  await multiply(client, SCENES / SEEDS);
  await client.query('DROP TABLE seed');
  say(`${await store.scenes.count()} scenes are there`);
  showSearches(
    `${SCENES} scenes`,
    await measureSearches(store.scenes, SEARCHES, { ...server, seeds: SEEDS }),
    small,
  );
  const sizes = await readSizes(client);
  const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  console.log(`\n${(total / SCENES).toFixed(0)} bytes a scene: ${(total / 1e9).toFixed(1)} GB`);
  for (const [name, bytes] of sizes)
    console.log(`  ${name.padEnd(24)}${(bytes / SCENES).toFixed(0).padStart(6)} bytes a scene`);
  const toMore = (n: number) => {
    const scene = makeSyntheticScene(n, MORE);
    return { ...scene, viewId: `${scene.viewId}_more`, sceneId: `${scene.sceneId}_more` };
  };
  showLoad('into the full catalog', await loadScenes(store.scenes, MORE, toMore, server));
  await measureRemoval();
}

async function measureRemoval(): Promise<void> {
  const [startedAt, cpuAt] = [performance.now(), readServerCpuS(server.postmaster)];
  // As docs/operate/scale.md says.
  const { rowCount } = await client.query(
    `WITH gone AS (DELETE FROM scenes WHERE number IN (SELECT number FROM scenes WHERE dataset = 'sentinel2'
       ORDER BY date LIMIT ${MORE}) RETURNING number), records_too AS (DELETE FROM records USING gone
       WHERE records.number = gone.number) SELECT number FROM gone`,
  );
  const [goneS, goneCpuS] = [
    (performance.now() - startedAt) / 1_000,
    readServerCpuS(server.postmaster) - cpuAt,
  ];
  const cpuAfter = readServerCpuS(server.postmaster);
  await tidy(client);
  console.log(
    `\nremoved ${rowCount} scenes in ${goneS.toFixed(0)} s (CPU ${toMicros(goneCpuS, MORE)} µs a scene); tidying up took CPU ${(readServerCpuS(server.postmaster) - cpuAfter).toFixed(0)} s`,
  );
}

async function compareLayouts(): Promise<void> {
  await multiply(client, SCENES / SEEDS);
  await client.query('DROP TABLE seed');
  showSearches(
    `one table, index with a plane for each dataset: ${SCENES} scenes`,
    await measureSearches(store.scenes, SEARCHES, { ...server, seeds: SEEDS }),
  );
  const connection = parseConnection(url, { schema: LAYOUT_SCHEMA, statementTimeoutMs: 600_000 });
  for (const layout of layouts) {
    await makeLayout(client, layout);
    const pool = new Pool(connection.config);
    const scenes = makePostgresSceneStore(makeSqlClient(usePool(pool), connection.address));
    showSearches(layout.name, await measureSearches(scenes, SEARCHES, { ...server, seeds: SEEDS }));
    await pool.end();
  }
}
