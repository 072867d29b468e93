import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCallbackSecrets, makeLinkSigner, obtainLinkSecret } from './secrets.ts';

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

test('every key has its own secret, the same on all nodes, and nothing of it is stored', async () => {
  const stores = makeStores();
  const [here, elsewhere] = [makeCallbackSecrets(stores), makeCallbackSecrets(stores)];
  const secret = await here.find('a1');
  assert.match(secret, /^cbs\.[0-9a-f]{64}$/);
  assert.equal(await elsewhere.find('a1'), secret);
  assert.notEqual(await here.find('b2'), secret);
  assert.ok(!stores.stored().includes(secret.slice(4)));
  assert.notEqual(await makeCallbackSecrets(makeStores()).find('a1'), secret, 'of another service');
});

test('a rotation ends the secret of one key on all nodes', async () => {
  const stores = makeStores();
  const [here, elsewhere] = [makeCallbackSecrets(stores), makeCallbackSecrets(stores)];
  const [first, other] = [await here.find('a1'), await here.find('b2')];
  const second = await here.rotate('a1');
  const third = await elsewhere.rotate('a1');
  assert.equal(new Set([first, second, third]).size, 3);
  assert.equal(await here.find('a1'), third);
  assert.equal(await here.find('b2'), other);
});

test('a signature is valid only for its parts and its secret', () => {
  const signer = makeLinkSigner('a'.repeat(64));
  const signature = signer.sign(['thumbnail', 'S2/31']);
  assert.match(signature, /^[\w-]{43}$/);
  assert.ok(signer.isValid(['thumbnail', 'S2/31'], signature));
  for (const parts of [
    ['thumbnail', 'S2/32'],
    ['thumbnailS2/31'],
    ['result', 'S2/31'],
    ['S2/31', 'thumbnail'],
  ]) {
    assert.ok(!signer.isValid(parts, signature), parts.join());
  }
  assert.ok(!makeLinkSigner('b'.repeat(64)).isValid(['thumbnail', 'S2/31'], signature));
});

test('every character of a signature counts', () => {
  const signer = makeLinkSigner('a'.repeat(64));
  const signature = signer.sign(['x']);
  for (let i = 0; i < signature.length; i += 1) {
    const changed = signature[i] === 'A' ? 'Q' : 'A';
    const other = signature.slice(0, i) + changed + signature.slice(i + 1);
    assert.ok(!signer.isValid(['x'], other), `character ${i}`);
  }
  for (const other of ['', signature.slice(0, -1), `${signature}A`]) assert.ok(!signer.isValid(['x'], other));
});

test('a secret is created once from 256 random bits and then kept; each kind has its own', async () => {
  const stored = new Map<string, string>();
  const secrets = {
    obtain: async (name: string, fresh: string) => {
      if (!stored.has(name)) stored.set(name, fresh);
      return stored.get(name) ?? '';
    },
  };
  const first = await obtainLinkSecret(secrets, 'result-links');
  assert.match(first, /^[0-9a-f]{64}$/);
  assert.equal(await obtainLinkSecret(secrets, 'result-links'), first);
  assert.notEqual(await obtainLinkSecret(secrets, 'thumbnail-links'), first);
  stored.clear();
  assert.notEqual(await obtainLinkSecret(secrets, 'result-links'), first);
});
