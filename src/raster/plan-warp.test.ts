import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Grid } from '../geo/index.ts';
import { gridBounds, tileAt, tileGrid } from '../geo/index.ts';
import {
  findGrid,
  listGrids,
  makeApproximateGrid,
  makePixelMapping,
  makeProjection,
  packGrids,
  unlistGrids,
  unpackGrids,
} from '../proj/index.ts';
import { casesOf } from '../testing/test-size.ts';
import type { Kernels } from './kernels.ts';
import { loadKernels } from './kernels.ts';
import type { ResampleMethod, WarpSource } from './plan-warp.ts';
import { largestFootprint, planWarp, resamplers, workBytes } from './plan-warp.ts';
import { makeSceneFixture, requestFor, warpFixture } from './testing/scene-fixture.ts';
import { warp } from './warp.ts';

const kernels = loadKernels();
/** A Sentinel-2 tile with the overviews of a COG. */
const sentinel: WarpSource = {
  epsg: 32636,
  transform: [600000, 10, 0, 5400000, 0, -10],
  width: 10980,
  height: 10980,
  overviews: [5490, 2745, 1373, 687].map((side) => ({ width: side, height: side })),
};
const [x, y] = makeProjection(32636, 3857).forward(654900, 5345100);
const planTile = (z: number) =>
  planWarp({ target: tileGrid(tileAt(z, x, y)), source: sentinel, method: 'bilinear' });

test('each zoom level reads the coarsest overview that is not coarser than the tile', () => {
  const levels = [15, 14, 13, 12, 11, 10, 9, 5, 0].map((z) => planTile(z)?.level);
  assert.deepEqual(levels, [0, 0, 0, 1, 2, 3, 4, 4, 4]);
});

test('the level changes where the pixels are equally large', () => {
  const levelAt = (pixelM: number): number | undefined => {
    const target: Grid = {
      ...sentinel,
      transform: [600000, pixelM, 0, 5400000, 0, -pixelM],
      width: 9,
      height: 9,
    };
    return planWarp({ target, source: sentinel, method: 'near' })?.level;
  };
  const sizes = [5, 10, 19.99, 20, 20.01, 39.99, 40, 79.9, 79.98, 300];
  assert.deepEqual(sizes.map(levelAt), [0, 0, 0, 1, 1, 1, 2, 2, 3, 4]);
});

test('overviews may come in any order', () => {
  const source = { ...sentinel, overviews: sentinel.overviews.toReversed() };
  const plan = planWarp({ target: tileGrid(tileAt(10, x, y)), source, method: 'near' });
  assert.deepEqual([plan?.level, plan?.levelSize.width], [2, 1373]);
});

test('the level comes with its size and georeference: the same ground', () => {
  const { level, levelTransform, levelSize, window } = planTile(10)!;
  assert.deepEqual([level, levelSize], [3, { width: 1373, height: 1373 }]);
  const ground = gridBounds({ transform: levelTransform, ...levelSize });
  const full = gridBounds(sentinel);
  for (const side of ['minX', 'minY', 'maxX', 'maxY'] as const) {
    assert.ok(Math.abs(ground[side] - full[side]) < 1e-6);
  }
  assert.ok(window.width < 600 && window.height < 600, JSON.stringify(window));
});

test('a plan is plain JSON', () => {
  const plan = planTile(12);
  assert.deepEqual(JSON.parse(JSON.stringify(plan)), plan);
});

test('a tile outside the scene needs no pixels', () => {
  for (const tile of [
    { z: 12, x: 0, y: 0 },
    { z: 5, x: 31, y: 31 },
    { z: 13, x: 4890, y: 2805 },
  ]) {
    assert.equal(planWarp({ target: tileGrid(tile), source: sentinel, method: 'near' }), null);
  }
});

test('a single pixel reads a single pixel, or the four around it', () => {
  const target: Grid = { ...sentinel, transform: [600123, 1, 0, 5399871, 0, -1], width: 1, height: 1 };
  const near = planWarp({ target, source: sentinel, method: 'near' });
  assert.deepEqual(near?.window, { x: 12, y: 12, width: 1, height: 1 });
  const bilinear = planWarp({ target, source: sentinel, method: 'bilinear' });
  assert.deepEqual(bilinear?.window, { x: 11, y: 12, width: 2, height: 2 });
});

test('the window is clamped to the image', () => {
  const target: Grid = { ...sentinel, transform: [599000, 10, 0, 5401000, 0, -10], width: 200, height: 300 };
  const plan = planWarp({ target, source: sentinel, method: 'bilinear' });
  assert.deepEqual(plan?.window, { x: 0, y: 0, width: 101, height: 201 });
});

test('a scene across the antimeridian is measured at its centre', () => {
  const fiji: WarpSource = { ...sentinel, epsg: 32701, transform: [150000, 10, 0, 8120000, 0, -10] };
  const [fijiX, fijiY] = makeProjection(32701, 3857).forward(204900, 8065100);
  const plan = planWarp({ target: tileGrid(tileAt(8, fijiX, fijiY)), source: fiji, method: 'near' });
  assert.equal(plan?.level, 4);
});

test('property: the planned window contains every pixel that the warp needs', () => {
  const grid: Grid = { epsg: 32633, transform: [300000, 60, 0, 7900000, 0, -60], width: 90, height: 80 };
  const scene = makeSceneFixture(grid, 0.05);
  const [originX, originY] = makeProjection(32633, 3857).forward(302700, 7897600);
  const request = fc.record({
    method: fc.constantFrom('near' as const, 'bilinear' as const),
    pixelM: fc.double({ min: 20, max: 2000, noNaN: true }),
    left: fc.double({ min: -30, max: 30, noNaN: true }),
    top: fc.double({ min: -30, max: 30, noNaN: true }),
    width: fc.integer({ min: 1, max: 30 }),
    height: fc.integer({ min: 1, max: 30 }),
  });
  const whole = { x: 0, y: 0, width: grid.width, height: grid.height };
  fc.assert(
    fc.property(request, ({ method, pixelM, left, top, width, height }) => {
      const transform = [originX + left * pixelM, pixelM, 0, originY + top * pixelM, 0, -pixelM] as const;
      const target: Grid = { epsg: 3857, transform, width, height };
      const plan = {
        method,
        level: 0,
        epsg: grid.epsg,
        levelTransform: grid.transform,
        window: whole,
        levelSize: { width: grid.width, height: grid.height },
        workBytes: 0,
      };
      const wanted = warp(kernels, { target, plan, bands: scene.bands, mask: scene.mask });
      const got = warpFixture(kernels, scene, target, method);
      assert.deepEqual(got.mask, wanted.mask);
      assert.deepEqual(got.bands, wanted.bands);
    }),
    { numRuns: casesOf(300) },
  );
});

/** Sentinel-2 without overviews. */
const single = {
  epsg: 32636,
  transform: [600000, 10, 0, 5400000, 0, -10] as const,
  width: 10980,
  height: 10980,
  overviews: [],
};
const planOn = (target: Grid) => planWarp({ target, source: single, method: 'near' });

test('the grid of a plan is posted to another thread with the plan', () => {
  const plan = planOn(tileGrid(tileAt(13, x, y)));
  const posted = structuredClone({ plan, inputs: [plan], grids: packGrids([plan, null]) });
  assert.ok(posted.plan);
  assert.equal(findGrid(posted.plan), undefined);
  unpackGrids(posted.grids);
  assert.deepEqual(findGrid(posted.inputs[0]!), findGrid(plan!));
  assert.equal(findGrid(plan!)?.cellCount, 1);
});

test('the grids of plans that are sent as JSON keep their order', () => {
  const plan = planOn(tileGrid(tileAt(13, x, y)));
  assert.ok(plan);
  const other = { ...plan };
  const posted = structuredClone({ text: JSON.stringify([other, plan]), grids: listGrids([other, plan]) });
  const [first, second] = JSON.parse(posted.text);
  unlistGrids([first, second], posted.grids);
  assert.equal(findGrid(first), undefined);
  assert.deepEqual(findGrid(second), findGrid(plan));
});

test('a grid of many cells is not cached', () => {
  const [west, north] = makeProjection(32636, 4326).forward(610_000, 5_395_000);
  const large: Grid = {
    epsg: 4326,
    transform: [west, 2e-4, 0, north, 0, -2e-4],
    width: 4_096,
    height: 4_096,
  };
  const plan = planOn(large);
  assert.ok(plan);
  assert.equal(packGrids([plan]).size, 0);
});

const coarse: Grid = { epsg: 32633, transform: [300000, 60, 0, 7900000, 0, -60], width: 700, height: 700 };
const everything = { x: 0, y: 0, width: 1_000_000, height: 1_000_000 };

test('no footprint is larger than the bound, and the bound is tight', () => {
  const [x, y] = makeProjection(coarse.epsg, 3857).forward(321000, 7879000);
  const targets: readonly Grid[] = [
    tileGrid(tileAt(11, x, y), 64),
    tileGrid(tileAt(8, x, y), 64),
    { ...coarse, transform: [300000, 100, 70, 7900000, 50, -130], width: 64, height: 64 },
    { epsg: 4326, transform: [9.4, 0.01, 0, 71.1, 0, -0.01], width: 64, height: 64 },
  ];
  for (const target of targets) {
    const limit = largestFootprint(makeApproximateGrid(target, coarse), everything);
    const { toSource } = makePixelMapping(target, coarse);
    let [cols, rows] = [0, 0];
    for (let i = 0; i < 64 * 64; i++) {
      const one = toSource(i % 64, Math.floor(i / 64));
      const other = toSource((i % 64) + 1, Math.floor(i / 64) + 1);
      const pixels = (axis: 0 | 1): number =>
        Math.ceil(Math.max(one[axis], other[axis])) - Math.floor(Math.min(one[axis], other[axis]));
      cols = Math.max(cols, pixels(0));
      rows = Math.max(rows, pixels(1));
    }
    assert.ok(cols <= limit.cols && limit.cols <= 3 * cols + 3, `${cols} columns, limit ${limit.cols}`);
    assert.ok(rows <= limit.rows && limit.rows <= 3 * rows + 3, `${rows} rows, limit ${limit.rows}`);
  }
});

test('no footprint is larger than the window', () => {
  const target: Grid = { ...coarse, transform: [300000, 6000, 0, 7900000, 0, -6000], width: 4, height: 4 };
  const window = { x: 0, y: 0, width: 30, height: 20 };
  assert.deepEqual(largestFootprint(makeApproximateGrid(target, coarse), window), { cols: 30, rows: 20 });
});

test('methods that store nothing need no memory, a table has room for twice the values', () => {
  const footprint = { cols: 5, rows: 5 };
  assert.equal(workBytes(resamplers.average, footprint), 0);
  assert.ok(workBytes(resamplers.med, footprint) >= 25 * 4);
  assert.equal(workBytes(resamplers.mode, footprint), 64 * 16);
  assert.equal(workBytes(resamplers.mode, { cols: 1, rows: 1 }), 4 * 16);
});

test('a plan counts what the warp allocates and little more, with every method', () => {
  const kernels = loadKernels();
  let allocated = 0;
  const counting: Kernels = {
    ...kernels,
    begin() {
      const allocate = kernels.begin();
      return (byteLength) => {
        allocated += byteLength;
        return allocate(byteLength);
      };
    },
  };
  const scene = makeSceneFixture(coarse, 0.1);
  const [x, y] = makeProjection(coarse.epsg, 3857).forward(321000, 7879000);
  for (const z of [5, 8, 11]) {
    for (const method of Object.keys(resamplers) as ResampleMethod[]) {
      const target = tileGrid(tileAt(z, x, y));
      const request = requestFor(scene, target, method)!;
      allocated = 0;
      warp(counting, request);
      const { window, workBytes: work } = request.plan;
      const pixels = window.width * window.height * 4 + 256 * 256 * 4;
      const counted = 2 * pixels + pixels / 4 + work;
      assert.ok(allocated <= counted, `zoom ${z}, ${method}: ${allocated} bytes, ${counted} counted`);
      assert.ok(allocated >= 0.8 * counted, `zoom ${z}, ${method}: ${allocated} bytes, ${counted} counted`);
    }
  }
});
