import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceBroken, unavailable } from '../errors.ts';
import type { MeasureJob } from './measure-scene.ts';
import type { SceneStatisticsStore, StatisticsOrder } from './statistics-order.ts';
import { toTestArea, toTestAsset } from './testing/statistics-here.ts';
import {
  datesOf,
  days,
  expressionsOf,
  makeKit,
  measured,
  onDay,
  order,
  viewIdOf,
} from './testing/statistics-kit.ts';

test('only scenes within the dates are measured, newest first', async () => {
  const { run } = makeKit({ scenes: days(5) });
  const result = await run({ from: '2026-01-02', to: '2026-01-04' });
  assert.deepEqual(datesOf(result), ['2026-01-04', '2026-01-03', '2026-01-02']);
  assert.deepEqual(result.failures, []);
});

test('an order for one scene measures that scene, and reuses stored measurements of it', async () => {
  const scenes = days(5);
  const { run, jobs } = makeKit({ scenes });
  const sceneId = scenes[2]?.sceneId ?? '';
  assert.deepEqual(datesOf(await run({ sceneId })), ['2026-01-03']);
  jobs.asked.length = 0;
  await run();
  assert.equal(jobs.asked.length, 4);
});

test('the limit counts scenes that are used, not those left out', async () => {
  // Odd days are cloudy.
  const measure = (job: MeasureJob) => [
    measured(Number(/\/(\d+)\/0$/.exec(viewIdOf(job))?.[1]) % 2 === 1 ? 60 : 0),
  ];
  const { run } = makeKit({ scenes: days(8), measure });
  const clouds = { ...order.clouds, maxPercent: 10 };
  const { scenes, failures } = await run({ limit: 2, clouds });
  assert.deepEqual(datesOf({ scenes }), ['2026-01-08', '2026-01-06']);
  assert.deepEqual(datesOf({ scenes: failures }), ['2026-01-07']);
  assert.equal(failures[0]?.code, 'clouds');
});

test('scenes are searched in pages of a hundred, as long as more are needed', async () => {
  const { run, queries } = makeKit({ scenes: days(230) });
  const all = await run();
  assert.equal(all.scenes.length, 230);
  assert.deepEqual(
    queries.map(({ offset, limit }) => [offset, limit]),
    [
      [0, 100],
      [100, 100],
      [200, 100],
    ],
  );
  queries.length = 0;
  assert.equal((await run({ limit: 100 })).scenes.length, 100);
  assert.equal(queries.length, 1);
});

test('threads start before the search, and onLong is called before all scenes are found', async () => {
  const events: string[] = [];
  const kit = (count: number) =>
    makeKit({
      scenes: days(count),
      search: () => events.push('search'),
      threads: { start: () => events.push('start') },
      onLong: () => events.push('long'),
    });
  await kit(119).run();
  assert.deepEqual(events.splice(0), ['start', 'search', 'search']);
  await kit(120).run();
  const firsts = [...new Set(events)];
  assert.deepEqual(firsts, ['start', 'search', 'long']);
  assert.ok(events.lastIndexOf('search') > events.indexOf('long'), 'before the last page');
});

test('the first scenes are measured while the records of others are still being read', async () => {
  const scenes = days(30).toReversed();
  const reads = scenes.map(() => Promise.withResolvers<void>());
  const begun: number[] = [];
  const measuring = Promise.withResolvers<void>();
  const { run } = makeKit({
    scenes,
    measure() {
      measuring.resolve();
      return [measured(0)];
    },
    pending: scenes.map((scene, i) => ({
      async read() {
        begun.push(i);
        await reads[i]?.promise;
        return scene;
      },
    })),
  });
  const running = run({ limit: 30 });
  reads[0]?.resolve();
  await measuring.promise;
  assert.ok(begun.length < 30, 'records are read as they are needed');
  for (const { resolve } of reads) resolve();
  assert.deepEqual(
    datesOf(await running),
    scenes.map(({ acquiredAt }) => acquiredAt.slice(0, 10)),
  );
});

test('stored measurements are reused; other areas, expressions and masks are measured', async () => {
  const { run, jobs } = makeKit({ scenes: days(3) });
  const first = await run();
  assert.equal(jobs.asked.splice(0).length, 3);
  assert.deepEqual(await run(), first);
  assert.equal(jobs.asked.length, 0);
  const others: readonly Partial<StatisticsOrder>[] = [
    { area: toTestArea([10, 10, 20, 21]).geometry },
    { expressions: ['B04'] },
    { clouds: { ...order.clouds, masked: 'sentinel-2' } },
    { clouds: { ...order.clouds, level: 1 } },
    { histogram: { min: 0, max: 1, bins: 4 } },
  ];
  for (const other of others) {
    await run(other);
    assert.equal(jobs.asked.splice(0).length, 3, JSON.stringify(other).slice(0, 80));
  }
});

test('of several expressions, only those not stored yet are measured', async () => {
  const { run, jobs } = makeKit({ scenes: days(1) });
  await run();
  jobs.asked.length = 0;
  const { scenes } = await run({ expressions: ['B04', 'NDVI', 'B08'] });
  assert.deepEqual(
    jobs.asked.map(({ input }) => expressionsOf(input as MeasureJob)),
    [2],
  );
  assert.equal(scenes[0]?.values.length, 3);
  assert.ok(scenes[0]?.values.every((value) => value !== null));
});

test('a scene whose version has changed is measured again', async () => {
  const scenes = days(2);
  const { run, jobs } = makeKit({ scenes });
  await run();
  jobs.asked.length = 0;
  scenes[0] = onDay(0, { cloudPercent: 77 });
  await run();
  assert.deepEqual(
    jobs.asked.map(({ input }) => viewIdOf(input as MeasureJob)),
    [scenes[0].viewId],
  );
});

test('statistics are measured even if their store is unavailable', async () => {
  const down = unavailable('store-down', 'The store is down.');
  const store: SceneStatisticsStore = {
    findMany: () => Promise.reject(down),
    putMany: () => Promise.reject(down),
  };
  const { run, forgotten } = makeKit({ scenes: days(2), store });
  assert.equal((await run()).scenes.length, 2);
  assert.ok(forgotten.length >= 2, 'neither found nor stored');
  assert.ok(forgotten.every((error) => error === down));
});

test('Level-2A replaces Level-1C only where Level-1C is missing', async () => {
  const scenes = [onDay(0), onDay(0, { dataset: 'sentinel2l2a' }), onDay(1, { dataset: 'sentinel2l2a' })];
  const { run } = makeKit({ scenes });
  assert.deepEqual(
    (await run()).scenes.map(({ viewId }) => viewId),
    ['S2L2A/31/T/DH/2026/1/2/0', 'S2/31/T/DH/2026/1/1/0'],
  );
});

const withLevel = { clouds: { ...order.clouds, level: 2 } } as const;

test('a level without a classification is not applied, and a note says so', async () => {
  const { scenes } = await makeKit({ scenes: days(1) }).run(withLevel);
  assert.match(scenes[0]?.notes.join() ?? '', /cloud_masking_level is not applied/);
});

test('classification files are checked before they are used', async () => {
  const scenes = [onDay(0), onDay(0, { dataset: 'sentinel2l2a' })];
  const { run, compared } = makeKit({ scenes });
  await run(withLevel);
  assert.deepEqual(compared, ['S2/31/T/DH/2026/1/1/0', 'S2L2A/31/T/DH/2026/1/1/0']);
});

for (const whose of ['of Level-1C', 'of Level-2A itself'] as const) {
  test(`a replaced classification file ${whose} is read by its new record`, async () => {
    const classified = onDay(0, { dataset: 'sentinel2l2a' });
    const renewed = onDay(0, { dataset: 'sentinel2l2a', cloudPercent: 44 });
    const scenes = whose === 'of Level-1C' ? [onDay(0), classified] : [classified];
    const versionOf = (job: MeasureJob) =>
      job.groups[0]!.pieces[0]!.masks.find(({ means }) => means === 'no-data')?.sceneVersion;
    const { run, known } = makeKit({
      scenes,
      measure: (job) => {
        if (versionOf(job) === renewed.version) return [measured(0)];
        throw sourceBroken('source-changed', 'A file of this scene was replaced.');
      },
      renew: ({ viewId }) => {
        if (viewId === classified.viewId) scenes[scenes.length - 1] = renewed;
      },
    });
    const result = await run(withLevel);
    assert.deepEqual([result.scenes.length, result.failures], [1, []]);
    assert.equal(known.size, 0, 'a measurement of other files is not stored under the key of the first');
  });
}

test('a scene without a sun elevation gets a note if its values depend on it', async () => {
  const landsat = { width: 40, height: 40, pixelM: 30 };
  const bands = Object.fromEntries(
    ['B4', 'B5'].map((band) => [band, { ...toTestAsset(band, landsat), scale: 1 }]),
  );
  const unlit = onDay(0, {
    dataset: 'landsat8',
    viewId: 'L8/LC81970302026001LGN00',
    assets: bands,
    sunElevationDeg: null,
  });
  const result = await makeKit({ scenes: [unlit] }).run({ datasets: ['landsat8'] });
  assert.match(result.scenes[0]?.notes.join() ?? '', /not corrected for the height of the sun/);
  const fine = await makeKit({ scenes: [onDay(0, { sunElevationDeg: null })] }).run();
  assert.deepEqual(fine.scenes[0]?.notes, [], 'Sentinel-2 is reflectance already');
});
