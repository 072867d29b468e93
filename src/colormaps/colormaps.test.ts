import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ColormapContent } from '../color/index.ts';
import { findPreset } from '../color/index.ts';
import type { ColormapStore } from './colormap-store.ts';
import { makeColormaps } from './colormaps.ts';

const PRESET = 'a9bc6eceeef2a13bb88a7f641dca3aa0';

function makeMemoryStore() {
  const kept = new Map<string, ColormapContent>();
  let reads = 0;
  const store: ColormapStore = {
    async put(id, content) {
      kept.set(id, content);
    },
    async find(id) {
      reads += 1;
      return kept.get(id) ?? null;
    },
  };
  return { store, kept, countReads: () => reads };
}

const shade = (n: number) => ({ colors: ['#000000', `#${n.toString(16).padStart(6, '0')}`] });

test('a colormap is found as it was sent, and read from the store once', async () => {
  const { store, countReads } = makeMemoryStore();
  const colormaps = makeColormaps({ store });
  const id = await colormaps.create(shade(5));
  assert.match(id, /^[0-9a-f]{32}$/);
  const content = await colormaps.find(id);
  assert.deepEqual(content, { ...shade(5), type: 'continuous', thresholds_type: 'relative' });
  assert.equal(await colormaps.find(id), content);
  assert.equal(countReads(), 1);
});

test('the same content has one id, on every node; what the interface does not know is left out', async () => {
  const { store, kept } = makeMemoryStore();
  const [ours, theirs] = [makeColormaps({ store }), makeColormaps({ store })];
  const id = await ours.create({ colors: ['#ABCDEF', '#000000'] });
  const again = { name: 'mine', thresholds_type: 'relative', type: 'continuous' };
  assert.equal(await theirs.create({ ...again, colors: ['abcdef', '#000000'] }), id);
  assert.equal(kept.size, 1);
  assert.notEqual(await ours.create({ colors: ['#000000', '#abcdef'] }), id);
});

test('presets are there without a store', async () => {
  const { store, countReads } = makeMemoryStore();
  assert.equal(await makeColormaps({ store }).find(PRESET), findPreset(PRESET));
  assert.equal(countReads(), 0);
});

test('unknown ids are null and asked for again, what is no id is never asked for', async () => {
  const { store, countReads } = makeMemoryStore();
  const colormaps = makeColormaps({ store });
  const none = ['', 'x', 'viridis', 'A'.repeat(32), '0'.repeat(31), '0'.repeat(33), `${'0'.repeat(32)}\n`];
  for (const id of [...none, `${PRESET}_r`, '__proto__', 'constructor']) {
    assert.equal(await colormaps.find(id), null, id);
  }
  assert.equal(countReads(), 0);
  await colormaps.find('0'.repeat(32));
  await colormaps.find('0'.repeat(32));
  assert.equal(countReads(), 2, 'another node may have created it in between');
});

test('what is refused is not kept', async () => {
  const { store, kept } = makeMemoryStore();
  await assert.rejects(makeColormaps({ store }).create({ colors: [] }), { code: 'bad-colormap' });
  assert.equal(kept.size, 0);
});

test('what is remembered is bounded', async () => {
  const { store, countReads } = makeMemoryStore();
  const colormaps = makeColormaps({ store });
  const ids: string[] = [];
  for (let i = 0; i < 65; i++) ids.push(await colormaps.create(shade(i)));
  for (const id of ids) await colormaps.find(id);
  await colormaps.find(ids[64]!);
  assert.equal(countReads(), 65);
  await colormaps.find(ids[0]!);
  assert.equal(countReads(), 66, 'the oldest one had to go');
});
