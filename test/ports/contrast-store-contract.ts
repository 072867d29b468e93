import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenStore } from './store-contract.ts';

/** What every ContrastStore promises. */
export function contrastStoreContract(name: string, open: OpenStore): void {
  test(`${name} contrasts: a stored contrast is found, the last one wins, others are absent`, async () => {
    const store = await open();
    assert.equal(await store.contrasts.find('S2/x B04'), null);
    await store.contrasts.put('S2/x B04', { min: -12.5, max: 3000 });
    await store.contrasts.put('S2/x B04', { min: 0.1, max: 0.30000000000000004 });
    const again = await store.reopen();
    assert.deepEqual(await again.contrasts.find('S2/x B04'), { min: 0.1, max: 0.30000000000000004 });
    await again.close();
  });
}
