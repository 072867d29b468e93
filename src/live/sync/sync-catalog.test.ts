/** Runs of a sync against the fake catalog: what they read, how they end, and how they continue. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import type { LiveCatalog } from '../live-catalog.ts';
import { earthSearch } from '../presets/earth-search.ts';
import { DAYS, itemOf, PLAN, startSync, viewIdOf } from './testing/start-sync.ts';

test('the first run mirrors all windows, newest first; the second requests light lists and reads no file', async (t) => {
  const { run, store, callsOf, monthsAsked } = await startSync(t);
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

test('an interrupted run continues: finished windows and files of stored scenes are not read twice', async (t) => {
  for (const month of ['2022-05', '2022-04']) {
    const { fake, run, store, callsOf, monthsAsked } = await startSync(t);
    const stopping = new AbortController();
    fake.pause = ({ kind, path }) => {
      // In the middle of the files of a scene.
      if (kind === 'file' && path.includes(`/2022/${Number(month.slice(5))}/`)) stopping.abort();
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

test('a failing catalog ends the run with what was done, and the next run continues there', async (t) => {
  const { fake, run, store, monthsAsked } = await startSync(t);
  fake.catalogFault = ({ body }) => (String(body?.datetime).startsWith('2022-05') ? { status: 403 } : null);
  const { report } = await run();
  assert.deepEqual([report.stopped, report.problem?.code], [true, 'catalog-unavailable']);
  assert.match(report.problem?.message ?? '', /Earth Search.*did not answer completely.*status 403/);
  assert.equal(store.scenes.size, 2);
  await fake.goDown();
  const down = await run();
  assert.deepEqual([down.report.problem?.code, down.report.windows.doneBefore], ['catalog-unavailable', 1]);
  await fake.comeBack();
  fake.reset();
  assert.deepEqual((await run()).totals, [4, 0, 0, 0]);
  assert.deepEqual(monthsAsked(), ['2022-05', '2022-04']);
});

test('a page that fails later leaves its window unread: none of its items count as removed', async (t) => {
  const days = Array.from({ length: 12 }, (_, i) => `2022-06-${String(i + 1).padStart(2, '0')}`);
  const small: LiveCatalog = { ...earthSearch, api: { ...earthSearch.api!, maxItems: 5 } };
  const { fake, run } = await startSync(
    t,
    { items: (place) => days.map((day) => itemOf(day, place)) },
    small,
  );
  const plan = { ...PLAN, since: '2022-06-01' };
  assert.deepEqual((await run({ plan })).totals, [12, 0, 0, 0]);
  fake.catalogFault = ({ body }) => (body?.next === undefined ? null : { status: 403 });
  const { report } = await run({ plan, prune: true });
  assert.deepEqual([report.problem?.code, report.gone], ['catalog-unavailable', []]);
});

test('broken items are reported and retried; hostile ones are refused, and none of their addresses are contacted', async (t) => {
  const { fake, run, store, callsOf } = await startSync(t);
  const bad = itemOf(DAYS[5]!, fake.place).head.id;
  fake.fileFault = ({ path }) => (path.includes('/2022/6/') && path.includes(bad) ? { status: 404 } : null);
  fake.catalogFault = () => ({
    change: (answer) => ({
      ...answer,
      features: (answer.features as { id: string }[]).flatMap((one): unknown[] =>
        one.id === itemOf(DAYS[0]!, fake.place).head.id
          ? [
              JSON.parse(
                // It would reach the fake, if a name that no source lists were contacted.
                JSON.stringify(one, (key, value) =>
                  key === 'href' ? `http://localhost:${fake.port}/hostile.tif` : value,
                ),
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
  assert.ok(!fake.calls.some(({ path }) => path.includes('hostile')));
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
  const { fake, run, store, callsOf, dataDir, texts } = await startSync(t);
  const { report, totals } = await run({ isDry: true });
  assert.deepEqual([totals, store.scenes.size, callsOf('file').length], [[6, 0, 0, 0], 0, 0]);
  assert.equal(report.dryRun, true);
  assert.deepEqual([readdirSync(dataDir), texts.size], [[], 0]);
  await run();
  fake.remove(itemOf(DAYS[0]!, fake.place).head.id);
  fake.replace(itemOf(DAYS[4]!, fake.place, { cloud: 41, updated: '2026-01-01T00:00:00.000Z' }));
  const later = await run({ isDry: true, prune: true });
  assert.deepEqual([later.totals, later.report.gone.length], [[1, 4, 0, 0], 1]);
  assert.equal(later.report.products[0]?.change, 'replaced');
  assert.deepEqual([store.scenes.size, later.report.gone[0]?.removed], [6, false]);
});

test('a limit ends a run, and the next one continues', async (t) => {
  const { run, store, monthsAsked } = await startSync(t);
  const first = await run({ limit: 3 });
  assert.deepEqual([first.totals[0], first.report.limited, first.report.stopped], [3, true, false]);
  assert.equal(first.report.windows.done, 1);
  await run({ limit: 3 });
  assert.deepEqual([store.scenes.size, monthsAsked()], [6, ['2022-05', '2022-04']]);
});

test('scenes that are missing from the store are restored, and damaged saved state costs one read of its window', async (t) => {
  const { run, store, texts, callsOf } = await startSync(t);
  await run();
  store.scenes.delete(viewIdOf(DAYS[3]!));
  assert.deepEqual((await run()).totals, [1, 5, 0, 0]);
  const sync = [...texts.keys()][0]!.split(' ')[0];
  assert.deepEqual([...texts.keys()].map((key) => key.slice(`${sync} `.length)).toSorted(), [
    'run',
    'sentinel2l2a-2022-04',
    'sentinel2l2a-2022-05',
    'sentinel2l2a-2022-06',
  ]);
  for (const text of ['', '[]', '{"version":1,"items":[[1]]}', '{"version":9}']) {
    texts.set(`${sync} sentinel2l2a-2022-05`, text);
    assert.deepEqual([(await run()).totals, callsOf('file').length], [[0, 6, 0, 0], 0], text);
  }
});
