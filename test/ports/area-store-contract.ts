import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewArea } from '../../src/areas/index.ts';
import { makeAreas, parseArea } from '../../src/areas/index.ts';
import type { OpenStore } from './store-contract.ts';

const ring = (west: number, size = 1) => [
  [west, 1],
  [west + size, 1],
  [west + size, 2],
  [west, 1],
];
const featureOf = (west: number, properties: object = {}) => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Polygon', coordinates: [ring(west)] },
});
const refOf = (n: number): string => n.toString(16).padStart(32, '0');
const area = (n: number, more: Partial<NewArea> = {}): NewArea => ({
  ...parseArea(featureOf(n / 10)),
  ref: refOf(n),
  digest: `digest ${n}`,
  ...more,
});

/** What every AreaStore promises. */
export function areaStoreContract(name: string, open: OpenStore): void {
  test(`${name} areas: what was put is found whole, also after a restart, others are absent`, async () => {
    const store = await open();
    const properties = {
      name: "Föld '; --",
      deep: { list: [1, null, 0.1, 1e21] },
      nul: 'a\u0000b',
      bird: '\u{1F6F0}',
    };
    const sent = area(1, parseArea(featureOf(179.5, properties)));
    assert.equal(await store.areas.find(refOf(1)), null);
    assert.equal(await store.areas.put(sent), refOf(1));
    const again = await store.reopen();
    assert.deepEqual(await again.areas.find(refOf(1)), { feature: sent.feature, geometry: sent.geometry });
    for (const other of ['', refOf(2), refOf(1).toUpperCase(), 'digest 1', "' OR 1=1 --", 'a\u0000b']) {
      if (other !== refOf(1)) assert.equal(await again.areas.find(other), null, other);
    }
    await again.close();
  });

  test(`${name} areas: of areas with one digest the first stays`, async () => {
    const store = await open();
    assert.equal(await store.areas.put(area(1)), refOf(1));
    const second = area(2, {
      digest: 'digest 1',
      feature: { ...area(2).feature, properties: { mine: true } },
    });
    assert.equal(await store.areas.put(second), refOf(1));
    assert.equal(await store.areas.find(refOf(2)), null);
    assert.deepEqual((await store.areas.find(refOf(1)))?.feature, area(1).feature);
    await store.close();
  });

  test(`${name} areas: a ref is never taken twice`, async () => {
    const store = await open();
    await store.areas.put(area(1));
    await assert.rejects(store.areas.put(area(2, { ref: refOf(1) })));
    assert.deepEqual((await store.areas.find(refOf(1)))?.feature, area(1).feature);
    await store.close();
  });

  test(`${name} areas: of many at once that are the same all get one ref`, async () => {
    const store = await open();
    const [ours, theirs] = [makeAreas({ store: store.areas }), makeAreas({ store: store.areas })];
    const refs = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? ours : theirs).create(featureOf(i % 4), 'key')),
    );
    assert.equal(new Set(refs).size, 4);
    for (const [i, ref] of refs.entries()) {
      assert.match(ref, /^[0-9a-f]{32}$/);
      assert.equal(ref, refs[i % 4]);
      assert.deepEqual((await theirs.find(ref))?.feature.geometry, featureOf(i % 4).geometry);
    }
    await store.close();
  });

  test(`${name} areas: the largest area there may be is kept to the last digit`, async () => {
    const store = await open();
    const positions = Array.from({ length: 9_999 }, (_, i) => [Math.cos(i / 1592), Math.sin(i / 1592)]);
    const coordinates = [[...positions, positions[0]]];
    const areas = makeAreas({ store: store.areas });
    const ref = await areas.create({ type: 'Polygon', coordinates }, 'key');
    const again = await store.reopen();
    assert.deepEqual((await again.areas.find(ref))?.feature.geometry, { type: 'Polygon', coordinates });
    await again.close();
  });
}
