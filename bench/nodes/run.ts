/**
 * What one core does, and how it grows with nodes: `npm run bench -- nodes [--nodes 1,2,4] [--requests 1000]`.
 *
 * Starts PostgreSQL and so many api nodes, each with one pixel thread and pinned to one core (`taskset`; nodes share cores where
 * there are fewer), and sends each of them requests. Measures the CPU time of nodes, of PostgreSQL and of the sender, because other
 * programs and the sender itself take cores away: a node with a core of its own answers what its CPU time allows. A simulation
 * with these CPU times says how many requests a second this machine should have answered, next to how many it did; the same
 * simulation says what nodes with a core each answer, and when PostgreSQL is the limit. Needs Linux and PostgreSQL.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../../test/ports/postgres-cluster.ts';
import { DEMO_SCENE, makeDemoData } from '../../test/support/demo-data.ts';
import { readDemoGrid } from '../../test/support/demo-grid.ts';
import type { RunningSwath } from '../../test/support/start-swath.ts';
import { ONE_THREAD, runSwath, startSwath, waitUntilReady } from '../../test/support/start-swath.ts';
import { measureSpent, readServerCpuS, readTreeCpuS } from '../exports/spent.ts';
import { findPostmaster } from '../mosaic/titiler-pgstac.ts';
import { askNodes, listNodeCases } from './cases.ts';
import { simulate } from './simulate.ts';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '1,2,4' },
    requests: { type: 'string', default: '1000' },
  },
});
const COUNTS = values.nodes.split(',').map(Number);
const REQUESTS = Number(values.requests);
/** Requests to each node before it is measured: by then its code is compiled, and blocks are decoded. */
const WARM_UP = 500;
const CORES = availableParallelism();

const home = mkdtempSync(join(tmpdir(), 'swath-nodes-'));
const postgres = await startPostgres();
if (postgres === null) throw new Error('PostgreSQL is not installed here');
const postmaster = findPostmaster(new URL(postgres.url).port);

async function startNodes(count: number, stack: AsyncDisposableStack): Promise<readonly RunningSwath[]> {
  const env = {
    ...ONE_THREAD,
    SWATH_DATABASE_URL: (postgres as { url: string }).url,
    SWATH_SOURCES: join(home, 'scenes'),
    SWATH_RESULTS: join(home, 'results'),
    SWATH_LOG: 'warn',
    SWATH_WORK_PER_MINUTE: '0',
    SWATH_STATISTICS_PER_MINUTE: '0',
    SWATH_WRITES_PER_MINUTE: '0',
  };
  const nodes: RunningSwath[] = [];
  for (let n = 0; n < count; n += 1) {
    const within = ['taskset', '-c', String(n % CORES)];
    nodes.push(stack.use(await startSwath({ dataDir: join(home, `node-${count}-${n}`), env, within })));
  }
  for (const { url } of nodes) await waitUntilReady(url);
  return nodes;
}

const toRate = (rate: number): string => rate.toFixed(0).padStart(8);

try {
  const demo = await makeDemoData();
  const grid = await readDemoGrid(demo);
  mkdirSync(join(home, 'results'), { mode: 0o700 });
  cpSync(join(demo, DEMO_SCENE.folder), join(home, 'scenes/product'), {
    recursive: true,
    preserveTimestamps: true,
  });
  rmSync(demo, { recursive: true });
  const ingested = await runSwath(['ingest', 'folder', join(home, 'scenes')], {
    SWATH_DATABASE_URL: postgres.url,
    SWATH_SOURCES: join(home, 'scenes'),
    SWATH_DATA: join(home, 'ingest'),
  });
  if (ingested.status !== 0) throw new Error(ingested.stderr);
  const cases = listNodeCases(grid);
  console.log(
    `${CORES} cores. CPU ms a request; requests a second: a core of each node, this machine measured and simulated, nodes with a core each simulated`,
  );
  console.log(
    `${'request'.padEnd(26)} nodes  CPU: node  PostgreSQL  sender  a core  measured simulated (others had)  own cores`,
  );
  let serial = 0;
  for (const count of COUNTS) {
    await using stack = new AsyncDisposableStack();
    const nodes = await startNodes(count, stack);
    const urls = nodes.map(({ url }) => url);
    for (const { name, toAsked, clients, share } of cases) {
      const measured = REQUESTS * share;
      const ask = (requests: number): Promise<void> => {
        const from = serial;
        serial += requests;
        return askNodes(urls, toAsked, { from, count: requests, clients: clients * count });
      };
      await ask(WARM_UP * share * count);
      const readNodes = (): number =>
        nodes.reduce((sum, { process }) => sum + readTreeCpuS(process.pid as number), 0);
      const readSender = (): number => {
        const { user, system } = process.cpuUsage();
        return (user + system) / 1e6;
      };
      const [nodesAt, databaseAt, senderAt] = [readNodes(), readServerCpuS(postmaster), readSender()];
      const { spent } = await measureSpent(
        () => readNodes() + readServerCpuS(postmaster) + readSender(),
        () => ask(measured),
      );
      const toMs = (seconds: number): number => (seconds * 1_000) / measured;
      const nodeMs = toMs(readNodes() - nodesAt);
      const databaseMs = toMs(readServerCpuS(postmaster) - databaseAt);
      const senderMs = toMs(readSender() - senderAt);
      const model = { nodes: count, clients: clients * count, nodeMs, databaseMs, senderMs };
      const here = simulate({ ...model, cores: Math.max(0.05, CORES * (1 - spent.others)) });
      // The sender is many clients elsewhere.
      const alone = simulate({ ...model, senderMs: 0, cores: Number.POSITIVE_INFINITY });
      console.log(
        `${name.padEnd(26)}${String(count).padStart(6)}${nodeMs.toFixed(2).padStart(11)}${databaseMs.toFixed(3).padStart(12)}${senderMs.toFixed(2).padStart(8)}${toRate(1_000 / nodeMs)}${toRate(measured / spent.wallS)}${toRate(here)}   (${(spent.others * 100).toFixed(0).padStart(3)} %)  ${toRate(alone)}`,
      );
    }
  }
} finally {
  postgres.stop();
  rmSync(home, { recursive: true, force: true });
}
