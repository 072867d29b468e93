import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Grid } from '../geo/index.ts';
import { tileAt, tileGrid } from '../geo/index.ts';
import type { ApproximateGrid } from './approximate-grid.ts';
import { evaluatePatch, makeApproximateGrid, PATCH_LENGTH } from './approximate-grid.ts';
import { makePixelMapping, makeProjection } from './projection.ts';

const scene: Grid = { epsg: 32633, transform: [300000, 60, 0, 7900000, 0, -60], width: 1830, height: 1830 };

/** The source position of each covered pixel centre of the target, by pixel index. */
function positionsOf(grid: ApproximateGrid, target: Grid): Map<number, readonly [x: number, y: number]> {
  const found = new Map<number, readonly [number, number]>();
  for (let i = 0; i < grid.cellCount; i++) {
    const [col, row, size] = grid.cells.subarray(3 * i) as unknown as [number, number, number];
    for (let y = Math.max(0, row); y < Math.min(target.height, row + size); y++) {
      for (let x = Math.max(0, col); x < Math.min(target.width, col + size); x++) {
        const [u, v] = [(x - col + 0.5) / size, (y - row + 0.5) / size];
        const index = y * target.width + x;
        assert.ok(!found.has(index), 'cells do not overlap');
        found.set(index, evaluatePatch(grid.patches, i * PATCH_LENGTH, u, v));
      }
    }
  }
  return found;
}

const tileOver = (z: number, partX: number, partY: number): Grid => {
  const [x, y] = makeProjection(scene.epsg, 3857).forward(
    scene.transform[0] + partX * scene.width * scene.transform[1],
    scene.transform[3] + partY * scene.height * scene.transform[5],
  );
  return tileGrid(tileAt(z, x, y));
};

for (const z of [0, 2, 4, 6, 7, 9, 11, 14]) {
  test(`zoom ${z}: every pixel of the scene is covered, within the error`, () => {
    const target = tileOver(z, 0.02, 0.98);
    const { toSource } = makePixelMapping(target, scene);
    const grid = makeApproximateGrid(target, scene);
    const positions = positionsOf(grid, target);
    let inScene = 0;
    for (let index = 0; index < target.width * target.height; index++) {
      const [col, row] = [index % target.width, Math.floor(index / target.width)];
      const [x, y] = toSource(col + 0.5, row + 0.5);
      if (!(x >= 0 && y >= 0 && x <= scene.width && y <= scene.height)) continue;
      inScene++;
      const got = positions.get(index);
      assert.ok(got !== undefined, `pixel ${col}, ${row} is not covered`);
      // The limit is 2e-5 pixels of the coarser grid; it is checked at four points, so allow for the space between.
      const allowed = 5e-5 * Math.max(1, grid.ratios[0]!);
      assert.ok(Math.hypot(got[0] - x, got[1] - y) < allowed, `${got} is not ${[x, y]}`);
    }
    assert.ok(inScene > 0);
  });
}

test('a tile needs one cell, and a few where the scene is much smaller than the tile', () => {
  assert.equal(makeApproximateGrid(tileOver(12, 0.5, 0.5), scene).cellCount, 1);
  assert.ok(makeApproximateGrid(tileOver(0, 0.5, 0.5), scene).cellCount < 200);
});

test('ratios are source pixels per target pixel', () => {
  const target: Grid = { epsg: 32633, transform: [310000, 120, 0, 7890000, 0, -180], width: 50, height: 50 };
  const { ratios } = makeApproximateGrid(target, scene);
  assert.ok(Math.abs(ratios[0]! - 2) < 1e-9 && Math.abs(ratios[1]! - 3) < 1e-9, `${ratios}`);
});

test('cells of neighbouring targets are the same cells, to the bit', () => {
  const pixel = 38.21851414258813;
  const at = (col: number, row: number, size: number): Grid => ({
    epsg: 3857,
    transform: [col * pixel, pixel, 0, -row * pixel, 0, -pixel],
    width: size,
    height: size,
  });
  const [x, y] = makeProjection(32633, 3857).forward(340000, 7860000);
  const [col, row] = [Math.round(x / pixel), Math.round(-y / pixel)];
  const whole = positionsOf(makeApproximateGrid(at(col, row, 300), scene), at(col, row, 300));
  const part = positionsOf(makeApproximateGrid(at(col + 137, row + 81, 100), scene), at(0, 0, 100));
  for (const [index, position] of part) {
    const inWhole = (Math.floor(index / 100) + 81) * 300 + (index % 100) + 137;
    assert.deepEqual(position, whole.get(inWhole));
  }
  assert.equal(part.size, 10_000);
});

test('a scene across the antimeridian is on both edges of the world', () => {
  const fiji: Grid = { epsg: 32701, transform: [160000, 100, 0, 8120000, 0, -100], width: 600, height: 600 };
  for (const x of [0, 2 ** 6 - 1]) {
    const target = tileGrid({ z: 6, x, y: 35 });
    const { toSource } = makePixelMapping(target, fiji);
    const positions = positionsOf(makeApproximateGrid(target, fiji), target);
    let hits = 0;
    for (const [index, [gotX, gotY]] of positions) {
      const [wantedX, wantedY] = toSource((index % 256) + 0.5, Math.floor(index / 256) + 0.5);
      if (wantedX < 0 || wantedY < 0 || wantedX > 600 || wantedY > 600) continue;
      hits++;
      assert.ok(Math.hypot(gotX - wantedX, gotY - wantedY) < 1e-3);
    }
    assert.ok(hits > 0, `x = ${x}`);
  }
});

test('a jump of the source at the antimeridian does not distort the ratios', () => {
  const world: Grid = { epsg: 4326, transform: [-180, 0.25, 0, 90, 0, -0.25], width: 1440, height: 720 };
  const target: Grid = {
    epsg: 32601,
    transform: [150000, 5000, 0, 7900000, 0, -5000],
    width: 64,
    height: 64,
  };
  const grid = makeApproximateGrid(target, world);
  assert.ok(Math.max(...grid.ratios) < 1, `${Math.max(...grid.ratios)}`);
  assert.equal(positionsOf(grid, target).size, 64 * 64);
});

test('targets beyond the projection are left uncovered without failing', () => {
  const world: Grid = { epsg: 3857, transform: [-2e7, 1e5, 0, 2e7, 0, -1e5], width: 400, height: 400 };
  const polar: Grid = { epsg: 4326, transform: [0, 1, 0, 100, 0, -1], width: 20, height: 20 };
  const positions = positionsOf(makeApproximateGrid(polar, world), polar);
  for (const index of positions.keys()) assert.ok(index >= 10 * 20, 'no pixel lies north of the pole');
  assert.ok(positions.size >= 20 * 5);
});

test('unknown CRSs and degenerate georeferences are refused', () => {
  const target = tileGrid({ z: 3, x: 4, y: 2 });
  assert.throws(() => makeApproximateGrid(target, { ...scene, epsg: 2154 }), { code: 'unknown-crs' });
  assert.throws(() => makeApproximateGrid(target, { ...scene, transform: [0, 0, 0, 0, 0, 0] }), {
    code: 'singular-affine',
  });
});
