import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Task } from '../../tasks/index.ts';
import type { ExplainedStatistics, StatisticsOrder } from '../../zonal/index.ts';
import { makeTestApp, readError } from '../testing/make-test-app.ts';

const geometry = {
  type: 'Polygon',
  coordinates: [
    [
      [2.1, 42.1],
      [2.2, 42.1],
      [2.2, 42.2],
      [2.1, 42.1],
    ],
  ],
};
const dates = { date_start: '2026-01-01', date_end: '2026-12-31', sensors: ['sentinel2'] };
const body = { geometry, expressions: ['NDVI'], ...dates };

const named = { viewId: 'S2/31/T/DH/2026/6/21/0', sceneId: 'scene', date: '2026-06-21' };
const explained: ExplainedStatistics = {
  found: 30,
  scenes: [
    {
      ...named,
      stored: 1,
      bytes: 9,
      groups: [
        {
          pieces: 2,
          first: {
            bands: 'NDVI',
            grid: { epsg: 32_631, transform: [0, 10, 0, 50, 0, -10], width: 4, height: 5 },
            inputs: [],
            steps: [{ step: 'measure', stage: 'math', detail: 'pixels in the area' }],
          },
        },
      ],
    },
    { ...named, code: 'no-data', message: 'There is no data of this scene in the AOI.', notes: [] },
  ],
};
const wire = {
  explains: 'statistics',
  scenes_found: 30,
  scenes: [
    {
      view_id: named.viewId,
      scene_id: 'scene',
      date: '2026-06-21',
      stored: 1,
      bytes: 9,
      groups: [
        {
          bands: 'NDVI',
          pieces: 2,
          grid: { epsg: 32_631, width: 4, height: 5, bounds: [0, 0, 40, 50] },
          inputs: [],
          steps: [{ step: 'measure', stage: 'math', detail: 'pixels in the area' }],
        },
      ],
    },
    {
      view_id: named.viewId,
      scene_id: 'scene',
      date: '2026-06-21',
      problem: { code: 'no-data', error: 'There is no data of this scene in the AOI.' },
    },
  ],
};

/** A finished task that waited for a second and ran for two. */
const task = {
  id: 'a',
  state: 'finished',
  createdAt: '2026-06-21T00:00:00.000Z',
  startedAt: '2026-06-21T00:00:01.000Z',
  endedAt: '2026-06-21T00:00:03.000Z',
} as unknown as Task;

function makeKit(state: Partial<Task> = {}) {
  const orders: StatisticsOrder[] = [];
  const created: string[] = [];
  const tasks = {
    async create({ kind }: { kind: string }) {
      created.push(kind);
      return { id: 'a' };
    },
    wait: async () => ({ ...task, ...state }),
    findDocument: async () => ({}),
  };
  const app = makeTestApp({
    tasks: {
      tasks: tasks as never,
      async explainStatistics(order) {
        orders.push(order);
        return explained;
      },
    },
  });
  return { ...app, orders, created };
}

test('an order is explained without a task, and never cached', async () => {
  const { post, orders, created } = makeKit();
  const response = await post('/api/statistics?explain=1', body);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/vnd.swath.explanation+json');
  assert.equal(response.headers.get('cache-control'), 'no-store');
  const { request_id: _, ...found } = (await response.json()) as Record<string, unknown>;
  assert.deepEqual(found, wire);
  assert.deepEqual([orders[0]?.expressions, orders[0]?.area.type, created], [['NDVI'], 'MultiPolygon', []]);
});

test('explain=drawn measures, and reports how long the task waited and ran', async () => {
  const { post, created } = makeKit();
  const response = await post('/api/statistics?explain=drawn', body);
  const { drawn } = (await response.json()) as Record<string, unknown>;
  assert.deepEqual(drawn, { total_ms: 3_000, stages_ms: { queue: 1_000, run: 2_000 } });
  assert.deepEqual(created, ['statistics']);
  assert.equal(response.headers.get('server-timing'), 'queue;dur=1000.00, run;dur=2000.00');
  const late = makeKit({ state: 'running', progress: { done: 1, total: 2 } });
  assert.equal((await late.post('/api/statistics?explain=drawn', body)).status, 202);
});

test('a statistics estimate is explained too; orders for files and soil moisture are not', async () => {
  const { post, created } = makeKit();
  const params = { geometry, bm_type: ['NDVI'], ...dates };
  const estimate = (query: string, more: object = {}) =>
    post(`/api/tasks/estimate${query}`, { type: 'mt_stats', params: { ...params, ...more } });
  assert.equal((await estimate('')).headers.get('content-type'), 'application/json');
  const response = await estimate('?explain=1');
  assert.equal(((await response.json()) as { scenes_found: number }).scenes_found, 30);
  for (const refused of [
    await estimate('?explain=drawn'),
    await estimate('?explain=1', { bm_type: 'soilmoisture', sensors: 'soilmoisture' }),
    await post('/api/statistics?explain=1', {
      ...body,
      expressions: 'soilmoisture',
      sensors: 'soilmoisture',
    }),
  ]) {
    assert.deepEqual([refused.status, (await readError(refused)).code], [422, 'not-explained']);
  }
  assert.deepEqual(created, []);
});

test('an invalid order gets the same error as without explain', async () => {
  const { post, orders } = makeKit();
  const bad = { ...body, date_start: 'soon' };
  const [plain, explaining] = [
    await post('/api/statistics', bad),
    await post('/api/statistics?explain=1', bad),
  ];
  assert.equal(explaining.status, plain.status);
  assert.deepEqual((await readError(explaining)).code, (await readError(plain)).code);
  assert.deepEqual(orders, []);
});
