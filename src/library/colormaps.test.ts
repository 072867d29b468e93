import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPreset } from '../color/index.ts';
import { unavailable } from '../errors.ts';
import { makeColormaps } from './colormaps.ts';
import { makeMemoryColormaps, unlimitedColormaps } from './testing/memory-library.ts';

const PRESET = 'a9bc6eceeef2a13bb88a7f641dca3aa0';

const shade = (n: number) => ({ colors: ['#000000', `#${n.toString(16).padStart(6, '0')}`] });

test('a colormap is found as it was sent, and read from the store once', async () => {
  const { store, countReads } = makeMemoryColormaps();
  const colormaps = makeColormaps({ ...unlimitedColormaps, store });
  const id = await colormaps.create(shade(5), 'a');
  assert.match(id, /^[0-9a-f]{32}$/);
  const content = await colormaps.find(id);
  assert.deepEqual(content, { ...shade(5), type: 'continuous', thresholds_type: 'relative' });
  assert.equal(await colormaps.find(id), content);
  assert.equal(countReads(), 1);
});

test('the same content has one id, on every node; unknown fields are dropped', async () => {
  const { store, stored } = makeMemoryColormaps();
  const [ours, theirs] = [
    makeColormaps({ ...unlimitedColormaps, store }),
    makeColormaps({ ...unlimitedColormaps, store }),
  ];
  const id = await ours.create({ colors: ['#ABCDEF', '#000000'] }, 'a');
  const again = { name: 'mine', thresholds_type: 'relative', type: 'continuous' };
  assert.equal(await theirs.create({ ...again, colors: ['abcdef', '#000000'] }, 'a'), id);
  assert.equal(stored.size, 1);
  assert.notEqual(await ours.create({ colors: ['#000000', '#abcdef'] }, 'a'), id);
});

test('presets exist without a store', async () => {
  const { store, countReads } = makeMemoryColormaps();
  assert.equal(await makeColormaps({ ...unlimitedColormaps, store }).find(PRESET), findPreset(PRESET));
  assert.equal(countReads(), 0);
});

test('unknown ids are null and looked up again, invalid ids are never looked up', async () => {
  const { store, countReads } = makeMemoryColormaps();
  const colormaps = makeColormaps({ ...unlimitedColormaps, store });
  const none = ['', 'x', 'viridis', 'A'.repeat(32), '0'.repeat(31), '0'.repeat(33), `${'0'.repeat(32)}\n`];
  for (const id of [...none, `${PRESET}_r`, '__proto__', 'constructor']) {
    assert.equal(await colormaps.find(id), null, id);
  }
  assert.equal(countReads(), 0);
  await colormaps.find('0'.repeat(32));
  await colormaps.find('0'.repeat(32));
  assert.equal(countReads(), 2, 'another node may have created it in between');
});

test('a refused colormap is not stored', async () => {
  const { store, stored } = makeMemoryColormaps();
  await assert.rejects(makeColormaps({ ...unlimitedColormaps, store }).create({ colors: [] }, 'a'), {
    code: 'bad-colormap',
  });
  assert.equal(stored.size, 0);
});

test('the cache is bounded', async () => {
  const { store, countReads } = makeMemoryColormaps();
  const colormaps = makeColormaps({ ...unlimitedColormaps, store });
  const ids: string[] = [];
  for (let i = 0; i < 65; i++) ids.push(await colormaps.create(shade(i), 'a'));
  for (const id of ids) await colormaps.find(id);
  await colormaps.find(ids[64]!);
  assert.equal(countReads(), 65);
  await colormaps.find(ids[0]!);
  assert.equal(countReads(), 66, 'the oldest one was evicted');
});

test('a deleted colormap disappears at once here, and on another node after ten seconds', async () => {
  const { store } = makeMemoryColormaps();
  let ms = 0;
  const nowMs = () => ms;
  const [ours, theirs] = [1, 2].map(() => makeColormaps({ ...unlimitedColormaps, store, nowMs }));
  const id = await ours!.create(shade(5), 'a');
  assert.ok((await ours!.find(id)) && (await theirs!.find(id)));
  assert.equal(await ours!.remove(id, 'b'), false);
  assert.equal(await ours!.remove(id, 'a'), true);
  assert.equal(await ours!.find(id), null);
  ms = 9_999;
  assert.ok(await theirs!.find(id), 'remembered');
  ms = 10_000;
  assert.equal(await theirs!.find(id), null);
  assert.equal(await ours!.remove(id, 'a'), false);
});

test('a preset is neither stored nor deleted', async () => {
  const { store, stored } = makeMemoryColormaps();
  const colormaps = makeColormaps({ ...unlimitedColormaps, store });
  await assert.rejects(colormaps.remove(PRESET, 'a'), { tag: 'not-allowed', code: 'preset-colormap' });
  assert.equal(stored.size, 0);
});

test('an owner over its limit gets the limit, its usage, and what helps', async () => {
  const { store } = makeMemoryColormaps();
  const colormaps = makeColormaps({ ...unlimitedColormaps, store, maxPerOwner: 1 });
  await colormaps.create(shade(1), 'a');
  await colormaps.create(shade(1), 'a');
  await assert.rejects(colormaps.create(shade(2), 'a'), {
    tag: 'conflict',
    code: 'too-many-colormaps',
    message: /has 1 stored colormaps, and may have 1\. DELETE/,
  });
  await colormaps.create(shade(2), 'b');
});

test('while the store does not answer, cached colormaps stay in use, for a bounded time', async () => {
  const { store } = makeMemoryColormaps();
  let ms = 0;
  let isAway = false;
  const find: typeof store.find = (id) =>
    isAway ? Promise.reject(unavailable('store-unavailable', 'away')) : store.find(id);
  const options = { ...unlimitedColormaps, nowMs: () => ms, outageMs: 60_000 };
  const colormaps = makeColormaps({ ...options, store: { ...store, find } });
  const id = await colormaps.create(shade(1), 'a');
  await colormaps.find(id);
  isAway = true;
  ms = 59_999;
  assert.ok(await colormaps.find(id));
  await assert.rejects(colormaps.find('0'.repeat(32)), { code: 'store-unavailable' });
  ms = 60_000;
  await assert.rejects(colormaps.find(id), { code: 'store-unavailable' });
});
