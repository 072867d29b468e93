import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Grid } from '../geo/index.ts';
import { tileAt, tileGrid } from '../geo/index.ts';
import { makeProjection } from '../proj/index.ts';
import { casesOf } from '../testing/test-size.ts';
import { loadKernels, planWarp, warpPlanes, warpWords } from './index.ts';

const kernels = loadKernels();

const image: Grid = { epsg: 32636, transform: [690000, 20, 0, 5610000, 0, -20], width: 300, height: 280 };
const [eastM, northM] = makeProjection(32636, 3857).forward(690000 + 150 * 20, 5610000 - 140 * 20);

test('nearest neighbours of words are those of their floats, inside of an image and over its edges', () => {
  fc.assert(
    fc.property(
      // Pixels that are finer and coarser than those of the image: four lie close together, or apart.
      fc.integer({ min: 10, max: 15 }),
      fc.record({ x: fc.integer({ min: -1, max: 1 }), y: fc.integer({ min: -1, max: 1 }) }),
      // Widths that are not whole groups of four.
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer(),
      (z, step, crop, bandCount, seed) => {
        const middle = tileAt(z, eastM, northM);
        const whole = tileGrid({ z, x: middle.x + step.x, y: middle.y + step.y });
        const target = { ...whole, width: 256 - crop, height: 256 - 3 * crop };
        const plan = planWarp({ target, source: { ...image, overviews: [] }, method: 'near' });
        if (plan === null) return;
        const length = plan.window.width * plan.window.height;
        const planeBytes = Math.ceil((length * 4) / 16) * 16;
        const allocate = kernels.begin();
        const wordsAt = allocate(planeBytes * bandCount);
        const valuesAt = allocate(planeBytes * bandCount);
        for (let band = 0; band < bandCount; band++) {
          const words = new Uint16Array(length).map((_, i) => (i * 7919 + band * 31) ^ seed);
          new Uint16Array(kernels.buffer(), wordsAt + band * planeBytes, length).set(words);
          new Float32Array(kernels.buffer(), valuesAt + band * planeBytes, length).set(words);
        }
        const count = target.width * target.height;
        const read = ({ bandsAt, maskAt }: ReturnType<typeof warpWords>) => ({
          mask: Buffer.from(kernels.buffer(), maskAt, count).toString('base64'),
          bands: bandsAt.map((at) => Buffer.from(kernels.buffer(), at, 4 * count).toString('base64')),
        });
        const source = { valuesAt, planeBytes, bandCount, maskAt: 0 };
        const expected = read(warpPlanes(kernels, allocate, { target, plan, source }));
        const words = { wordsAt, planeBytes, bandCount };
        assert.deepEqual(read(warpWords(kernels, allocate, { target, plan, source: words })), expected);
      },
    ),
    { numRuns: casesOf(60) },
  );
});
