import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Grid } from '../geo/index.ts';
import { nearestAffine, tileAt, tileGrid } from '../geo/index.ts';
import { evaluatePatch, makeApproximateGrid, PATCH_LENGTH } from './approximate-grid.ts';
import type { GeoreferencedGrid } from './projection.ts';
import { makePixelMapping, makeProjection } from './projection.ts';
import type { SwathPass } from './testing/swath-lattice.ts';
import { latticeOfPass, locateInPass } from './testing/swath-lattice.ts';

const size = { width: 1280, height: 837 };
const toMercator = makeProjection(4326, 3857).forward;

/**
 * A pass over mountains: the heights of the nodes shift them by pixels in either direction, so the lattice bends at
 * each one.
 */
function rough(pass: SwathPass): GeoreferencedGrid {
  const smooth = latticeOfPass(pass);
  const lattice = { ...smooth, x: smooth.x.map((x, i) => x + 0.003 * Math.sin(i * i)) };
  return { epsg: 4326, transform: nearestAffine(lattice), lattice, ...size };
}

const passes: Readonly<Record<string, SwathPass>> = {
  ascending: { size, lon: 11, lat: 47, headingDeg: -12, pixelM: 200 },
  'over the antimeridian': { size, lon: 179.9, lat: -17, headingDeg: 192, pixelM: 200, isMirrored: true },
  'near the pole': { size, lon: 40, lat: 83, headingDeg: 50, pixelM: 200 },
};

for (const [name, pass] of Object.entries(passes)) {
  for (const z of [0, 2, 5, 7, 9, 12]) {
    test(`a rough lattice ${name}, zoom ${z}: every pixel of the image is covered, to an eighth of a pixel`, () => {
      const source = rough(pass);
      const { x, y } = locateInPass(pass, 0.8 * size.width, 0.9 * size.height);
      const target = tileGrid(tileAt(z, ...toMercator(x, y)));
      const { toSource } = makePixelMapping(target, source);
      const grid = makeApproximateGrid(target, source);
      const missing = new Set<number>();
      const exact = Array.from({ length: 256 * 256 }, (_, index) => {
        const position = toSource((index % 256) + 0.5, Math.floor(index / 256) + 0.5);
        const [col, row] = position;
        if (col >= 0 && row >= 0 && col <= size.width && row <= size.height) missing.add(index);
        return position;
      });
      assert.ok(missing.size > 0);
      for (let i = 0; i < grid.cellCount; i++) {
        const [left, top, side] = grid.cells.subarray(3 * i) as unknown as [number, number, number];
        for (let index = 0; index < side * side; index++) {
          const [col, row] = [left + (index % side), top + Math.floor(index / side)];
          if (!missing.delete(row * 256 + col)) continue;
          const u = (col - left + 0.5) / side;
          const got = evaluatePatch(grid.patches, i * PATCH_LENGTH, u, (row - top + 0.5) / side);
          const wanted = exact[row * 256 + col]!;
          const coarser = Math.max(1, grid.ratios[2 * i]!, grid.ratios[2 * i + 1]!);
          assert.ok(Math.hypot(got[0] - wanted[0], got[1] - wanted[1]) < 0.125 * coarser);
        }
      }
      assert.equal(missing.size, 0);
      assert.ok(grid.cellCount < 2_000, `${grid.cellCount} cells`);
    });
  }
}

test('a lattice in the middle of an image locates only that part, to the pixel', () => {
  const whole: Grid = {
    epsg: 32633,
    transform: [300_000, 10, 0, 5_300_000, 0, -10],
    width: 400,
    height: 300,
  };
  const [cols, rows] = [
    [100, 200, 300],
    [50, 150, 250],
  ];
  const nodes = rows.flatMap((row) => cols.map((col) => [300_000 + 10 * col, 5_300_000 - 10 * row] as const));
  const lattice = { cols, rows, x: nodes.map(([x]) => x), y: nodes.map(([, y]) => y) };
  const target: Grid = { ...whole, transform: [300_000, 10, 0, 5_300_000, 0, -10] };
  const grid = makeApproximateGrid(target, { ...whole, lattice });
  let covered = 0;
  for (let i = 0; i < grid.cellCount; i++) {
    const [left, top, side] = grid.cells.subarray(3 * i) as unknown as [number, number, number];
    assert.ok(left >= 100 && top >= 50 && left + side <= 300 && top + side <= 250);
    covered += side * side;
  }
  assert.equal(covered, 200 * 200);
});
