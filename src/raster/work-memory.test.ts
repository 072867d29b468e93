import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Grid } from '../geo/index.ts';
import { tileAt, tileGrid } from '../geo/index.ts';
import { makeApproximateGrid, makePixelMapping, makeProjection } from '../proj/index.ts';
import type { Kernels } from './kernels.ts';
import { loadKernels } from './kernels.ts';
import type { ResampleMethod } from './resampler.ts';
import { resamplers } from './resampler.ts';
import { makeSceneFixture, requestFor } from './testing/scene-fixture.ts';
import { warp } from './warp.ts';
import { largestFootprint, workBytes } from './work-memory.ts';

const source: Grid = { epsg: 32633, transform: [300000, 60, 0, 7900000, 0, -60], width: 700, height: 700 };
const everything = { x: 0, y: 0, width: 1_000_000, height: 1_000_000 };

test('no footprint is larger than the bound, and the bound is tight', () => {
  const [x, y] = makeProjection(source.epsg, 3857).forward(321000, 7879000);
  const targets: readonly Grid[] = [
    tileGrid(tileAt(11, x, y), 64),
    tileGrid(tileAt(8, x, y), 64),
    { ...source, transform: [300000, 100, 70, 7900000, 50, -130], width: 64, height: 64 },
    { epsg: 4326, transform: [9.4, 0.01, 0, 71.1, 0, -0.01], width: 64, height: 64 },
  ];
  for (const target of targets) {
    const limit = largestFootprint(makeApproximateGrid(target, source), everything);
    const { toSource } = makePixelMapping(target, source);
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
  const target: Grid = { ...source, transform: [300000, 6000, 0, 7900000, 0, -6000], width: 4, height: 4 };
  const window = { x: 0, y: 0, width: 30, height: 20 };
  assert.deepEqual(largestFootprint(makeApproximateGrid(target, source), window), { cols: 30, rows: 20 });
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
  const scene = makeSceneFixture(source, 0.1);
  const [x, y] = makeProjection(source.epsg, 3857).forward(321000, 7879000);
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
