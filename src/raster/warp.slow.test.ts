import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Grid } from '../geo/index.ts';
import { tileAt, tileGrid } from '../geo/index.ts';
import { makeProjection } from '../proj/index.ts';
import { loadKernels } from './kernels.ts';
import type { ResampleMethod } from './plan-warp.ts';
import { resamplers } from './plan-warp.ts';
import { makeSceneFixture, requestFor } from './testing/scene-fixture.ts';
import { warpReference } from './testing/warp-reference.ts';
import type { Raster } from './warp.ts';
import { warp } from './warp.ts';

const kernels = loadKernels();
const grid: Grid = { epsg: 32636, transform: [600000, 10, 0, 5400000, 0, -10], width: 160, height: 140 };
const [centreX, centreY] = makeProjection(32636, 3857).forward(600700, 5399300);

/** A Mercator grid near the scene's upper left corner, so that it includes edges; no pixel edge is hit. */
function mercator(pixelM: number, size: number): Grid {
  const [x, y] = makeProjection(32636, 3857).forward(600253, 5399746);
  return {
    epsg: 3857,
    transform: [x - (size / 2) * pixelM, pixelM, 0, y + (size / 2) * pixelM, 0, -pixelM],
    width: size,
    height: size,
  };
}

const targets: readonly (readonly [name: string, target: Grid])[] = [
  ['upsampling', mercator(6, 44)],
  ['as is', mercator(15.1, 35)],
  ['1.3 : 1', mercator(20, 35)],
  ['2 : 1', mercator(30.2, 30)],
  ['3.3 : 1', mercator(50, 27)],
  ['9 : 1, wider than the scene', mercator(140, 23)],
  ['other ratios in x and y', { ...mercator(18, 34), transform: [...stretchRows(mercator(18, 34), 3)] }],
  ['a map tile', tileGrid(tileAt(15, centreX, centreY), 64)],
  ['rotated', { epsg: 32636, transform: [600300, 8, 5, 5399600, 4, -9], width: 40, height: 35 }],
  ['the same grid', { ...grid, width: 33, height: 29 }],
  ['aligned 2 : 1', { ...grid, transform: [599960, 20, 0, 5400040, 0, -20], width: 90, height: 80 }],
  [
    'centres on the far edge',
    { ...grid, transform: [600000, 640, 0, 5400000, 0, -560], width: 4, height: 4 },
  ],
  ['degrees', { epsg: 4326, transform: [34.366, 0.0002, 0, 48.745, 0, -0.0002], width: 40, height: 40 }],
];

function stretchRows({ transform }: Grid, factor: number): Grid['transform'] {
  const [x, width, , y, , height] = transform;
  return [x, width, 0, y, 0, height * factor];
}

function assertClose(
  got: Raster,
  wanted: Raster,
  { method, relative }: { readonly method: ResampleMethod; readonly relative: number },
): void {
  assert.deepEqual(got.mask, wanted.mask, `mask of ${method}`);
  for (const [b, band] of got.bands.entries()) {
    for (const [i, value] of band.entries()) {
      if (wanted.mask[i] === 0) continue;
      if (value === wanted.bands[b]![i]) continue;
      const off = Math.abs(value - wanted.bands[b]![i]!);
      // Overshooting kernels come close to zero, where the error depends on the size of the summed values.
      const allowed = relative * Math.max(1000, Math.abs(wanted.bands[b]![i]!));
      assert.ok(off <= allowed, `${method}, pixel ${i}: ${value} is not ${wanted.bands[b]![i]}`);
    }
  }
}

for (const holes of [0, 0.002, 0.2]) {
  const scene = makeSceneFixture(grid, holes);
  for (const [name, target] of targets) {
    test(`${name}, ${holes * 100} % missing: the kernels agree with the plain reference`, () => {
      for (const method of Object.keys(resamplers) as ResampleMethod[]) {
        const request = requestFor(scene, target, method)!;
        const got = warp(kernels, request);
        const isPicked = resamplers[method].radiusPx === 0 && method !== 'average';
        assertClose(got, warpReference(request), { method, relative: isPicked ? 0 : 1e-4 });
        assert.ok(got.mask.includes(1), 'the case overlaps the scene');
      }
    });
  }
}

test('mode counts values that repeat, also in large areas and with two zeros', () => {
  const scene = makeSceneFixture(grid, 0.2);
  for (const [b, band] of scene.bands.entries()) {
    for (const [i, value] of band.entries()) band[i] = (value % (b === 0 ? 5 : 300)) * (i % 2 === 0 ? 1 : -1);
  }
  for (const name of ['3.3 : 1', '9 : 1, wider than the scene', 'rotated', 'centres on the far edge']) {
    const request = requestFor(scene, targets.find(([one]) => one === name)![1], 'mode')!;
    assertClose(warp(kernels, request), warpReference(request), { method: 'mode', relative: 0 });
  }
});

test('infinite values reach the pixels whose kernel touches them, and no others', () => {
  const scene = makeSceneFixture(grid, 0);
  for (const band of scene.bands)
    for (let i = 7; i < band.length; i += 97) band[i] = Number.POSITIVE_INFINITY;
  for (const name of ['upsampling', '1.3 : 1', '3.3 : 1']) {
    const target = targets.find(([one]) => one === name)![1];
    const request = requestFor(scene, target, 'bilinear')!;
    assertClose(warp(kernels, request), warpReference(request), { method: 'bilinear', relative: 1e-4 });
  }
});

test('the result carries the target grid', () => {
  const request = requestFor(makeSceneFixture(grid, 0), targets[0]![1], 'near')!;
  const { epsg, transform, width, height } = warp(kernels, request);
  assert.deepEqual({ epsg, transform, width, height }, targets[0]![1]);
});

test('stored integers give the same result as floats', () => {
  const request = requestFor(makeSceneFixture(grid, 0), targets[2]![1], 'bilinear')!;
  const stored = { ...request, bands: request.bands.map((band) => Uint16Array.from(band)) };
  assert.deepEqual(warp(kernels, stored), warp(kernels, request));
});

test('a mask of ones has the same effect as no mask', () => {
  const request = requestFor(makeSceneFixture(grid, 0), targets[2]![1], 'bilinear')!;
  const ones = new Uint8Array(request.bands[0]!.length).fill(1);
  assert.deepEqual(warp(kernels, { ...request, mask: ones }), warp(kernels, request));
});

test('one call leaves no state for the next, and memory does not grow', () => {
  const large = requestFor(makeSceneFixture(grid, 0.2), targets[0]![1], 'bilinear')!;
  const small = requestFor(makeSceneFixture(grid, 0.2), targets[5]![1], 'bilinear')!;
  const fresh = loadKernels();
  const first = warp(fresh, small);
  warp(kernels, large);
  const sizeBytes = kernels.buffer().byteLength;
  for (let i = 0; i < 50; i++) warp(kernels, large);
  assert.deepEqual(warp(kernels, small), first);
  assert.equal(kernels.buffer().byteLength, sizeBytes);
});

test('pixels that do not fill the planned window are refused', () => {
  const request = requestFor(makeSceneFixture(grid, 0), targets[0]![1], 'near')!;
  const short = request.bands.map((band) => band.subarray(1));
  assert.throws(() => warp(kernels, { ...request, bands: short }), { code: 'window-mismatch' });
  assert.throws(() => warp(kernels, { ...request, bands: [] }), { code: 'window-mismatch' });
  assert.throws(() => warp(kernels, { ...request, mask: new Uint8Array(3) }), { code: 'window-mismatch' });
});

test('a target beyond the work memory is refused before anything is allocated for it', () => {
  const request = requestFor(makeSceneFixture(grid, 0), targets[0]![1], 'near')!;
  const target = { ...request.target, width: 6000, height: 6000 };
  assert.throws(() => warp(kernels, { ...request, target }), { tag: 'too-large', code: 'work-memory' });
});
