/** The life of a task as its caller sees it: ordered, polled, finished, failed, cancelled. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitFor } from '../../../src/testing/wait-for.ts';
import { ringAround, toFeature } from '../areas.ts';
import { readBand } from '../pixels.ts';
import { call, sceneOf } from '../service.ts';
import { ADDRESSES, boxAround, makeFile, order, orderRefused, poll, pollToEnd } from '../tasks.ts';
import { large, orderDamaged, read, small, UUID } from './task-orders.ts';

let failing: Promise<string>;

test('tasks task_id: a random UUID, on both addresses', async () => {
  // A failure that may pass is tried again, which takes seconds: they pass during the tests before that of errors.
  failing = orderDamaged();
  const ids = new Set<string>();
  for (const address of Object.values(ADDRESSES)) {
    const { task_id: id } = await order('bandmath', small(), address);
    assert.match(id, UUID);
    ids.add(id);
    await pollToEnd(id);
  }
  assert.equal(ids.size, 2);
  for (const id of ['0', crypto.randomUUID()]) {
    for (const method of ['GET', 'DELETE'] as const) {
      for (const address of Object.values(ADDRESSES)) {
        const response = await call(`${address}/${id}`, { method });
        assert.equal(response.status, 404);
        assert.equal((await read(response)).code, 'unknown-task');
      }
    }
  }
});

test('tasks authentication: the download address answers this status at creation', async () => {
  const body = await order('bandmath', small({ reference: 'mine' }));
  assert.deepEqual(Object.keys(body).toSorted(), ['estimated_bytes', 'reference', 'status', 'task_id']);
  assert.deepEqual([body.status, body.reference], ['authentication', 'mine']);
});

test('tasks created: the statistics address answers this status at creation', async () => {
  const body = await order('bandmath', small({ reference: 'mine too' }), ADDRESSES.statistics);
  assert.deepEqual(body, {
    status: 'created',
    task_id: body.task_id,
    req_id: body.req_id,
    task_timeout: 172_800,
    reference: 'mine too',
    estimated_bytes: body.estimated_bytes,
  });
});

test('tasks req_id: a string that identifies the request', async () => {
  const { req_id: id } = await order('bandmath', small(), ADDRESSES.statistics);
  assert.match(String(id), UUID);
});

test('tasks task_timeout: seconds, two days', async () => {
  assert.equal((await order('bandmath', small(), ADDRESSES.statistics)).task_timeout, 172_800);
});

test('tasks status: both addresses accept all types and refuse an unknown one', async () => {
  for (const [address, status] of [
    [ADDRESSES.download, 'authentication'],
    [ADDRESSES.statistics, 'created'],
    [`${ADDRESSES.download}/`, 'authentication'],
    [`${ADDRESSES.statistics}/`, 'created'],
  ] as const) {
    for (const [type, more] of [
      ['lbe', { bands: ['B04'] }],
      ['bandmath', {}],
      ['jpeg', {}],
    ] as const) {
      assert.equal((await order(type, small(more), address)).status, status);
    }
    const response = await call(address, { body: { type: 'gif', params: small() } });
    assert.equal(response.status, 400);
    assert.equal((await read(response)).code, 'bad-type');
  }
  for (const body of [[], {}, { type: 'lbe' }, { type: 'lbe', params: null }, { params: small() }]) {
    assert.equal((await call(ADDRESSES.download, { body })).status, 400, JSON.stringify(body));
  }
});

test('tasks reference: the same reference with the same body is the same task, otherwise a new one', async () => {
  const params = small({ reference: 'field 7' });
  const first = await order('bandmath', params);
  assert.equal((await order('bandmath', params)).task_id, first.task_id);
  assert.equal((await order('bandmath', params, ADDRESSES.statistics)).task_id, first.task_id);
  await pollToEnd(first.task_id);
  assert.equal((await order('bandmath', params)).task_id, first.task_id, 'also when it is finished');
  const other = await order('bandmath', { ...params, bm_type: 'B03' });
  assert.notEqual(other.task_id, first.task_id);
  assert.equal(other.reference, 'field 7');
  const [made, again] = [await order('bandmath', small()), await order('bandmath', small())];
  assert.ok(made.reference !== again.reference && made.task_id !== again.task_id);
  assert.equal((await order('bandmath', small({ reference: 12 }))).reference, '12');
  assert.equal(await orderRefused('bandmath', small({ reference: 'x'.repeat(201) })), 'bad-reference');
});

test('tasks estimated_bytes: the expected file size is known before the file is made', async () => {
  const { estimated_bytes: few } = await order('jpeg', small());
  const { estimated_bytes: many } = await order('jpeg', small({ px_size: 1 }));
  assert.ok((few as number) > 0 && (many as number) > 50 * (few as number), `${few} ${many}`);
});

test('tasks started: a poll says that the task is running, and its progress', async () => {
  const { task_id: id } = await order('jpeg', { ...large(), reference: 'long' });
  const first = await read(await poll(id));
  const { token, client_id: client, download_id: download, queued, ...body } = first;
  assert.deepEqual(body, {
    task_type: 'started',
    type: 'jpeg',
    reference: 'long',
    result_url: null,
    progress: 0,
  });
  assert.ok(typeof token === 'string' && token.length > 10 && typeof queued === 'boolean');
  assert.ok(Number.isSafeInteger(client) && Number.isSafeInteger(download));
  // Blocks done of those planned.
  const readProgress = async () => (await read(await poll(id))).progress as number;
  await waitFor(async () => (await readProgress()) > 0);
  assert.ok((await readProgress()) < 1);
  assert.equal((await call(`/api/${id}`, { method: 'DELETE' })).status, 204);
});

test('tasks DELETE: it cancels an open task, and removes one that has ended', async () => {
  const { task_id: id } = await order('jpeg', { ...large(), reference: 'cancelled' });
  // The poll of the statistics address is held until the task is over.
  const held = poll(id, ADDRESSES.statistics);
  assert.equal((await call(`/api/${id}`, { method: 'DELETE', apiKey: null })).status, 401);
  const startedMs = performance.now();
  assert.equal((await call(`/api/gdw/api/${id}`, { method: 'DELETE' })).status, 204);
  const deletedMs = performance.now();
  const answered = await held;
  // As soon as the answer to the deletion, or soon after it on a slow machine.
  const soonMs = 5_000 + 5 * (deletedMs - startedMs);
  assert.ok(performance.now() - deletedMs < soonMs, 'it was held for 10 seconds');
  const { error_status, task_type } = await read(answered);
  assert.deepEqual([answered.status, error_status, task_type], [200, 'cancelled', 'error']);
  const over = await read(await poll(id));
  assert.deepEqual([over.task_type, over.error_status], ['error', 'cancelled']);
  const again = await order('jpeg', small({ reference: 'cancelled' }));
  assert.notEqual(again.task_id, id);
  const { url } = await makeFile('jpeg', small({ reference: 'removed' }));
  const { task_id: made } = await order('jpeg', small({ reference: 'removed' }));
  for (const status of [204, 404]) {
    assert.equal((await call(`/api/${made}`, { method: 'DELETE' })).status, status);
  }
  assert.equal((await poll(made)).status, 404);
  assert.equal((await call(url, { apiKey: null })).status, 404, 'its file is gone too');
});

test('tasks api_key: creation, polls and DELETE need one', async () => {
  const { task_id: id } = await order('bandmath', small());
  for (const address of Object.values(ADDRESSES)) {
    for (const [apiKey, status] of [
      [null, 401],
      ['wrong', 403],
    ] as const) {
      const body = { type: 'bandmath', params: small() };
      assert.equal((await call(address, { body, apiKey })).status, status);
      assert.equal((await call(`${address}/${id}`, { apiKey })).status, status);
      assert.equal((await call(`${address}/${id}`, { method: 'DELETE', apiKey })).status, status);
    }
  }
  assert.equal((await pollToEnd(id)).response.status, 303, 'nothing of it changed the task');
});

test('tasks area: exactly one of bbox, geometry and cropper_ref; none, or a bbox of null, is the full scene', async () => {
  const band = await readBand('s2', 'B04');
  const bbox = boxAround(band, { left: 2, top: 2, right: 20, bottom: 20 });
  const { geometry } = toFeature(ringAround(band, [2, 2], [20, 20]));
  const cropper_ref = '0'.repeat(32);
  for (const [type, more] of [
    ['lbe', { bands: ['B04'] }],
    ['bandmath', {}],
    ['jpeg', {}],
  ] as const) {
    for (const areas of [
      { bbox, geometry },
      { bbox, cropper_ref },
      { geometry, cropper_ref },
      { bbox, geometry, cropper_ref },
    ]) {
      assert.equal(await orderRefused(type, small({ ...more, ...areas })), 'several-areas');
    }
    for (const bad of [[1, 2, 3], 'x', [3, 2, 1, 0], [0, 0, 0, 100]]) {
      assert.equal(await orderRefused(type, small({ ...more, bbox: bad })), 'bad-bbox');
    }
    assert.equal(
      await orderRefused(type, small({ ...more, geometry: { type: 'Point', coordinates: [0, 0] } })),
      'area-type',
    );
    const far = await orderRefused(type, small({ ...more, bbox: [10, 10, 11, 11] }));
    assert.equal(far, 'area-outside-scene');
    const whole = await order(type, small({ ...more, bbox: null, geometry: null, cropper_ref: null }));
    assert.equal((await pollToEnd(whole.task_id)).response.status, 303);
  }
});

test('tasks cropper_ref not found: 404', async () => {
  const params = small({ cropper_ref: '0'.repeat(32) });
  assert.equal(await orderRefused('bandmath', params, 404), 'unknown-area');
});

test('tasks error: 200 with error_status and error_message, on both addresses', async () => {
  const id = await failing;
  await pollToEnd(id);
  const response = await poll(id);
  assert.equal(response.status, 200);
  const body = await read(response);
  assert.deepEqual(Object.keys(body).toSorted(), [
    ...['client_id', 'download_id', 'error_message', 'error_status', 'reference', 'task_type', 'token'],
    'type',
  ]);
  assert.deepEqual([body.task_type, body.type, body.reference], ['error', 'bandmath', 'fails']);
  assert.match(String(body.error_status), /^(source|tiff)-/);
  assert.ok(String(body.error_message).length > 10);
  const other = await poll(id, ADDRESSES.statistics);
  assert.equal(other.status, 200);
  const { status, task_type, error_message: message, result } = await read(other);
  assert.deepEqual([status, task_type, message], ['finished', 'error', body.error_message]);
  assert.equal(result, undefined);
  const again = await order('bandmath', {
    view_id: sceneOf('modis').viewId,
    bm_type: 'B07qa',
    reference: 'fails',
  });
  assert.notEqual(again.task_id, id, 'a task that failed can be ordered again');
  assert.equal((await call(`/api/${again.task_id}`, { method: 'DELETE' })).status, 204);
});

test('tasks callback_url: it may be next to type or in params, on both addresses; only public addresses are allowed', async () => {
  // A name that never exists: nothing is sent, and the poll says why.
  const url = 'https://hooks.invalid/done';
  for (const address of Object.values(ADDRESSES)) {
    for (const body of [
      { type: 'bandmath', callback_url: url, params: small() },
      { type: 'bandmath', params: small({ callback_url: url }) },
    ]) {
      const response = await call(address, { body });
      assert.equal(response.status, 202);
      const { task_id: id } = (await read(response)) as { task_id: string };
      const { body: polled } = await pollToEnd(id);
      const { state } = polled.callback as { state: string };
      assert.ok(['waiting', 'retrying'].includes(state), state);
    }
  }
  for (const wrong of [
    'http://127.0.0.1/',
    'http://169.254.169.254/',
    'ftp://hooks.invalid/',
    'x',
    'https://a@b.invalid/',
  ])
    assert.equal(await orderRefused('bandmath', small({ callback_url: wrong })), 'bad-callback-url', wrong);
});

test('tasks error: the message names an invalid bm_type, bands or geometry, on both addresses and in an estimate', async () => {
  const bow = [
    [2, 42],
    [3, 43],
    [3, 42],
    [2, 43],
    [2, 42],
  ];
  const geometry = { type: 'Polygon', coordinates: [bow] };
  const { viewId } = sceneOf('s2');
  const period = { sensors: 'sentinel2', date_start: '2026-01-01', date_end: '2026-12-31' };
  const good = { type: 'Polygon', coordinates: [bow.toSpliced(1, 2, [3, 42], [3, 43])] };
  for (const [type, params, named] of [
    ['lbe', { view_id: viewId, bands: ['B04', 'nothing'] }, /^bands: .*"nothing"/],
    ['lbe', { view_id: viewId, bands: ['B04', 'B04'] }, /^bands: .*named twice/],
    ['lbe', { view_id: viewId, bands: ['B04'], geometry }, /^geometry: .*crosses itself/],
    ['bandmath', { view_id: viewId, bm_type: 'B04+' }, /^bm_type: .*character 5/],
    ['bandmath', { view_id: viewId, bm_type: '1+1' }, /^bm_type: .*names no band/],
    ['bandmath', { view_id: viewId, bm_type: 'B04', geometry }, /^geometry: .*crosses itself/],
    ['bandmath', { view_id: viewId, bm_type: 'B04', geometry: 'field' }, /^geometry: /],
    ['jpeg', { view_id: viewId, bm_type: 'B04,B03' }, /^bm_type: .*2 are given/],
    ['jpeg', { view_id: viewId, bm_type: 'PS:B04' }, /^bm_type: PS: takes one band or three/],
    ['jpeg', { view_id: viewId, bm_type: 'B04', geometry }, /^geometry: .*crosses itself/],
    ['mt_stats', { ...period, bm_type: 'B04+', geometry: good }, /^bm_type: .*character 5/],
    ['mt_stats', { ...period, bm_type: 'NDVI', geometry }, /^geometry: .*crosses itself/],
  ] as const) {
    for (const address of [...Object.values(ADDRESSES), '/api/tasks/estimate']) {
      const response = await call(address, { body: { type, params } });
      const body = await read(response);
      const told = `${address} ${type} ${JSON.stringify(params)}: ${JSON.stringify(body)}`;
      if (type === 'mt_stats' && address !== '/api/tasks/estimate') {
        assert.equal(response.status, 202, told);
        const { body: ended } = await pollToEnd(String(body.task_id));
        assert.match(JSON.stringify(ended.errors), new RegExp(named.source.replace('^', '"')), told);
      } else {
        assert.ok(response.status === 400 || response.status === 422, told);
        assert.match(String(body.error), named, told);
      }
    }
  }
  for (const [more, named] of [
    [{ expressions: 'B04+', geometry: good }, /^expressions: /],
    [{ expressions: Array(11).fill('NDVI'), geometry: good }, /^expressions has 11 indices/],
    [{ expressions: 'NDVI', geometry }, /^geometry: /],
  ] as const) {
    const response = await call('/api/statistics', { body: { ...period, ...more } });
    const body = await read(response);
    assert.equal(response.status, 400, JSON.stringify(body));
    assert.match(String(body.error), named);
  }
});
