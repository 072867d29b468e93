import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OTHER_KEY, readError, TEST_KEY } from '../testing/make-test-app.ts';
import { createTask, FILE, leaseTask, makeTaskService, VIEW_ID } from './testing/make-task-service.ts';

test('the list has the tasks of the key, by type and page, with their links and end times', async () => {
  await using service = await makeTaskService();
  const read = async (query = '', key = TEST_KEY) => {
    const response = await service.call(`/api/tasks${query}`, { key });
    assert.equal(response.headers.get('cache-control'), 'no-store');
    return (await response.json()) as { tasks: Record<string, unknown>[]; next: string | null };
  };
  const order = (type: string, reference: string, more: object = {}) =>
    createTask(service, { type, params: { view_id: VIEW_ID, bm_type: 'NDVI', reference, ...more } });
  const first = await order('bandmath', 'first');
  const second = await order('jpeg', 'second');
  const third = await order('lbe', 'third', { bands: ['B04'] });
  await service.store.finish(await leaseTask(service), FILE);
  await service.store.fail(
    await leaseTask(service),
    { code: 'no-space', message: 'The disk is full.' },
    null,
  );
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
