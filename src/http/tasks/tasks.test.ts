import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAreas } from '../../areas/index.ts';
import { createArea, makeMemoryAreas, unlimitedAreas } from '../../areas/testing/memory-areas.ts';
import { unsupported } from '../../errors.ts';
import type { Downloads, PictureOrder } from '../../exports/index.ts';
import { makeDownloads } from '../../exports/index.ts';
import type { TaskLimits } from '../../tasks/index.ts';
import { makeTasks } from '../../tasks/index.ts';
import { openTasks, ROOM } from '../../tasks/testing/open-tasks.ts';
import {
  makeTestApp,
  OTHER_KEY,
  otherRecord,
  READER_KEY,
  readError,
  readerRecord,
  TEST_KEY,
} from '../testing/make-test-app.ts';

const VIEW_ID = 'S2/31/T/DH/2026/6/21/0';
const index = { type: 'bandmath', params: { view_id: VIEW_ID, bm_type: 'NDVI', reference: 'r1' } };

/** Routes over a real store of tasks; files are planned by a fake that notes the orders. */
async function makeService(
  limits: Partial<TaskLimits> = {},
  plan?: Downloads['plan'],
  stopping = new AbortController().signal,
) {
  const opened = await openTasks();
  const { store } = opened;
  const orders: { kind: string; order: Record<string, unknown> }[] = [];
  const none = () => Promise.reject(new Error('not planned here'));
  const downloads: Downloads = {
    ...makeDownloads({ bands: none, index: none, picture: none }, { findByViewId: async () => null }),
    plan:
      plan ??
      (async (kind, order) => {
        orders.push({ kind, order: { ...order } });
        return {
          fileName: 'a.TIF',
          contentType: 'image/tiff',
          estimatedBytes: 1_000,
          blocks: 4,
          write: none,
        };
      }),
  };
  const areas = makeAreas({ ...unlimitedAreas, store: makeMemoryAreas().store });
  const app = makeTestApp({
    areas,
    records: [readerRecord, otherRecord],
    tasks: {
      downloads,
      tasks: makeTasks({ store, kinds: {}, timeoutS: 172_800, limits: { ...ROOM, ...limits } }),
      callbacks: opened.callbacks,
      toResultLink: async (id, name) => `/api/results/${id}/${name}?signature=s`,
      stopping,
    },
  });
  return { ...app, store, orders, areas, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
}

type Service = Awaited<ReturnType<typeof makeService>>;

async function create(
  { post }: Service,
  body: unknown = index,
  path = '/api',
): Promise<Record<string, unknown>> {
  const response = await post(path, body);
  assert.equal(response.status, 202, await response.clone().text());
  return (await response.json()) as Record<string, unknown>;
}

/** The kind of an area. */
const kindOf = (area: unknown): unknown => (area as { kind?: string } | undefined)?.kind;

const FILE = {
  kind: 'file',
  blobKey: 'b.1',
  fileName: 'S2_NDVI.TIF',
  contentType: 'image/tiff',
  bytes: 9,
  etag: 'e',
} as const;

/** Leases the next task. */
async function lease({ store }: Service) {
  const [leased] = await store.lease({ worker: 'w', max: 1, leaseMs: 60_000 });
  return leased?.lease ?? assert.fail('nothing is queued');
}

test('the download address: created, started, finished, in the shapes of the interface', async () => {
  await using service = await makeService();
  const { status, task_id, ...more } = await create(service);
  assert.equal(status, 'authentication');
  assert.match(String(task_id), /^[0-9a-f-]{36}$/);
  assert.deepEqual(more, { reference: 'r1', estimated_bytes: 1_000 });
  const path = `/api/${task_id}`;
  const poll = async () => {
    const response = await service.call(path, { redirect: 'manual' });
    assert.equal(response.headers.get('cache-control'), 'no-store');
    return response;
  };
  const waiting = (await (await poll()).json()) as Record<string, unknown>;
  assert.deepEqual(
    [waiting.task_type, waiting.reference, waiting.result_url, waiting.progress, waiting.type],
    ['started', 'r1', null, 0, 'bandmath'],
  );
  assert.equal(typeof waiting.token, 'string');
  assert.ok(Number.isInteger(waiting.client_id) && Number.isInteger(waiting.download_id));
  const leased = await lease(service);
  await service.store.renew(leased, { done: 1, total: 4 }, 60_000);
  assert.equal(((await (await poll()).json()) as { progress: number }).progress, 0.25);
  await service.store.finish(leased, FILE);
  const finished = await poll();
  assert.equal(finished.status, 303);
  const link = `http://swath.test/api/results/${task_id}/S2_NDVI.TIF?signature=s`;
  assert.equal(finished.headers.get('location'), link);
  const body = (await finished.json()) as Record<string, unknown>;
  assert.deepEqual([body.task_type, body.result_url], ['finish', link]);
  assert.equal((await service.call(`${path}/`, { redirect: 'manual' })).status, 303);
});

test('the statistics address: its own shapes, and polls that are held until the task ends', async () => {
  await using service = await makeService();
  const created = await create(service, index, '/api/gdw/api/');
  const { task_id: id } = created;
  assert.deepEqual(created, {
    status: 'created',
    task_id: id,
    req_id: id,
    task_timeout: 172_800,
    reference: 'r1',
    estimated_bytes: 1_000,
  });
  const held = service.call(`/api/gdw/api/${id}`, { redirect: 'manual' });
  const leased = await lease(service);
  await service.store.finish(leased, FILE);
  const answered = await held;
  assert.equal(answered.status, 303);
  assert.equal(((await answered.json()) as { status: string }).status, 'finished');
});

test('the statistics address: a poll that is not held any longer says created or started', async () => {
  // A service that shuts down answers at once.
  await using service = await makeService({}, undefined, AbortSignal.abort());
  const { task_id: id } = await create(service, index, '/api/gdw/api');
  const poll = async () => (await service.call(`/api/gdw/api/${id}`)).json();
  assert.deepEqual(await poll(), { status: 'created', task_id: id, reference: 'r1', progress: 0 });
  await service.store.renew(await lease(service), { done: 1, total: 2 }, 60_000);
  assert.deepEqual(await poll(), { status: 'started', task_id: id, reference: 'r1', progress: 0.5 });
});

test('a failed task says why, on both addresses; a cancelled one that it was cancelled', async () => {
  await using service = await makeService();
  const { task_id: id } = await create(service);
  await service.store.fail(
    await lease(service),
    { code: 'source-broken', message: 'A file is broken.' },
    null,
  );
  const failed = await service.call(`/api/${id}`);
  assert.equal(failed.status, 200);
  const body = (await failed.json()) as Record<string, unknown>;
  assert.deepEqual(Object.keys(body).toSorted(), [
    'client_id',
    'download_id',
    'error_message',
    'error_status',
    'reference',
    'task_type',
    'token',
    'type',
  ]);
  assert.deepEqual(
    [body.task_type, body.error_status, body.error_message],
    ['error', 'source-broken', 'A file is broken.'],
  );
  const other = (await (await service.call(`/api/gdw/api/${id}`)).json()) as Record<string, unknown>;
  assert.deepEqual(
    [other.status, other.task_type, other.error_message, 'result' in other],
    ['finished', 'error', 'A file is broken.', false],
  );
  const { task_id: next } = await create(service, {
    ...index,
    params: { ...index.params, reference: 'r2' },
  });
  assert.equal((await service.call(`/api/${next}`, { method: 'DELETE' })).status, 204);
  const cancelled = (await (await service.call(`/api/${next}`)).json()) as Record<string, unknown>;
  assert.deepEqual([cancelled.task_type, cancelled.error_status], ['error', 'cancelled']);
  assert.equal(
    (await service.call(`/api/${next}`, { method: 'DELETE' })).status,
    204,
    'removes what is over',
  );
  assert.equal((await service.call(`/api/${next}`)).status, 404);
});

test('the same reference with the same body is the same task; with another body, or no reference, a new one', async () => {
  await using service = await makeService();
  const first = await create(service);
  assert.equal((await create(service)).task_id, first.task_id);
  assert.equal((await create(service, index, '/api/gdw/api')).task_id, first.task_id);
  const other = { ...index, params: { ...index.params, bm_type: 'NDWI' } };
  assert.notEqual((await create(service, other)).task_id, first.task_id);
  const { reference: _, ...params } = index.params;
  const made = await create(service, { ...index, params });
  assert.match(String(made.reference), /^[0-9a-f-]{36}$/);
  assert.notEqual((await create(service, { ...index, params })).task_id, made.task_id);
});

test('tenancy: every route of tasks with no key, a bad one, another, a reading one and the own', async () => {
  await using service = await makeService();
  const { task_id: id } = await create(service);
  const statusOf = async (method: string, path: string, key: string | null): Promise<number> => {
    const body = method === 'POST' ? JSON.stringify(index) : null;
    return (await service.call(path, { method, body, key, redirect: 'manual' })).status;
  };
  // The own key is last: DELETE changes the task.
  const keys = [null, 'wrong', OTHER_KEY, READER_KEY, TEST_KEY];
  for (const [method, path, statuses] of [
    ['POST', '/api', [401, 403, 202, 403, 202]],
    ['POST', '/api/gdw/api', [401, 403, 202, 403, 202]],
    // The reading key has no tasks of its own: those of others are unknown to it.
    ['GET', `/api/${id}`, [401, 403, 404, 404, 200]],
    ['DELETE', `/api/${id}`, [401, 403, 404, 403, 204]],
    ['GET', `/api/gdw/api/${id}`, [401, 403, 404, 404, 200]],
    ['DELETE', `/api/gdw/api/${id}`, [401, 403, 404, 403, 204]],
  ] as const) {
    for (const [i, key] of keys.entries()) {
      assert.equal(await statusOf(method, path, key), statuses[i], `${method} ${path} with key ${i}`);
    }
  }
});

test('another key with the same reference and body has a task of its own', async () => {
  await using service = await makeService();
  const { task_id: id } = await create(service);
  const theirs = await service.call('/api', { method: 'POST', body: JSON.stringify(index), key: OTHER_KEY });
  assert.notEqual(((await theirs.json()) as { task_id: string }).task_id, id);
});

test('malformed and unknown ids are the same 404', async () => {
  await using service = await makeService();
  for (const id of ['x', '%00', '0'.repeat(36), '00000000-0000-4000-8000-000000000000', 'constructor']) {
    for (const method of ['GET', 'DELETE']) {
      const response = await service.call(`/api/${id}`, { method });
      assert.equal(response.status, 404, id);
      assert.equal((await readError(response)).code, 'unknown-task');
    }
  }
});

test('malformed orders are 400 with the parameter in the text', async () => {
  await using service = await makeService();
  const params = (more: object, type = 'bandmath') => ({
    type,
    params: { view_id: VIEW_ID, bm_type: 'NDVI', bands: ['B04'], ...more },
  });
  const box = [2, 42, 3, 43];
  const polygon = {
    type: 'Polygon',
    coordinates: [
      [
        [2, 42],
        [3, 42],
        [3, 43],
        [2, 42],
      ],
    ],
  };
  for (const [body, code, words] of [
    [[], 'bad-body', /object/],
    [{ type: 'bandmath' }, 'bad-body', /params/],
    [{ type: 'nothing', params: {} }, 'bad-type', /lbe, bandmath, jpeg/],
    [params({ view_id: null }), 'bad-view-id', /view_id/],
    [params({ bm_type: '' }), 'bad-bm-type', /bm_type/],
    [params({ bm_type: 7 }), 'bad-bm-type', /bm_type/],
    [params({ reference: { a: 1 } }), 'bad-reference', /reference/],
    [params({ reference: 'x'.repeat(201) }), 'bad-reference', /200/],
    [params({ bbox: box, geometry: polygon }), 'several-areas', /bbox and geometry/],
    [params({ bbox: [2, 42, 3] }), 'bad-bbox', /west, south, east, north/],
    [params({ bbox: [2, 43, 3, 42] }), 'bad-bbox', /south below north/],
    [params({ bbox: ['2', 42, 3, 43] }), 'bad-bbox', /numbers/],
    [params({ bands: [] }, 'lbe'), 'bad-bands', /bands/],
    [params({ bands: [{}] }, 'lbe'), 'bad-bands', /bands/],
    [params({ merge: 'maybe' }, 'lbe'), 'bad-merge', /merge/],
    [params({ metadata: [{ label: 'a' }] }, 'lbe'), 'bad-metadata', /url/],
    [params({ resample: 'nice' }, 'jpeg'), 'bad-resample', /cubicspline/],
    [params({ levels: '1,0', colormap: 'viridis' }, 'jpeg'), 'bad-levels', /levels/],
    [params({ px_size: 0 }, 'jpeg'), 'bad-px-size', /px_size/],
    [params({ format: 'gif' }, 'jpeg'), 'bad-format', /jpeg/],
    [params({ georeference: 'moon' }, 'jpeg'), 'bad-georeference', /kmz/],
    [params({ calibrate: 2 }, 'jpeg'), 'bad-calibrate', /calibrate/],
  ] as const) {
    const response = await service.post('/api', body);
    assert.equal(response.status, 400, JSON.stringify(body));
    const error = await readError(response);
    assert.equal(error.code, code);
    assert.match(error.error, words);
  }
  const unknown = await service.post('/api', params({ cropper_ref: '0'.repeat(32) }));
  assert.equal(unknown.status, 404);
  assert.equal((await service.post('/api', params({ view_id: 'S2/nowhere' }))).status, 404);
  assert.equal((await service.store.list({ limit: 9 })).length, 0);
});

test('what cannot be done is 400 at once, where a picture would be 422', async () => {
  await using service = await makeService({}, () =>
    Promise.reject(unsupported('unknown-band', '"B99" is no name here.')),
  );
  const response = await service.post('/api', index);
  assert.equal(response.status, 400);
  assert.equal((await readError(response)).code, 'unknown-band');
  assert.equal((await service.store.list({ limit: 9 })).length, 0);
});

test('refusals name params as tasks have them, not as tiles do', async () => {
  await using service = await makeService({}, () =>
    Promise.reject(unsupported('lone-range-colors', 'COLORS needs THRESHOLDS, MIN_MAX and COLORS_LIMIT.')),
  );
  const { error } = await readError(await service.post('/api', index));
  assert.equal(error, 'colors needs thresholds, levels and colors_limit.');
});

test('quotas: open tasks are 429, stored bytes 402', async () => {
  await using few = await makeService({ openPerOwner: 1 });
  await create(few);
  const refused = await few.post('/api', {
    ...index,
    params: { ...index.params, reference: 'other' },
  });
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.match((await readError(refused)).error, /1 tasks that are not finished, and may have 1/);
  await using small = await makeService({ bytesPerOwner: 999 });
  const full = await small.post('/api', index);
  assert.equal(full.status, 402);
  assert.equal((await readError(full)).code, 'task-storage-full');
});

test('orders are read as existing programs send them', async () => {
  await using service = await makeService();
  const { orders } = service;
  const ref = await createArea(
    service.areas,
    {
      type: 'Polygon',
      coordinates: [
        [
          [2, 42],
          [3, 42],
          [3, 43],
          [2, 42],
        ],
      ],
    },
    'configured',
  );
  await create(service, {
    type: 'lbe',
    params: {
      view_id: `/${VIEW_ID.replaceAll('/', '%2F')}`,
      bands: 'B04, B03',
      merge: 'false',
      bbox: null,
      metadata: [{ label: 'tile', url: 'a.xml' }],
      reference: 12,
      unknown: 1,
    },
  });
  assert.deepEqual(orders.at(-1), {
    kind: 'bands',
    order: {
      viewId: VIEW_ID,
      sceneName: VIEW_ID.slice(3),
      sensor: 'S2',
      bands: ['B04', 'B03'],
      merge: false,
      metadata: [{ label: 'tile', url: 'a.xml' }],
      area: null,
    },
  });
  await create(service, {
    type: 'bandmath',
    params: { view_id: VIEW_ID, bm_type: ['NDVI', 'B04'], name_alias: 'my index', bbox: [2, 42, 3, 43] },
  });
  assert.deepEqual(orders.at(-1)?.order, {
    viewId: VIEW_ID,
    sceneName: VIEW_ID.slice(3),
    sensor: 'S2',
    expressions: 'NDVI,B04',
    nameAlias: 'my index',
    area: { kind: 'bounds', bounds: { minX: 2, minY: 42, maxX: 3, maxY: 43 } },
  });
  await create(service, {
    type: 'bandmath',
    params: { view_id: VIEW_ID, bm_type: 'NDVI', cropper_ref: ref },
  });
  assert.equal(kindOf(orders.at(-1)?.order.area), 'outline');
  await create(service, {
    type: 'bandmath',
    params: { view_id: VIEW_ID, bm_type: 'NDVI', bbox: [179, 42, -179, 43] },
  });
  assert.equal(kindOf(orders.at(-1)?.order.area), 'outline', 'two boxes');
});

test('pictures: every parameter of the table', async () => {
  await using service = await makeService();
  const order = async (more: object): Promise<Partial<PictureOrder>> => {
    await create(service, { type: 'jpeg', params: { view_id: VIEW_ID, bm_type: 'B04,B03,B02', ...more } });
    return service.orders.at(-1)?.order as Partial<PictureOrder>;
  };
  const plain = await order({ size: 'XL' });
  assert.deepEqual(plain.options, {
    method: null,
    range: null,
    calibrated: false,
    isComposite: true,
    isSharpened: false,
    color: {},
  });
  assert.deepEqual([plain.pixel, plain.file], [null, { kind: 'image', format: 'jpeg' }]);
  const coloured = await order({ bm_type: 'NDVI', colormap: 'viridis', colors_limit: 5, calibrate: 1 });
  assert.deepEqual(coloured.options?.range, { min: -0.5, max: 0.5 });
  assert.deepEqual(
    [coloured.options?.color.colorsLimit, coloured.options?.calibrated, coloured.options?.isComposite],
    ['5', true, false],
  );
  assert.equal(coloured.options?.color.colormap?.kind, 'named');
  const levels = await order({ bm_type: 'NDVI', colormap: 'viridis', levels: '0,1' });
  assert.deepEqual(levels.options?.range, { min: 0, max: 1 });
  const ranges = await order({ bm_type: 'NDVI', colors: ['ff0000', '00ff00'], thresholds: [0.2] });
  assert.deepEqual(ranges.options?.color, { colors: 'ff0000,00ff00', thresholds: '0.2' });
  assert.deepEqual((await order({ px_size: 60, resample: 'near' })).pixel, { groundM: 60 });
  assert.equal(service.orders.at(-1)?.kind, 'picture');
  const composite = await order({ bm_type: 'B08-B04,(B03+B02)/2,where(B04>1,B02,B03)' });
  assert.equal(composite.options?.isComposite, true);
  for (const [more, file] of [
    [{ format: 'png' }, { kind: 'image', format: 'png' }],
    [{ format: 'tiff' }, { kind: 'image', format: 'tiff' }],
    [{ georeference: 'tiff' }, { kind: 'image', format: 'tiff' }],
    [{ georeference: 'jpeg' }, { kind: 'image', format: 'jpeg' }],
    [
      { georeference: 'jpeg', format: 'png' },
      { kind: 'image', format: 'png' },
    ],
    [{ georeference: 'world' }, { kind: 'world', format: 'jpeg' }],
    [
      { georeference: 'world', format: 'png' },
      { kind: 'world', format: 'png' },
    ],
    [{ georeference: 'kmz' }, { kind: 'kmz' }],
    [
      { georeference: null, format: null },
      { kind: 'image', format: 'jpeg' },
    ],
  ] as const) {
    assert.deepEqual((await order(more)).file, file, JSON.stringify(more));
  }
  const sharp = await order({ view_id: 'L8/LC81970312026172LGN00', bm_type: 'PS:B4:B3:B2:B8' });
  assert.deepEqual([sharp.bands, sharp.options?.isSharpened], ['B4,B3,B2', true]);
});

test('the list: the tasks of the key by type and page, with their links and ends', async () => {
  await using service = await makeService();
  const read = async (query = '', key = TEST_KEY) => {
    const response = await service.call(`/api/tasks${query}`, { key });
    assert.equal(response.headers.get('cache-control'), 'no-store');
    return (await response.json()) as { tasks: Record<string, unknown>[]; next: string | null };
  };
  const order = (type: string, reference: string, more: object = {}) =>
    create(service, { type, params: { view_id: VIEW_ID, bm_type: 'NDVI', reference, ...more } });
  const first = await order('bandmath', 'first');
  const second = await order('jpeg', 'second');
  const third = await order('lbe', 'third', { bands: ['B04'] });
  await service.store.finish(await lease(service), FILE);
  await service.store.fail(await lease(service), { code: 'no-space', message: 'The disk is full.' }, null);
  const { tasks, next } = await read();
  assert.equal(next, null);
  assert.deepEqual(
    tasks.map(({ task_id, type, state, reference }) => [task_id, type, state, reference]),
    [
      [third.task_id, 'lbe', 'queued', 'third'],
      [second.task_id, 'jpeg', 'failed', 'second'],
      [first.task_id, 'bandmath', 'finished', 'first'],
    ],
  );
  const [open, failed, finished] = tasks as [(typeof tasks)[0], (typeof tasks)[0], (typeof tasks)[0]];
  assert.deepEqual([open.expires_at, open.ended_at, open.result_url, open.bytes], [null, null, null, null]);
  assert.equal(failed.error_status, 'no-space');
  assert.equal(failed.error_message, 'The disk is full.');
  assert.deepEqual([finished.file_name, finished.bytes, finished.progress], ['S2_NDVI.TIF', 9, 1]);
  assert.equal(finished.view_id, VIEW_ID);
  assert.equal(finished.result_url, `http://swath.test/api/results/${first.task_id}/S2_NDVI.TIF?signature=s`);
  const lastsMs = Date.parse(String(finished.expires_at)) - Date.parse(String(finished.ended_at));
  assert.equal(lastsMs, 604_800_000);

  const page = await read('?limit=2');
  assert.deepEqual([page.tasks.length, page.next], [2, second.task_id]);
  const rest = await read(`?limit=2&after=${page.next}`);
  assert.deepEqual([rest.tasks.map(({ task_id }) => task_id), rest.next], [[first.task_id], null]);
  const ofTypes = await read('?type=lbe,jpeg');
  assert.deepEqual(
    ofTypes.tasks.map(({ type }) => type),
    ['lbe', 'jpeg'],
  );
  const ofOther = await read('', OTHER_KEY);
  assert.deepEqual(ofOther, { tasks: [], next: null });
  for (const [query, code] of [
    ['?limit=0', 'bad-limit'],
    ['?limit=101', 'bad-limit'],
    ['?type=pdf', 'bad-type'],
    ['?type=', 'bad-type'],
    ['?after=x', 'unknown-task'],
  ]) {
    assert.equal((await readError(await service.call(`/api/tasks${query}`))).code, code, query);
  }
  const stolen = await service.call(`/api/tasks?after=${first.task_id}`, { key: OTHER_KEY });
  assert.equal((await readError(stolen)).code, 'unknown-task');
});

test('an estimate checks an order like an order, and stores nothing', async () => {
  await using service = await makeService({ openPerOwner: 0 });
  const estimated = await service.post('/api/tasks/estimate', index);
  assert.deepEqual(
    [estimated.status, await estimated.json()],
    [200, { estimated_bytes: 1_000, file_name: 'a.TIF' }],
  );
  assert.equal((await service.store.list({ limit: 9 })).length, 0);
  const wrong = await service.post('/api/tasks/estimate', { type: 'jpeg', params: { view_id: VIEW_ID } });
  assert.equal((await readError(wrong)).code, 'bad-bm-type');
});
