/**
 * Cold tiles of files on a slow network: `npm run bench -- cold`.
 *
 * Fresh processes read three COGs from a server that delays each answer. Swath with the same files on the local disk shows
 * the cost of the network; TiTiler is measured too if `--titiler-python` names a Python with titiler.core and uvicorn.
 * Sides take turns, and the median of the rounds counts. Each starts without cached headers and ranges; with `--again` the
 * same tiles are requested again after a restart, with those caches.
 * `--delay 80 --clients 16 --tiles 60 --rounds 3`; `--data` keeps the files.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { AskedTiles } from './ask-tiles.ts';
import { askTiles, toMedian } from './ask-tiles.ts';
import { chooseTiles, makeBands } from './make-scene.ts';
import { makeSwath, makeTitiler } from './peers.ts';
import { startRangeServer } from './range-server.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    delay: { type: 'string', default: '30' },
    tiles: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '2' },
    clients: { type: 'string', default: '1' },
    again: { type: 'boolean', default: false },
    'titiler-python': { type: 'string' },
  },
});

const scratch = mkdtempSync(join(tmpdir(), 'swath-bench-cold-'));
const bands = resolve(values.data ?? join(scratch, 'bands'));
const lists = { z13: chooseTiles(13, Number(values.tiles)), z10: chooseTiles(10, Number(values.tiles)) };

interface Row extends AskedTiles {
  readonly requests: number;
  readonly megabytes: number;
}

try {
  mkdirSync(join(scratch, 'work'));
  await makeBands(bands);
  await using server = await startRangeServer(bands, Number(values.delay));
  const files = { work: join(scratch, 'work'), bands, port: server.port };
  const python = values['titiler-python'];
  const peers = [
    await makeSwath(files, 'remote'),
    await makeSwath(files, 'local'),
    ...(python === undefined ? [] : [makeTitiler(files, python)]),
  ];
  const rows = new Map<string, Row[]>();
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const peer of peers) {
      for (const [zoom, tiles] of Object.entries(lists)) {
        peer.forget();
        for (const pass of values.again ? ['', ', again'] : ['']) {
          await using running = await peer.start();
          Object.assign(server.counts, { requests: 0, bytes: 0 });
          const asked = await askTiles(tiles, Number(values.clients), running.toUrl);
          const { requests, bytes } = server.counts;
          const name = `${zoom} ${peer.name}${pass}`;
          rows.set(name, [...(rows.get(name) ?? []), { ...asked, requests, megabytes: bytes / 1e6 }]);
          console.error(`round ${round + 1}: ${name}, median ${asked.medianMs.toFixed(0)} ms`);
        }
      }
    }
  }
  report(rows);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function report(rows: ReadonlyMap<string, readonly Row[]>): void {
  console.log(`${values.delay} ms before each answer, clients: ${values.clients}; in ms`);
  const show = (cells: readonly string[]): string =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(30) : cell.padStart(9))).join('');
  console.log(show(['', 'first', 'median', 'all', 'requests', 'MB', 'failed']));
  for (const [name, runs] of [...rows].sort(([a], [b]) => (a < b ? 1 : -1))) {
    const median = (read: (row: Row) => number, digits = 0): string =>
      toMedian(runs.map(read)).toFixed(digits);
    console.log(
      show([
        name,
        median((row) => row.firstMs),
        median((row) => row.medianMs),
        median((row) => row.allMs),
        median((row) => row.requests),
        median((row) => row.megabytes, 1),
        String(runs.reduce((sum, { failed }) => sum + failed, 0)),
      ]),
    );
    const stages = runs.at(-1)?.stagesMs ?? new Map<string, number>();
    if (stages.size > 0)
      console.log(`    ${[...stages].map(([stage, ms]) => `${stage} ${ms.toFixed(1)}`).join(', ')}`);
  }
}
