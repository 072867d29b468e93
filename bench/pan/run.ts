/**
 * How much prefetch helps: `npm run bench -- pan`.
 *
 * A person views a screen of tiles of a remote scene, pans east column by column, zooms in, and pauses for a second after
 * each step. Swath runs with and without `SWATH_PREFETCH`, in turns, in fresh processes with empty caches. Measured: the
 * time until all new tiles of a step have arrived, and the bytes that the server sent.
 * `--delay 80 --rounds 3 --pause 1000`; `--data` keeps the files.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Tile } from '../../src/geo/index.ts';
import { askTiles, toMedian } from '../cold/ask-tiles.ts';
import { findCorners, makeBands } from '../cold/make-scene.ts';
import { makeSwath } from '../cold/peers.ts';
import { startRangeServer } from '../cold/range-server.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    delay: { type: 'string', default: '30' },
    rounds: { type: 'string', default: '3' },
    pause: { type: 'string', default: '1000' },
  },
});

/** A window of a browser: so many tiles, and so many requests at once. */
const [COLUMNS, ROWS, CLIENTS] = [4, 3, 6] as const;
const MOVES = 5;

/** The screen of a zoom whose first tile is given. */
const toScreen = ({ z, x, y }: Tile): readonly Tile[] =>
  Array.from({ length: COLUMNS * ROWS }, (_, i) => ({
    z,
    x: x + (i % COLUMNS),
    y: y + Math.floor(i / COLUMNS),
  }));

/** What is asked for, step by step; tiles that are on the screen already are not. */
function planSteps(): readonly { readonly name: 'move' | 'zoom'; readonly tiles: readonly Tile[] }[] {
  const [{ z, x, y }] = findCorners(13);
  const moves = Array.from({ length: MOVES }, (_, move) => ({
    name: 'move' as const,
    tiles: Array.from({ length: ROWS }, (__, row) => ({ z, x: x + COLUMNS + move, y: y + row })),
  }));
  const zoomed = { z: z + 1, x: 2 * (x + MOVES) + 2, y: 2 * y + 1 };
  return [...moves, { name: 'zoom', tiles: toScreen(zoomed) }];
}

const scratch = mkdtempSync(join(tmpdir(), 'swath-bench-pan-'));
const bands = resolve(values.data ?? join(scratch, 'bands'));
const times = new Map<string, number[]>();
const note = (name: string, value: number): void => void times.set(name, [...(times.get(name) ?? []), value]);

try {
  await makeBands(bands);
  await using server = await startRangeServer(bands, Number(values.delay));
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const prefetch of ['on', 'off']) {
      const work = join(scratch, `${round}-${prefetch}`);
      mkdirSync(work);
      const swath = await makeSwath({ work, bands, port: server.port }, 'remote', {
        SWATH_PREFETCH: prefetch,
      });
      await using running = await swath.start();
      Object.assign(server.counts, { requests: 0, bytes: 0 });
      const [first] = findCorners(13);
      await askTiles(toScreen(first), CLIENTS, running.toUrl);
      for (const { name, tiles } of planSteps()) {
        await sleep(Number(values.pause));
        const { allMs, failed } = await askTiles(tiles, CLIENTS, running.toUrl);
        if (failed > 0) throw new Error(`${failed} tiles failed`);
        note(`${name} ${prefetch}`, allMs);
      }
      await sleep(Number(values.pause));
      note(`bytes ${prefetch}`, server.counts.bytes);
      console.error(`round ${round + 1}: reading ahead ${prefetch}`);
    }
  }
  const show = (name: string): number => toMedian(times.get(name) ?? []);
  console.log(`${values.delay} ms before each answer; medians`);
  console.log('reading ahead    move of 3 tiles    zoom of 12 tiles    from the store');
  for (const prefetch of ['off', 'on']) {
    const cells = [
      `${show(`move ${prefetch}`).toFixed(0)} ms`.padStart(15),
      `${show(`zoom ${prefetch}`).toFixed(0)} ms`.padStart(20),
      `${(show(`bytes ${prefetch}`) / 1e6).toFixed(1)} MB`.padStart(18),
    ];
    console.log(`${prefetch.padEnd(17)}${cells.join('')}`);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
