import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { rasterizeArea } from '../areas/index.ts';
import type { AreaOutline, Grid } from '../geo/index.ts';
import { LON_LAT_GRID, toOutline } from '../geo/index.ts';
import { makePixelMapping } from '../proj/index.ts';
import { casesOf } from '../testing/test-size.ts';
import type { AreaCells } from './area-cells.ts';
import { coverCells } from './area-cells.ts';
import { CELL_PX, cellWindow } from './mask-cells.ts';

const grid: Grid = {
  epsg: 32_631,
  transform: [500_000, 20, 0, 4_700_000, 0, -20],
  width: 2 * CELL_PX + 40,
  height: CELL_PX + 77,
};

/** An area with these corners, in pixels. */
function toArea(corners: readonly (readonly [col: number, row: number])[], on: Grid = grid): AreaOutline {
  const { toTarget } = makePixelMapping(LON_LAT_GRID, on);
  const ring = [...corners, corners[0]!].map(([col, row]) => toTarget(col, row) as [number, number]);
  return toOutline({ type: 'Polygon', coordinates: [ring] });
}

const toBox = (left: number, top: number, right: number, bottom: number, on: Grid = grid) =>
  toArea(
    [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
    ],
    on,
  );

/** The covered pixels of the whole grid. */
function draw({ cells, ends, runs }: AreaCells, image: Grid): Uint8Array {
  const mask = new Uint8Array(image.width * image.height);
  for (const [i, cell] of cells.entries()) {
    const { x, y, width } = cellWindow(cell, image);
    for (let run = i === 0 ? 0 : ends[i - 1]!; run < ends[i]!; run += 2) {
      for (let at = runs[run]!; at < runs[run + 1]!; at += 1) {
        mask[(y + Math.floor(at / width)) * image.width + x + (at % width)]! += 1;
      }
    }
  }
  return mask;
}

const anyCorner = fc.tuple(fc.integer({ min: -30, max: 330 }), fc.integer({ min: -30, max: 240 }));

test('property: cells cover the pixels whose centres are in the area, each once', () => {
  fc.assert(
    fc.property(fc.array(anyCorner, { minLength: 3, maxLength: 6 }), (corners) => {
      // Half a pixel off centres, where rounding decides.
      const outline = toArea(corners.map(([col, row]) => [col + 0.013, row + 0.017]));
      const wanted = rasterizeArea(outline, grid, { isExact: true });
      const { areaPx, ...found } = coverCells({ outline, grid });
      const count = wanted.reduce((sum, one) => sum + one, 0);
      if (count > 0) assert.deepEqual(draw({ areaPx, ...found }, grid), wanted);
      assert.ok(areaPx >= count);
    }),
    { numRuns: casesOf(150) },
  );
});

test('the size of an area beyond the image includes all of it, as on a continued grid', () => {
  const inside = coverCells({ outline: toBox(10, 10, 30, 20), grid });
  assert.equal(inside.areaPx, 200);
  // Half of it lies left of the image, and a part above.
  const across = coverCells({ outline: toBox(-20.01, -10.01, 20.01, 30.01), grid });
  assert.equal(across.areaPx, 1_600);
  assert.equal(
    draw(across, grid).reduce((sum, one) => sum + one, 0),
    600,
  );
  const outside = coverCells({ outline: toBox(-50, -50, -40, -45), grid });
  assert.deepEqual([outside.areaPx, outside.cells.length], [50, 0]);
});

test('a large area around a small image is measured with larger pixels', () => {
  const small: Grid = { ...grid, width: 8, height: 8 };
  const { areaPx, cells } = coverCells({ outline: toBox(-3_000, -3_000, 3_000, 3_000, small), grid: small });
  assert.ok(Math.abs(areaPx / 36e6 - 1) < 0.01, `${areaPx}`);
  assert.deepEqual([...cells], [0]);
});

test('an area without a pixel centre covers the pixels it touches', () => {
  const found = coverCells({ outline: toBox(127.7, 5.7, 128.3, 5.9), grid });
  assert.deepEqual([...found.cells], [0, 1]);
  assert.equal(found.areaPx, 2);
});

test('a fully covered cell is one run', () => {
  const { cells, runs, ends } = coverCells({ outline: toBox(-1, -1, 400, 300), grid });
  assert.deepEqual([...cells], [0, 1, 2, 3, 4, 5]);
  assert.deepEqual([...ends], [2, 4, 6, 8, 10, 12]);
  assert.deepEqual([...runs.subarray(0, 2)], [0, CELL_PX * CELL_PX]);
});
