import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenStore } from './store-contract.ts';

/** What every SecretStore promises. */
export function secretStoreContract(name: string, open: OpenStore): void {
  test(`${name} secrets: the first one of a name is kept, also after a restart`, async () => {
    const store = await open();
    assert.equal(await store.secrets.obtain('links', 'first'), 'first');
    assert.equal(await store.secrets.obtain('links', 'second'), 'first');
    assert.equal(await store.secrets.obtain('Links', 'another name'), 'another name');
    const again = await store.reopen();
    assert.equal(await again.secrets.obtain('links', 'third'), 'first');
    await again.close();
  });

  test(`${name} secrets: one of many concurrent ones wins, and all callers get it`, async () => {
    const store = await open();
    const offered = Array.from({ length: 20 }, (_, i) => `secret ${i}`);
    const got = new Set(await Promise.all(offered.map((fresh) => store.secrets.obtain('links', fresh))));
    assert.equal(got.size, 1);
    assert.ok(offered.includes([...got][0] ?? ''));
    await store.close();
  });
}
