/**
 * CPU time of warm requests at this commit and at another one: `npm run bench -- all --against COMMIT [--only png,point]`.
 *
 * Builds both, starts this one twice and the other once, and asks them in turns for the same tiles, points and hillshade
 * of the small demo. The difference between the two equal services is the noise: a smaller difference between the
 * commits says nothing. `--record VERSION` adds a line to bench/history.csv, as every release does. A TiTiler that runs
 * on this machine joins with `--titiler URL --titiler-pid PID`, for tiles of one band. Needs Linux and git.
 */
import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DEMO_SCENE } from '../../test/support/demo-data.ts';
import { listDemoTiles, readDemoGrid } from '../../test/support/demo-grid.ts';
import { startSwath, waitUntilReady } from '../../test/support/start-swath.ts';
import { median, readTreeCpuS } from '../exports/spent.ts';
import { toPercentile } from '../overload/ask.ts';
import type { Checkout } from './commits.ts';
import { checkOut, useHere } from './commits.ts';
import type { Cases } from './requests.ts';
import { askInTurns, listCases } from './requests.ts';

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    only: { type: 'string' },
    requests: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '5' },
    clients: { type: 'string', default: '8' },
    record: { type: 'string' },
    titiler: { type: 'string' },
    'titiler-pid': { type: 'string' },
  },
});
if (values.against === undefined)
  throw new Error('--against names the commit to compare with, such as HEAD~1');
const [count, rounds, clients] = [values.requests, values.rounds, values.clients].map(Number) as [
  number,
  number,
  number,
];
const HISTORY = 'bench/history.csv';

/** A service that is asked in turns with others. */
interface Side extends AsyncDisposable {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly dataDir: string | null;
}

/** Each makes its own demo: a newer commit may store it in a way that the older one does not know. */
async function startSide(name: string, { folder }: Checkout): Promise<Side> {
  const dataDir = mkdtempSync(join(tmpdir(), 'swath-bench-all-'));
  const swath = await startSwath({
    dataDir,
    program: join(folder, 'bin/swath.js'),
    env: { SWATH_DEMO: 'small', SWATH_LOG: 'error' },
  });
  await waitUntilReady(swath.url);
  return {
    name,
    url: swath.url,
    pid: swath.process.pid as number,
    dataDir,
    async [Symbol.asyncDispose]() {
      await swath.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

interface Figures {
  readonly cpuMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

async function measure({ url, pid }: Side, paths: readonly string[]): Promise<Figures> {
  const before = readTreeCpuS(pid);
  const answers = await askInTurns(url, paths, { count, clients });
  return {
    cpuMs: ((readTreeCpuS(pid) - before) * 1000) / count,
    p50Ms: toPercentile(answers, 0.5),
    p99Ms: toPercentile(answers, 0.99),
  };
}

/** Medians over the rounds, in which the sides take turns. */
async function compare(sides: readonly Side[], paths: readonly string[]): Promise<readonly Figures[]> {
  const runs = sides.map((): Figures[] => []);
  // The first round compiles and decodes.
  for (let round = -1; round < rounds; round += 1) {
    for (const [i, side] of sides.entries()) {
      const figures = await measure(side, paths);
      if (round >= 0) runs[i]?.push(figures);
    }
  }
  return runs.map((run) => ({
    cpuMs: median(run.map(({ cpuMs }) => cpuMs)),
    p50Ms: median(run.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(run.map(({ p99Ms }) => p99Ms)),
  }));
}

/** A tile of one band from both, if a TiTiler is there. */
async function compareWithTitiler(side: Side, tiles: readonly string[]): Promise<void> {
  if (values.titiler === undefined || side.dataDir === null) return;
  const pid = Number(values['titiler-pid']);
  if (!(pid > 0)) throw new Error('--titiler needs --titiler-pid, whose CPU time is read');
  const file = encodeURIComponent(join(side.dataDir, DEMO_SCENE.folder, 'B04.tif'));
  const titiler: Side = { ...side, name: 'TiTiler', url: values.titiler, pid };
  const theirs = tiles.map((tile) => `/cog/tiles/WebMercatorQuad/${tile}.png?url=${file}&rescale=0,3000`);
  const ours = tiles.map(
    (tile) => `/api/render/${DEMO_SCENE.viewId}/B04/${tile}?MIN_MAX=0,3000&RESAMPLE=near&mimetype=image/png`,
  );
  await measure(side, ours);
  const peer = await measure(titiler, theirs);
  const own = await measure(side, ours);
  const times = (peer.cpuMs / own.cpuMs).toFixed(0);
  console.log(
    `\none band as PNG: ${own.cpuMs.toFixed(2)} ms, TiTiler ${peer.cpuMs.toFixed(1)} ms: ${times} ×`,
  );
}

function chooseCases(all: Cases): Cases {
  const names = values.only?.split(',') ?? Object.keys(all);
  for (const name of names)
    if (!Object.hasOwn(all, name)) throw new Error(`--only: the cases are ${Object.keys(all).join(', ')}`);
  return Object.fromEntries(names.map((name) => [name, all[name] ?? []]));
}

function record(version: string, commit: string, cpuMs: ReadonlyMap<string, number>): void {
  const head = ['version', 'date', 'commit', ...[...cpuMs.keys()].map((name) => `${name} cpu ms`)].join(',');
  if (!existsSync(HISTORY)) writeFileSync(HISTORY, `${head}\n`);
  const numbers = [...cpuMs.values()].map((ms) => ms.toFixed(3));
  appendFileSync(
    HISTORY,
    `${[version, new Date().toISOString().slice(0, 10), commit, ...numbers].join(',')}\n`,
  );
}

using here = useHere();
using other = checkOut(values.against);
await using first = await startSide('this', here);
await using second = await startSide('this again', here);
await using against = await startSide('other', other);
const grid = await readDemoGrid(first.dataDir as string);
const cases = chooseCases(listCases(grid));
console.log(`${count} requests of ${clients} clients, ${rounds} rounds in turns; CPU ms a request, medians`);
console.log(
  `${'case'.padEnd(12)}${here.commit.padStart(11)}${other.commit.padStart(11)}   ratio   noise   p50 ms  p99 ms`,
);
const measured = new Map<string, number>();
for (const [name, paths] of Object.entries(cases)) {
  const [own, again, old] = (await compare([first, second, against], paths)) as [Figures, Figures, Figures];
  measured.set(name, own.cpuMs);
  const noise = Math.abs(again.cpuMs / own.cpuMs - 1);
  const cells = [
    own.cpuMs.toFixed(3).padStart(11),
    old.cpuMs.toFixed(3).padStart(11),
    (own.cpuMs / old.cpuMs).toFixed(2).padStart(8),
    `${(100 * noise).toFixed(0)} %`.padStart(8),
    own.p50Ms.toFixed(1).padStart(9),
    own.p99Ms.toFixed(1).padStart(8),
  ];
  console.log(name.padEnd(12) + cells.join(''));
}
await compareWithTitiler(first, listDemoTiles(grid, 15).inside);
if (values.record !== undefined) record(values.record, here.commit, measured);
