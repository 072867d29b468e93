/**
 * More load than the service can take, for a minute: `npm run bench -- overload [--seconds 60 --factor 5]`.
 *
 * One key sends several times the capacity from a process bound to one core (where `taskset` is installed). A second key
 * requests a tile ten times a second, before, during and after the overload. Reported: how fast refusals are, the latency
 * of the second key, memory, and the time to recover.
 */
import type { ChildProcess } from 'node:child_process';
import { fork, spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Agent } from 'undici';
import { makeDemoData } from '../../test/support/demo-data.ts';
import { listDemoTiles, readDemoGrid } from '../../test/support/demo-grid.ts';
import { runSwath, SERVICE_KEY, startSwath, waitUntilReady } from '../../test/support/start-swath.ts';
import type { Answer } from './ask.ts';
import { makeAsk, toPercentile, withStatus } from './ask.ts';
import type { SenderOrder, SenderReport } from './sender.ts';
import { makeNextPath } from './tiles.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, factor: { type: 'string', default: '5' } },
});
const seconds = Number(values.seconds);
const factor = Number(values.factor);

const swath = await startSwath({ dataDir: await makeDemoData(), env: { SWATH_LOG: 'error' } });
const agent = new Agent({ connections: 16 });
const askGreedy = makeAsk(agent, swath.url, SERVICE_KEY);
const tiles = listDemoTiles(await readDemoGrid(swath.dataDir), 15).inside;
const nextGreedyPath = makeNextPath(tiles, 500_000);
const askModest = await makeModestAsk();
const nextModestPath = makeNextPath(tiles, 900_000);

async function makeModestAsk(): Promise<(path: string) => Promise<Answer>> {
  const { stdout } = await runSwath(['keys', 'create', '--label', 'modest'], { SWATH_DATA: swath.dataDir });
  const key = /apk\.[0-9a-f]+/.exec(stdout)?.[0];
  if (key === undefined) throw new Error(`no key in: ${stdout}`);
  return makeAsk(agent, swath.url, key);
}

async function closedLoop(clients: number, forMs: number): Promise<readonly Answer[]> {
  const until = performance.now() + forMs;
  const answers: Answer[] = [];
  const client = async (): Promise<void> => {
    while (performance.now() < until) answers.push(await askGreedy(nextGreedyPath()));
  };
  await Promise.all(Array.from({ length: clients }, client));
  return answers;
}

/** Ten tiles a second, one after the other. */
async function askModestly(isOver: () => boolean): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  while (!isOver()) {
    const answer = await askModest(nextModestPath());
    answers.push(answer);
    await sleep(Math.max(0, 100 - answer.ms));
  }
  return answers;
}

/** Bound to the last core, the sender cannot take more than that from the server, which shares the machine with it. */
function startSender(): ChildProcess {
  const sender = fork(fileURLToPath(new URL('sender.ts', import.meta.url)), { serialization: 'advanced' });
  const core = String(availableParallelism() - 1);
  const { status } = spawnSync('taskset', ['-a', '-p', '-c', core, String(sender.pid)]);
  if (status !== 0) console.log('taskset is not installed: the sender is not bound to one core');
  return sender;
}

/** Resident memory of the server; /proc is there on Linux only. */
function readRssMb(): number {
  const status = readFileSync(`/proc/${swath.process.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

const percentile = (answers: readonly Answer[], share: number): string =>
  `${toPercentile(answers, share).toFixed(1)} ms`;
function demand(what: string, isMet: boolean): void {
  console.log(`${isMet ? 'met    ' : 'NOT MET'} ${what}`);
  if (!isMet) process.exitCode = 1;
}
const line = (name: string, value: string): void => console.log(`${name.padEnd(34)} ${value}`);

try {
  await waitUntilReady(swath.url);
  await closedLoop(4, 3_000);
  const calm = await closedLoop(4, 5_000);
  const capacity = withStatus(calm, 200).length / 5;
  line('capacity, 4 clients', `${capacity.toFixed(0)} tiles/s, p95 ${percentile(calm, 0.95)}`);
  const idleUntil = performance.now() + 10_000;
  const idle = await askModestly(() => performance.now() > idleUntil);
  line('second key, idle', `p50 ${percentile(idle, 0.5)}, p95 ${percentile(idle, 0.95)}`);

  const rssBefore = readRssMb();
  let rssMost = rssBefore;
  let isOver = false;
  const sender = startSender();
  const order: SenderOrder = {
    url: swath.url,
    key: SERVICE_KEY,
    tiles,
    perSecond: capacity * factor,
    seconds,
  };
  const report = new Promise<SenderReport>((resolve, reject) => {
    sender.once('message', (message) => resolve(message as SenderReport));
    sender.once('exit', (code) => reject(new Error(`the sender ended with ${code}`)));
  });
  sender.send(order);
  const watch = setInterval(() => {
    rssMost = Math.max(rssMost, readRssMb());
  }, 100);
  const modest = askModestly(() => isOver);
  const { answers, ownDelayP99Ms } = await report;
  isOver = true;
  clearInterval(watch);
  const recoveredAt = performance.now();
  let after: Answer;
  do after = await askGreedy(nextGreedyPath());
  while (after.status !== 200 && performance.now() - recoveredAt < 10_000);
  const recoveredMs = performance.now() - recoveredAt;

  const [done, refused, second] = [withStatus(answers, 200), withStatus(answers, 503), await modest];
  line(
    `sent for ${seconds} s`,
    `${answers.length} requests, ${factor} × capacity (${order.perSecond.toFixed(0)}/s)`,
  );
  line(
    'rendered (200)',
    `${done.length}, ${(done.length / seconds).toFixed(0)}/s, p50 ${percentile(done, 0.5)}, p95 ${percentile(done, 0.95)}`,
  );
  line(
    'refused (503)',
    `${refused.length}, p50 ${percentile(refused, 0.5)}, p95 ${percentile(refused, 0.95)}, p99 ${percentile(refused, 0.99)} (the sender itself stood still for ${ownDelayP99Ms.toFixed(1)} ms, p99)`,
  );
  line('anything else', String(answers.length - done.length - refused.length));
  line(
    'second key meanwhile',
    `${second.length} tiles, ${withStatus(second, 503).length} refused, p50 ${percentile(second, 0.5)}, p95 ${percentile(second, 0.95)}`,
  );
  line('memory of the server', `${rssBefore} MiB before, ${rssMost} MiB at most`);
  line('first tile after the load', `${recoveredMs.toFixed(0)} ms (status ${after.status})`);
  const well = await closedLoop(4, 3_000);
  line(
    'then, 4 clients',
    `${(withStatus(well, 200).length / 3).toFixed(0)} tiles/s, p95 ${percentile(well, 0.95)}`,
  );
  demand('refusals come within 50 ms (p99)', toPercentile(refused, 0.99) < 50);
  demand('nothing but 200 and 503', done.length + refused.length === answers.length);
  demand('tiles are still drawn, at a quarter of the capacity or more', done.length / seconds > capacity / 4);
  demand('the second key is never refused', withStatus(second, 200).length === second.length);
  demand(
    'its p95 is at most twice that of an idle service',
    toPercentile(second, 0.95) <= 2 * toPercentile(idle, 0.95),
  );
  demand('memory grows by less than 300 MiB', rssMost - rssBefore < 300);
  demand('a tile comes within a second after the load', after.status === 200 && recoveredMs < 1000);
} finally {
  await agent.destroy();
  line('exit status on SIGTERM', String(await swath.stop()));
  rmSync(swath.dataDir, { recursive: true });
}
