import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StacItem } from '../ingest/index.ts';
import { makeItemMemory } from './item-memory.ts';

const ITEM = { catalog: 'earth-search', collection: 'sentinel-2-l2a', id: 'S2A_1', processed: '1' };

const toItem = (properties: StacItem['properties'] = {}): StacItem => ({
  id: 'S2A_1',
  collection: null,
  properties,
  geometry: null,
  assets: [],
  self: null,
});

test('a whole item is remembered for ten minutes, and its address for longer', () => {
  let nowMs = 0;
  const memory = makeItemMemory(() => nowMs);
  memory.note('S2L2A/1', { ...ITEM, item: toItem() });
  nowMs = 599_999;
  assert.deepEqual(memory.find('S2L2A/1'), { ...ITEM, item: toItem() });
  nowMs = 600_000;
  assert.deepEqual(memory.find('S2L2A/1'), ITEM);
  memory.note('S2L2A/1', { ...ITEM, item: toItem({ read: 'again' }) });
  assert.deepEqual(memory.find('S2L2A/1')?.item, toItem({ read: 'again' }));
});

test('the newer of two items of a scene is remembered', () => {
  const memory = makeItemMemory(() => 0);
  memory.note('S2L2A/1', { ...ITEM, id: 'new', processed: '2' });
  memory.note('S2L2A/1', { ...ITEM, id: 'old', processed: '1' });
  assert.equal(memory.find('S2L2A/1')?.id, 'new');
  memory.forget('S2L2A/1');
  assert.equal(memory.find('S2L2A/1'), undefined);
});
