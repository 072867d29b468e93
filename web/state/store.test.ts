import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeStore } from './store.ts';

interface Two {
  readonly a: number;
  readonly b: number;
}

test('a listener is called at once and whenever its part changes, and not otherwise', () => {
  const store = makeStore<Two>({ a: 1, b: 1 });
  const heard: number[] = [];
  const stop = store.watch(
    ({ a }) => a,
    (a) => heard.push(a),
  );
  store.update((state) => ({ ...state, b: 2 }));
  store.update((state) => ({ ...state, a: 2 }));
  store.update((state) => state);
  stop();
  store.update((state) => ({ ...state, a: 3 }));
  assert.deepEqual(heard, [1, 2]);
  assert.deepEqual(store.read(), { a: 3, b: 2 });
});

test('a listener may update the state itself; every listener gets the latest value', () => {
  const store = makeStore<Two>({ a: 0, b: 0 });
  const heard: number[] = [];
  store.watch(
    ({ a }) => a,
    (a) => store.update((state) => ({ ...state, b: a * 10 })),
  );
  store.watch(
    ({ b }) => b,
    (b) => heard.push(b),
  );
  store.update((state) => ({ ...state, a: 1 }));
  store.update((state) => ({ ...state, a: 2 }));
  assert.deepEqual(heard, [0, 10, 20]);
});
