import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { closeRing } from '../../areas/antimeridian.ts';
import type { LonLat } from '../../geo/index.ts';
import { toOutline } from '../../geo/index.ts';
import { casesOf } from '../../testing/test-size.ts';
import { toCloudOutline } from './to-cloud-outline.ts';

/** Few places, so that corners are often the same and rings often closed. */
const coordinate = fc.integer({ min: -2, max: 2 });
const ring = fc.array(fc.tuple(coordinate, coordinate), { minLength: 4, maxLength: 9 });

test('rings become the edges that areas of the same corners have, and the rectangle around them', () => {
  fc.assert(
    fc.property(fc.array(ring, { minLength: 1, maxLength: 3 }), (rings) => {
      const closed = rings.map((one) => closeRing(one as LonLat[]));
      const { edges, ...bounds } = toCloudOutline(rings.map((one) => Float64Array.from(one.flat())));
      assert.deepEqual([...edges], [...toOutline({ type: 'Polygon', coordinates: closed })]);
      const [xs, ys] = [rings.flat().map(([x]) => x), rings.flat().map(([, y]) => y)];
      assert.deepEqual(bounds, {
        minX: Math.min(...xs),
        maxX: Math.max(...xs),
        minY: Math.min(...ys),
        maxY: Math.max(...ys),
      });
    }),
    { numRuns: casesOf(500) },
  );
});
