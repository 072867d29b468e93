import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DatasetText } from '../../src/library/index.ts';
import type { OpenStore } from './store-contract.ts';

const text = (title: string, more: Partial<DatasetText> = {}): DatasetText => ({
  title,
  description: null,
  keywords: null,
  license: null,
  providers: null,
  ...more,
});

/** What every DatasetTextStore promises. */
export function datasetTextStoreContract(name: string, open: OpenStore): void {
  test(`${name} texts of datasets: a text is listed as it was stored, also after a restart`, async () => {
    const store = await open();
    const whole = text("Föld '; -- \u0000 \ud800 🛰", {
      description: 'Two\nlines',
      keywords: ['a', 'Ä'],
      license: 'CC-BY-4.0',
      providers: [{ name: 'Us', roles: ['host'], url: 'https://example.org' }, { name: 'Them' }],
    });
    assert.equal((await store.datasetTexts.list()).size, 0);
    assert.ok(await store.datasetTexts.replace('b', { before: null, after: whole }));
    assert.ok(await store.datasetTexts.replace('a', { before: null, after: text('First') }));
    const again = await store.reopen();
    assert.deepEqual(
      [...(await again.datasetTexts.list())],
      [
        ['a', text('First')],
        ['b', whole],
      ],
    );
    await again.close();
  });

  test(`${name} texts of datasets: a text changes only if it is still the one that was read`, async () => {
    const store = await open();
    const { datasetTexts } = store;
    assert.ok(await datasetTexts.replace('a', { before: null, after: text('1') }));
    assert.equal(await datasetTexts.replace('a', { before: null, after: text('2') }), false);
    assert.equal(await datasetTexts.replace('a', { before: text('0'), after: text('2') }), false);
    assert.equal(await datasetTexts.replace('a', { before: text('0'), after: null }), false);
    assert.equal(await datasetTexts.replace('z', { before: text('0'), after: null }), false);
    assert.ok(await datasetTexts.replace('z', { before: null, after: null }));
    assert.deepEqual((await datasetTexts.list()).get('a'), text('1'));
    const [before] = (await datasetTexts.list()).values();
    const results = await Promise.all(
      ['x', 'y'].map((title) => datasetTexts.replace('a', { before: before ?? null, after: text(title) })),
    );
    assert.deepEqual(results.toSorted(), [false, true], 'one of two writers finds that it comes too late');
    const [last] = (await datasetTexts.list()).values();
    assert.ok(await datasetTexts.replace('a', { before: last ?? null, after: null }));
    assert.equal((await datasetTexts.list()).size, 0);
    await store.close();
  });
}
