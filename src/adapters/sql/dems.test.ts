import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { unavailable } from '../../errors.ts';
import type { LonLatBounds } from '../../geo/index.ts';
import { makeDem } from '../../terrain/testing/fake-dem-store.ts';
import type { DemBox, DemSummary } from './dems.ts';
import { makeDemList, toDemBox } from './dems.ts';
import { toSpans } from './lon-spans.ts';

const bounds = (west: number, east: number): LonLatBounds => ({ west, east, south: 0, north: 1 });

test('a query covers every notation of the longitudes of a file, with no more spans than needed', () => {
  assert.deepEqual(toSpans(bounds(10, 20)), [
    { west: 10, east: 20 },
    { west: 370, east: 380 },
  ]);
  assert.deepEqual(toSpans(bounds(-181, -179)), [
    { west: 179, east: 181 },
    { west: 539, east: 541 },
    { west: -181, east: -179 },
  ]);
  for (const turn of [-720, 360, 3_600]) {
    assert.deepEqual(toSpans(bounds(10 + turn, 20 + turn)), toSpans(bounds(10, 20)));
  }
  assert.deepEqual(toSpans(bounds(-180, 180)), [{ west: -180, east: 540 }]);
  assert.deepEqual(toSpans(bounds(-1e6, 1e6)), [{ west: -180, east: 540 }]);
});

const anyLat = fc.oneof(
  fc.double({ min: -1e3, max: 1e3, noNaN: true }),
  fc.constantFrom(-Infinity, Infinity, -90, 90),
);
const anyBox = fc
  .tuple(fc.nat(1_000_000), anyLat, anyLat)
  .map(([layer, a, b]) => ({ layer, south: Math.min(a, b), north: Math.max(a, b) }));
const meet = (a: DemBox, b: DemBox): boolean => a.low <= b.high && b.low <= a.high;

test('property: boxes of one layer meet if their latitudes do, and boxes of different layers never meet', () => {
  fc.assert(
    fc.property(anyBox, anyBox, (a, b) => {
      const box = ({ south, north }: typeof a, layer: number): DemBox =>
        toDemBox(layer, { west: 0, east: 1, south, north });
      if (a.south <= b.north && b.south <= a.north) assert.ok(meet(box(a, a.layer), box(b, a.layer)));
      if (a.layer !== b.layer) assert.ok(!meet(box(a, a.layer), box(b, b.layer)));
    }),
  );
});

const summary: DemSummary = {
  files: '2',
  finest: 30,
  coarsest: 90,
  south: 0,
  north: 1,
  west: 10,
  east: 12,
  turned_west: 10,
  turned_east: 12,
};
const row = (revision: string) => ({ name: 'a', record: JSON.stringify(makeDem('a')), revision });

test('the files of a model are summarized once per revision, also for concurrent lists', async () => {
  const asked: string[] = [];
  const toDemList = makeDemList(async (name) => {
    asked.push(name);
    return summary;
  });
  const lists = await Promise.all(Array.from({ length: 20 }, () => toDemList([row('1')])));
  const expected = [
    {
      ...makeDem('a'),
      fileCount: 2,
      finestM: 30,
      coarsestM: 90,
      bounds: { west: 10, south: 0, east: 12, north: 1 },
    },
  ];
  for (const list of lists) assert.deepEqual(list, expected);
  assert.deepEqual(asked, ['a']);
  await toDemList([row('2')]);
  assert.deepEqual(asked, ['a', 'a']);
});

test('a failed summary is read again', async () => {
  let isAway = true;
  const toDemList = makeDemList(async () => {
    if (isAway) throw unavailable('store-unavailable', 'away');
    return summary;
  });
  await assert.rejects(toDemList([row('1')]), { code: 'store-unavailable' });
  isAway = false;
  assert.equal((await toDemList([row('1')])).length, 1);
});
