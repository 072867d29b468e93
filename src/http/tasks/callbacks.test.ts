import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAreas } from '../../library/index.ts';
import { makeMemoryAreas, unlimitedAreas } from '../../library/testing/memory-library.ts';
import type { AddressPolicy } from '../../net/index.ts';
import { HOSTILE_ADDRESSES } from '../../net/testing/hostile-addresses.ts';
import type { Callback, Lease } from '../../tasks/index.ts';
import { toCallbackBody } from '../index.ts';
import { makeTestApp, OTHER_KEY, otherRecord, readError } from '../testing/make-test-app.ts';
import { FILE, openTaskServices } from './testing/make-task-service.ts';

const PUBLIC: AddressPolicy = { allowHttp: true, ports: [80, 443] };
const HOOK = 'https://hooks.example.org/done?token=t';
const params = { view_id: 'S2/31/T/DH/2026/6/21/0', bm_type: 'NDVI', reference: 'r' };

const toResultLink = async (id: string, name: string): Promise<string> => `/api/results/${id}/${name}?s=1`;

/** Routes over a real store of tasks. */
async function makeService(callbackPolicy: AddressPolicy | null = PUBLIC) {
  const { services, ...opened } = await openTaskServices({
    limits: { openPerOwner: 1e6 },
    stopping: AbortSignal.abort(),
  });
  const app = makeTestApp({
    areas: makeAreas({ ...unlimitedAreas, store: makeMemoryAreas().store }),
    records: [otherRecord],
    tasks: { ...services, callbackPolicy, toResultLink },
  });
  const order = async (more: object, path = '/api'): Promise<string> => {
    const response = await app.post(path, { type: 'bandmath', params, ...more });
    assert.equal(response.status, 202, await response.clone().text());
    return ((await response.json()) as { task_id: string }).task_id;
  };
  const poll = async (path: string) =>
    (await (await app.call(path, { redirect: 'manual' })).json()) as Record<string, unknown>;
  const lease = async (): Promise<Lease> => {
    const [leased] = await opened.store.lease({ worker: 'w', max: 1, leaseMs: 60_000 });
    return leased?.lease ?? assert.fail('nothing is queued');
  };
  const take = async () =>
    (await opened.callbacks.lease({
      leaseMs: 60_000,
      maxAttempts: 5,
      lost: { status: null, error: 'interrupted' },
      exceptOwners: [],
    })) ?? assert.fail('nothing is due');
  return { ...app, ...opened, order, poll, lease, take };
}

test('callback_url is accepted next to type and in params, on both addresses, and stored with the task', async () => {
  await using service = await makeService();
  const find = async (id: string): Promise<Callback> =>
    (await service.callbacks.find(id)) ?? assert.fail('no callback');
  const first = await find(await service.order({ callback_url: HOOK }));
  assert.deepEqual(
    [first.url, first.form, first.publicUrl, first.state],
    [HOOK, 'download', 'http://swath.test', 'waiting'],
  );
  const inside = { params: { ...params, callback_url: 'HTTP://Hooks.example.org:80/%7Ea#part' } };
  const second = await find(await service.order(inside, '/api/gdw/api'));
  assert.deepEqual([second.url, second.form], ['http://hooks.example.org/%7Ea', 'statistics']);
  for (const callback_url of [null, '', undefined]) {
    assert.equal(await service.callbacks.find(await service.order({ callback_url })), null);
  }
});

test('the same order with the same callback is the same task; another callback makes another task', async () => {
  await using service = await makeService();
  const ids = [];
  for (const callback_url of [HOOK, HOOK, `${HOOK}2`, null]) ids.push(await service.order({ callback_url }));
  assert.equal(ids[0], ids[1]);
  assert.equal(new Set(ids).size, 3);
});

test('a poll reports the state of the callback', async () => {
  await using service = await makeService();
  const id = await service.order({ callback_url: HOOK });
  const read = async () => (await service.poll(`/api/${id}`)).callback;
  const waiting = {
    state: 'waiting',
    attempts: 0,
    last_status: null,
    last_error: null,
    next_attempt_at: null,
    delivered_at: null,
  };
  assert.deepEqual(await read(), waiting);
  await service.store.finish(await service.lease(), FILE);
  const { lease } = await service.take();
  await service.callbacks.fail(lease, { status: null, error: 'address-not-allowed' }, 1);
  const retrying = (await read()) as { next_attempt_at: string };
  assert.match(retrying.next_attempt_at, /^\d{4}-\d\d-\d\dT/);
  // Which names of our own network exist is not for callers to know.
  assert.deepEqual(retrying, {
    ...waiting,
    state: 'retrying',
    attempts: 1,
    last_error: 'unreachable',
    next_attempt_at: retrying.next_attempt_at,
  });
  await service.callbacks.fail(lease, { status: 500, error: null }, null);
  assert.deepEqual(await read(), { ...waiting, state: 'failed', attempts: 1, last_status: 500 });
  const next = await service.order({ callback_url: `${HOOK}y` });
  await service.store.finish(await service.lease(), FILE);
  await service.callbacks.deliver((await service.take()).lease, 204);
  const delivered = (await service.poll(`/api/${next}`)).callback as { delivered_at: string };
  assert.equal(typeof delivered.delivered_at, 'string');
  assert.equal((await service.call(`/api/${id}`, { key: OTHER_KEY })).status, 404);
  const cancelled = await service.order({ callback_url: `${HOOK}x` });
  assert.equal((await service.call(`/api/${cancelled}`, { method: 'DELETE' })).status, 204);
  assert.deepEqual((await service.poll(`/api/${cancelled}`)).callback, { ...waiting, state: 'cancelled' });
});

test('the message equals the answer to a poll on the same address, with absolute links', async () => {
  await using service = await makeService();
  for (const [path, end] of [
    ['/api', 'finish'],
    ['/api/gdw/api', 'finish'],
    ['/api', 'fail'],
    ['/api/gdw/api', 'fail'],
  ] as const) {
    const id = await service.order({ callback_url: `${HOOK}${path}${end}` }, path);
    const lease = await service.lease();
    if (end === 'fail') await service.store.fail(lease, { code: 'broken', message: 'It is broken.' }, null);
    else
      await service.store.finish(lease, {
        kind: 'file',
        blobKey: 'b',
        fileName: 'a.TIF',
        contentType: 'image/tiff',
        bytes: 1,
        etag: 'e',
      });
    const { callback } = await service.take();
    const { findDocument } = service.store;
    const task = (await service.store.find(id)) ?? assert.fail('no task');
    const message = JSON.parse(
      await toCallbackBody(task, callback, { toResultLink, findDocument, writeDocument: assert.fail }),
    ) as Record<string, unknown>;
    const { callback: _state, ...polled } = await service.poll(`${path}/${id}`);
    assert.deepEqual(message, polled);
    const link = `http://swath.test/api/results/${id}/a.TIF?s=1`;
    assert.equal(message.result_url, end === 'finish' ? link : undefined);
  }
});

test(`${HOSTILE_ADDRESSES.length} hostile addresses are refused when ordered, except host names, which are checked when called`, async () => {
  await using service = await makeService({ ...PUBLIC, ports: [80, 443, 8080] });
  // What its name leads to is checked when it is called.
  const isName = /^http:\/\/(?!user|.*@)[^[\]]*(?:\.example)[:/]/i;
  let refused = 0;
  for (const row of HOSTILE_ADDRESSES) {
    const callback_url = row.replaceAll('PORT', '8080');
    if (callback_url === '') continue;
    const response = await service.post('/api', { type: 'bandmath', params, callback_url });
    if (response.status === 202) {
      assert.match(callback_url, isName);
      continue;
    }
    assert.equal(response.status, 400, callback_url);
    const { code, error } = await readError(response);
    assert.equal(code, 'bad-callback-url', callback_url);
    assert.match(error, /^callback_url must be /);
    refused += 1;
  }
  assert.ok(refused >= 80, `${refused} refused`);
});

test('a callback_url must be a string of at most 2048 characters with an allowed host', async () => {
  await using service = await makeService({ ...PUBLIC, hosts: ['hooks.example.org'] });
  const codeOf = async (callback_url: unknown): Promise<string> => {
    const response = await service.post('/api', { type: 'bandmath', params, callback_url });
    return response.status === 202 ? 'taken' : (await readError(response)).code;
  };
  const long = (length: number): string => HOOK.padEnd(length, 'x');
  assert.equal(await codeOf(long(2_048)), 'taken');
  for (const wrong of [
    long(2_049),
    7,
    {},
    [HOOK],
    true,
    'https://other.example.org/',
    'https://hooks.example.org:8443/',
  ])
    assert.equal(await codeOf(wrong), 'bad-callback-url', String(wrong).slice(0, 50));
});

test('a service without callbacks refuses a callback_url, and accepts orders without one', async () => {
  await using service = await makeService(null);
  const response = await service.post('/api', { type: 'bandmath', params, callback_url: HOOK });
  assert.equal(response.status, 400);
  assert.match((await readError(response)).error, /sends no callbacks/);
  await service.order({});
});
