import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OTHER_KEY, READER_KEY, readError, TEST_KEY } from '../testing/make-test-app.ts';
import { createTask, indexOrder, makeTaskService, VIEW_ID } from './testing/make-task-service.ts';

test('the same reference with the same body is the same task; with another body, or no reference, a new one', async () => {
  await using service = await makeTaskService();
  const first = await createTask(service);
  assert.equal((await createTask(service)).task_id, first.task_id);
  assert.equal((await createTask(service, indexOrder, '/api/gdw/api')).task_id, first.task_id);
  const other = { ...indexOrder, params: { ...indexOrder.params, bm_type: 'NDWI' } };
  assert.notEqual((await createTask(service, other)).task_id, first.task_id);
  const { reference: _, ...params } = indexOrder.params;
  const made = await createTask(service, { ...indexOrder, params });
  assert.match(String(made.reference), /^[0-9a-f-]{36}$/);
  assert.notEqual((await createTask(service, { ...indexOrder, params })).task_id, made.task_id);
});

test('only its own key can see and delete a task, and a read-only key cannot order one', async () => {
  await using service = await makeTaskService();
  const { task_id: id } = await createTask(service);
  const statusOf = async (method: string, path: string, key: string | null): Promise<number> => {
    const body = method === 'POST' ? JSON.stringify(indexOrder) : null;
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

test('another key with the same reference and body gets its own task', async () => {
  await using service = await makeTaskService();
  const { task_id: id } = await createTask(service);
  const theirs = await service.call('/api', {
    method: 'POST',
    body: JSON.stringify(indexOrder),
    key: OTHER_KEY,
  });
  assert.notEqual(((await theirs.json()) as { task_id: string }).task_id, id);
});

test('malformed and unknown ids get the same 404', async () => {
  await using service = await makeTaskService();
  for (const id of ['x', '%00', '0'.repeat(36), '00000000-0000-4000-8000-000000000000', 'constructor']) {
    for (const method of ['GET', 'DELETE']) {
      const response = await service.call(`/api/${id}`, { method });
      assert.equal(response.status, 404, id);
      assert.equal((await readError(response)).code, 'unknown-task');
    }
  }
});

test('too many open tasks are 429, too many stored bytes 402', async () => {
  await using few = await makeTaskService({ openPerOwner: 1 });
  await createTask(few);
  const refused = await few.post('/api', {
    ...indexOrder,
    params: { ...indexOrder.params, reference: 'other' },
  });
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.match((await readError(refused)).error, /1 tasks that are not finished, and may have 1/);
  await using small = await makeTaskService({ bytesPerOwner: 999 });
  const full = await small.post('/api', indexOrder);
  assert.equal(full.status, 402);
  assert.equal((await readError(full)).code, 'task-storage-full');
});

test('an estimate validates like an order, and stores nothing', async () => {
  await using service = await makeTaskService({ openPerOwner: 0 });
  const estimated = await service.post('/api/tasks/estimate', indexOrder);
  assert.deepEqual(
    [estimated.status, await estimated.json()],
    [200, { estimated_bytes: 1_000, file_name: 'a.TIF' }],
  );
  assert.equal((await service.store.list({ limit: 9 })).length, 0);
  const wrong = await service.post('/api/tasks/estimate', { type: 'jpeg', params: { view_id: VIEW_ID } });
  assert.equal((await readError(wrong)).code, 'bad-bm-type');
});
