import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toDate, toDayNumber, toYearDay } from '../../seasons/index.ts';
import { makeStatisticsKind, makeTasks, startTaskRunner } from '../../tasks/index.ts';
import { openTasks, ROOM } from '../../tasks/testing/open-tasks.ts';
import type { SceneStatistics, StatisticsOrder } from '../../zonal/index.ts';
import { makeTestApp, readError } from '../testing/make-test-app.ts';

const body = {
  expression: 'NDVI',
  sensors: ['sentinel2l2a'],
  date_end: '2026-08-30',
  years: 3,
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [2, 42],
        [2.01, 42],
        [2.01, 42.01],
        [2, 42.01],
        [2, 42],
      ],
    ],
  },
};

/** A crop whose leaves are all there on 10 July; in 2026 there are only half as many. */
const valueOn = (day: number): number => {
  const { year, at } = toYearDay(day);
  const height = year === 2026 ? 0.3 : 0.6;
  return 0.2 + height * Math.exp(-((((at ?? 59) - 190) / 40) ** 2));
};

const toScene = (day: number, change: Partial<SceneStatistics> = {}): SceneStatistics => {
  const value = valueOn(day);
  const summary = { count: 9, min: value, max: value, average: value, std: 0, variance: 0 };
  return {
    viewId: `S2L2A/${day}`,
    sceneId: `scene ${day}`,
    date: toDate(day),
    cloudPercent: 0,
    notes: [],
    values: [{ ...summary, q1: value, median: value, q3: value, p10: value, p90: value }],
    histograms: null,
    ...change,
  };
};

/** Newest first, as statistics are: every fifth day from 2023 to the end of August 2026. */
function makeScenes(): readonly SceneStatistics[] {
  const scenes: SceneStatistics[] = [];
  for (let day = toDayNumber('2026-08-30'); day >= toDayNumber('2023-01-01'); day -= 5) {
    scenes.push(toScene(day));
    // The other half of the ground, and another scene of the day that is cloudier: neither is used.
    if (day % 7 === 0) scenes.push(toScene(day, { notes: ['partial coverage'], values: [null] }));
    if (day % 11 === 0) scenes.unshift(toScene(day, { cloudPercent: 30, values: toScene(day + 30).values }));
  }
  return scenes;
}

/** Routes over a real store of tasks; statistics are those of the made-up crop, as soon as they are let go. */
async function makeService(go: Promise<void> = Promise.resolve()) {
  const opened = await openTasks();
  const orders: StatisticsOrder[] = [];
  const kinds = {
    statistics: makeStatisticsKind({
      statistics: {
        async run(order) {
          orders.push(order);
          await go;
          return { scenes: makeScenes(), failures: [] };
        },
      },
      soilMoisture: { read: async () => null },
    }),
  };
  const stopping = new AbortController();
  /** The first task is over. */
  const ended = Promise.withResolvers<void>();
  const runner = startTaskRunner({
    store: opened.store,
    kinds,
    worker: 'w',
    slots: 1,
    leaseMs: 60_000,
    events: { onEnd: () => ended.resolve(), onFailure: () => {} },
  });
  const never = () => Promise.reject(new Error('not expected here'));
  const app = makeTestApp({
    tasks: {
      tasks: makeTasks({ store: opened.store, kinds, timeoutS: 172_800, limits: ROOM, endedPerOwner: 1e6 }),
      callbacks: { find: async () => null } as never,
      toResultLink: never,
      stopping: stopping.signal,
    },
  });
  return {
    ...app,
    orders,
    stopping,
    ended: ended.promise,
    async [Symbol.asyncDispose]() {
      await runner.stop({ drainMs: 0 });
      await opened[Symbol.asyncDispose]();
    },
  };
}

interface Found {
  readonly status: string;
  readonly task_id: string;
  readonly measurements: readonly { readonly date: string; readonly cloud: number }[];
  readonly curve: { readonly date_start: string; readonly date_end: string; readonly values: number[] };
  readonly seasons: readonly Readonly<Record<string, unknown>>[];
  readonly normals: { readonly years: readonly number[]; readonly mean: readonly (number | null)[] };
  readonly newest: { readonly date: string; readonly anomaly: Readonly<Record<string, number>> };
}

test('an area has a curve, one season a year, normals and an anomaly', async () => {
  await using service = await makeService();
  const response = await service.post('/api/phenology', body);
  const found = (await response.json()) as Found;
  assert.equal(response.status, 200, JSON.stringify(found).slice(0, 300));
  const [order] = service.orders;
  assert.deepEqual(
    [order?.from, order?.to, order?.expressions, order?.clouds.maxPercent, order?.clouds.masked],
    ['2023-01-01', '2026-08-30', ['NDVI'], 50, 'all'],
  );
  assert.deepEqual([found.curve.date_start, found.curve.date_end], ['2023-01-03', '2026-08-30']);
  assert.ok(found.measurements.every(({ cloud }) => cloud === 0));
  assert.deepEqual(
    found.seasons.map(({ year, peak_is_known }) => [year, peak_is_known]),
    [2023, 2024, 2025, 2026].map((year) => [year, true]),
  );
  const [first] = found.seasons;
  // exp(-(x/40)²) is 0.2 at 50.7 days from the peak, less what the smoother widens.
  assert.ok(Math.abs(Number(first?.length_days) - 103) < 3, `${first?.length_days}`);
  assert.match(String(first?.peak), /^2023-07-(09|10|11)$/);
  assert.ok(Math.abs(Number(first?.amplitude) - 0.6) < 0.02);
  assert.deepEqual(found.normals.years, [2023, 2024, 2025]);
  assert.equal(found.normals.mean.length, 365);
  const expected = valueOn(toDayNumber('2026-08-30')) - valueOn(toDayNumber('2025-08-30'));
  assert.ok(Math.abs((found.newest.anomaly.difference ?? 0) - expected) < 0.02);
  assert.equal(found.newest.anomaly.percentile, 0);
});

test('thresholds, the envelope and windows come from the body', async () => {
  await using service = await makeService();
  const lengthsOf = async (more: object): Promise<number> => {
    const { seasons } = (await (await service.post('/api/phenology', { ...body, ...more })).json()) as Found;
    return Number(seasons[0]?.length_days);
  };
  const [low, middle, right] = [
    await lengthsOf({}),
    await lengthsOf({ start_threshold: 0.5 }),
    await lengthsOf({ start_threshold: 0.5, end_threshold: 0.2 }),
  ];
  assert.ok(low > right && right > middle, `${low}, ${right}, ${middle}`);
  assert.ok(Math.abs((low + middle) / 2 - right) < 0.5, 'the crop is as long before its peak as after it');
});

test('a slow request is 202, and its address has the same answer later', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await using service = await makeService(promise);
  // A service that shuts down does not hold requests.
  service.stopping.abort();
  const started = await service.post('/api/phenology', { ...body, start_threshold: 0.5 });
  assert.equal(started.status, 202);
  const location = new URL(started.headers.get('location') ?? '', 'http://localhost').pathname;
  assert.match(location, /^\/api\/phenology\/[0-9a-f-]{36}$/);
  assert.equal((await service.call(location)).status, 202);
  resolve();
  await service.ended;
  const response = await service.call(location);
  const { seasons, task_id: id } = (await response.json()) as Found;
  assert.ok(location.endsWith(id));
  assert.ok(Math.abs(Number(seasons[0]?.length_days) - 67) < 3, 'the threshold of the order');
  assert.equal(
    (await readError(await service.call('/api/phenology/0b9d2c1e-6c0f-4f7e-9a59-0d6f1f0e8f5a'))).code,
    'unknown-task',
  );
});

test('invalid orders are refused, and the message names the field', async () => {
  await using service = await makeService();
  for (const [more, code, named] of [
    [{ expression: undefined }, 'bad-expression', /^expression /],
    [{ expression: 'NOPE' }, 'statistics-expression', /^expression: /],
    [{ expression: 'soilmoisture', sensors: 'soilmoisture' }, 'bad-expression', /^expression /],
    [{ date_end: '2026-13-01' }, 'statistics-date', /^date_end /],
    [{ date_end: undefined }, 'statistics-date', /^date_end /],
    [{ years: 31 }, 'bad-years', /^years /],
    [{ envelope: 0.4 }, 'bad-envelope', /^envelope /],
    [{ start_threshold: 0 }, 'bad-start-threshold', /^start_threshold /],
    [{ end_threshold: 1 }, 'bad-end-threshold', /^end_threshold /],
    [{ smoothness: 0 }, 'bad-smoothness', /^smoothness /],
    [{ max_gap_days: 0 }, 'bad-max-gap-days', /^max_gap_days /],
    [{ min_amplitude: -1 }, 'bad-min-amplitude', /^min_amplitude /],
    [{ normal_window_days: 100 }, 'bad-normal-window-days', /^normal_window_days /],
    [{ geometry: undefined }, 'statistics-no-geometry', /geometry/],
  ] as const) {
    const response = await service.post('/api/phenology', { ...body, ...more });
    const error = await readError(response);
    assert.deepEqual([response.status, error.code], [400, code], JSON.stringify(more));
    assert.match(error.error, named);
  }
});
