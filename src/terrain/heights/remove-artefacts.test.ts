import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadKernels } from '../../raster/index.ts';
import { ARTEFACT_REACH_PX, removeArtefacts } from './filter-heights.ts';
import type { HeightPlane, HeightWork } from './height-plane.ts';
import { viewPlane } from './height-plane.ts';

const kernels = loadKernels();

interface Frame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function clean(heightAt: (x: number, y: number) => number, { x, y, width, height }: Frame): Float32Array {
  const allocate = kernels.begin();
  const work = { kernels, allocate } as HeightWork;
  const plane: HeightPlane = { width, height, valuesAt: allocate(4 * width * height), maskAt: 0 };
  viewPlane(kernels, plane).values.set(
    Array.from({ length: width * height }, (_, i) => heightAt(x + (i % width), y + Math.floor(i / width))),
  );
  removeArtefacts(plane, 0, work);
  return viewPlane(kernels, plane).values.slice();
}

const slope = (x: number, y: number): number => 100 + x * 0.1 + y * 0.03;
const FRAME: Frame = { x: 0, y: 0, width: 120, height: 100 };

test('whole metres in floating point are smoothed like integers', () => {
  const cleaned = clean((x, y) => Math.round(slope(x, y)), FRAME);
  let [before, after] = [0, 0];
  for (let y = 30; y < 70; y++) {
    for (let x = 30; x < 90; x++) {
      before += Math.abs(Math.round(slope(x, y)) - slope(x, y));
      after += Math.abs(cleaned[y * 120 + x]! - slope(x, y));
    }
  }
  assert.ok(after < before / 3, `${before} before, ${after} after`);
});

test('heights with decimals are not smoothed, and the sea stays 0', () => {
  const rough = (x: number, y: number): number => slope(x, y) + 0.25 * ((x + y) % 3);
  const wavy = clean(rough, FRAME);
  const medians = clean((x, y) => rough(x, y) + 0.125, FRAME);
  for (let i = 0; i < wavy.length; i++) assert.ok(Math.abs(medians[i]! - wavy[i]! - 0.125) < 1e-4);
  assert.ok(clean(() => 0, FRAME).every((height) => height === 0));
});

test('a height depends on no pixel beyond the reach, also where whole metres start', () => {
  const mixed = (x: number, y: number): number => (x < 80 ? Math.round(slope(x, y)) : slope(x, y));
  const whole = clean(mixed, { ...FRAME, width: 160 });
  const part = clean(mixed, { x: 40, y: 10, width: 100, height: 80 });
  for (let y = ARTEFACT_REACH_PX; y < 80 - ARTEFACT_REACH_PX; y++) {
    for (let x = ARTEFACT_REACH_PX; x < 100 - ARTEFACT_REACH_PX; x++)
      assert.equal(part[y * 100 + x], whole[(y + 10) * 160 + x + 40], `${x} ${y}`);
  }
});
