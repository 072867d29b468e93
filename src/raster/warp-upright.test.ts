/** Images whose rows and columns are those of the target, as of elevation models on a map, are warped in a way of their own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Grid } from '../geo/index.ts';
import { tileAt, tileGrid } from '../geo/index.ts';
import { cacheGrid, findGrid, makeApproximateGrid, makeProjection } from '../proj/index.ts';
import { loadKernels } from './kernels.ts';
import type { ResampleMethod } from './plan-warp.ts';
import { makeSceneFixture, requestFor } from './testing/scene-fixture.ts';
import { warp } from './warp.ts';

const kernels = loadKernels();
const METHODS = ['cubic', 'cubicspline', 'bilinear'] as const satisfies readonly ResampleMethod[];

/** Heights in degrees, of which one is 30 m to the north and 20 m to the east. */
const DEGREES: Grid = {
  epsg: 4326,
  transform: [30.3, 1 / 3600, 0, 50.2, 0, -1 / 3600],
  width: 230,
  height: 200,
};
const [x, y] = makeProjection(4326, 3857).forward(30.33, 50.17);
/** Tiles in the middle of the image and over each of its edges: a cell has pixels without some of their taps. */
const TILES = [12, 13, 14].flatMap((z) =>
  [-1, 0, 1].flatMap((right) =>
    [-1, 0, 1].map((down) => {
      const { z: zoom, x: col, y: row } = tileAt(z, x, y);
      return tileGrid({ z: zoom, x: col + right, y: row + down });
    }),
  ),
);

/**
 * The same cells with columns that depend on the row, by less than any number here can hold: they are warped as those
 * that are not upright.
 */
function lean(target: Grid, request: NonNullable<ReturnType<typeof requestFor>>) {
  const { plan } = request;
  const grid =
    findGrid(plan) ??
    makeApproximateGrid(target, { ...plan, transform: plan.levelTransform, ...plan.levelSize });
  const patches = grid.patches.slice();
  for (let at = 0; at < patches.length; at += 18) {
    assert.deepEqual([...patches.subarray(at + 1, at + 3)], [0, 0], 'columns of one row are those of all');
    assert.deepEqual([...patches.subarray(at + 12, at + 18)], [0, 0, 0, 0, 0, 0]);
    patches[at + 1] = 1e-300;
  }
  const leaning = { ...plan };
  cacheGrid(leaning, { ...grid, patches });
  return { ...request, plan: leaning };
}

for (const method of METHODS)
  for (const holes of [0, 0.02])
    test(`${method}: pixels are the same to the bit as those of a grid that leans, ${holes * 100} % of them missing`, () => {
      const scene = makeSceneFixture(DEGREES, holes);
      let compared = 0;
      for (const target of TILES) {
        const request = requestFor(scene, target, method);
        if (request === null) continue;
        const [upright, leaning] = [warp(kernels, request), warp(kernels, lean(target, request))];
        assert.deepEqual(upright.mask, leaning.mask);
        for (const [band, values] of upright.bands.entries()) assert.deepEqual(values, leaning.bands[band]);
        compared += upright.mask.filter((known) => known === 1).length;
      }
      assert.ok(compared > 200_000, `${compared} pixels`);
    });

test('sums that are not a number are those of a grid that leans', () => {
  const scene = makeSceneFixture(DEGREES, 0);
  // Each in one band only, which decides for both.
  for (let i = 0; i < 1_000; i++)
    scene.bands[i % 2]![(i * 1_187) % 46_000] =
      i % 3 === 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  // Four taps are for finer pixels in one method, for coarser ones in the other.
  for (const [method, zoom] of [
    ['cubic', 13],
    ['bilinear', 12],
  ] as const) {
    const target = tileGrid(tileAt(zoom, x, y));
    const request = requestFor(scene, target, method);
    assert.ok(request !== null);
    const [upright, leaning] = [warp(kernels, request), warp(kernels, lean(target, request))];
    assert.ok(leaning.bands.some((band) => band.some((value) => !Number.isFinite(value))));
    assert.deepEqual(upright, leaning, method);
  }
});

test('an image that is mirrored is warped the same way', () => {
  const mirrored: Grid = { ...DEGREES, transform: [30.3 + 230 / 3600, -1 / 3600, 0, 50.2, 0, -1 / 3600] };
  const scene = makeSceneFixture(mirrored, 0);
  const target = tileGrid(tileAt(13, x, y));
  const request = requestFor(scene, target, 'cubic');
  assert.ok(request !== null);
  const [upright, leaning] = [warp(kernels, request), warp(kernels, lean(target, request))];
  assert.ok(upright.mask.includes(1));
  assert.deepEqual(upright, leaning);
});
