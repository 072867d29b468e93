import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Grid } from '../geo/index.ts';
import { tileAt, tileGrid } from '../geo/index.ts';
import { makeProjection } from '../proj/index.ts';
import { loadKernels, planWarp, warpPlanes, writePositions } from '../raster/index.ts';
import { casesOf } from '../testing/test-size.ts';
import { paintNearest, paintPlanes } from './stretch.ts';

const kernels = loadKernels();

const image: Grid = { epsg: 32636, transform: [690000, 20, 0, 5610000, 0, -20], width: 300, height: 280 };
const [eastM, northM] = makeProjection(32636, 3857).forward(690000 + 150 * 20, 5610000 - 140 * 20);
const middle = tileAt(13, eastM, northM);

/** A tile around the image: in the middle, over an edge, or beside it. */
const tile = fc.record({ x: fc.integer({ min: -1, max: 1 }), y: fc.integer({ min: -1, max: 1 }) });
const range = fc.record({
  min: fc.integer({ min: -100, max: 9_000 }),
  max: fc.integer({ min: -100, max: 9_000 }),
});

test('nearest words are painted as their floats would be, to the byte', () => {
  fc.assert(
    fc.property(
      tile,
      fc.integer({ min: 0, max: 40 }),
      fc.constantFrom(1, 3),
      fc.array(range, { minLength: 3, maxLength: 3 }),
      fc.integer(),
      (step, crop, channels, ranges, seed) => {
        const whole = tileGrid({ z: 13, x: middle.x + step.x, y: middle.y + step.y });
        // Widths that are not whole groups of four.
        const target = { ...whole, width: 256 - crop, height: 256 - 3 * crop };
        const plan = planWarp({ target, source: { ...image, overviews: [] }, method: 'near' });
        if (plan === null) return;
        const { width, height } = plan.window;
        const count = target.width * target.height;
        const words = Array.from({ length: channels }, (_, channel) =>
          new Uint16Array(width * height).map((_, i) => ((i * 7919 + channel * 31) ^ seed) & 0x3fff),
        );
        const stretches = ranges.slice(0, channels);

        const allocate = kernels.begin();
        const wordsAt = words.map((plane) => {
          const at = allocate(plane.byteLength);
          new Uint16Array(kernels.buffer(), at, plane.length).set(plane);
          return at;
        });
        const planeBytes = Math.ceil((width * height * 4) / 16) * 16;
        const valuesAt = allocate(planeBytes * channels);
        for (const [i, plane] of words.entries())
          new Float32Array(kernels.buffer(), valuesAt + i * planeBytes, plane.length).set(plane);
        const source = { valuesAt, planeBytes, bandCount: channels, maskAt: 0 };
        const planes = warpPlanes(kernels, allocate, { target, plan, source });
        const expected = paintPlanes(kernels, allocate, { planes, stretches });
        const positionsAt = writePositions(kernels, allocate, { target, plan });
        const actual = paintNearest(kernels, allocate, { positionsAt, wordsAt, stretches, count });

        const bytesOf = ({ rgbaAt }: { readonly rgbaAt: number }) =>
          Buffer.from(kernels.buffer(), rgbaAt, 4 * count);
        assert.equal(actual.isOpaque, expected.isOpaque);
        assert.ok(bytesOf(actual).equals(bytesOf(expected)));
      },
    ),
    { numRuns: casesOf(60) },
  );
});
