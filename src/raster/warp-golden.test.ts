import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Grid } from '../geo/index.ts';
import { loadKernels } from './kernels.ts';
import type { ResampleMethod, WarpPlan } from './plan-warp.ts';
import { planWarp, resamplers } from './plan-warp.ts';
import { cutWindow } from './testing/scene-fixture.ts';
import { warp } from './warp.ts';

/** The part of a plan that GDAL determines; memory is ours. */
type GoldenPlan = Omit<WarpPlan, 'workBytes'>;

/** As test/oracle/warp/golden.ts writes it, with results of GDAL. */
interface Index {
  readonly source: Grid & { readonly bandCount: number };
  readonly cases: readonly { name: string; method: ResampleMethod; target: Grid; plan: GoldenPlan }[];
}

const folder = new URL('../../test/golden/warp/', import.meta.url);
const index: Index = JSON.parse(readFileSync(new URL('cases.json', folder), 'utf8'));
const { bandCount, ...grid } = index.source;

/** Splits a file into a mask and bands, once for each size. */
function* unpack(name: string, lengths: readonly number[]) {
  const bytes = new Uint8Array(readFileSync(new URL(name, folder)));
  let offset = 0;
  const take = (length: number): Uint8Array<ArrayBuffer> => {
    offset += length;
    return bytes.slice(offset - length, offset);
  };
  for (const length of lengths) {
    const mask = take(length);
    yield { mask, bands: Array.from({ length: bandCount }, () => new Float32Array(take(4 * length).buffer)) };
  }
  assert.equal(offset, bytes.length);
}

const kernels = loadKernels();
const [scene] = [...unpack('source.bin', [grid.width * grid.height])];
const answers = [
  ...unpack(
    'expected.bin',
    index.cases.map(({ target }) => target.width * target.height),
  ),
];

for (const [i, { name, method, target, plan: wantedPlan }] of index.cases.entries()) {
  test(`${name} is warped as by GDAL`, () => {
    const plan = planWarp({ target, source: { ...grid, overviews: [] }, method });
    assert.ok(plan);
    assert.deepEqual(plan, { ...wantedPlan, workBytes: plan.workBytes });
    const cut = <T extends Float32Array | Uint8Array>(plane: T): T =>
      cutWindow(plane, grid.width, plan.window);
    const got = warp(kernels, { target, plan, bands: scene!.bands.map(cut), mask: cut(scene!.mask) });
    const wanted = answers[i]!;
    assert.deepEqual(got.mask, wanted.mask);
    for (const [b, band] of got.bands.entries()) {
      for (const [at, value] of band.entries()) {
        const off = Math.abs(value - wanted.bands[b]![at]!);
        const isPicked = resamplers[method].radiusPx === 0 && method !== 'average';
        assert.ok(off <= (isPicked ? 0 : 1e-5 * value), `pixel ${at} of band ${b}`);
      }
    }
  });
}
