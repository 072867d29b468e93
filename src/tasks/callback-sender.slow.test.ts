import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { PostedMessage } from '../net/index.ts';
import { makeGuardedFetch } from '../net/index.ts';
import { resolveByTable, startCanary } from '../net/testing/canary.ts';
import { HOSTILE_ADDRESSES } from '../net/testing/hostile-addresses.ts';
import { waitFor } from '../testing/wait-for.ts';
import type { Callback } from './callback.ts';
import type { CallbackEnd } from './callback-sender.ts';
import { startCallbackSender } from './callback-sender.ts';
import { newTask, openTasks, ROOM } from './testing/open-tasks.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly method: string | undefined;
  readonly body: string;
}

/** A receiver that answers each request by a function, the last one for all that follow. */
async function startReceiver(...answers: ((response: ServerResponse) => void)[]) {
  const received: Received[] = [];
  const server: Server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      received.push({ headers: request.headers, method: request.method, body });
      answers[Math.min(received.length, answers.length) - 1]?.(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    received,
    port,
    url: `http://127.0.0.1:${port}/hook?token=t`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const answer =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, headers).end('{}');

interface Ended {
  readonly callback: Callback;
  readonly end: CallbackEnd;
  readonly posted: PostedMessage | null;
}

/** A store with a sender over it. */
async function makeSending(
  port: number,
  {
    totalMs = 60_000,
    leaseMs = 60_000,
    firstDelayMs = 1,
  }: {
    readonly totalMs?: number | undefined;
    readonly leaseMs?: number;
    readonly firstDelayMs?: number;
  } = {},
) {
  const opened = await openTasks();
  const ended: Ended[] = [];
  const failures: unknown[] = [];
  const policy = { allowHttp: true, ports: [port], privateNetworks: ['127.0.0.0/8'] };
  const start = () =>
    startCallbackSender({
      store: opened.callbacks,
      tasks: opened.store,
      toBody: async ({ id, state }, { form }) => JSON.stringify({ id, state, form, text: 'Grüße' }),
      findSecret: async (owner) => `secret of ${owner}`,
      fetch: makeGuardedFetch({ policy, timeouts: { headersMs: totalMs, totalMs } }),
      userAgent: 'swath/test',
      leaseMs,
      firstDelayMs,
      lookMs: 10,
      perMinute: 1_000,
      events: {
        onEnd: (callback, end, posted) => void ended.push({ callback, end, posted }),
        onFailure: (error) => void failures.push(error),
      },
    });
  /** Stores a task with a callback and finishes it; its id. */
  async function finishOne(url: string, owner = 'key 1'): Promise<string> {
    const task = newTask({ owner });
    await opened.store.create(task, ROOM, { url, form: 'download', publicUrl: 'http://swath.test' });
    const [leased] = await opened.store.lease({ worker: 'w', max: 1, leaseMs: 60_000 });
    await opened.store.finish(leased?.lease ?? assert.fail('nothing is queued'), {
      kind: 'document',
      document: {},
    });
    return task.id;
  }
  const until = async (id: string, ...states: string[]): Promise<Callback> => {
    let found: Callback | null = null;
    await waitFor(async () => {
      found = await opened.callbacks.find(id);
      return states.includes(found?.state ?? '');
    });
    return found as unknown as Callback;
  };
  return { ...opened, start, finishOne, until, ended, failures };
}

test('a finished task sends one signed callback, with the message exactly as signed', async () => {
  await using receiver = await startReceiver(answer(204));
  await using sending = await makeSending(receiver.port);
  const sender = sending.start();
  const id = await sending.finishOne(receiver.url);
  const { state, attempts, lastStatus, deliveredAt } = await sending.until(id, 'delivered');
  assert.deepEqual([state, attempts, lastStatus], ['delivered', 1, 204]);
  assert.ok(deliveredAt);
  const [{ method, headers, body } = assert.fail('nothing came')] = receiver.received;
  assert.equal(method, 'POST');
  assert.deepEqual(JSON.parse(body), { id, state: 'finished', form: 'download', text: 'Grüße' });
  const sign = (text: string) => createHmac('sha256', 'secret of key 1').update(text).digest('hex');
  assert.equal(headers['x-swath-signature'], `sha256=${sign(body)}`);
  const timestamp = headers['x-swath-timestamp'];
  assert.ok(Math.abs(Number(timestamp) - Date.now() / 1_000) < 600);
  assert.equal(headers['x-swath-timestamp-signature'], `sha256=${sign(`${timestamp}.${body}`)}`);
  assert.deepEqual(
    [headers['content-type'], headers['x-swath-task'], headers['x-swath-attempt'], headers['user-agent']],
    ['application/json', id, '1', 'swath/test'],
  );
  await sender.stop({ drainMs: 0 });
  assert.equal(receiver.received.length, 1);
  assert.deepEqual(sending.failures, []);
});

test('a failed callback is retried until the receiver accepts it', async () => {
  await using receiver = await startReceiver(answer(500), answer(404), answer(201));
  await using sending = await makeSending(receiver.port);
  const sender = sending.start();
  const { attempts, lastStatus } = await sending.until(await sending.finishOne(receiver.url), 'delivered');
  assert.deepEqual([attempts, lastStatus], [3, 201]);
  assert.deepEqual(
    receiver.received.map(({ headers }) => headers['x-swath-attempt']),
    ['1', '2', '3'],
  );
  await sender.stop({ drainMs: 0 });
  assert.deepEqual(
    sending.ended.map(({ end }) => end),
    ['retried', 'retried', 'delivered'],
  );
});

const failing: Readonly<
  Record<
    string,
    {
      readonly answer: (response: ServerResponse) => void;
      readonly last: readonly [number | null, string | null];
      readonly totalMs?: number;
    }
  >
> = {
  'an error': { answer: answer(500), last: [500, null] },
  'a redirect': { answer: answer(302, { location: '/elsewhere' }), last: [null, 'redirected'] },
  silence: { answer: () => {}, last: [null, 'timed-out'], totalMs: 100 },
  'a connection that breaks': {
    answer: (response) => void response.socket?.destroy(),
    last: [null, 'unreachable'],
  },
};

for (const [what, { answer: given, last, totalMs }] of Object.entries(failing)) {
  test(`${what} in five attempts fails the callback`, async () => {
    await using receiver = await startReceiver(given);
    await using sending = await makeSending(receiver.port, { totalMs });
    const sender = sending.start();
    const failed = await sending.until(await sending.finishOne(receiver.url), 'failed');
    assert.deepEqual([failed.attempts, failed.nextAttemptAt], [5, null]);
    assert.deepEqual([failed.lastStatus, failed.lastError], last);
    await sender.stop({ drainMs: 0 });
    // On a busy machine an attempt may time out before its request has come.
    const expected = totalMs === undefined ? 5 : Math.min(5, receiver.received.length);
    assert.equal(
      receiver.received.length,
      expected,
      'no redirect is followed, and nothing is sent a sixth time',
    );
    assert.deepEqual(sending.failures, []);
  });
}

test('a callback with an endless answer is delivered by its status, and the body is not read', async () => {
  let written = 0;
  await using receiver = await startReceiver((response) => {
    response.writeHead(200);
    const part = Buffer.alloc(65_536);
    const write = (): void => {
      while (!response.destroyed && response.write(part)) written += part.length;
      written += part.length;
    };
    response.on('drain', write);
    write();
  });
  await using sending = await makeSending(receiver.port);
  const sender = sending.start();
  const id = await sending.finishOne(receiver.url);
  assert.equal((await sending.until(id, 'delivered')).lastStatus, 200);
  await sender.stop({ drainMs: 0 });
  // What the sockets of both sides hold is sent before the connection is cut.
  assert.ok(written < 64 * 2 ** 20, `${written} bytes`);
});

test('a slow receiver of one key does not delay the callbacks of another', async () => {
  await using slow = await startReceiver(() => {});
  await using receiver = await startReceiver(answer(200));
  await using sending = await makeSending(receiver.port);
  const policy = { allowHttp: true, ports: [slow.port, receiver.port], privateNetworks: ['127.0.0.0/8'] };
  const sender = startCallbackSender({
    store: sending.callbacks,
    tasks: sending.store,
    toBody: async () => '{}',
    findSecret: async () => 's',
    fetch: makeGuardedFetch({ policy, timeouts: { headersMs: 60_000, totalMs: 60_000 } }),
    userAgent: 'swath/test',
    leaseMs: 120_000,
    firstDelayMs: 1,
    lookMs: 10,
    perMinute: 1_000,
  });
  for (let i = 0; i < 20; i += 1) await sending.finishOne(slow.url, 'slow key');
  await waitFor(() => slow.received.length > 0);
  await sending.until(await sending.finishOne(receiver.url, 'other key'), 'delivered');
  assert.ok(slow.received.length <= 4, `${slow.received.length} at once`);
  await sender.stop({ drainMs: 0 });
  const listed = await sending.callbacks.list({ owner: 'slow key', limit: 100 });
  assert.ok(
    listed.every(({ state, attempts }) => state === 'waiting' && attempts === 0),
    'handed back',
  );
});

test('a callback in flight when its process stops is returned to the queue, and sent by the next process', async () => {
  await using receiver = await startReceiver(() => {}, answer(200));
  await using sending = await makeSending(receiver.port);
  const first = sending.start();
  const id = await sending.finishOne(receiver.url);
  await waitFor(() => receiver.received.length === 1);
  await first.stop({ drainMs: 1 });
  assert.deepEqual(
    sending.ended.map(({ end }) => end),
    ['released'],
  );
  const second = sending.start();
  assert.equal((await sending.until(id, 'delivered')).attempts, 1);
  await second.stop({ drainMs: 0 });
});

test('two senders over one store send each callback once', async () => {
  await using receiver = await startReceiver(answer(200));
  await using sending = await makeSending(receiver.port);
  const senders = [sending.start(), sending.start()];
  const ids = [];
  for (let i = 0; i < 20; i += 1) ids.push(await sending.finishOne(receiver.url, `key ${i % 3}`));
  for (const id of ids) await sending.until(id, 'delivered');
  await Promise.all(senders.map((sender) => sender.stop({ drainMs: 0 })));
  assert.deepEqual(
    receiver.received.map(({ headers }) => headers['x-swath-task']).toSorted(),
    ids.toSorted(),
  );
});

test(`${HOSTILE_ADDRESSES.length} hostile addresses in the store all fail, and none is reached`, async () => {
  const canary = await startCanary();
  await using sending = await makeSending(canary.port);
  const sender = startCallbackSender({
    store: sending.callbacks,
    tasks: sending.store,
    toBody: async () => '{}',
    findSecret: async () => 's',
    fetch: makeGuardedFetch({ policy: canary.openPolicy(), resolveName: resolveByTable }),
    userAgent: 'swath/test',
    leaseMs: 60_000,
    firstDelayMs: 1,
    lookMs: 10,
    perMinute: 1_000,
  });
  try {
    for (const row of HOSTILE_ADDRESSES) {
      const url = row.replaceAll('PORT', String(canary.port));
      const id = await sending.finishOne(url);
      const { lastStatus, lastError } = await sending.until(id, 'retrying', 'failed');
      assert.deepEqual([lastStatus, lastError], [null, 'address-not-allowed'], url);
    }
    assert.equal(canary.connections, 0);
  } finally {
    await sender.stop({ drainMs: 0 });
    canary.stop();
  }
});

test('a name that resolves to a public address first and a private one later is not called there', async () => {
  const canary = await startCanary();
  await using sending = await makeSending(canary.port);
  let asked = 0;
  const sender = startCallbackSender({
    store: sending.callbacks,
    tasks: sending.store,
    toBody: async () => '{}',
    findSecret: async () => 's',
    // 127.0.0.2 stands for a public address: it is allowed here, and nothing listens there.
    fetch: makeGuardedFetch({
      policy: canary.openPolicy({ privateNetworks: ['127.0.0.2/32'] }),
      resolveName: async () => {
        asked += 1;
        return [{ address: asked === 1 ? '127.0.0.2' : '127.0.0.1', family: 4 }];
      },
    }),
    userAgent: 'swath/test',
    leaseMs: 60_000,
    firstDelayMs: 1,
    lookMs: 10,
    perMinute: 1_000,
    events: { onEnd: (callback, end, posted) => void sending.ended.push({ callback, end, posted }) },
  });
  try {
    await sending.until(await sending.finishOne(`http://rebinding.example:${canary.port}/`), 'failed');
    const errors = sending.ended.map(({ posted }) =>
      posted?.kind === 'failed' ? posted.failure.error : null,
    );
    assert.notEqual(errors[0], 'address-not-allowed');
    assert.deepEqual(errors.slice(1), Array(4).fill('address-not-allowed'));
    assert.equal(canary.connections, 0);
  } finally {
    await sender.stop({ drainMs: 0 });
    canary.stop();
  }
});
