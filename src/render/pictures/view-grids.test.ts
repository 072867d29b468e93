import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyAffine, gridBounds } from '../../geo/index.ts';
import { makeProjection } from '../../proj/index.ts';
import { toViewGrid, toWholeGrid } from './view-grids.ts';

const box = (west: number, south: number, east: number, north: number) =>
  ({
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  }) as const;

test('the whole of an outline has the asked pixels on its longer side and square ones', () => {
  const wide = toWholeGrid(box(2, 0, 4, 1), 256);
  assert.deepEqual([wide.width, wide.height], [256, 128]);
  assert.equal(wide.transform[1], -wide.transform[5]);
  const high = toWholeGrid(box(2, 0, 3, 2), 256);
  assert.deepEqual([high.width, high.height], [128, 256]);
});

test('an outline across the antimeridian is not as wide as the world, and the poles are left out', () => {
  const parts = [box(179, 10, 180, 11), box(-180, 10, -179, 11)].map(({ coordinates }) => coordinates);
  const { minX, maxX } = gridBounds(toWholeGrid({ type: 'MultiPolygon', coordinates: parts as never }, 256));
  assert.ok(maxX - minX < 300_000);
  assert.ok(toWholeGrid(box(-180, -90, 180, 90), 256).height <= 256);
});

test('a view has its position in the middle and the pixels of its zoom level', () => {
  const { transform, width, height } = toViewGrid([2.5, 42.5], 12, 512);
  const [lon, lat] = makeProjection(3857, 4326).forward(...applyAffine(transform, width / 2, height / 2));
  assert.ok(Math.abs(lon - 2.5) < 1e-9 && Math.abs(lat - 42.5) < 1e-9);
  assert.equal(transform[1].toFixed(4), '38.2185');
  assert.throws(() => toViewGrid([0, 86], 3, 512), { code: 'bad-position' });
});
