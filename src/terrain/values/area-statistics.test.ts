import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gridBounds, MERCATOR_HALF_SIDE_M } from '../../geo/index.ts';
import { mercatorBounds } from '../plan/mercator.ts';
import { toAreaGrid } from './area-statistics.ts';

test('an area uses the deepest zoom level at which it has at most 1024 pixels a side', () => {
  const grid = toAreaGrid({ west: 10, south: 50, east: 10.5, north: 50.2 });
  const zoom = Math.log2((2 * MERCATOR_HALF_SIDE_M) / 256 / grid.transform[1]);
  assert.equal(zoom, Math.round(zoom));
  const side = Math.max(grid.width, grid.height);
  assert.ok(side > 512 && side <= 1_026, `${grid.width} × ${grid.height}`);
  const { west, south, east, north } = mercatorBounds(grid);
  assert.ok(west <= 10 && east >= 10.5 && south <= 50 && north >= 50.2);
});

test('pixels are on the tile lattice, and a small area has those of zoom level 16', () => {
  const { transform, width, height } = toAreaGrid({ west: 1, south: 1, east: 1.0001, north: 1.0001 });
  const pixel = (2 * MERCATOR_HALF_SIDE_M) / 256 / 2 ** 16;
  assert.equal(transform[1], pixel);
  assert.equal(transform[0] / pixel, Math.round(transform[0] / pixel));
  assert.ok(width >= 5 && width <= 7 && height >= 5 && height <= 7);
});

test('the whole map fits, and areas beyond it are refused', () => {
  const grid = toAreaGrid({ west: -180, south: -85.05, east: 180, north: 85.05 });
  assert.deepEqual([grid.width, grid.height], [1_024, 1_024]);
  const { minX, maxY } = gridBounds(grid);
  assert.ok(
    Math.abs(minX + MERCATOR_HALF_SIDE_M) < 1e-6 && Math.abs(maxY - MERCATOR_HALF_SIDE_M) < grid.transform[1],
  );
  assert.throws(() => toAreaGrid({ west: 0, south: 84, east: 1, north: 86 }), {
    tag: 'unsupported',
    code: 'area-beyond-map',
  });
});
