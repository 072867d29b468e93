import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { planColormap } from '../../color/index.ts';
import { aTicket, makeRunnerHere } from '../../pool/testing/run-here.ts';
import { loadKernels } from '../../raster/index.ts';
import type { ColorbarJobs } from './draw-colorbar.ts';
import { makeColorbarJob, makeDrawColorbar } from './draw-colorbar.ts';

const viridis = planColormap(
  { kind: 'named', name: 'viridis', isReversed: false },
  { colorsLimit: null, range: null },
);

/** A pool of this thread, with the real job. */
function makeHere() {
  const pool = makeRunnerHere<ColorbarJobs>({ colorbar: makeColorbarJob(loadKernels()) });
  return { drawColorbar: makeDrawColorbar({ pool }), jobs: pool.asked };
}

test('a colorbar is a PNG of the colours in the requested size', async () => {
  const { drawColorbar, jobs } = makeHere();
  for (const [width, height] of [
    [256, 24],
    [1, 1],
    [2048, 512],
  ] as const) {
    const png = await drawColorbar({ plan: viridis, size: { width, height }, range: null }, aTicket);
    const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
    assert.deepEqual([info.format, info.width, info.height, info.channels], ['raw', width, height, 3]);
    assert.equal((await sharp(png).metadata()).format, 'png');
    if (width === 1) continue;
    for (const y of [0, height - 1]) {
      const at = (x: number): string =>
        data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3).toString('hex');
      assert.deepEqual([at(0), at(width / 4), at(width - 1)], ['440154', '3b528b', 'fde725']);
    }
  }
  assert.deepEqual(
    jobs.map(({ kind, ticket: { owner, bytes } }) => [kind, owner, bytes]),
    [
      ['colorbar', 'me', 256 * 24 * 12],
      ['colorbar', 'me', 12],
      ['colorbar', 'me', 2048 * 512 * 12],
    ],
  );
});

test('equal colorbars are equal bytes, and a range adds ticks', async () => {
  const { drawColorbar } = makeHere();
  const job = { plan: viridis, size: { width: 256, height: 24 }, range: null };
  const first = await drawColorbar(job, aTicket);
  assert.deepEqual(await drawColorbar(job, aTicket), first);
  assert.notDeepEqual(await drawColorbar({ ...job, range: { min: 0, max: 1 } }, aTicket), first);
});
