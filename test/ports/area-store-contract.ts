import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeArea } from '../../src/areas/index.ts';
import type { NewArea } from '../../src/library/index.ts';
import { makeAreas } from '../../src/library/index.ts';
import { createArea, unlimitedAreas } from '../../src/library/testing/memory-library.ts';
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
const stored = (n: number) => ({ kind: 'stored', ref: refOf(n) });
const NO_LIMIT = unlimitedAreas.limit;
const write = (feature: object) => {
  const { feature: sent, geometry } = writeArea(JSON.stringify(feature), '');
  return { feature: sent, geometry };
};
const area = (n: number, more: Partial<NewArea> = {}): NewArea => ({
  ...write(featureOf(n / 10)),
  ref: refOf(n),
  digest: `digest ${n}`,
  owner: 'key 1',
  ...more,
});

/** What every AreaStore promises. */
export function areaStoreContract(name: string, open: OpenStore): void {
  test(`${name} areas: a stored area is found complete, also after a restart, others are absent`, async () => {
    const store = await open();
    const properties = {
      name: "Föld '; --",
      deep: { list: [1, null, 0.1, 1e21] },
      nul: 'a\u0000b',
      bird: '\u{1F6F0}',
    };
    const sent = area(1, write(featureOf(179.5, properties)));
    assert.equal(await store.areas.find(refOf(1)), null);
    assert.deepEqual(await store.areas.put(sent, NO_LIMIT), stored(1));
    const again = await store.reopen();
    assert.deepEqual(await again.areas.find(refOf(1)), { feature: sent.feature, geometry: sent.geometry });
    for (const other of ['', refOf(2), refOf(1).toUpperCase(), 'digest 1', "' OR 1=1 --", 'a\u0000b']) {
      if (other !== refOf(1)) assert.equal(await again.areas.find(other), null, other);
    }
    await again.close();
  });

  test(`${name} areas: the first of several areas with one digest is kept`, async () => {
    const store = await open();
    assert.deepEqual(await store.areas.put(area(1), NO_LIMIT), stored(1));
    const second = area(2, {
      digest: 'digest 1',
      feature: write(featureOf(2, { mine: true })).feature,
    });
    assert.deepEqual(await store.areas.put(second, NO_LIMIT), stored(1));
    assert.equal(await store.areas.find(refOf(2)), null);
    assert.deepEqual((await store.areas.find(refOf(1)))?.feature, area(1).feature);
    await store.close();
  });

  test(`${name} areas: a ref cannot be used twice`, async () => {
    const store = await open();
    await store.areas.put(area(1), NO_LIMIT);
    await assert.rejects(store.areas.put(area(2, { ref: refOf(1) }), NO_LIMIT));
    assert.deepEqual((await store.areas.find(refOf(1)))?.feature, area(1).feature);
    await store.close();
  });

  test(`${name} areas: concurrent puts of the same area all get one ref`, async () => {
    const store = await open();
    const [ours, theirs] = [
      makeAreas({ ...unlimitedAreas, store: store.areas }),
      makeAreas({ ...unlimitedAreas, store: store.areas }),
    ];
    const refs = await Promise.all(
      Array.from({ length: 40 }, (_, i) => createArea(i % 2 === 0 ? ours : theirs, featureOf(i % 4), 'key')),
    );
    assert.equal(new Set(refs).size, 4);
    for (const [i, ref] of refs.entries()) {
      assert.match(ref, /^[0-9a-f]{32}$/);
      assert.equal(ref, refs[i % 4]);
      assert.deepEqual(
        JSON.parse((await theirs.find(ref))?.feature ?? '').geometry,
        featureOf(i % 4).geometry,
      );
    }
    await store.close();
  });

  test(`${name} areas: the largest possible area is stored to the last digit`, async () => {
    const store = await open();
    const positions = Array.from({ length: 9_999 }, (_, i) => [Math.cos(i / 1592), Math.sin(i / 1592)]);
    const coordinates = [[...positions, positions[0]]];
    const areas = makeAreas({ ...unlimitedAreas, store: store.areas });
    const ref = await createArea(areas, { type: 'Polygon', coordinates }, 'key');
    const again = await store.reopen();
    assert.deepEqual(JSON.parse((await again.areas.find(ref))?.feature ?? '').geometry, {
      type: 'Polygon',
      coordinates,
    });
    await again.close();
  });

  test(`${name} areas: an owner cannot exceed its limit, and others are not affected`, async () => {
    const store = await open();
    const limit = { areas: 2, bytes: NO_LIMIT.bytes };
    const bytes = area(1).feature.length + area(1).geometry.length;
    assert.deepEqual(await store.areas.put(area(1), limit), stored(1));
    assert.deepEqual(await store.areas.put(area(2), limit), stored(2));
    const refused = await store.areas.put(area(3), limit);
    assert.equal(refused.kind, 'full');
    assert.deepEqual(refused.kind === 'full' && refused.used.areas, 2);
    assert.equal(await store.areas.find(refOf(3)), null);
    assert.deepEqual(await store.areas.put(area(1), limit), stored(1), 'what is there already');
    assert.deepEqual(await store.areas.put(area(4, { owner: 'key 2' }), limit), stored(4));
    const usage = await (await store.reopen()).areas.usage();
    assert.deepEqual(usage.get('key 1')?.areas, 2);
    assert.deepEqual(usage.get('key 2')?.areas, 1);
    assert.ok(usage.get('key 1')!.bytes >= 2 * bytes - 20, `${usage.get('key 1')?.bytes} of ${bytes} each`);
  });

  test(`${name} areas: their bytes are limited too, as UTF-8`, async () => {
    const store = await open();
    const wide = area(1, write(featureOf(1, { text: 'é'.repeat(1000) })));
    const bytes = Buffer.byteLength(wide.feature) + wide.geometry.length;
    const refused = await store.areas.put(wide, { areas: 10, bytes: bytes - 1 });
    assert.deepEqual(refused, { kind: 'full', used: { areas: 0, bytes: 0 }, bytes });
    assert.deepEqual(await store.areas.put(wide, { areas: 10, bytes }), stored(1));
    assert.equal((await store.areas.put(area(2), { areas: 10, bytes })).kind, 'full');
    assert.deepEqual(await store.areas.usage(), new Map([['key 1', { areas: 1, bytes }]]));
    await store.close();
  });

  test(`${name} areas: concurrent writers do not exceed the limit together`, async () => {
    const store = await open();
    const limit = { areas: 7, bytes: NO_LIMIT.bytes };
    const puts = await Promise.all(
      Array.from({ length: 40 }, (_, i) => store.areas.put(area(i, { owner: `key ${i % 2}` }), limit)),
    );
    assert.equal(puts.filter(({ kind }) => kind === 'stored').length, 14);
    const usage = await store.areas.usage();
    assert.deepEqual([usage.get('key 0')?.areas, usage.get('key 1')?.areas], [7, 7]);
    await store.close();
  });

  test(`${name} areas: only the owner can remove one, once, which frees its place`, async () => {
    const store = await open();
    const limit = { areas: 1, bytes: NO_LIMIT.bytes };
    await store.areas.put(area(1), limit);
    assert.equal(await store.areas.remove(refOf(1), 'key 2'), false);
    assert.equal(await store.areas.remove(refOf(2), 'key 1'), false);
    assert.equal(await store.areas.remove('a\u0000b', 'key 1'), false);
    assert.ok(await store.areas.find(refOf(1)));
    assert.equal(await store.areas.remove(refOf(1), 'key 1'), true);
    assert.equal(await store.areas.remove(refOf(1), 'key 1'), false);
    assert.equal(await store.areas.find(refOf(1)), null);
    assert.deepEqual(await store.areas.put(area(5, { digest: 'digest 1' }), limit), stored(5));
    await store.close();
  });

  test(`${name} areas: removing all areas of an owner leaves those of others`, async () => {
    const store = await open();
    for (let i = 0; i < 6; i++) await store.areas.put(area(i, { owner: `key ${i % 2}` }), NO_LIMIT);
    assert.equal(await store.areas.removeAll('key 0'), 3);
    assert.equal(await store.areas.removeAll('key 0'), 0);
    assert.deepEqual([...(await store.areas.usage()).keys()], ['key 1']);
    assert.ok(await store.areas.find(refOf(1)));
    await store.close();
  });
}
