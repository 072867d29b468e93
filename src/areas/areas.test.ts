import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AreaStore, NewArea } from './area-store.ts';
import { makeAreas } from './areas.ts';
import { areaLimits } from './limits.ts';

function makeMemoryStore() {
  const kept = new Map<string, NewArea>();
  let reads = 0;
  const store: AreaStore = {
    async put(area) {
      const known = [...kept.values()].find(({ digest }) => digest === area.digest);
      kept.set(known?.ref ?? area.ref, known ?? area);
      return known?.ref ?? area.ref;
    },
    async find(ref) {
      reads += 1;
      return kept.get(ref) ?? null;
    },
  };
  return { store, kept, countReads: () => reads };
}

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
  const { store, countReads } = makeMemoryStore();
  const areas = makeAreas({ store });
  const ref = await areas.create(triangle(5), 'a');
  const area = await areas.find(ref);
  assert.deepEqual(area?.feature.geometry, triangle(5));
  assert.deepEqual([...(area?.outline ?? [])], [5, 0, 6, 0, 6, 0, 5, 1, 5, 0, 5, 1]);
  assert.equal(await areas.find(ref), area);
  assert.equal(countReads(), 1);
});

test('each owner has an area of its own, one for each feature, whatever the order of names in it', async () => {
  const { store, kept } = makeMemoryStore();
  const areas = makeAreas({ store });
  const create = (text: string, owner: string) =>
    areas.create({ type: 'Feature', geometry: triangle(5), properties: JSON.parse(text) as unknown }, owner);
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
    assert.equal(JSON.stringify(kept.get(other)?.feature.properties), JSON.stringify(JSON.parse(text)));
  }
  assert.equal(kept.size, 1 + others.length);
});

test('unknown refs are null and asked for again, what is no ref is never asked for', async () => {
  const { store, countReads } = makeMemoryStore();
  const areas = makeAreas({ store });
  for (const ref of ['', 'x', 'A'.repeat(32), '0'.repeat(31), '0'.repeat(33), `${'0'.repeat(32)}\n`]) {
    assert.equal(await areas.find(ref), null, ref);
  }
  assert.equal(countReads(), 0);
  await areas.find('0'.repeat(32));
  await areas.find('0'.repeat(32));
  assert.equal(countReads(), 2, 'another node may have created it in between');
});

test('what is remembered is bounded, by count and by positions', async () => {
  const { store, countReads } = makeMemoryStore();
  const areas = makeAreas({ store });
  const refs: string[] = [];
  for (let i = 0; i < 65; i++) refs.push(await areas.create(triangle(i), 'a'));
  for (const ref of refs) await areas.find(ref);
  await areas.find(refs[64]!);
  assert.equal(countReads(), 65);
  await areas.find(refs[0]!);
  assert.equal(countReads(), 66, 'the oldest one had to go');

  const large: string[] = [];
  for (let k = 0; k < 11; k++) {
    const ring = Array.from({ length: 9_999 }, (_, i) => [k + Math.cos(i / 1592), Math.sin(i / 1592)]);
    large.push(await areas.create({ type: 'Polygon', coordinates: [[...ring, ring[0]]] }, 'a'));
  }
  for (const ref of large) await areas.find(ref);
  const before = countReads();
  await areas.find(large[10]!);
  assert.equal(countReads(), before);
  await areas.find(large[0]!);
  assert.equal(countReads(), before + 1, 'eleven times 10,000 positions are too many');
});

test('the largest feature there may be takes less than a MiB', async () => {
  const { store, kept } = makeMemoryStore();
  const long = -1.2345678901234568e-300;
  const positions = Array.from({ length: 9_999 }, (_, i) => [
    Math.cos(i / 1592),
    Math.sin(i / 1592),
    long,
    long,
  ]);
  const geometry = { type: 'Polygon', coordinates: [[...positions, positions[0]]] };
  const properties = { text: 'x'.repeat(areaLimits.propertiesBytes - '{"text":""}'.length) };
  const ref = await makeAreas({ store }).create({ type: 'Feature', properties, geometry }, 'a');
  const bytes = JSON.stringify(kept.get(ref)?.feature).length;
  assert.ok(bytes > 900_000 && bytes < 2 ** 20, `${bytes} bytes`);
});
