import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenStore } from './store-contract.ts';

/** What every SyncNoteStore promises. */
export function syncNoteStoreContract(name: string, open: OpenStore): void {
  test(`${name} notes of syncs: a note is read as it was written last, also by another process`, async () => {
    const store = await open();
    assert.equal(await store.syncNotes.read('a', 'run'), null);
    const texts = ['', `Föld "'; -- 🛰\n\t`, JSON.stringify({ id: 'a\u0000b\ud800' }), 'x'.repeat(2_000_000)];
    for (const text of texts) {
      await store.syncNotes.write('a', 'run', text);
      assert.equal(await store.syncNotes.read('a', 'run'), text);
    }
    const again = await store.reopen();
    assert.equal(await again.syncNotes.read('a', 'run'), texts.at(-1));
    await again.close();
  });

  test(`${name} notes of syncs: each sync has its own names, which differ by case`, async () => {
    const { syncNotes, close } = await open();
    const names = [
      ['a', 'run'],
      ['a', 'Run'],
      ['b', 'run'],
      ['A', 'run'],
    ] as const;
    await Promise.all(names.map(([sync, note], i) => syncNotes.write(sync, note, String(i))));
    const read = await Promise.all(names.map(([sync, note]) => syncNotes.read(sync, note)));
    assert.deepEqual(read, ['0', '1', '2', '3']);
    assert.equal(await syncNotes.read('b', 'Run'), null);
    await close();
  });

  test(`${name} notes of syncs: one of concurrent writers comes last, and its text is whole`, async () => {
    const { syncNotes, close } = await open();
    const texts = Array.from({ length: 8 }, (_, i) => `${i}`.repeat(10_000));
    await Promise.all(texts.map((text) => syncNotes.write('a', 'run', text)));
    assert.ok(texts.includes((await syncNotes.read('a', 'run')) ?? ''));
    await close();
  });
}
