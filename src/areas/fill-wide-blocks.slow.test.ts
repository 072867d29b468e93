import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Grid } from '../geo/index.ts';
import { toOutline } from '../geo/index.ts';
import { makeProjection } from '../proj/index.ts';
import { rasterizeArea } from './cover-pixels.ts';

/** Grids of one lattice agree to the pixel; those of 48 pixels are too small for wide blocks. */
const SMALL_PX = 48;

/** The mask of a grid, put together from small grids. */
function rasterizeInParts(outline: Float64Array, grid: Grid): Uint8Array {
  const mask = new Uint8Array(grid.width * grid.height);
  const [x, pixelWidth, , y, , pixelHeight] = grid.transform;
  for (let top = 0; top < grid.height; top += SMALL_PX) {
    for (let left = 0; left < grid.width; left += SMALL_PX) {
      const width = Math.min(SMALL_PX, grid.width - left);
      const height = Math.min(SMALL_PX, grid.height - top);
      const transform = [
        x + left * pixelWidth,
        pixelWidth,
        0,
        y + top * pixelHeight,
        0,
        pixelHeight,
      ] as const;
      const part = rasterizeArea(outline, { ...grid, transform, width, height });
      for (let row = 0; row < height; row++)
        mask.set(part.subarray(row * width, (row + 1) * width), (top + row) * grid.width + left);
    }
  }
  return mask;
}

/** Where the grids lie, and the size of their pixels: UTM near its meridian and far from it, polar, equal area. */
const CASES: readonly (readonly [epsg: number, lon: number, lat: number, pixelM: number])[] = [
  [32633, 15.2, 48, 10],
  [32633, 21, 70, 500],
  [3413, -45, 85, 400],
  [3413, -45, 89.5, 400],
  [3035, 30, 65, 1000],
  [32601, -179.9, 65, 30],
];

test('property: a large grid equals small ones pixel by pixel, whatever the area', () => {
  const anyCase = fc.record({
    at: fc.constantFrom(...CASES),
    width: fc.integer({ min: 130, max: 700 }),
    height: fc.integer({ min: 130, max: 700 }),
    radii: fc.array(fc.double({ min: 0.05, max: 0.7, noNaN: true }), { minLength: 3, maxLength: 25 }),
    hole: fc.constantFrom(0, 0.6),
    shift: fc.nat(31),
  });
  let inside = 0;
  fc.assert(
    fc.property(anyCase, ({ at, width, height, radii, hole, shift }) => {
      const [epsg, lon, lat, pixelM] = at;
      const [x, y] = makeProjection(4326, epsg).forward(lon, lat);
      const left = (Math.round(x / pixelM) + shift) * pixelM;
      const top = (Math.round(y / pixelM) + shift) * pixelM;
      const grid: Grid = { epsg, transform: [left, pixelM, 0, top, 0, -pixelM], width, height };
      const toLonLat = makeProjection(epsg, 4326).forward;
      const ring = (factor: number) => {
        const corners = radii.map((radius, i) => {
          const angle = (2 * Math.PI * i) / radii.length;
          return toLonLat(
            left + pixelM * width * (0.5 + factor * radius * Math.cos(angle)),
            top - pixelM * height * (0.5 + factor * radius * Math.sin(angle)),
          );
        });
        return [...corners, corners[0]!].map(([east, north]) => [east, north] as const);
      };
      const rings = hole === 0 ? [ring(1)] : [ring(1), ring(hole)];
      const outline = toOutline({ type: 'MultiPolygon', coordinates: [rings] });
      const mask = rasterizeArea(outline, grid);
      inside += mask.indexOf(1) >= 0 ? 1 : 0;
      assert.ok(Buffer.from(mask).equals(Buffer.from(rasterizeInParts(outline, grid))));
    }),
    { numRuns: 60 },
  );
  assert.ok(inside > 30, `${inside}`);
});
