import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { makeTestFolder } from '../../../src/ingest/folder/testing/make-folder.ts';
import { frame } from '../../setting.ts';
import { at, window, world } from './testing/landsat-cases.ts';
import { readProduct } from './testing/read-product.ts';
import type { LandsatPlan } from './write-landsat.ts';
import { writeLandsat } from './write-landsat.ts';

test('a coarse scene says its own pixel size', async () => {
  const second = await makeTestFolder();
  try {
    const wide = { x: 0, y: 0, widthM: frame.sizeM, heightM: frame.sizeM };
    const plan = at('landsat8', '2025-07-10T18:57:12Z', { window: wide, coarsening: 32 });
    await writeLandsat(plan, { world, directory: second.root });
    const product = await readProduct(second.root, 'LC08');
    const { transform, width } = await product.image('B4');
    assert.deepEqual([transform[1], width], [960, 114]);
    assert.equal(product.number('GRID_CELL_SIZE_REFLECTIVE'), 960);
    assert.equal(product.number('CORNER_UL_PROJECTION_X_PRODUCT'), transform[0] + 480);
    assert.ok(transform[0] >= frame.west && transform[0] + width * 960 <= frame.west + frame.sizeM);
    const pan = await product.image('B8');
    assert.deepEqual([pan.transform[1], pan.width, pan.transform[0]], [480, 227, transform[0] + 240]);
  } finally {
    await second.remove();
  }
});

test('invalid plans are refused, and a stop leaves nothing behind', async () => {
  const second = await makeTestFolder();
  try {
    const deps = { world, directory: second.root };
    const time = '2025-07-10T18:57:12Z';
    const wrong: readonly (readonly [LandsatPlan, string])[] = [
      [at('landsat9', time, { collection: 1 }), 'bad-collection'],
      [at('landsat8', time, { coarsening: 1.5 }), 'bad-coarsening'],
      [at('landsat8', '2025-07-10T08:00:00Z'), 'bad-time'],
      [at('landsat8', time, { window: { ...window, widthM: 100 } }), 'bad-window'],
      [at('landsat8', time, { window: { ...window, widthM: 400 } }), 'bad-window'],
    ];
    for (const [plan, code] of wrong) await assert.rejects(writeLandsat(plan, deps), { code });
    const signal = AbortSignal.abort();
    await assert.rejects(writeLandsat(at('landsat8', time), { ...deps, signal }), { tag: 'cancelled' });
    assert.deepEqual(await readdir(second.root), []);
  } finally {
    await second.remove();
  }
});
