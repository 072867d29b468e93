import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewScene, PendingScene, Scene, SceneQuery } from '../catalog/index.ts';
import { toScene } from '../catalog/index.ts';
import { makeScene } from '../catalog/testing/make-scene.ts';
import type { SwathError } from '../errors.ts';
import { isSwathError, sourceBroken, tooBusy, unavailable } from '../errors.ts';
import { summarize } from '../numbers/index.ts';
import { aTicket, makeRunnerHere } from '../pool/testing/run-here.ts';
import type { MeasureJob, StatisticsJobs } from './measure-scene.ts';
import type { Measured, SceneStatisticsStore } from './scene-statistics.ts';
import { makeZonalStatistics } from './statistics.ts';
import type { StatisticsOrder } from './statistics-order.ts';
import { toTestArea, toTestAsset } from './testing/statistics-here.ts';

const image = { width: 100, height: 100, pixelM: 10 };
const assets = {
  B04: toTestAsset('B04', image),
  B08: toTestAsset('B08', image),
  SCL: toTestAsset('SCL', image),
};
const area = toTestArea([10, 10, 20, 20]);

/** The n-th day from the first of January 2026 on. */
function onDay(n: number, more: Partial<NewScene> = {}): Scene {
  const acquiredAt = new Date(Date.UTC(2026, 0, 1 + n, 10, 50)).toISOString();
  const [year, month, day] = acquiredAt.slice(0, 10).split('-').map(Number);
  const viewId = `${more.dataset === 'sentinel2l2a' ? 'S2L2A' : 'S2'}/31/T/DH/${year}/${month}/${day}/0`;
  return toScene(makeScene(1, { viewId, sceneId: `scene ${n}`, acquiredAt, assets, ...more }));
}

const order: StatisticsOrder = {
  from: '2026-01-01',
  to: '2026-12-31',
  datasets: ['sentinel2'],
  expressions: ['NDVI'],
  area: area.geometry,
  limit: 500,
  histogram: null,
  clouds: { maxPercent: null, masked: 'none', level: null },
};

/** What a measurement says of a scene: clouds in percent of a hundred pixels. */
const measured = (cloudPx: number): Measured => ({
  statistics: summarize(Float32Array.of(0.5), null),
  areaPx: 100,
  validPx: 100,
  cloudPx,
  isTouched: false,
  histogram: null,
});

const viewIdOf = (job: MeasureJob): string => job.groups[0]!.pieces[0]!.pixels.viewId;
const expressionsOf = (job: MeasureJob): number => job.groups.reduce((sum, one) => sum + one.expressions, 0);

interface Kit {
  readonly scenes: Scene[];
  readonly measure?: (job: MeasureJob) => readonly Measured[];
  readonly search?: (query: SceneQuery) => void;
  /** The scenes as they are found, instead of those above. */
  readonly pending?: readonly PendingScene[];
  readonly known?: Map<string, Measured>;
  readonly store?: Partial<SceneStatisticsStore>;
  readonly renew?: (scene: Scene) => void;
  readonly onStart?: () => void;
  readonly onLong?: () => void;
}

/** Statistics over scenes in memory, with a measurement that the test makes up. */
function makeKit({ scenes, measure, search, pending, known = new Map(), store, renew, ...events }: Kit) {
  const jobs = makeRunnerHere<StatisticsJobs>({
    async 'scene-statistics'(job, { signal }) {
      // A pool begins no job of a task that was stopped.
      signal.throwIfAborted();
      return measure === undefined
        ? Array.from({ length: expressionsOf(job) }, () => measured(0))
        : measure(job);
    },
  });
  const queries: SceneQuery[] = [];
  const failed: string[] = [];
  const forgotten: unknown[] = [];
  const compared: string[] = [];
  const statistics = makeZonalStatistics({
    scenes: {
      async search(query) {
        queries.push(query);
        search?.(query);
        const matching = scenes
          .filter(({ dataset, acquiredAt, sceneId }) => {
            const wanted = query.datasets.find(({ id }) => id === dataset);
            const day = acquiredAt.slice(0, 10);
            return wanted?.filters.every((filter) =>
              filter.kind === 'range'
                ? String(filter.from) <= day && day <= String(filter.to)
                : filter.field === 'sceneID' && filter.values.includes(sceneId),
            );
          })
          .toSorted((a, b) => (a.acquiredAt < b.acquiredAt ? 1 : -1));
        return { found: matching.length, scenes: matching.slice(query.offset, query.offset + query.limit) };
      },
      ...(pending === undefined
        ? {}
        : { searchPending: async () => ({ found: pending.length, scenes: pending }) }),
      findByViewId: async (viewId) => scenes.find((scene) => scene.viewId === viewId) ?? null,
    },
    compareScene: async (scene) => {
      compared.push(scene.viewId);
      return scene;
    },
    watch: { renew: async (scene) => renew?.(scene) },
    store: {
      findMany: async (keys) => new Map([...known].filter(([key]) => keys.includes(key))),
      putMany: async (entries) => {
        for (const [key, value] of entries) known.set(key, value);
      },
      ...store,
    },
    pool: jobs,
    atOnce: 2,
    onForgotten: (error) => forgotten.push(error),
    onFailure: (viewId) => failed.push(viewId),
    ...events,
  });
  const run = (more: Partial<StatisticsOrder> = {}, signal: AbortSignal = aTicket.signal) =>
    statistics.run({ ...order, ...more }, { ticket: { ...aTicket, signal }, onProgress() {} });
  return { run, jobs, queries, failed, forgotten, known, compared };
}

const days = (count: number): Scene[] => Array.from({ length: count }, (_, n) => onDay(n));
const datesOf = ({ scenes }: { readonly scenes: readonly { readonly date: string }[] }) =>
  scenes.map(({ date }) => date);

test('scenes come newest first, and only those of the dates', async () => {
  const { run } = makeKit({ scenes: days(5) });
  const result = await run({ from: '2026-01-02', to: '2026-01-04' });
  assert.deepEqual(datesOf(result), ['2026-01-04', '2026-01-03', '2026-01-02']);
  assert.deepEqual(result.failures, []);
});

test('an order of one scene measures that scene, and finds what others have measured of it', async () => {
  const scenes = days(5);
  const { run, jobs } = makeKit({ scenes });
  const sceneId = scenes[2]?.sceneId ?? '';
  assert.deepEqual(datesOf(await run({ sceneId })), ['2026-01-03']);
  jobs.asked.length = 0;
  await run();
  assert.equal(jobs.asked.length, 4);
});

test('the limit counts scenes that are used, not those that are left out', async () => {
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

test('scenes are looked up in pages of a hundred, as long as more are wanted', async () => {
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

test('an order is announced before its search, and a long document before all scenes are measured', async () => {
  const events: string[] = [];
  const kit = (count: number) =>
    makeKit({
      scenes: days(count),
      search: () => events.push('search'),
      onStart: () => events.push('start'),
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

test('what is stored is not measured again; other areas, expressions and masks are', async () => {
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

test('of several expressions only those are measured that are not stored', async () => {
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

test('measurements do not depend on the store of them', async () => {
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

test('a scene that fails is reported next to the results of others', async () => {
  const scenes = days(3);
  const measure = (job: MeasureJob) => {
    if (viewIdOf(job) === scenes[1]!.viewId) throw sourceBroken('bad-block', 'A block cannot be read.');
    return [measured(0)];
  };
  const { run, failed } = makeKit({ scenes, measure });
  const result = await run();
  assert.equal(result.scenes.length, 2);
  assert.deepEqual(
    result.failures.map(({ viewId, code, message }) => [viewId, code, message]),
    [[scenes[1]!.viewId, 'bad-block', 'A block cannot be read.']],
  );
  assert.deepEqual(failed, [scenes[1]!.viewId]);
});

test('a fault of ours says nothing of itself', async () => {
  const measure = (job: MeasureJob) => {
    if (viewIdOf(job).endsWith('/1/0')) throw new TypeError('x is not a function');
    return [measured(0)];
  };
  const { failures } = await makeKit({ scenes: days(2), measure }).run();
  assert.deepEqual(
    failures.map(({ code, message }) => [code, message]),
    [['internal', 'Something went wrong inside Swath.']],
  );
});

const isError = (tag: SwathError['tag'], code: string) => (error: unknown) =>
  isSwathError(error) && error.tag === tag && error.code === code;

test('when all scenes are broken the statistics fail', async () => {
  const measure = () => {
    throw sourceBroken('bad-block', 'A block cannot be read.');
  };
  const { run } = makeKit({ scenes: days(3), measure });
  await assert.rejects(run(), isError('source-broken', 'statistics-computation'));
});

test('when all scenes are cloudy, or there are none, there are no statistics and no failure', async () => {
  const clouds = { ...order.clouds, maxPercent: 0 };
  const cloudy = await makeKit({ scenes: days(2), measure: () => [measured(100)] }).run({ clouds });
  assert.deepEqual([cloudy.scenes.length, cloudy.failures.length], [0, 2]);
  assert.equal(cloudy.failures[0]?.message, 'AOI contains clouds only');
  assert.deepEqual(await makeKit({ scenes: [] }).run(), { scenes: [], failures: [] });
});

test('an outage of the catalog is an error to try again', async () => {
  const search = () => {
    throw unavailable('store-down', 'The store is down.');
  };
  await assert.rejects(
    makeKit({ scenes: days(1), search }).run(),
    isError('unavailable', 'statistics-search'),
  );
});

test('a pool that stops is an error of the whole, not of a scene', async () => {
  const measure = () => {
    throw tooBusy('pool-stopping', 'The service is stopping.');
  };
  await assert.rejects(makeKit({ scenes: days(2), measure }).run(), isError('too-busy', 'pool-stopping'));
});

test('a task that is stopped ends, and what was measured until then is stored', async () => {
  const stop = new AbortController();
  let count = 0;
  const measure = () => {
    count += 1;
    if (count === 3) stop.abort();
    return [measured(0)];
  };
  const { run, known } = makeKit({ scenes: days(50), measure });
  await assert.rejects(run({}, stop.signal));
  assert.ok(count < 10, `${count} scenes were measured`);
  assert.ok(known.size > 0, 'some are stored');
});

test('an area outside the image is no data of the scene', async () => {
  const { run, jobs } = makeKit({ scenes: days(1) });
  const { failures } = await run({ area: toTestArea([200, 200, 210, 210]).geometry });
  assert.deepEqual([failures[0]?.code, jobs.asked.length], ['no-data', 0]);
});

test('Level-2A answers for Level-1C only where that is missing', async () => {
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

test('files of the classification are looked at before they are used', async () => {
  const scenes = [onDay(0), onDay(0, { dataset: 'sentinel2l2a' })];
  const { run, compared } = makeKit({ scenes });
  await run(withLevel);
  assert.deepEqual(compared, ['S2/31/T/DH/2026/1/1/0', 'S2L2A/31/T/DH/2026/1/1/0']);
});

for (const whose of ['of Level-1C', 'of Level-2A itself'] as const) {
  test(`a file of the classification ${whose} that was replaced is read by its new record`, async () => {
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

test('a scene that does not say how high the sun stood has a note, if its values depend on it', async () => {
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
