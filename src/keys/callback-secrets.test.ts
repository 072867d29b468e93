import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCallbackSecrets } from './callback-secrets.ts';

function makeStores() {
  const [secrets, counts] = [new Map<string, string>(), new Map<string, number>()];
  return {
    secrets: {
      async obtain(name: string, fresh: string) {
        if (!secrets.has(name)) secrets.set(name, fresh);
        return secrets.get(name) as string;
      },
    },
    rotations: {
      count: async (id: string) => counts.get(id) ?? 0,
      async add(id: string) {
        counts.set(id, (counts.get(id) ?? 0) + 1);
        return counts.get(id) as number;
      },
    },
    stored: () => JSON.stringify([[...secrets], [...counts]]),
  };
}

test('every key has a secret of its own, the same on all nodes, of which nothing is stored', async () => {
  const stores = makeStores();
  const [here, elsewhere] = [makeCallbackSecrets(stores), makeCallbackSecrets(stores)];
  const secret = await here.find('a1');
  assert.match(secret, /^cbs\.[0-9a-f]{64}$/);
  assert.equal(await elsewhere.find('a1'), secret);
  assert.notEqual(await here.find('b2'), secret);
  assert.ok(!stores.stored().includes(secret.slice(4)));
  assert.notEqual(await makeCallbackSecrets(makeStores()).find('a1'), secret, 'of another service');
});

test('a rotation ends the secret of one key, on all nodes', async () => {
  const stores = makeStores();
  const [here, elsewhere] = [makeCallbackSecrets(stores), makeCallbackSecrets(stores)];
  const [first, other] = [await here.find('a1'), await here.find('b2')];
  const second = await here.rotate('a1');
  const third = await elsewhere.rotate('a1');
  assert.equal(new Set([first, second, third]).size, 3);
  assert.equal(await here.find('a1'), third);
  assert.equal(await here.find('b2'), other);
});
