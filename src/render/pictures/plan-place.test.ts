import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Asset } from '../../catalog/index.ts';
import { toScene } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { applyAffine, nearestAffine, tileAt } from '../../geo/index.ts';
import { makeProjection, parseLattice } from '../../proj/index.ts';
import { sensorByAbbreviation } from '../../sensors/index.ts';
import { defaultOptions } from './testing/default-options.ts';
import type { TileRequest } from './testing/plan-tile.ts';
import { planTile } from './testing/plan-tile.ts';

const sensor = sensorByAbbreviation('S2');
assert.ok(sensor);
const plain = makeScene(21).assets.B04!;

/** Plans a grey picture of one asset. */
function planOf(
  asset: Asset,
  more: Partial<TileRequest> = {},
  method: 'bilinear' | 'mode' | 'near' = 'bilinear',
) {
  const scene = toScene(makeScene(21, { assets: { B04: asset } }));
  const crs = asset.proj ?? asset.epsg;
  const [x, y] = makeProjection(crs, 3857).forward(...applyAffine(asset.transform, 500, 500));
  const request: TileRequest = {
    sensor: sensor!,
    bands: 'B04,B04,B04',
    tile: tileAt(13, x, y),
    options: { ...defaultOptions, method },
    ...more,
  };
  return planTile(request, scene);
}

test('a CRS without a code is passed from the catalog to the plan', () => {
  const proj = '+proj=sinu +R=6371007.181 +units=m +no_defs';
  const asset: Asset = { ...plain, epsg: 0, proj, transform: [1111950, 20, 0, 5559752, 0, -20] };
  const plan = planOf(asset);
  assert.equal(plan.inputs[0]?.warp?.proj, proj);
  assert.ok(plan.inputs[0].warp.window.width > 50);
  assert.deepEqual(JSON.parse(JSON.stringify(plan)), plan);
  const elsewhere = planOf({ ...asset, proj: `${proj} +lon_0=90` });
  assert.notDeepEqual(elsewhere.grid, plan.grid);
  assert.throws(() => planOf({ ...asset, proj: '+proj=sinu +nadgrids=/etc/passwd' }), { code: 'bad-crs' });
});

test('control points are passed from the catalog to the plan, and place the picture like their affine', () => {
  const { forward } = makeProjection(plain.epsg, 4326);
  const points = Array.from({ length: 25 }, (_, i) => {
    const [column, row] = [(i % 5) * 256, Math.floor(i / 5) * 256];
    const [x, y] = forward(...applyAffine(plain.transform, column, row));
    return { column, row, x, y };
  });
  const lattice = parseLattice(points, 4326);
  const plan = planOf({ ...plain, epsg: 4326, transform: nearestAffine(lattice), lattice });
  const wanted = planOf(plain);
  assert.deepEqual(plan.grid, wanted.grid);
  assert.deepEqual(plan.inputs[0]?.warp?.window, wanted.inputs[0]?.warp?.window);
  assert.deepEqual(plan.inputs[0]?.warp?.lattice, lattice);
  assert.deepEqual(JSON.parse(JSON.stringify(plan)), plan);
});

test('assets at two places get a plan each', () => {
  const { forward } = makeProjection(plain.epsg, 3857);
  const tile = tileAt(13, ...forward(...applyAffine(plain.transform, 500, 500)));
  const moved: Asset = { ...plain, proj: '+proj=utm +zone=31 +datum=WGS84 +x_0=500500' };
  const scene = toScene(makeScene(21, { assets: { B04: plain, B03: plain, B02: moved } }));
  const options = { ...defaultOptions, method: 'near' } as const;
  const { inputs } = planTile({ sensor, bands: 'B04,B03,B02', tile, options }, scene);
  assert.equal(inputs[0]?.warp, inputs[1]?.warp);
  assert.notDeepEqual(inputs[0]?.warp, inputs[2]?.warp);
});

test('the plan names those sidecars of an asset that contain pixels', () => {
  assert.deepEqual(planOf({ ...plain, sidecars: ['.ovr', '.aux.xml', '.tfw'] }).inputs[0]?.sidecars, [
    '.ovr',
  ]);
  assert.equal(planOf({ ...plain, sidecars: ['.tfw'] }).inputs[0]?.sidecars, undefined);
  assert.equal(planOf(plain).inputs[0]?.sidecars, undefined);
});

test('the bytes of a plan include the work memory of its method', () => {
  const tile = { z: 5, x: 16, y: 11 };
  const asset = { ...plain, overviews: [] };
  const [plan, mode] = [planOf(asset, { tile }, 'near'), planOf(asset, { tile }, 'mode')];
  const work = mode.inputs.reduce((sum, { warp }) => sum + (warp?.workBytes ?? 0), 0);
  assert.ok(work > 16 * 2 * 1000, `${work} bytes for a table of some thousand pixels`);
  const windows = (of: typeof plan) =>
    of.inputs.reduce((sum, { warp }) => sum + warp!.window.width * warp!.window.height * 5, 0);
  // The input, three channels of it with a mask more each, RGBA and encoded.
  const outputs = 256 * 256 * (5 + 3 * 6 + 8);
  assert.equal(mode.bytes, windows(mode) + outputs + work);
});
