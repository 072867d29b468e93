/** What a sync notices at the source: items that are added, changed, removed, filtered out or listed wrongly. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LiveCatalog } from '../live-catalog.ts';
import { earthSearch } from '../presets/earth-search.ts';
import { planetaryComputer } from '../presets/planetary-computer.ts';
import type { FilePlace, MadeItem } from '../testing/made-item.ts';
import { makeItem } from '../testing/make-item.ts';
import { DAYS, itemOf, PLAN, startSync, viewIdOf, withOneFile } from './testing/start-sync.ts';

test('an added, changed or removed item is noticed, and the others are not read', async (t) => {
  const { fake, run, store, callsOf } = await startSync(t);
  await run();
  fake.add(itemOf('2022-05-12', fake.place));
  fake.replace(itemOf(DAYS[4]!, fake.place, { cloud: 41, updated: '2026-01-01T00:00:00.000Z' }));
  fake.remove(itemOf(DAYS[0]!, fake.place).head.id);
  const { report, totals } = await run();
  assert.deepEqual(totals, [2, 4, 0, 0]);
  assert.deepEqual(
    report.products.map(({ viewId, change }) => [viewId, change]),
    [
      [viewIdOf(DAYS[4]!), 'replaced'],
      [viewIdOf('2022-05-12'), 'added'],
    ],
  );
  assert.equal(store.scenes.get(viewIdOf(DAYS[4]!))?.cloudPercent, 41);
  const asked = callsOf('search').flatMap(({ body }) => (body?.ids as string[] | undefined) ?? []);
  assert.equal(asked.length, 2);
  const { why, removed, viewId } = report.gone[0]!;
  assert.deepEqual([report.gone.length, why, removed, viewId], [1, 'removed', false, viewIdOf(DAYS[0]!)]);
  assert.ok(store.scenes.has(viewId), 'without --prune it is reported and stays');

  const again = await run();
  assert.deepEqual([again.totals, again.report.gone.length], [[0, 6, 0, 0], 1]);
  const pruned = await run({ prune: true });
  assert.deepEqual([pruned.report.gone[0]?.removed, store.scenes.has(viewId)], [true, false]);
  assert.deepEqual((await run({ prune: true })).report.gone, []);
});

test('an item of which only `updated` has changed is requested, but its files are not read', async (t) => {
  const { fake, run, callsOf } = await startSync(t);
  await run();
  fake.replace(itemOf(DAYS[4]!, fake.place, { updated: '2026-01-01T00:00:00.000Z' }));
  const { totals } = await run();
  assert.deepEqual([totals, callsOf('file').length, callsOf('search').length], [[0, 6, 0, 0], 0, 4]);
});

test('a list that lacks items is not trusted: items that still exist at the source are kept', async (t) => {
  const { fake, run, store, callsOf } = await startSync(t);
  await run();
  fake.catalogFault = ({ kind }) =>
    kind === 'search' ? { change: (answer) => ({ ...answer, features: [], links: [] }) } : null;
  const { report } = await run({ prune: true });
  assert.deepEqual([report.gone, store.scenes.size, callsOf('item').length], [[], 6, 6]);
  fake.reset();
  // The next run looks at whole items.
  assert.deepEqual((await run()).totals, [0, 6, 0, 0]);
  assert.ok(callsOf('search').every(({ body }) => body?.fields === undefined));
});

test('area, clouds and datasets narrow a sync; other arguments mean another sync', async (t) => {
  const { fake, run, store, monthsAsked } = await startSync(t);
  fake.replace(itemOf(DAYS[0]!, fake.place, { cloud: 90 }));
  assert.deepEqual((await run({ plan: { ...PLAN, maxCloudPercent: 20 } })).totals, [5, 0, 0, 0]);
  assert.ok(!store.scenes.has(viewIdOf(DAYS[0]!)));
  const elsewhere = {
    type: 'Polygon',
    coordinates: [
      [
        [20, 42],
        [21, 42],
        [21, 43],
        [20, 42],
      ],
    ],
  } as const;
  assert.deepEqual((await run({ plan: { ...PLAN, area: elsewhere } })).totals, [0, 0, 0, 0]);
  assert.deepEqual((await run({ plan: { ...PLAN, datasets: ['landsat8'] } })).report.windows.total, 0);
  // Scenes of the first sync are in the store: their items are read whole, and their files are not read again.
  assert.deepEqual((await run()).totals, [1, 5, 0, 0]);
  assert.equal(monthsAsked().length, 3);
  // An item that does not match any more is gone for the sync that wants few clouds, and only for that one.
  fake.replace(itemOf(DAYS[2]!, fake.place, { cloud: 80, updated: '2026-01-01T00:00:00.000Z' }));
  const cloudy = await run({ plan: { ...PLAN, maxCloudPercent: 20 } });
  assert.deepEqual(
    cloudy.report.gone.map(({ why }) => why),
    ['unwanted'],
  );
  assert.deepEqual((await run()).report.gone, []);
});

test('without light lists, whole items are compared by their fingerprints', async (t) => {
  const plain: LiveCatalog = { ...earthSearch, api: null };
  const { fake, run, callsOf } = await startSync(t, { style: 'plain' }, plain);
  assert.deepEqual((await run()).totals, [6, 0, 0, 0]);
  assert.deepEqual([(await run()).totals, callsOf('file').length], [[0, 6, 0, 0], 0]);
  fake.replace(itemOf(DAYS[4]!, fake.place, { cloud: 41 }));
  fake.remove(itemOf(DAYS[0]!, fake.place).head.id);
  const { totals, report } = await run();
  assert.deepEqual([totals, report.gone.length], [[1, 4, 0, 0], 1]);
});

test('an item that lasts longer than a day belongs to one window', async (t) => {
  const { run, store, monthsAsked } = await startSync(
    t,
    {
      style: 'planetary-computer',
      items: (place) =>
        ['2022-04-28', '2022-05-20'].map((day) =>
          withOneFile(
            makeItem('planetary-computer/modis-43A4-061', { horizontal: 18, vertical: 4, day }, place),
            'Nadir_Reflectance_Band1',
          ),
        ),
    },
    planetaryComputer,
  );
  const plan = { ...PLAN, datasets: ['modis'] };
  assert.deepEqual((await run({ plan })).totals, [2, 0, 0, 0]);
  assert.equal(monthsAsked().length, 3);
  assert.deepEqual([(await run({ plan })).totals, store.scenes.size], [[0, 2, 0, 0], 2]);
});

test('the newer of two items of a scene counts, and the other replaces it when it is removed', async (t) => {
  const day = '2022-06-06';
  const byBaseline = (baseline: string, place: FilePlace): MadeItem => {
    const made = makeItem('planetary-computer/sentinel-2-l2a', { tile: '31TDH', day, baseline }, place);
    // The ids of this catalog end in the time of processing.
    const id = made.head.id.replace(/\d{8}T\d{6}$/, `20${baseline.slice(0, 2)}0101T000000`);
    return withOneFile({ ...made, head: { ...made.head, id } }, 'B01');
  };
  const { fake, run, store } = await startSync(
    t,
    { style: 'planetary-computer', items: (place) => [byBaseline('04.00', place)] },
    planetaryComputer,
  );
  const plan = { ...PLAN, since: '2022-06-01', datasets: ['sentinel2l2a'] };
  const [older, newer] = ['04.00', '05.11'].map((baseline) => byBaseline(baseline, fake.place));
  const productOf = () => store.scenes.get(viewIdOf(day))?.productId;
  await run({ plan });
  const first = productOf();
  fake.remove(older!.head.id);
  fake.add(newer!);
  const renewed = await run({ plan });
  assert.deepEqual([renewed.totals, renewed.report.gone], [[1, 0, 0, 0], []]);
  assert.notEqual(productOf(), first);
  fake.add(older!);
  assert.deepEqual((await run({ plan })).totals, [0, 1, 1, 0]);
  fake.remove(newer!.head.id);
  const { report } = await run({ plan, prune: true });
  assert.deepEqual([report.gone.length, store.scenes.size, productOf()], [1, 1, first]);
});

test('items of other datasets in the same collection are ignored, even if the API cannot filter', async (t) => {
  const satellites = [8, 9] as const;
  const { run, store } = await startSync(
    t,
    {
      style: 'plain',
      items: (place) =>
        satellites.map((satellite) => {
          const choice = { path: 197, row: 30, day: '2022-06-06', satellite };
          return withOneFile(makeItem('planetary-computer/landsat-c2-l2', choice, place), 'red');
        }),
    },
    { ...planetaryComputer, api: null },
  );
  assert.deepEqual((await run({ plan: { ...PLAN, datasets: ['landsat9'] } })).totals, [1, 0, 0, 0]);
  assert.deepEqual(
    [...store.scenes.values()].map(({ dataset }) => dataset),
    ['landsat9'],
  );
});

test('a changed item with unreadable files is retried, and stays part of the sync', async (t) => {
  const { fake, run, store } = await startSync(t);
  await run();
  fake.replace(itemOf(DAYS[4]!, fake.place, { cloud: 41, updated: '2026-01-01T00:00:00.000Z' }));
  fake.fileFault = () => ({ status: 404 });
  assert.deepEqual((await run()).totals, [0, 5, 0, 1]);
  assert.equal(store.scenes.get(viewIdOf(DAYS[4]!))?.cloudPercent, 10);
  fake.reset();
  assert.deepEqual((await run()).totals, [1, 5, 0, 0]);
  assert.equal(store.scenes.get(viewIdOf(DAYS[4]!))?.cloudPercent, 41);
  fake.replace(itemOf(DAYS[4]!, fake.place, { cloud: 42, updated: '2026-01-02T00:00:00.000Z' }));
  fake.fileFault = () => ({ status: 404 });
  await run();
  fake.remove(itemOf(DAYS[4]!, fake.place).head.id);
  assert.deepEqual(
    (await run()).report.gone.map(({ viewId }) => viewId),
    [viewIdOf(DAYS[4]!)],
  );
});

test('when the sources of a catalog change, refused items are tried again', async (t) => {
  const { catalog, fake, run, callsOf } = await startSync(t);
  const without = { ...catalog, sources: { ...fake.network, hosts: ['files.example.org'] } };
  assert.deepEqual((await run({ catalog: without })).totals, [0, 0, 6, 0]);
  assert.deepEqual((await run({ catalog: without })).totals, [0, 0, 6, 0]);
  assert.ok(callsOf('search').every(({ body }) => body?.ids === undefined));
  assert.deepEqual((await run()).totals, [6, 0, 0, 0]);
});
