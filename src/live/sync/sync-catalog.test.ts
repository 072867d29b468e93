/** A sync against the fake catalog: what it reads, what it leaves alone, and how it continues. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import type { Clock } from '../../async/index.ts';
import type { Scene } from '../../catalog/index.ts';
import { toScene } from '../../catalog/index.ts';
import { makeOpenSource } from '../../sources/index.ts';
import type { LiveCatalog } from '../live-catalog.ts';
import { earthSearch } from '../presets/earth-search.ts';
import { planetaryComputer } from '../presets/planetary-computer.ts';
import type { FakeStacOptions } from '../testing/fake-stac.ts';
import { startFakeStac } from '../testing/fake-stac.ts';
import type { FilePlace, MadeItem } from '../testing/made-item.ts';
import { makeItem } from '../testing/make-item.ts';
import type { SyncOptions } from './sync-catalog.ts';
import { syncCatalog } from './sync-catalog.ts';
import type { SyncPlan } from './sync-plan.ts';
import { toSyncId } from './sync-plan.ts';
import type { SyncStore } from './sync-window.ts';

const DAYS = ['2022-04-07', '2022-04-22', '2022-05-07', '2022-05-22', '2022-06-06', '2022-06-21'];

/** With one file of an item, because each costs time. */
const withOneFile = (item: MadeItem, name: string): MadeItem => ({
  ...item,
  assets: () => ({ [name]: item.assets()[name]! }),
});

const itemOf = (day: string, place: FilePlace, choice: { cloud?: number; updated?: string } = {}) =>
  withOneFile(
    makeItem('earth-search/sentinel-2-l2a', { tile: '31TDH', day, cloud: 10, ...choice }, place),
    'red',
  );

const viewIdOf = (day: string): string => {
  const [year, month, number] = day.split('-').map(Number);
  return `S2L2A/31/T/DH/${year}/${month}/${number}/0`;
};

const PLAN: SyncPlan = {
  area: {
    type: 'Polygon',
    coordinates: [
      [
        [2.1, 42.8],
        [2.3, 42.8],
        [2.3, 43],
        [2.1, 43],
        [2.1, 42.8],
      ],
    ],
  },
  since: '2022-04-01',
  until: '2022-06-30',
  datasets: null,
  maxCloudPercent: null,
};

/** Time stands still and waits take none. */
const AT_ONCE: Clock = { nowMs: () => 0, sleep: async () => {}, random: () => 0 };

/** A catalog in memory. */
function makeStore(): SyncStore & { readonly scenes: Map<string, Scene> } {
  const scenes = new Map<string, Scene>();
  return {
    scenes,
    findByViewId: async (viewId) => scenes.get(viewId) ?? null,
    remove: async (viewId) => scenes.delete(viewId),
    putMany: async (given) =>
      given.map((one) => {
        const before = scenes.get(one.viewId);
        const scene = toScene(one);
        scenes.set(one.viewId, scene);
        return before === undefined ? 'added' : before.version === scene.version ? 'unchanged' : 'replaced';
      }),
  };
}

async function start(t: TestContext, options: FakeStacOptions = {}, preset: LiveCatalog = earthSearch) {
  const fake = await startFakeStac({
    items: (place) => DAYS.map((day) => itemOf(day, place)),
    ...options,
  });
  const dataDir = mkdtempSync(join(tmpdir(), 'swath-sync-'));
  t.after(async () => {
    await fake[Symbol.asyncDispose]();
    rmSync(dataDir, { recursive: true });
  });
  const catalog = { ...preset, url: fake.url, sources: fake.network };
  const store = makeStore();
  /** Runs the sync; the calls of the fake are those of this run. */
  const run = async (more: Partial<SyncOptions> = {}) => {
    fake.calls.length = 0;
    const plan = more.plan ?? PLAN;
    const report = await syncCatalog({
      catalog,
      plan,
      store,
      open: makeOpenSource({ dataDir, network: fake.network }),
      dataDir,
      stateFolder: join(dataDir, 'syncs', toSyncId(catalog, plan)),
      limit: null,
      isDry: false,
      prune: false,
      now: () => new Date('2022-07-10T12:00:00Z'),
      clock: AT_ONCE,
      signal: new AbortController().signal,
      ...more,
    });
    const { ingested, unchanged, skipped, broken } = report.totals;
    return { report, totals: [ingested, unchanged, skipped, broken] };
  };
  const callsOf = (kind: string) => fake.calls.filter((call) => call.kind === kind);
  /** Months that were searched, in order. */
  const monthsAsked = () =>
    callsOf('search').flatMap(({ body }) =>
      body?.datetime === undefined ? [] : [String(body.datetime).slice(0, 7)],
    );
  return { fake, store, run, callsOf, monthsAsked, dataDir };
}

test('the first run mirrors all windows, newest first; the second asks for light lists and reads no file', async (t) => {
  const { run, store, callsOf, monthsAsked } = await start(t);
  const first = await run();
  assert.deepEqual(first.totals, [6, 0, 0, 0]);
  assert.deepEqual([...store.scenes.keys()].toSorted(), DAYS.map(viewIdOf).toSorted());
  assert.ok(
    Object.values(store.scenes.get(viewIdOf(DAYS[0]!))!.assets).every(({ stamps }) => stamps !== undefined),
  );
  assert.deepEqual(monthsAsked(), ['2022-06', '2022-05', '2022-04']);
  assert.deepEqual(first.report.windows, { total: 3, done: 3, doneBefore: 0 });
  const before = [...store.scenes.values()];

  const second = await run();
  assert.deepEqual(second.totals, [0, 6, 0, 0]);
  assert.deepEqual([callsOf('file').length, callsOf('search').length, callsOf('item').length], [0, 3, 0]);
  assert.ok(callsOf('search').every(({ body }) => body?.fields !== undefined));
  assert.deepEqual([...store.scenes.values()], before);
  assert.deepEqual(second.report.gone, []);
});

test('an item that is added, changed or removed is seen, and the others are not read', async (t) => {
  const { fake, run, store, callsOf } = await start(t);
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

test('an item whose `updated` alone has changed is asked for, and its files are not read', async (t) => {
  const { fake, run, callsOf } = await start(t);
  await run();
  fake.replace(itemOf(DAYS[4]!, fake.place, { updated: '2026-01-01T00:00:00.000Z' }));
  const { totals } = await run();
  assert.deepEqual([totals, callsOf('file').length, callsOf('search').length], [[0, 6, 0, 0], 0, 4]);
});

test('a run that was interrupted continues: finished windows are not read twice, nor files of scenes in the store', async (t) => {
  for (const month of ['2022-05', '2022-04']) {
    const { fake, run, store, callsOf, monthsAsked } = await start(t);
    const stopping = new AbortController();
    fake.pause = ({ kind, path }) => {
      // In the middle of the files of a scene.
      if (kind === 'file' && path.includes(month.replace('-', '/').replace('/0', '/'))) stopping.abort();
      return null;
    };
    const first = await run({ signal: stopping.signal });
    assert.deepEqual([first.report.stopped, first.report.problem], [true, null]);
    assert.ok(store.scenes.size < 6);
    const done = first.report.windows.done;
    assert.equal(done, month === '2022-05' ? 1 : 2);
    fake.reset();
    const { report, totals } = await run();
    assert.deepEqual([report.windows.doneBefore, report.windows.done], [done, 3 - done]);
    assert.deepEqual(monthsAsked(), ['2022-05', '2022-04'].slice(done - 1));
    assert.deepEqual([totals[0]! + totals[1]!, store.scenes.size], [6 - 2 * done, 6]);
    assert.equal(report.startedAt, first.report.startedAt);
    // The run after it is a new one, which looks at everything.
    assert.deepEqual((await run()).totals, [0, 6, 0, 0]);
    assert.deepEqual([monthsAsked().length, callsOf('file').length], [3, 0]);
  }
});

test('a catalog that fails ends the run with what was done, and the next run continues there', async (t) => {
  const { fake, run, store, monthsAsked } = await start(t);
  fake.catalogFault = ({ body }) => (String(body?.datetime).startsWith('2022-05') ? { status: 403 } : null);
  const { report } = await run();
  assert.deepEqual([report.stopped, report.problem?.code], [true, 'catalog-unavailable']);
  assert.match(report.problem?.message ?? '', /Earth Search.*did not answer whole.*status 403/);
  assert.equal(store.scenes.size, 2);
  await fake.goDown();
  const down = await run();
  assert.deepEqual([down.report.problem?.code, down.report.windows.doneBefore], ['catalog-unavailable', 1]);
  await fake.comeBack();
  fake.reset();
  assert.deepEqual((await run()).totals, [4, 0, 0, 0]);
  assert.deepEqual(monthsAsked(), ['2022-05', '2022-04']);
});

test('a page that fails later leaves its window unread: nothing of it counts as gone', async (t) => {
  const days = Array.from({ length: 30 }, (_, i) => `2022-06-${String(i + 1).padStart(2, '0')}`);
  const small: LiveCatalog = { ...earthSearch, api: { ...earthSearch.api!, maxItems: 10 } };
  const { fake, run } = await start(t, { items: (place) => days.map((day) => itemOf(day, place)) }, small);
  const plan = { ...PLAN, since: '2022-06-01' };
  assert.deepEqual((await run({ plan })).totals, [30, 0, 0, 0]);
  fake.catalogFault = ({ body }) => (body?.next === undefined ? null : { status: 403 });
  const { report } = await run({ plan, prune: true });
  assert.deepEqual([report.problem?.code, report.gone], ['catalog-unavailable', []]);
});

test('a list that lacks items is not believed: what is at the source stays', async (t) => {
  const { fake, run, store, callsOf } = await start(t);
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

test('broken items are reported and tried again; hostile ones are refused, and no address of theirs is contacted', async (t) => {
  const { fake, run, store, callsOf } = await start(t);
  const bad = itemOf(DAYS[5]!, fake.place).head.id;
  fake.fileFault = ({ path }) => (path.includes('/2022/6/') && path.includes(bad) ? { status: 404 } : null);
  fake.catalogFault = () => ({
    change: (answer) => ({
      ...answer,
      features: (answer.features as { id: string }[]).flatMap((one): unknown[] =>
        one.id === itemOf(DAYS[0]!, fake.place).head.id
          ? [
              JSON.parse(
                JSON.stringify(one, (key, value) => (key === 'href' ? 'http://169.254.169.254/x' : value)),
              ),
            ]
          : one.id === itemOf(DAYS[1]!, fake.place).head.id
            ? [null, one, one]
            : [one],
      ),
    }),
  });
  const first = await run();
  assert.deepEqual(first.totals, [4, 0, 1, 2]);
  assert.deepEqual(
    first.report.products.flatMap(({ code, product }) =>
      code === undefined ? [] : [[code, /^item/.test(product)]],
    ),
    [
      ['source-gone', false],
      ['stac-no-item', true],
      ['source-not-allowed', false],
    ],
  );
  fake.fileFault = () => null;
  const second = await run();
  assert.deepEqual(second.totals, [1, 4, 1, 1]);
  assert.equal(store.scenes.size, 5);
  fake.reset();
  assert.deepEqual(
    (await run()).totals.slice(0, 2),
    [0, 5],
    'an item that may not be read is not asked for again',
  );
  assert.equal(callsOf('file').length, 0);
});

test('a dry run counts, reads no file and writes nothing', async (t) => {
  const { fake, run, store, callsOf, dataDir } = await start(t);
  const { report, totals } = await run({ isDry: true });
  assert.deepEqual([totals, store.scenes.size, callsOf('file').length], [[6, 0, 0, 0], 0, 0]);
  assert.equal(report.dryRun, true);
  assert.deepEqual(readdirSync(dataDir), []);
  await run();
  fake.remove(itemOf(DAYS[0]!, fake.place).head.id);
  fake.replace(itemOf(DAYS[4]!, fake.place, { cloud: 41, updated: '2026-01-01T00:00:00.000Z' }));
  const later = await run({ isDry: true, prune: true });
  assert.deepEqual([later.totals, later.report.gone.length], [[1, 4, 0, 0], 1]);
  assert.equal(later.report.products[0]?.change, 'replaced');
  assert.deepEqual([store.scenes.size, later.report.gone[0]?.removed], [6, false]);
});

test('a limit ends a run, and the next one continues', async (t) => {
  const { run, store, monthsAsked } = await start(t);
  const first = await run({ limit: 3 });
  assert.deepEqual([first.totals[0], first.report.limited, first.report.stopped], [3, true, false]);
  assert.equal(first.report.windows.done, 1);
  await run({ limit: 3 });
  assert.deepEqual([store.scenes.size, monthsAsked()], [6, ['2022-05', '2022-04']]);
});

test('area, clouds and datasets narrow a sync; other arguments are another sync', async (t) => {
  const { fake, run, store, monthsAsked } = await start(t);
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
  const { fake, run, callsOf } = await start(t, { style: 'plain' }, plain);
  assert.deepEqual((await run()).totals, [6, 0, 0, 0]);
  assert.deepEqual([(await run()).totals, callsOf('file').length], [[0, 6, 0, 0], 0]);
  fake.replace(itemOf(DAYS[4]!, fake.place, { cloud: 41 }));
  fake.remove(itemOf(DAYS[0]!, fake.place).head.id);
  const { totals, report } = await run();
  assert.deepEqual([totals, report.gone.length], [[1, 4, 0, 0], 1]);
});

test('scenes that are missing in the store come back, and a damaged memory costs a reading of its window', async (t) => {
  const { run, store, dataDir, callsOf } = await start(t);
  await run();
  store.scenes.delete(viewIdOf(DAYS[3]!));
  assert.deepEqual((await run()).totals, [1, 5, 0, 0]);
  const folder = join(dataDir, 'syncs', readdirSync(join(dataDir, 'syncs'))[0]!);
  assert.deepEqual(readdirSync(folder).toSorted(), [
    'sentinel2l2a-2022-04.json',
    'sentinel2l2a-2022-05.json',
    'sentinel2l2a-2022-06.json',
    'sync.json',
  ]);
  for (const text of ['', '[]', '{"version":1,"items":[[1]]}', '{"version":9}']) {
    writeFileSync(join(folder, 'sentinel2l2a-2022-05.json'), text);
    assert.deepEqual([(await run()).totals, callsOf('file').length], [[0, 6, 0, 0], 0], text);
  }
});

test('an item that lasts longer than a day belongs to one window', async (t) => {
  const { run, store, monthsAsked } = await start(
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

test('of two items of a scene the newer one counts, and the other takes its place when that is gone', async (t) => {
  const day = '2022-06-06';
  const byBaseline = (baseline: string, place: FilePlace): MadeItem => {
    const made = makeItem('planetary-computer/sentinel-2-l2a', { tile: '31TDH', day, baseline }, place);
    // The ids of this catalog end in the time of processing.
    const id = made.head.id.replace(/\d{8}T\d{6}$/, `20${baseline.slice(0, 2)}0101T000000`);
    return withOneFile({ ...made, head: { ...made.head, id } }, 'B04');
  };
  const { fake, run, store } = await start(
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
