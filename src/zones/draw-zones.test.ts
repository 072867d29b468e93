import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAreaGeometry } from '../areas/index.ts';
import type { MultiPolygonGeometry } from '../geo/index.ts';
import { areaKm2 } from '../geo/index.ts';
import { makeToLonLat } from '../zonal/measuring.ts';
import { drawZones } from './draw-zones.ts';

/** 40 × 30 pixels of 10 m in UTM zone 10. */
const grid = {
  epsg: 32_610,
  transform: [545_000, 10, 0, 5_340_000, 0, -10] as const,
  width: 40,
  height: 30,
};
const size = grid.width * grid.height;
/** The left quarter is low, the right half high; a pixel in four is not known. */
const layer = new Float32Array(size).map((_, i) => {
  const column = i % grid.width;
  return i % 4 === 3 ? Number.NaN : column < 10 ? 0.2 : column < 20 ? 0.5 : 0.8;
});
const request = {
  layers: [layer],
  grid,
  inside: new Uint8Array(size).fill(1),
  count: 3,
  method: 'kmeans' as const,
  smoothing: 0,
  minHectares: 0,
  tolerancePx: 0,
  border: null,
};

test('zones have polygons on the ground, hectares and values, from low to high', () => {
  const zones = drawZones(request);
  assert.deepEqual(
    zones.map(({ number, patches, percent, values }) => [number, patches, percent, values?.mean.toFixed(3)]),
    [
      [1, 1, 25, '0.200'],
      [2, 1, 25, '0.500'],
      [3, 1, 50, '0.800'],
    ],
  );
  for (const [i, hectares] of [3, 3, 6].entries())
    assert.ok(
      Math.abs(zones[i]!.hectares / hectares - 1) < 2e-3,
      `${zones[i]!.hectares} ha on the ellipsoid`,
    );
  const [lon, lat] = zones[0]!.geometry.coordinates[0]![0]![0]!;
  assert.ok(Math.abs(lon + 122.39) < 0.02 && Math.abs(lat - 48.21) < 0.02, `${lon}, ${lat}`);
  assert.ok(zones[0]!.score! < 0 && zones[2]!.score! > 0);
  assert.ok(areaKm2(zones[2]!.geometry) > 0.059);
});

test('a zone stays within the field', () => {
  const inside = new Uint8Array(size).map((_, i) => Number(i % grid.width >= 5));
  const zones = drawZones({ ...request, inside });
  assert.ok(Math.abs(zones[0]!.hectares - 1.5) < 0.01, `${zones[0]!.hectares}`);
});

test('a field that is hardly visible is refused', () => {
  const hidden = layer.map((value, i) => (i % 3 === 0 ? value : Number.NaN));
  assert.throws(() => drawZones({ ...request, layers: [hidden] }), { code: 'too-few-clear' });
});

test('zones fill the field up to its border, and share their borders with each other', () => {
  const toLonLat = makeToLonLat(grid);
  // Edges between the pixels, and a spike that holds no centre of a pixel.
  const corners = [
    ...[
      [2.3, 3.4],
      [20, 1.2],
      [37.7, 4.1],
      [33.3, 27.8],
      [20.1, 24],
      [20, 29.6],
      [19.9, 24],
      [4.9, 26.2],
    ],
    [2.3, 3.4],
  ] as [number, number][];
  const border = parseAreaGeometry({ type: 'Polygon', coordinates: [corners.map(toLonLat)] });
  const inside = new Uint8Array(size).map((_, i) => {
    const [column, row] = [(i % grid.width) + 0.5, Math.floor(i / grid.width) + 0.5];
    return Number(column > 5 && column < 33 && row > 5 && row < 24);
  });
  for (const tolerancePx of [0, 1]) {
    const zones = drawZones({ ...request, inside, border, tolerancePx });
    assert.equal(zones.length, 3);
    const sizes = zones.map(({ geometry }) => areaKm2(geometry));
    const all = sizes.reduce((sum, one) => sum + one, 0);
    assert.ok(Math.abs(all / areaKm2(border) - 1) < 1e-9, `${all} of ${areaKm2(border)} km²`);
    for (const [i, { hectares, geometry }] of zones.entries()) {
      assert.ok(Math.abs(hectares / (100 * sizes[i]!) - 1) < 1e-12);
      // Valid by the rules of areas, and no two cover the same ground.
      parseAreaGeometry(geometry);
    }
    const together = zones.flatMap(({ geometry }) => geometry.coordinates);
    const whole: MultiPolygonGeometry = { type: 'MultiPolygon', coordinates: together };
    assert.doesNotThrow(() => parseAreaGeometry(whole));
  }
});
