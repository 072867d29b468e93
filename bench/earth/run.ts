/**
 * Live catalogs over a slow network, nothing known beforehand: `npm run bench -- earth`.
 *
 * A catalog in the shape of Earth Search and a server of its files wait before each answer. Measures a search, the first
 * and the second tile of scenes that no one has asked for, at 30 and 80 ms; and NDVI of a field of a square kilometre in
 * 100 scenes of two years at 30 ms, compared with a Python program on the same servers (pystac-client with rasterio and
 * with rio-tiler, installed once below node_modules/.cache). Files have the size and the blocks of Earth Search's.
 * All shares two cores or more with the servers, which therefore hold everything in memory. Threads of tasks have the lowest
 * priority: next to other programs, the curve takes as long as those let it.
 * `--only latency,curve`; `--rounds 9`; `--data FOLDER` keeps the files. Fails when a demand is not met.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeBands } from './make-bands.ts';
import { measureCurve } from './measure-curve.ts';
import { measureLatency } from './measure-latency.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    only: { type: 'string', default: 'latency,curve' },
    rounds: { type: 'string', default: '9' },
  },
});
const wanted = values.only.split(',');
const scratch = mkdtempSync(join(tmpdir(), 'swath-bench-earth-'));
const bands = resolve(values.data ?? join(scratch, 'bands'));
try {
  await makeBands(bands);
  if (wanted.includes('latency')) await measureLatency([30, 80], { bands, rounds: Number(values.rounds) });
  if (wanted.includes('curve')) await measureCurve(bands, 30);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
