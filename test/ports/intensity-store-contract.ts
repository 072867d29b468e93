import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenStore } from './store-contract.ts';

/** What every IntensityStore promises. */
export function intensityStoreContract(name: string, open: OpenStore): void {
  test(`${name} intensities: a stored intensity is found, the last one wins, others are absent`, async () => {
    const store = await open();
    const first = { ranges: [{ band: 'B04', min: 0.1, max: 3000 }], cloudPercent: 12.5, isCorrected: true };
    const last = {
      ranges: [
        { band: 'B04/B03', min: -0.1, max: 0.30000000000000004 },
        { band: 'it\'s \u2028 "text"', min: 0, max: 1 },
      ],
      cloudPercent: null,
      isCorrected: false,
    };
    assert.equal(await store.intensities.find('one'), null);
    await store.intensities.put('one', first);
    await store.intensities.put('other', first);
    await store.intensities.put('one', last);
    const again = await store.reopen();
    assert.deepEqual(await again.intensities.find('one'), last);
    assert.deepEqual(await again.intensities.find('other'), first);
    await again.close();
  });
}
