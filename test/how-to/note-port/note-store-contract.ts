import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NoteStore } from './note-store.ts';

/** A store with the new port. */
export interface StoreUnderTest {
  readonly notes: NoteStore;
  reopen(): Promise<StoreUnderTest>;
  close(): Promise<void>;
}

type OpenStore = () => Promise<StoreUnderTest>;

/** What every NoteStore promises. */
export function noteStoreContract(name: string, open: OpenStore): void {
  test(`${name} notes: a note is found as it was put, also after a restart`, async () => {
    const store = await open();
    await store.notes.put({ id: 'a', text: 'haze' });
    await store.notes.put({ id: 'a', text: 'thin haze, "ok" — 薄雾' });
    const again = await store.reopen();
    assert.deepEqual(await again.notes.find('a'), { id: 'a', text: 'thin haze, "ok" — 薄雾' });
    await again.close();
  });

  test(`${name} notes: ids compare byte by byte, and an unknown one is null`, async () => {
    const store = await open();
    await store.notes.put({ id: 'a', text: 'lower' });
    for (const id of ['A', 'a ', '', 'a\0', "'; DROP TABLE notes; --"]) {
      assert.equal(await store.notes.find(id), null, JSON.stringify(id));
    }
    await store.close();
  });
}
