/**
 * More load than the service can take, for a minute: `npm run bench:overload [-- --seconds 60]`.
 *
 * Requests come at fixed times whether or not earlier ones were answered (an open loop: a closed one slows down with
 * the server and hides its queue). First the capacity is measured with a few clients in a closed loop, then several
 * times as many requests a second are sent. Reported: how fast refusals come, memory, and how soon it is well again.
 */
import { readFileSync, rmSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { DEMO_SCENE, makeDemoData } from '../../test/support/demo-data.ts';
import { listDemoTiles, readDemoGrid } from '../../test/support/demo-grid.ts';
import { SERVICE_KEY, startSwath, waitUntilReady } from '../../test/support/start-swath.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, factor: { type: 'string', default: '3' } },
});
const seconds = Number(values.seconds);
/**
 * How many times the capacity is sent. The sender needs the same two cores: at five times (2,400 a second) sending and
 * refusing alone fill them, and what is measured is the sender. `--factor 5` is for a sender of its own.
 */
const FACTOR = Number(values.factor);

const swath = await startSwath({ dataDir: await makeDemoData(), env: { SWATH_LOG: 'error' } });
// undici takes half the time of node:http for a request: the sender must not be what is overloaded.
const agent = new Agent({ connections: 256 });

// Sender and server share the cores; the sender steps back, or it would measure its own appetite.
setPriority(10);

interface Answer {
  readonly status: number;
  readonly ms: number;
}

const tiles = listDemoTiles(await readDemoGrid(swath.dataDir), 15).inside;
/** Tiles of the demo scene, each with a contrast of its own so that no two are equal and none is shared. */
let serial = 0;
function nextPath(): string {
  serial += 1;
  const tile = tiles[serial % tiles.length];
  return `/api/render/${DEMO_SCENE.viewId}/B04,B03,B02/${tile}?MIN_MAX=0,${3000 + (serial % 100_000)}`;
}

async function ask(path: string): Promise<Answer> {
  const startedAt = performance.now();
  try {
    const { statusCode, body } = await request(swath.url + path, {
      dispatcher: agent,
      headers: { 'x-api-key': SERVICE_KEY },
    });
    await body.dump({ limit: 2 ** 20 });
    return { status: statusCode, ms: performance.now() - startedAt };
  } catch {
    return { status: 0, ms: performance.now() - startedAt };
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function closedLoop(clients: number, forMs: number): Promise<readonly Answer[]> {
  const until = performance.now() + forMs;
  const answers: Answer[] = [];
  const client = async (): Promise<void> => {
    while (performance.now() < until) answers.push(await ask(nextPath()));
  };
  await Promise.all(Array.from({ length: clients }, client));
  return answers;
}

/** Resident memory of the server; /proc is there on Linux only. */
function readRssMb(): number {
  const status = readFileSync(`/proc/${swath.process.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

const toPercentile = (answers: readonly Answer[], share: number): number => {
  const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};
const percentile = (answers: readonly Answer[], share: number): string =>
  `${toPercentile(answers, share).toFixed(1)} ms`;
function demand(what: string, isMet: boolean): void {
  console.log(`${isMet ? 'met    ' : 'NOT MET'} ${what}`);
  if (!isMet) process.exitCode = 1;
}
const line = (name: string, value: string): void => console.log(`${name.padEnd(34)} ${value}`);
const of = (answers: readonly Answer[], status: number): readonly Answer[] =>
  answers.filter((answer) => answer.status === status);

try {
  await waitUntilReady(swath.url);
  await closedLoop(4, 3_000);
  const calm = await closedLoop(4, 5_000);
  const capacity = of(calm, 200).length / 5;
  line('capacity, 4 clients', `${capacity.toFixed(0)} tiles/s, p95 ${percentile(calm, 0.95)}`);

  const rate = capacity * FACTOR;
  const rssBefore = readRssMb();
  let rssMost = rssBefore;
  const pending: Promise<Answer>[] = [];
  const startedAt = performance.now();
  while (performance.now() - startedAt < seconds * 1000) {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * rate);
    while (pending.length < due) pending.push(ask(nextPath()));
    rssMost = Math.max(rssMost, readRssMb());
    await sleep(2);
  }
  const answers = await Promise.all(pending);
  const [done, refused] = [of(answers, 200), of(answers, 503)];
  line(`sent for ${seconds} s`, `${answers.length} requests, ${FACTOR} × capacity (${rate.toFixed(0)}/s)`);
  line(
    'rendered (200)',
    `${done.length}, ${(done.length / seconds).toFixed(0)}/s, p50 ${percentile(done, 0.5)}, p95 ${percentile(done, 0.95)}`,
  );
  line(
    'refused (503)',
    `${refused.length}, p50 ${percentile(refused, 0.5)}, p95 ${percentile(refused, 0.95)}, p99 ${percentile(refused, 0.99)}`,
  );
  line('anything else', String(answers.length - done.length - refused.length));
  line('memory of the server', `${rssBefore} MiB before, ${rssMost} MiB at most`);

  const recoveredAt = performance.now();
  let after: Answer;
  do after = await ask(nextPath());
  while (after.status !== 200 && performance.now() - recoveredAt < 10_000);
  const recoveredMs = performance.now() - recoveredAt;
  line('first tile after the load', `${recoveredMs.toFixed(0)} ms (status ${after.status})`);
  const well = await closedLoop(4, 3_000);
  line('then, 4 clients', `${(of(well, 200).length / 3).toFixed(0)} tiles/s, p95 ${percentile(well, 0.95)}`);
  demand('refusals come within 250 ms (p99)', toPercentile(refused, 0.99) < 250);
  demand('nothing but 200 and 503', done.length + refused.length === answers.length);
  demand('tiles are still drawn, at a quarter of the capacity or more', done.length / seconds > capacity / 4);
  demand('memory grows by less than 300 MiB', rssMost - rssBefore < 300);
  demand('a tile comes within a second after the load', after.status === 200 && recoveredMs < 1000);
} finally {
  await agent.destroy();
  line('exit status on SIGTERM', String(await swath.stop()));
  rmSync(swath.dataDir, { recursive: true });
}
