import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unavailable } from '../../errors.ts';
import { makeDem } from '../../terrain/testing/fake-dem-store.ts';
import type { DemSummary } from './dem-list.ts';
import { makeDemList } from './dem-list.ts';

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

test('the files of a model are summarized once for each of its revisions, also for many lists at once', async () => {
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

test('a summary that could not be read is read again', async () => {
  let isAway = true;
  const toDemList = makeDemList(async () => {
    if (isAway) throw unavailable('store-unavailable', 'away');
    return summary;
  });
  await assert.rejects(toDemList([row('1')]), { code: 'store-unavailable' });
  isAway = false;
  assert.equal((await toDemList([row('1')])).length, 1);
});
