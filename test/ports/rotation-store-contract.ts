import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenStore } from './store-contract.ts';

/** What every RotationStore promises. */
export function rotationStoreContract(name: string, open: OpenStore): void {
  test(`${name} rotations: each key has its own count, from 0, also after a restart`, async () => {
    const store = await open();
    assert.equal(await store.rotations.count('key 1'), 0);
    assert.equal(await store.rotations.add('key 1'), 1);
    assert.equal(await store.rotations.add('key 1'), 2);
    assert.equal(await store.rotations.add('Key 1'), 1);
    assert.equal(await store.rotations.count('nul \0'), 0);
    const again = await store.reopen();
    assert.deepEqual(
      await Promise.all(['key 1', 'Key 1', 'k'].map((id) => again.rotations.count(id))),
      [2, 1, 0],
    );
    await again.close();
  });

  test(`${name} rotations: of many concurrent ones none is lost, and each gets its own count`, async () => {
    const store = await open();
    const counts = await Promise.all(Array.from({ length: 20 }, () => store.rotations.add('key 1')));
    assert.deepEqual(
      counts.toSorted((a, b) => a - b),
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
    await store.close();
  });
}
