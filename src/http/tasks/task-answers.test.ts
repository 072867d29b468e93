import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTask, FILE, indexOrder, leaseTask, makeTaskService } from './testing/make-task-service.ts';

test('the download address answers created, started and finished as the interface documents', async () => {
  await using service = await makeTaskService();
  const { status, task_id, ...more } = await createTask(service);
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
  const leased = await leaseTask(service);
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

test('the statistics address has its own answers, and holds polls until the task ends', async () => {
  await using service = await makeTaskService();
  const created = await createTask(service, indexOrder, '/api/gdw/api/');
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
  const leased = await leaseTask(service);
  await service.store.finish(leased, FILE);
  const answered = await held;
  assert.equal(answered.status, 303);
  assert.equal(((await answered.json()) as { status: string }).status, 'finished');
});

test('the statistics address answers created or started when it stops holding a poll', async () => {
  // A service that shuts down answers at once.
  await using service = await makeTaskService({}, undefined, AbortSignal.abort());
  const { task_id: id } = await createTask(service, indexOrder, '/api/gdw/api');
  const poll = async () => (await service.call(`/api/gdw/api/${id}`)).json();
  assert.deepEqual(await poll(), { status: 'created', task_id: id, reference: 'r1', progress: 0 });
  await service.store.renew(await leaseTask(service), { done: 1, total: 2 }, 60_000);
  assert.deepEqual(await poll(), { status: 'started', task_id: id, reference: 'r1', progress: 0.5 });
});

test('a failed task says why and a cancelled one that it was cancelled, on both addresses', async () => {
  await using service = await makeTaskService();
  const { task_id: id } = await createTask(service);
  await service.store.fail(
    await leaseTask(service),
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
  const { task_id: next } = await createTask(service, {
    ...indexOrder,
    params: { ...indexOrder.params, reference: 'r2' },
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
