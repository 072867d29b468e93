import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Asset } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { planWarp } from '../../raster/index.ts';
import { makeToSampleGrid } from './sample-grid.ts';

const plain = Object.values(makeScene(21).assets)[0] as Asset;
/** An image with copies of half the size each, rounded up as GDAL does, down to a side. */
function makeAsset(width: number, height: number, leastPx: number): Asset {
  const overviews: { width: number; height: number }[] = [];
  for (let by = 2; Math.max(width, height) / by >= leastPx; by *= 2)
    overviews.push({ width: Math.ceil(width / by), height: Math.ceil(height / by) });
  return { ...plain, width, height, overviews };
}
function sampleOf(asset: Asset, window = { x: 0, y: 0, width: asset.width, height: asset.height }) {
  const grid = makeToSampleGrid(2 ** 28)(asset, window);
  const warp = planWarp({ target: grid, source: asset, method: 'near' })!;
  return { size: [grid.width, grid.height], read: [warp.levelSize.width, warp.levelSize.height] };
}

test('a sample is the smallest copy with enough pixels, pixel by pixel', () => {
  assert.deepEqual(sampleOf(makeAsset(10_980, 10_980, 300)), { size: [687, 687], read: [687, 687] });
  assert.deepEqual(sampleOf(makeAsset(7_631, 7_781, 100)), { size: [954, 972], read: [954, 973] });
  assert.deepEqual(sampleOf(makeAsset(540, 540, 100)), { size: [540, 540], read: [540, 540] });
});

test('whatever the shape, no larger copy is read than needed, and no more pixels are used', () => {
  for (let i = 0; i < 400; i++) {
    const [width, height] = [1_200 + ((i * 7_919) % 12_000), 1_200 + ((i * 104_729) % 12_000)];
    const asset = makeAsset(width, height, 100);
    const { size, read } = sampleOf(asset);
    const least = asset.overviews.findLast((copy) => copy.width * copy.height >= 252_000) ?? asset;
    assert.ok(read[0]! <= least.width && read[1]! <= least.height, `${width} × ${height}: ${read}`);
    const count = size[0]! * size[1]!;
    assert.ok(count >= 245_000 && count <= 1024 ** 2, `${width} × ${height}: ${size}`);
  }
});

test('without such a copy a sample is about 1024 pixels long; a small window is used unchanged', () => {
  assert.deepEqual(sampleOf(makeAsset(10_980, 10_980, 10_000)), {
    size: [1024, 1024],
    read: [10_980, 10_980],
  });
  const window = { x: 5_000, y: 5_000, width: 400, height: 300 };
  assert.deepEqual(sampleOf(makeAsset(10_980, 10_980, 300), window).size, [400, 300]);
});
