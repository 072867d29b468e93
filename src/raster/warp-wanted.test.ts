import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Grid } from '../geo/index.ts';
import { tileAt, tileGrid } from '../geo/index.ts';
import { makeProjection } from '../proj/index.ts';
import { loadKernels } from './kernels.ts';
import type { ResampleMethod } from './plan-warp.ts';
import { planWarp, resamplers } from './plan-warp.ts';
import { warpFlags, warpPlanes } from './warp.ts';
import { allocateSource } from './window-plane.ts';

const kernels = loadKernels();

const image: Grid = { epsg: 32636, transform: [690000, 30, 0, 5610000, 0, -30], width: 256, height: 256 };
const [x, y] = makeProjection(32636, 3857).forward(690000 + 150 * 30, 5610000 - 100 * 30);

/** Finer than the image, about as fine, and coarser: each has loops of its own. The image ends within the coarser ones. */
const ZOOMS = [13, 12, 11];

/** Whole rows and groups of four that are not wanted, and single pixels that are. */
const wanted = new Uint8Array(65_536).map((_, i) => {
  const [col, row] = [i % 256, i >> 8];
  return Number(row % 7 !== 3 && (((col >> 4) + row) % 3 === 0 || (col * row) % 61 === 5));
});

function putImage(method: ResampleMethod, zoom: number) {
  const target = tileGrid(tileAt(zoom, x, y));
  const plan = planWarp({ target, source: { ...image, overviews: [] }, method });
  assert.ok(plan !== null);
  const allocate = kernels.begin();
  const { window } = plan;
  const count = window.width * window.height;
  const source = allocateSource(allocate, window, 2);
  const [maskAt, wantedAt] = [allocate(count), allocate(wanted.length)];
  const { valuesAt, planeBytes } = source;
  for (const band of [0, 1]) {
    const values = new Float32Array(kernels.buffer(), valuesAt + band * planeBytes, count);
    for (let i = 0; i < count; i += 1) values[i] = (Math.imul(i + 7 * band, 2_654_435_761) >>> 20) % 900;
  }
  const mask = new Uint8Array(kernels.buffer(), maskAt, count);
  for (let i = 0; i < count; i += 1) mask[i] = Number((i % 53) + (i >> 9) > 9);
  new Uint8Array(kernels.buffer(), wantedAt, wanted.length).set(wanted);
  return { target, plan, allocate, count, source: { ...source, bandCount: 2, maskAt }, wantedAt };
}

for (const method of Object.keys(resamplers) as ResampleMethod[])
  test(`${method}: wanted pixels are the same to the bit if others are not wanted`, () => {
    for (const zoom of ZOOMS) {
      const { target, plan, allocate, source, wantedAt } = putImage(method, zoom);
      const whole = warpPlanes(kernels, allocate, { target, plan, source });
      const part = warpPlanes(kernels, allocate, { target, plan, source, wantedAt });
      const buffer = kernels.buffer();
      const masks = [whole, part].map(({ maskAt }) => new Uint8Array(buffer, maskAt, wanted.length));
      let compared = 0;
      for (const band of [0, 1]) {
        const planes = [whole, part].map(
          ({ bandsAt }) => new Float32Array(buffer, bandsAt[band]!, wanted.length),
        );
        for (let i = 0; i < wanted.length; i += 1) {
          if (wanted[i] === 0) continue;
          assert.equal(masks[1]![i], masks[0]![i]);
          if (masks[0]![i] === 0) continue;
          compared += 1;
          assert.equal(planes[1]![i], planes[0]![i]);
        }
      }
      assert.ok(compared > 500, `${compared} pixels at zoom ${zoom}`);
      const left = masks[1]!.filter((bit, i) => bit === 0 && masks[0]![i] === 1).length;
      assert.ok(left > 500, `${left} pixels were left out at zoom ${zoom}`);
    }
  });

test('flags come from the nearest pixel, and are added where they are wanted', () => {
  for (const zoom of ZOOMS) {
    const { target, plan, allocate, count, source, wantedAt } = putImage('near', zoom);
    const fromAt = allocate(count);
    const [allAt, someAt] = [allocate(wanted.length), allocate(wanted.length)];
    const values = new Float32Array(kernels.buffer(), source.valuesAt, count);
    const flags = new Uint8Array(kernels.buffer(), fromAt, count);
    for (let i = 0; i < count; i += 1) flags[i] = Number(values[i]! > 300) * 4;
    for (const at of [allAt, someAt]) new Uint8Array(kernels.buffer(), at, wanted.length).fill(1);
    assert.equal(warpFlags(kernels, allocate, { target, plan, fromAt, flagsAt: allAt }), true);
    assert.equal(warpFlags(kernels, allocate, { target, plan, fromAt, flagsAt: someAt, wantedAt }), true);
    const places = { at: allocate(4 * wanted.length), of: null };
    const keptAt = allocate(wanted.length);
    for (const round of ['found', 'kept']) {
      new Uint8Array(kernels.buffer(), keptAt, wanted.length).fill(1);
      assert.equal(warpFlags(kernels, allocate, { target, plan, fromAt, flagsAt: keptAt, places }), true);
      const same = new Uint8Array(kernels.buffer(), keptAt, wanted.length);
      assert.deepEqual(same, new Uint8Array(kernels.buffer(), allAt, wanted.length), round);
    }
    const unmasked = { ...source, maskAt: 0 };
    const { bandsAt } = warpPlanes(kernels, allocate, { target, plan, source: unmasked });
    const near = new Float32Array(kernels.buffer(), bandsAt[0]!, wanted.length);
    const all = new Uint8Array(kernels.buffer(), allAt, wanted.length);
    const some = new Uint8Array(kernels.buffer(), someAt, wanted.length);
    for (let i = 0; i < wanted.length; i += 1) {
      assert.equal(all[i], 1 | (near[i]! > 300 ? 4 : 0));
      if (wanted[i] === 1) assert.equal(some[i], all[i]);
    }
    new Uint8Array(kernels.buffer(), fromAt, count).fill(0);
    assert.equal(warpFlags(kernels, allocate, { target, plan, fromAt, flagsAt: allAt }), false);
  }
});
