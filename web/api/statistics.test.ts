import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMeasured } from '../../clients/typescript/src/statistics.ts';
import type { Outline } from '../scenes/footprint.ts';
import { Failure } from './failure.ts';
import { isEmptyScene, makeStatisticsApi, splitPeriod } from './statistics.ts';

const outline: Outline = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ],
  ],
};
const request = {
  outline,
  dataset: 'sentinel2',
  indices: ['NDVI'],
  from: '2026-01-01',
  to: '2026-12-31',
};
const toResult = (date: string, viewId: string, average: number | null) => ({
  date,
  scene_id: `scene of ${viewId}`,
  view_id: viewId,
  cloud: 5,
  notes: ['a note'],
  values: { NDVI: { count: 9, average, min: 0, max: 1, std: 0.1, median: 0.4 } },
});
const finished = { status: 'finished', results: [toResult('2026-06-21', 'S2/1', 0.5)], errors: [] };

interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: unknown;
}

/** A server that gives its answers in order, and time that passes at once. */
const makeBench = (...answers: readonly Answer[]) => {
  const sent: string[] = [];
  const bodies: unknown[] = [];
  const waits: number[] = [];
  let next = 0;
  const api = makeStatisticsApi({
    async send(path, { method = 'GET', body }) {
      sent.push(`${method} ${path}`);
      if (method === 'DELETE') return new Response(null, { status: 204 });
      if (typeof body === 'string') bodies.push(JSON.parse(body));
      const { status = 200, headers = {}, body: answer } = answers[next++] ?? { status: 500, body: {} };
      return new Response(JSON.stringify(answer), { status, headers });
    },
    async wait(ms, signal) {
      signal.throwIfAborted();
      waits.push(ms);
    },
  });
  const progress: number[] = [];
  const controller = new AbortController();
  const following = {
    signal: controller.signal,
    onProgress: (share: number) => void progress.push(share),
  };
  return { api, sent, bodies, waits, progress, controller, following };
};

test('a quick answer is read, oldest scene first, with missing values as null', async () => {
  const results = [toResult('2026-06-21', 'S2/2', null), toResult('2026-06-01', 'S2/1', 0.25)];
  const errors = [
    {
      date: '2026-06-11',
      scene_id: 'x',
      code: 'no-data',
      error: 'There is no data of this scene in the AOI.',
    },
    { date: '2026-06-12', scene_id: 'y', code: 'source-broken', error: 'A file is damaged.' },
  ];
  const { api, following, bodies } = makeBench({ body: { results, errors } });
  const { scenes, failures } = await api.measure(request, following);
  assert.deepEqual(
    scenes.map(({ date, viewId, values }) => [date, viewId, values.NDVI?.average]),
    [
      ['2026-06-01', 'S2/1', 0.25],
      ['2026-06-21', 'S2/2', null],
    ],
  );
  assert.deepEqual(failures.map(isEmptyScene), [true, false]);
  assert.deepEqual(bodies[0], {
    geometry: outline,
    expressions: ['NDVI'],
    sensors: ['sentinel2'],
    date_start: '2026-01-01',
    date_end: '2026-12-31',
    limit: 500,
  });
  assert.equal(parseMeasured('nonsense', ['NDVI']), null);
});

test('a long order is polled with its progress, and requested again when it is finished', async () => {
  const { api, following, sent, progress } = makeBench(
    { status: 202, body: { status: 'started', task_id: 'T/1', progress: 0 } },
    { body: { task_type: 'started', progress: 0.4 } },
    { body: { task_type: 'started', progress: 0.9 } },
    { body: { task_type: 'finish' } },
    { body: finished },
  );
  const { scenes } = await api.measure(request, following);
  assert.equal(scenes.length, 1);
  assert.deepEqual(progress, [0, 0.4, 0.9]);
  assert.deepEqual(sent, [
    'POST api/statistics',
    ...Array.from({ length: 3 }, () => 'GET api/T%2F1'),
    'POST api/statistics',
  ]);
});

test('a rate limit is obeyed for as long as it says, and the order fails after several refusals', async () => {
  const refusal = { status: 429, headers: { 'retry-after': '7' }, body: { error: 'Too fast.' } };
  const patient = makeBench(refusal, { body: finished });
  await patient.api.measure(request, patient.following);
  assert.deepEqual(patient.waits, [7000]);
  const endless = makeBench(refusal, refusal, refusal, refusal, refusal);
  await assert.rejects(endless.api.measure(request, endless.following), /Too fast/);
});

test('a failed task gives the reason; a cancelled one is cancelled on the server', async () => {
  const started = { status: 202, body: { task_id: 't', progress: 0 } };
  const failed = makeBench(started, {
    body: { task_type: 'error', error_message: 'No scene could be read.' },
  });
  await assert.rejects(failed.api.measure(request, failed.following), {
    constructor: Failure,
    message: 'No scene could be read.',
  });
  const given = makeBench(started, { body: { task_type: 'started', progress: 0.1 } });
  const onProgress = (share: number): void => {
    if (share > 0) given.controller.abort();
  };
  await assert.rejects(given.api.measure(request, { ...given.following, onProgress }), {
    name: 'AbortError',
  });
  assert.equal(given.sent.at(-1), 'DELETE api/t');
});

test('more scenes than one order may have are split into several orders, each scene once', async () => {
  const many = Array.from({ length: 500 }, (_, i) =>
    toResult(`2026-06-${30 - (i % 20)}`, `S2/${i}`, 0.5),
  ).sort((a, b) => (a.date < b.date ? 1 : -1));
  const { api, following, bodies } = makeBench(
    { body: { results: many, errors: [] } },
    { body: { results: [many.at(-1), toResult('2026-02-01', 'S2/old', 0.1)], errors: [] } },
  );
  const { scenes } = await api.measure(request, following);
  assert.equal(scenes.length, 501);
  assert.equal(scenes[0]?.viewId, 'S2/old');
  assert.equal((bodies[1] as { date_end: string }).date_end, '2026-06-11');
});

test('soil moisture is requested in pieces of 500 days, oldest first', async () => {
  assert.deepEqual(splitPeriod('2026-01-01', '2026-01-05', 2), [
    { from: '2026-01-01', to: '2026-01-02' },
    { from: '2026-01-03', to: '2026-01-04' },
    { from: '2026-01-05', to: '2026-01-05' },
  ]);
  const toDay = (date: string, average: number | null) => ({
    date,
    values: { soilmoisture: { average, root_zone: 0.2 } },
  });
  const { api, bodies, controller } = makeBench(
    { body: { results: [toDay('2025-01-02', 0.4), toDay('2025-01-01', 0.3)] } },
    { body: { results: [toDay('2026-06-01', null)] } },
  );
  const days = await api.readSoil({ outline, from: '2025-01-01', to: '2026-06-30' }, controller.signal);
  assert.deepEqual(days, [
    { day: '2025-01-01', surface: 0.3, rootZone: 0.2 },
    { day: '2025-01-02', surface: 0.4, rootZone: 0.2 },
  ]);
  assert.equal(bodies.length, 2);
});
