import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areaKm2 } from '../geo/index.ts';
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
const layer = Float32Array.from({ length: size }, (_, i) => {
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
};

test('zones have polygons on the ground, hectares and numbers, from low to high', () => {
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

test('a zone keeps within the field', () => {
  const inside = Uint8Array.from({ length: size }, (_, i) => Number(i % grid.width >= 5));
  const zones = drawZones({ ...request, inside });
  assert.ok(Math.abs(zones[0]!.hectares - 1.5) < 0.01, `${zones[0]!.hectares}`);
});

test('a field that is hardly seen is refused', () => {
  const hidden = layer.map((value, i) => (i % 3 === 0 ? value : Number.NaN));
  assert.throws(() => drawZones({ ...request, layers: [hidden] }), { code: 'too-few-clear' });
});
