import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areaLimits } from '../areas/index.ts';
import { unavailable } from '../errors.ts';
import { makeAreas } from './areas.ts';
import { createArea, makeMemoryAreas, unlimitedAreas } from './testing/memory-library.ts';

const triangle = (west: number, digits = 0) => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, 0],
      [west + 1, 0],
      [west, 1 + digits],
      [west, 0],
    ],
  ],
});

test('an area is found with its outline, and read from the store once', async () => {
  const { store, countReads } = makeMemoryAreas();
  const areas = makeAreas({ ...unlimitedAreas, store });
  const ref = await createArea(areas, triangle(5), 'a');
  const area = await areas.find(ref);
  assert.deepEqual(JSON.parse(area?.feature ?? '').geometry, triangle(5));
  assert.deepEqual([...(area?.outline ?? [])], [5, 0, 6, 0, 6, 0, 5, 1, 5, 0, 5, 1]);
  assert.equal(await areas.find(ref), area);
  assert.equal(countReads(), 1);
});

test('each owner has one area per feature, whatever the order of names in it', async () => {
  const { store, stored } = makeMemoryAreas();
  const areas = makeAreas({ ...unlimitedAreas, store });
  const create = (text: string, owner: string) =>
    createArea(
      areas,
      { type: 'Feature', geometry: triangle(5), properties: JSON.parse(text) as unknown },
      owner,
    );
  const ref = await create('{"a": {"b": 1, "c": [2, {"d": null, "e": "x"}]}}', 'one');
  assert.equal(await create('{"a": {"c": [2, {"e": "x", "d": null}], "b": 1}}', 'one'), ref);
  const others = [
    ['{"a": {"b": 1, "c": [2, {"d": null, "e": "x"}]}}', 'two'],
    ['{"a": {"b": 1, "c": [{"d": null, "e": "x"}, 2]}}', 'one'],
    ['{"a": {"b": "1", "c": [2, {"d": null, "e": "x"}]}}', 'one'],
    ['{"a": {}}', 'one'],
    ['{"a": []}', 'one'],
    ['{"a": {"object": []}}', 'one'],
    ['{"__proto__": {}}', 'one'],
    ['{}', 'one'],
  ] as const;
  for (const [text, owner] of others) {
    const other = await create(text, owner);
    assert.equal(
      JSON.stringify(JSON.parse(stored.get(other)?.feature ?? '').properties),
      JSON.stringify(JSON.parse(text)),
    );
  }
  assert.equal(stored.size, 1 + others.length);
});

test('unknown refs are null and looked up again, invalid refs are never looked up', async () => {
  const { store, countReads } = makeMemoryAreas();
  const areas = makeAreas({ ...unlimitedAreas, store });
  for (const ref of ['', 'x', 'A'.repeat(32), '0'.repeat(31), '0'.repeat(33), `${'0'.repeat(32)}\n`]) {
    assert.equal(await areas.find(ref), null, ref);
  }
  assert.equal(countReads(), 0);
  await areas.find('0'.repeat(32));
  await areas.find('0'.repeat(32));
  assert.equal(countReads(), 2, 'another node may have created it in between');
});

test('the cache is bounded, by count and by positions', async () => {
  const { store, countReads } = makeMemoryAreas();
  const areas = makeAreas({ ...unlimitedAreas, store });
  const refs: string[] = [];
  for (let i = 0; i < 65; i++) refs.push(await createArea(areas, triangle(i), 'a'));
  for (const ref of refs) await areas.find(ref);
  await areas.find(refs[64]!);
  assert.equal(countReads(), 65);
  await areas.find(refs[0]!);
  assert.equal(countReads(), 66, 'the oldest one was evicted');

  const large: string[] = [];
  for (let k = 0; k < 11; k++) {
    const ring = Array.from({ length: 9_999 }, (_, i) => [k + Math.cos(i / 1592), Math.sin(i / 1592)]);
    large.push(await createArea(areas, { type: 'Polygon', coordinates: [[...ring, ring[0]]] }, 'a'));
  }
  for (const ref of large) await areas.find(ref);
  const before = countReads();
  await areas.find(large[10]!);
  assert.equal(countReads(), before);
  await areas.find(large[0]!);
  assert.equal(countReads(), before + 1, 'eleven times 10,000 positions are too many');
});

test('the largest allowed feature takes less than a MiB', async () => {
  const { store, stored } = makeMemoryAreas();
  const long = -1.2345678901234568e-300;
  const positions = Array.from({ length: 9_999 }, (_, i) => [
    Math.cos(i / 1592),
    Math.sin(i / 1592),
    long,
    long,
  ]);
  const geometry = { type: 'Polygon', coordinates: [[...positions, positions[0]]] };
  const properties = { text: 'x'.repeat(areaLimits.propertiesBytes - '{"text":""}'.length) };
  const ref = await createArea(
    makeAreas({ ...unlimitedAreas, store }),
    { type: 'Feature', properties, geometry },
    'a',
  );
  const bytes = (stored.get(ref)?.feature ?? '').length;
  assert.ok(bytes > 900_000 && bytes < 2 ** 20, `${bytes} bytes`);
});

test('a deleted area disappears at once here, and on another node after ten seconds', async () => {
  const { store } = makeMemoryAreas();
  let ms = 0;
  const nowMs = () => ms;
  const [ours, theirs] = [1, 2].map(() => makeAreas({ ...unlimitedAreas, store, nowMs }));
  const ref = await createArea(ours!, triangle(5), 'a');
  assert.ok((await ours!.find(ref)) && (await theirs!.find(ref)));
  assert.equal(await ours!.remove(ref, 'b'), false);
  assert.equal(await ours!.remove('x', 'a'), false);
  assert.ok(await ours!.find(ref));
  assert.equal(await ours!.remove(ref, 'a'), true);
  assert.equal(await ours!.find(ref), null);
  ms = 9_999;
  assert.ok(await theirs!.find(ref), 'remembered');
  ms = 10_000;
  assert.equal(await theirs!.find(ref), null);
  assert.equal(await ours!.remove(ref, 'a'), false);
});

test('a read that began before the area was deleted does not bring it back', async () => {
  const { store } = makeMemoryAreas();
  const late = Promise.withResolvers<void>();
  let isLate = false;
  const find: typeof store.find = async (ref) => {
    const found = await store.find(ref);
    if (isLate) await late.promise;
    return found;
  };
  const areas = makeAreas({ ...unlimitedAreas, store: { ...store, find } });
  const ref = await createArea(areas, triangle(5), 'a');
  isLate = true;
  const reading = areas.find(ref);
  await areas.remove(ref, 'a');
  late.resolve();
  await reading;
  isLate = false;
  assert.equal(await areas.find(ref), null);
});

test('an owner over its limit gets the limit, its usage, and what helps', async () => {
  const { store } = makeMemoryAreas();
  const few = makeAreas({ ...unlimitedAreas, store, limit: { areas: 1, bytes: 2 ** 20 } });
  await createArea(few, triangle(1), 'a');
  await createArea(few, triangle(1), 'a');
  await assert.rejects(createArea(few, triangle(2), 'a'), {
    tag: 'conflict',
    code: 'too-many-areas',
    message: /has 1 stored areas, and may have 1\. DELETE/,
  });
  await createArea(few, triangle(2), 'b');
  const small = makeAreas({ ...unlimitedAreas, store, limit: { areas: 9, bytes: 1_000_000 } });
  const ring = Array.from({ length: 9_999 }, (_, i) => [Math.cos(i / 1592), Math.sin(i / 1592)]);
  const large = { type: 'Polygon', coordinates: [[...ring, ring[0]]] };
  await createArea(small, large, 'c');
  await assert.rejects(createArea(small, { type: 'Feature', properties: { n: 2 }, geometry: large }, 'c'), {
    tag: 'conflict',
    code: 'area-storage-full',
    message: /take 0\.8 MiB, and may take 1\.0 MiB; this one needs 0\.8 MiB more\. DELETE/,
  });
});

test('while the store does not answer, cached areas stay in use, for a bounded time', async () => {
  const { store } = makeMemoryAreas();
  let ms = 0;
  let isAway = false;
  const find: typeof store.find = (ref) =>
    isAway ? Promise.reject(unavailable('store-unavailable', 'away')) : store.find(ref);
  const options = { ...unlimitedAreas, nowMs: () => ms, outageMs: 60_000 };
  const areas = makeAreas({ ...options, store: { ...store, find } });
  const ref = await createArea(areas, triangle(1), 'a');
  const area = await areas.find(ref);
  isAway = true;
  ms = 59_999;
  assert.equal(await areas.find(ref), area);
  await assert.rejects(areas.find('0'.repeat(32)), { code: 'store-unavailable' });
  ms = 60_000;
  await assert.rejects(areas.find(ref), { code: 'store-unavailable' });
  isAway = false;
  assert.equal(await areas.find(ref), area);
});
