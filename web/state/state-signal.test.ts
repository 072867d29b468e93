import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computed, effect } from '@preact/signals';
import { toStateSignal } from './state-signal.ts';
import { makeStore } from './store.ts';

test('the signal holds the state as soon as an update returns', () => {
  const store = makeStore({ zoom: 3 });
  const state = toStateSignal(store);
  assert.equal(state.value.zoom, 3);
  store.update(() => ({ zoom: 4 }));
  assert.equal(state.value.zoom, 4);
});

test('an effect on a part runs again only when that part changes', () => {
  const store = makeStore({ zoom: 3, panel: 'find' });
  const state = toStateSignal(store);
  const panel = computed(() => state.value.panel);
  const seen: string[] = [];
  const stop = effect(() => void seen.push(panel.value));
  store.update((before) => ({ ...before, zoom: 4 }));
  store.update((before) => ({ ...before, panel: 'look' }));
  stop();
  store.update((before) => ({ ...before, panel: 'area' }));
  assert.deepEqual(seen, ['find', 'look']);
});
