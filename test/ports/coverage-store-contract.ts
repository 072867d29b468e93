import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredCell } from '../../src/coverage/index.ts';
import type { OpenStore } from './store-contract.ts';

const toCell = (key: string, cell: number, ...bytes: readonly number[]): StoredCell => ({
  key,
  cell,
  pixels: Uint8Array.from(bytes),
});

/** Cells in a fixed order, with plain bytes. */
const toPlain = (cells: readonly StoredCell[]) =>
  cells
    .map(({ key, cell, pixels }) => [key, cell, [...pixels]] as const)
    .toSorted(([a, i], [b, j]) => (a === b ? i - j : a < b ? -1 : 1));

/** What every CoverageStore promises. */
export function coverageStoreContract(name: string, open: OpenStore): void {
  test(`${name} coverage: masks and cells read back unchanged, also after a restart; the last one wins`, async () => {
    const store = await open();
    assert.equal((await store.coverage.findMasks(['a'])).size, 0);
    assert.deepEqual(await store.coverage.findCells([{ key: 'a', cells: [0] }]), []);
    await store.coverage.put(
      [
        { key: 'a', mask: '{"grid":"é"}' },
        { key: 'b', mask: 'null' },
      ],
      [toCell('a', 0, 0, 255, 128), toCell('a', 4_000_000, 1), toCell('b', 0, 2)],
    );
    await store.coverage.put([{ key: 'b', mask: '{}' }], [toCell('b', 0, 3, 4)]);
    const again = await store.reopen();
    assert.deepEqual(
      await again.coverage.findMasks(['absent', 'b', 'a']),
      new Map([
        ['a', '{"grid":"é"}'],
        ['b', '{}'],
      ]),
    );
    assert.deepEqual(
      toPlain(
        await again.coverage.findCells([
          { key: 'b', cells: [0, 7] },
          { key: 'absent', cells: [0] },
          { key: 'a', cells: [4_000_000, 7, 0] },
        ]),
      ),
      [
        ['a', 0, [0, 255, 128]],
        ['a', 4_000_000, [1]],
        ['b', 0, [3, 4]],
      ],
    );
    assert.deepEqual(toPlain(await again.coverage.findCells([{ key: 'a', cells: [0] }])), [
      ['a', 0, [0, 255, 128]],
    ]);
    assert.deepEqual(await again.coverage.findCells([]), []);
    assert.deepEqual(await again.coverage.findCells([{ key: 'a', cells: [] }]), []);
    assert.equal((await again.coverage.findMasks([])).size, 0);
    await again.close();
  });

  test(`${name} coverage: cells can be stored without masks, and masks without cells`, async () => {
    const store = await open();
    await store.coverage.put([], [toCell('a', 1, 9)]);
    await store.coverage.put([{ key: 'b', mask: '1' }], []);
    assert.equal((await store.coverage.findMasks(['a', 'b'])).get('b'), '1');
    assert.deepEqual(
      toPlain(await store.coverage.findCells(['a', 'b'].map((key) => ({ key, cells: [1] })))),
      [['a', 1, [9]]],
    );
    await store.close();
  });

  test(`${name} coverage: the same cell may be written twice at once, and by two writers`, async () => {
    const store = await open();
    const cells = Array.from({ length: 50 }, (_, i) => toCell(`key ${i % 5}`, i, i, 255 - i));
    const masks = Array.from({ length: 5 }, (_, i) => ({ key: `key ${i}`, mask: `${i}` }));
    await Promise.all([
      store.coverage.put([...masks, masks[0]!], [...cells, cells[0]!]),
      store.coverage.put(masks.toReversed(), cells.toReversed()),
    ]);
    const numbers = cells.map(({ cell }) => cell);
    const found = await store.coverage.findCells(masks.map(({ key }) => ({ key, cells: numbers })));
    assert.deepEqual(toPlain(found), toPlain(cells));
    await store.close();
  });
}
