/**
 * Searching a million scenes: `npm run bench -- search [--scenes 1000000 --engines sqlite,postgres --searches 1000]`.
 *
 * Fills a fresh store of each engine with synthetic scenes, then measures kinds of searches one after another, as a
 * caller of the store sees them, and for how long the event loop was blocked; then pages of our own search and of STAC. PostgreSQL is started in a
 * temporary folder. `--pgstac 50000` compares STAC searches with stac-fastapi-pgstac over so many scenes, and does nothing
 * else; it is installed once below node_modules/.cache. `--sqlite <directory>` and `--postgres <url>` use stores that a former run has left (`--keep`).
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { openPostgresStore } from '../../src/adapters/postgres/index.ts';
import { openSqliteStore } from '../../src/adapters/sqlite/index.ts';
import type { SceneStore } from '../../src/catalog/index.ts';
import { startPostgres } from '../../test/ports/postgres-cluster.ts';
import { compareDoors } from './doors.ts';
import { comparePgstac } from './pgstac.ts';
import { queryKinds } from './queries.ts';
import { makeRandom, makeSyntheticScene } from './synthetic-scenes.ts';

const { values } = parseArgs({
  options: {
    scenes: { type: 'string', default: '1000000' },
    searches: { type: 'string', default: '1000' },
    engines: { type: 'string', default: 'sqlite,postgres' },
    sqlite: { type: 'string' },
    postgres: { type: 'string' },
    pgstac: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const SCENES = Number(values.scenes);
const SEARCHES = Number(values.searches);
const LOAD_TARGET_S = 180;
/** A store puts away what a load has left, and the disk writes it down. */
const SETTLE_MS = 15_000;
const EVENT_LOOP_TARGET_MS = 50;
/**
 * Scenes handed over at once, and how many such batches wait to be stored: enough that no thread is idle. Of more, the
 * collector of garbage has more to look at again and again than the threads gain.
 */
const BATCH = 2000;
const IN_FLIGHT = 8;

function demand(what: string, isMet: boolean): void {
  console.log(`${isMet ? 'met    ' : 'NOT MET'} ${what}`);
  if (!isMet) process.exitCode = 1;
}
const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
const readCpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

async function load(name: string, scenes: SceneStore): Promise<void> {
  const from = await scenes.count();
  if (from >= SCENES) return;
  const [startedAt, cpuAt] = [performance.now(), readCpuMs()];
  // Batches are made and taken apart while those before them are stored.
  const storing: Promise<unknown>[] = [];
  for (let n = from; n < SCENES; n += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, SCENES - n) }, (_, i) =>
      makeSyntheticScene(n + i, SCENES),
    );
    if (storing.length >= IN_FLIGHT) await storing.shift();
    storing.push(scenes.putMany(batch));
  }
  await Promise.all(storing);
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = ((readCpuMs() - cpuAt) / 1000).toFixed(0);
  const what = `${name}: ${SCENES - from} scenes loaded in ${seconds.toFixed(0)} s (CPU of this process ${cpu} s)`;
  demand(`${what}, at most ${LOAD_TARGET_S} s a million`, seconds <= (LOAD_TARGET_S * (SCENES - from)) / 1e6);
  await sleep(SETTLE_MS);
}

async function measure(name: string, scenes: SceneStore): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const idle = fork(new URL('idle-loop.ts', import.meta.url));
  for (const kind of queryKinds) {
    const random = makeRandom(42);
    const queries = Array.from({ length: SEARCHES + 20 }, () => kind.make(random, SCENES));
    for (const query of queries.slice(0, 20)) await scenes.searchHits(query);
    const times: number[] = [];
    let found = 0;
    const cpuAt = readCpuMs();
    for (const query of queries.slice(20)) {
      const startedAt = performance.now();
      found += (await scenes.searchHits(query)).found;
      times.push(performance.now() - startedAt);
    }
    const cpu = (readCpuMs() - cpuAt) / SEARCHES;
    times.sort((a, b) => a - b);
    const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
    const figures = `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, CPU ${cpu.toFixed(2)} ms, found ${Math.round(found / SEARCHES)}`;
    const what = `${name}: ${kind.name.padEnd(36)} ${figures}`;
    if (kind.targetMs === null) console.log(`        ${what}`);
    else demand(`${what}, at most ${kind.targetMs} ms`, p99 <= kind.targetMs);
  }
  delay.disable();
  // The histogram counts in nanoseconds from timer to timer, and the timers are 5 ms apart.
  const stood = delay.max / 1e6 - 5;
  demand(
    `${name}: the event loop stood still for ${stood.toFixed(0)} ms at most`,
    stood <= EVENT_LOOP_TARGET_MS,
  );
  idle.send('end');
  const [idleMs] = (await once(idle, 'message')) as [number];
  console.log(`        an idle process meanwhile: ${idleMs.toFixed(0)} ms`);
}

async function benchSqlite(): Promise<void> {
  const directory = values.sqlite ?? mkdtempSync(join(tmpdir(), 'swath-bench-'));
  const store = openSqliteStore(directory);
  try {
    await load('SQLite', store.scenes);
    await measure('SQLite', store.scenes);
    await compareDoors('SQLite', store.scenes, { total: SCENES, searches: Math.min(SEARCHES, 100) });
  } finally {
    await store.close();
    if (values.keep) console.log(`left: --sqlite ${directory}`);
    else if (values.sqlite === undefined) rmSync(directory, { recursive: true });
  }
}

async function benchPostgres(): Promise<void> {
  // A quarter of 4 GiB for PostgreSQL's own cache, as its manual advises.
  const settings = ['shared_buffers=1GB', 'effective_cache_size=3GB', 'max_wal_size=4GB', 'fsync=on'];
  const cluster = values.postgres === undefined ? await startPostgres(settings) : null;
  const url = values.postgres ?? cluster?.url;
  if (url === undefined) throw new Error('PostgreSQL with PostGIS is not installed here.');
  const store = await openPostgresStore(url);
  try {
    await load('PostGIS', store.scenes);
    // Autovacuum and the checkpointer do the same within minutes; the bench does not wait for them.
    const client = new Client(url);
    await client.connect();
    await client.query('VACUUM (ANALYZE) swath.scenes');
    await client.query('VACUUM (ANALYZE) swath.records');
    await client.query('VACUUM (ANALYZE) swath.tallies');
    await client.query('CHECKPOINT');
    await client.end();
    await measure('PostGIS', store.scenes);
    await compareDoors('PostGIS', store.scenes, { total: SCENES, searches: Math.min(SEARCHES, 100) });
  } finally {
    await store.close();
    if (values.keep) console.log(`left, and still running: --postgres ${url}`);
    else cluster?.stop();
  }
}

if (values.pgstac !== undefined) await comparePgstac(Number(values.pgstac), demand);
else {
  if (values.engines.includes('sqlite')) await benchSqlite();
  if (values.engines.includes('postgres')) await benchPostgres();
}
