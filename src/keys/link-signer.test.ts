import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeLinkSigner, obtainLinkSecret } from './link-signer.ts';

test('a signature holds for its parts and its secret only', () => {
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

test('a secret is made once, of 256 random bits, and then stays; each kind has its own', async () => {
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
