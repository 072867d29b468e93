import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeOrderStore, parseOrders } from './order-store.ts';

const order = { type: 'lbe', params: { bands: ['B04'] } } as const;

const makeStorage = (text: string | null = null) => {
  let stored = text;
  const setItem = (_: string, next: string): void => {
    stored = next;
  };
  return { getItem: () => stored, setItem };
};

test('the newest hundred orders are found after a reload', () => {
  const storage = makeStorage();
  const store = makeOrderStore(() => storage);
  for (let i = 0; i < 101; i++) store.remember(`id-${i}`, order, `title ${i}`);
  const later = makeOrderStore(() => storage);
  assert.equal(later.find('id-0'), null);
  assert.deepEqual(later.find('id-100'), { order, title: 'title 100' });
});

test('orders of this page are kept even if the storage fails or contains something else', () => {
  const store = makeOrderStore(() => {
    throw new Error('switched off');
  });
  store.remember('a', order, 't');
  assert.equal(store.find('a')?.title, 't');
  for (const text of ['{', '{}', '[1]', '[["a",{"order":{"type":"x"}}]]', 'null'])
    assert.deepEqual(parseOrders(text), []);
});
