import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kernelSupport, resamplers } from './plan-warp.ts';

const { near, bilinear, lanczos, average } = resamplers;

test('nearest neighbour and area methods have no kernel to widen', () => {
  assert.deepEqual(kernelSupport(near, 9, 9), [0, 0]);
  assert.deepEqual(kernelSupport(average, 9, 9), [0, 0]);
});

test('a wider kernel widens by the same factor', () => {
  assert.deepEqual(kernelSupport(lanczos, 0.3, 0.3), [3, 3]);
  assert.deepEqual(kernelSupport(lanczos, 2, 3.5), [6, 10.5]);
});

test('all twelve methods of GDAL exist, each with the kernel of its name', () => {
  const names = 'near bilinear cubic cubicspline lanczos average mode max min med q1 q3';
  assert.deepEqual(Object.keys(resamplers), names.split(' '));
  for (const [name, { kernel }] of Object.entries(resamplers)) assert.equal(kernel, name);
});

test('bilinear widens when one axis spans more than 1 / 0.95 source pixels, as GDAL does', () => {
  assert.deepEqual(kernelSupport(bilinear, 0.3, 0.3), [1, 1]);
  assert.deepEqual(kernelSupport(bilinear, 1.05, 1.05), [1, 1]);
  assert.deepEqual(kernelSupport(bilinear, 0.5, 2), [1, 2]);
  assert.deepEqual(kernelSupport(bilinear, 3, 1.0625), [3, 1.0625]);
});

test('widths are multiples of a 64th and close to the ratio', () => {
  for (let ratio = 1.06; ratio < 40; ratio *= 1.013) {
    const [x, y] = kernelSupport(bilinear, ratio, ratio);
    assert.equal(x, y);
    assert.ok(Number.isInteger(x * 64) && Math.abs(x - ratio) <= 1 / 128, `${ratio} gives ${x}`);
  }
});
