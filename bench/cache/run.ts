/**
 * Kinds of block caches compared with each other, on two threads: `npm run bench -- cache [--rounds 3] [--data <folder>]`.
 *
 * Each kind draws each workload in a process of its own, in turn; the round with the least CPU time counts, because on
 * a shared machine the least disturbed one is the most meaningful. Scenes are made first (and stay in the folder, if one is given).
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { crews } from './crews.ts';
import { measureHits } from './hits.ts';
import { makePlanner, makeScenes } from './scenes.ts';
import { workloads } from './workloads.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    // Of a child process: what it has to measure.
    crew: { type: 'string' },
    workload: { type: 'string' },
  },
});

/** What one process measured. */
interface Measured {
  readonly cpuMsPerTile: number;
  readonly tilesPerSecond: number;
  readonly hitRate: number;
  readonly blocksRead: number;
  readonly rssMb: number;
}

async function measure(folder: string, crewName: string, workloadName: string): Promise<Measured> {
  const { cacheMb, warmUp, bursts } = workloads[workloadName]!();
  const plan = await makePlanner(folder);
  const crew = crews[crewName]!(cacheMb * 2 ** 20);
  await crew.ready();
  const drawAll = (some: typeof warmUp) =>
    Promise.all(some.map((wanted) => crew.draw(wanted, plan(wanted.scene, wanted.tile))));
  for (let i = 0; i < warmUp.length; i += 12) await drawAll(warmUp.slice(i, i + 12));

  const before = { counts: crew.counts(), cpu: process.cpuUsage(), ms: performance.now() };
  for (const burst of bursts) await drawAll(burst);
  const { user, system } = process.cpuUsage(before.cpu);
  const seconds = (performance.now() - before.ms) / 1000;
  const counts = crew.counts();
  const [hits, misses] = [counts.hits - before.counts.hits, counts.misses - before.counts.misses];
  const tiles = bursts.flat().length;
  const rssMb = process.memoryUsage().rss / 2 ** 20;
  await crew.close();
  return {
    cpuMsPerTile: (user + system) / 1000 / tiles,
    tilesPerSecond: tiles / seconds,
    hitRate: hits / (hits + misses),
    blocksRead: misses,
    rssMb,
  };
}

function compare(folder: string): void {
  console.log(
    'workload'.padEnd(13),
    'cache'.padEnd(19),
    ...['CPU ms/tile', 'tiles/s', 'hits', 'read', 'RSS MB'].map((title) => title.padStart(11)),
  );
  for (const workload of Object.keys(workloads)) {
    const best = new Map<string, Measured>();
    for (let round = 0; round < Number(values.rounds); round += 1) {
      for (const crew of Object.keys(crews)) {
        const args = [import.meta.filename, '--data', folder, '--crew', crew, '--workload', workload];
        const one = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Measured;
        const known = best.get(crew);
        if (known === undefined || one.cpuMsPerTile < known.cpuMsPerTile) best.set(crew, one);
      }
    }
    for (const [crew, { cpuMsPerTile, tilesPerSecond, hitRate, blocksRead, rssMb }] of best) {
      const figures = [
        cpuMsPerTile.toFixed(2),
        tilesPerSecond.toFixed(0),
        `${(100 * hitRate).toFixed(1)} %`,
        String(blocksRead),
        rssMb.toFixed(0),
      ];
      console.log(workload.padEnd(13), crew.padEnd(19), ...figures.map((figure) => figure.padStart(11)));
    }
  }
}

/** The price of shared memory, where it brings nothing: one thread that has all blocks. */
async function compareHits(folder: string): Promise<void> {
  const plan = await makePlanner(folder);
  const plans = workloads['all warm']!().bursts[0]!.map(({ scene, tile }) => plan(scene, tile));
  const { own, shared } = await measureHits(plans, 20 * Number(values.rounds));
  console.log(
    `one thread, all blocks there: ${own.toFixed(2)} ms of its own, ${shared.toFixed(2)} ms shared`,
  );
}

if (values.crew !== undefined && values.workload !== undefined && values.data !== undefined) {
  console.log(JSON.stringify(await measure(values.data, values.crew, values.workload)));
} else {
  const scratch = values.data === undefined ? mkdtempSync(join(tmpdir(), 'swath-cache-')) : null;
  const folder = resolve(values.data ?? (scratch as string));
  try {
    await makeScenes(folder);
    compare(folder);
    await compareHits(folder);
  } finally {
    if (scratch !== null) rmSync(scratch, { recursive: true });
  }
}
