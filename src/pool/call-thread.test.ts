import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { makeCallThread } from './call-thread.ts';
import type { JobType } from './job.ts';
import type { EchoCalls } from './testing/echo-worker.ts';

type OwnCalls = { double: JobType<number, number> };

function startEcho(t: TestContext) {
  const deaths: unknown[] = [];
  const thread = makeCallThread<OwnCalls, EchoCalls>({
    script: new URL('./testing/echo-worker.ts', import.meta.url),
    settings: { word: 'hello' },
    handlers: { double: async (value) => 2 * value },
    heapLimitMb: 128,
    onDeath: (error) => deaths.push(error),
  });
  // Calls do not hold the process open: in the service a request does.
  const request = setInterval(() => {}, 60_000);
  t.after(async () => {
    clearInterval(request);
    await thread.close();
  });
  return { thread, deaths };
}

test('calls in both directions are answered, also while others wait', async (t) => {
  const { thread } = startEcho(t);
  const controller = new AbortController();
  const forever = thread.call('wait', null, controller.signal);
  assert.equal(await thread.call('greet', 'you'), 'hello you');
  assert.equal(await thread.call('quadruple', 3), 12);
  controller.abort();
  await assert.rejects(forever, { code: 'cancelled' });
  await thread.call('seen-abort', null);
});

test('bytes are moved, and errors keep their code', async (t) => {
  const { thread } = startEcho(t);
  assert.deepEqual(await thread.call('bytes', 3), new Uint8Array([0, 1, 2]));
  await assert.rejects(thread.call('refuse', 'no such thing'), { code: 'refused', message: 'no such thing' });
});

test('a thread that dies fails its calls, and the next call starts another one', async (t) => {
  const { thread, deaths } = startEcho(t);
  await assert.rejects(thread.call('die', null), { code: 'thread-lost' });
  assert.equal(await thread.call('greet', 'again'), 'hello again');
  assert.equal(deaths.length, 1);
});
