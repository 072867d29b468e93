import assert from 'node:assert/strict';
import { test } from 'node:test';
import { badInput, notFound, tooLarge, unavailable, unsupported } from '../../errors.ts';
import { makeStatisticsKind, makeTasks, startTaskRunner } from '../../tasks/index.ts';
import { openTasks, ROOM } from '../../tasks/testing/open-tasks.ts';
import { makeZonalStatistics } from '../../zonal/index.ts';
import { makeTestApp, readError } from '../testing/make-test-app.ts';

const order = {
  type: 'mt_stats',
  params: {
    bm_type: 'NDVI',
    sensors: ['sentinel2'],
    date_start: '2026-01-01',
    date_end: '2026-12-31',
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
  },
};

const never = () => Promise.reject(new Error('not expected here'));

/** Routes over a real store of tasks, with a runner whose catalog does as it is told. */
async function makeService(search: () => Promise<never>) {
  const opened = await openTasks();
  const { store } = opened;
  const statistics = makeZonalStatistics({
    scenes: { search, findByViewId: never },
    compareScene: never,
    watch: { renew: never },
    store: { findMany: never, putMany: never },
    pool: { run: never },
    atOnce: 1,
    onForgotten: () => {},
    onFailure: () => {},
  });
  const kinds = {
    statistics: makeStatisticsKind({ statistics, soilMoisture: { read: () => Promise.resolve(null) } }),
  };
  const runner = startTaskRunner({
    store,
    kinds,
    worker: 'w',
    slots: 1,
    leaseMs: 60_000,
    events: { onEnd: () => {}, onFailure: () => {} },
  });
  const app = makeTestApp({
    tasks: {
      tasks: makeTasks({ store, kinds, timeoutS: 172_800, limits: ROOM, endedPerOwner: 1e6 }),
      callbacks: { find: async () => null } as never,
      toResultLink: never,
      stopping: new AbortController().signal,
    },
  });
  return {
    ...app,
    async [Symbol.asyncDispose]() {
      await runner.stop({ drainMs: 0 });
      await opened[Symbol.asyncDispose]();
    },
  };
}

/** Polls both addresses after the end of the task. */
async function endOf(service: Awaited<ReturnType<typeof makeService>>, params: object = order) {
  const created = await service.post('/api/gdw/api', params);
  assert.equal(created.status, 202);
  const { task_id: id } = (await created.json()) as { task_id: string };
  for (;;) {
    const body = (await (await service.call(`/api/gdw/api/${id}`)).json()) as Record<string, unknown>;
    if (body.status !== 'finished') continue;
    const there = (await (await service.call(`/api/${id}`)).json()) as Record<string, unknown>;
    assert.deepEqual([there.task_type, there.error_status], ['error', body.error_status]);
    return body;
  }
}

test('01010: the catalog does not answer, after all attempts of a task', async () => {
  await using service = await makeService(() => Promise.reject(unavailable('store-away', 'Away.')));
  const { error_status, error_message } = await endOf(service);
  assert.deepEqual([error_status, error_message], ['01010', 'The search for scenes failed.']);
});

test('null: an error without a code of its own', async () => {
  await using service = await makeService(() => Promise.reject(new Error('a bug')));
  const body = await endOf(service);
  assert.equal(body.error_status, null);
  assert.match(String(body.error_message), /went wrong inside Swath/);
});

test('statistics in one request: an invalid order gets its own error, a failing service is 502', async () => {
  for (const [error, status] of [
    [badInput('bad-days', 'A period is read from a day to a later one.'), 400],
    [unsupported('too-many-scenes', 'The period has too many scenes.'), 422],
    [notFound('unknown-scene', 'There is no such scene.'), 404],
    [tooLarge('no-space', 'The disk is full.'), 502],
  ] as const) {
    await using service = await makeService(() => Promise.reject(error));
    const body = { ...order.params, expressions: order.params.bm_type };
    const response = await service.post('/api/statistics', body);
    const { code, error: sentence } = await readError(response);
    assert.deepEqual([response.status, code, sentence], [status, error.code, error.message]);
  }
});
