import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinCounters, makeCounterMemory } from '../files/folder-counters.ts';
import type { SharedFolder } from '../files/index.ts';
import { makeResultCache, NO_STATS } from '../files/index.ts';
import type { Picture } from './pictures/draw.ts';
import type { PlannedPicture } from './pictures/plan-picture.ts';
import type { RenderPlan } from './plan/render-plan.ts';
import { makePictureCache } from './renderer.ts';

const makePlanned = (etag: string, plan: Partial<RenderPlan> = {}): PlannedPicture =>
  ({
    etag: etag.repeat(32),
    plan: {
      inputs: [{ warp: {} }],
      grid: { width: 256, height: 256 },
      format: 'auto',
      watermark: null,
      ...plan,
    },
  }) as unknown as PlannedPicture;
const EMPTY = { inputs: [{ warp: {} }, { warp: null }] } as unknown as Partial<RenderPlan>;
const makePicture = (byte: number): Picture => ({
  bytes: new Uint8Array(100).fill(byte),
  format: 'png',
  stagesMs: { read: 1 },
});

/** A folder that remembers, and counts who looks. */
function makeFolder() {
  const entries = new Map<string, Uint8Array<ArrayBuffer>>();
  let looks = 0;
  const folder: Partial<SharedFolder> = {
    counters: joinCounters(makeCounterMemory()),
    read: async (name) => {
      looks += 1;
      return entries.get(name) ?? null;
    },
    write: async (name, bytes) => {
      entries.set(name, Uint8Array.from(bytes));
      return true;
    },
    stats: () => ({ ...NO_STATS, hits: 3 }),
  };
  return { folder: folder as SharedFolder, entries, looks: () => looks };
}

test('a picture is found in memory first, then on disk, with its format', async () => {
  const { folder, entries, looks } = makeFolder();
  const results = makeResultCache(folder);
  const first = makePictureCache(results);
  assert.equal(await first.find(makePlanned('a')), null);
  first.store(makePlanned('a'), makePicture(7));
  const kept = await first.find(makePlanned('a'));
  assert.deepEqual([kept?.format, kept?.bytes[0], Object.keys(kept?.stagesMs ?? {})], ['png', 7, ['cache']]);
  assert.equal(looks(), 1, 'the second time it comes from memory');
  assert.equal(results.stats().hits, 4, "those of memory and the disk's");

  const next = makePictureCache(makeResultCache(folder));
  assert.equal((await next.find(makePlanned('a')))?.bytes[0], 7);
  await next.find(makePlanned('a'));
  assert.equal(looks(), 2);
  entries.set(`bb/${'b'.repeat(32)}+0`, Uint8Array.of(3, ...Buffer.from('gif'), 0));
  assert.equal(await next.find(makePlanned('b')), null, 'a format that nobody knows');
});

test('without a disk only pictures that show nothing are kept', async () => {
  const results = makeResultCache(null);
  const cache = makePictureCache(results);
  cache.store(makePlanned('a'), makePicture(1));
  assert.equal(await cache.find(makePlanned('a')), null);
  cache.store(makePlanned('b', EMPTY), makePicture(2));
  assert.equal((await cache.find(makePlanned('c', EMPTY)))?.bytes[0], 2, 'of another scene and place');
  assert.equal(results.stats().budgetBytes, 0);
});

test('pictures that show nothing differ by size, format and watermark, and never reach the disk', async () => {
  const { folder, entries, looks } = makeFolder();
  const cache = makePictureCache(makeResultCache(folder));
  cache.store(makePlanned('a', EMPTY), makePicture(2));
  for (const other of [
    { grid: { width: 512, height: 256 } },
    { grid: { width: 256, height: 512 } },
    { format: 'jpeg' },
    { watermark: 'Preview' },
  ]) {
    assert.equal(await cache.find(makePlanned('b', { ...EMPTY, ...other } as Partial<RenderPlan>)), null);
  }
  assert.deepEqual([entries.size, looks()], [0, 0]);
});
