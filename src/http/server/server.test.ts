import assert from 'node:assert/strict';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { waitFor } from '../../testing/wait-for.ts';
import { Answer } from '../kit/answers.ts';
import { makeTestRoutes } from '../testing/make-test-routes.ts';
import { makeRouteTable } from './routing.ts';
import type { ClientOrder } from './testing/clients-worker.ts';
import { makeTestServer } from './testing/make-test-server.ts';
import { openRawClient } from './testing/raw-client.ts';

type ServerOptions = Parameters<typeof makeTestServer>[0];

async function start(t: TestContext, options: Partial<ServerOptions> = {}) {
  const server = await makeTestServer({ app: async () => new Answer('ok'), ...options });
  t.after(() => server.close(0));
  return server;
}

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const readBody = (answer: string): Record<string, unknown> =>
  JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>;

test('a client that never finishes its headers gets 408 and its socket is destroyed, even if it keeps sending bytes', async (t) => {
  // Long enough for the first request of `afterOne`, whose own headers are in this process and must not be late.
  const server = await start(t, { timeouts: { headersTimeoutMs: 2_000, checkMs: 50 } });
  const silent = await openRawClient(server.port);
  const trickling = await openRawClient(server.port);
  const afterOne = await openRawClient(server.port);
  afterOne.send(get('/'));
  await afterOne.until(/ok$/);
  afterOne.send('G');
  trickling.send('GET / HTTP/1.1\r\n');
  const trickle = setInterval(() => trickling.send('a'), 20);
  t.after(() => clearInterval(trickle));
  for (const client of [silent, trickling, afterOne]) {
    assert.match(await client.closed, /HTTP\/1\.1 408 .*"code":"request-timeout"/s);
  }
  // The clients have not closed their side: the server holds nothing of them all the same.
  await waitFor(() => server.count() === 0);
});

test('a body that arrives too slowly is cut at the request timeout', async (t) => {
  const server = await start(t, {
    timeouts: { requestTimeoutMs: 250, headersTimeoutMs: 200, checkMs: 50 },
    app: async ({ body }) => new Answer(await text(body).catch(() => 'torn')),
  });
  const client = await openRawClient(server.port);
  client.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n');
  const trickle = setInterval(() => client.send('a'), 20);
  t.after(() => clearInterval(trickle));
  assert.match(await client.closed, /^HTTP\/1\.1 408 /);
  await waitFor(() => server.count() === 0);
});

test('a large body may take as long as the minimum rate allows; one that stops or is slower is cut', async (t) => {
  // The clock goes only where the test moves it; bodies come chunk by chunk, as the test sends them.
  let [nowMs, taken, looks] = [0, 0, 0];
  const server = await start(t, {
    nowMs: () => {
      looks += 1;
      return nowMs;
    },
    timeouts: { requestTimeoutMs: 15_000, socketIdleMs: 30_000, checkMs: 1 },
    limits: { slowestBytesPerS: 8_192 },
    app: async ({ body }) => {
      let bytes = 0;
      for await (const chunk of body) {
        bytes += (chunk as Buffer).length;
        taken += (chunk as Buffer).length;
      }
      return new Answer(String(bytes));
    },
  });
  const begin = async (chunks: number) => {
    const client = await openRawClient(server.port);
    client.send(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${chunks * 65_536}\r\n\r\n`);
    return client;
  };
  const sendChunk = async (client: Awaited<ReturnType<typeof begin>>): Promise<void> => {
    const before = taken;
    client.send('a'.repeat(65_536));
    await waitFor(() => taken === before + 65_536);
  };
  /** A whole round of checks has begun and ended: each looks at the clock once for each of the three connections. */
  const nextCheck = async (): Promise<void> => {
    const before = looks;
    await waitFor(() => looks > before + 6);
  };
  const steady = await begin(40);
  for (let i = 0; i < 40; i += 1) {
    await nextCheck();
    await sendChunk(steady);
    nowMs += 7_000;
  }
  assert.match(await steady.until(/\d+$/), /HTTP\/1\.1 200 .*2621440$/s);
  const silent = await begin(40);
  for (let i = 0; i < 10; i += 1) await sendChunk(silent);
  await nextCheck();
  nowMs += 30_001;
  assert.match(await silent.closed, /^HTTP\/1\.1 408 .*request-timeout/s);
  const slow = await begin(40);
  await sendChunk(slow);
  await nextCheck();
  // 64 KiB in 20 seconds are less than 8 KiB a second, but within the allowance of 15 seconds.
  nowMs += 20_000;
  await sendChunk(slow);
  await nextCheck();
  nowMs += 20_000;
  assert.match(await slow.closed, /^HTTP\/1\.1 408 /);
});

test('a response that takes longer than the idle timeout is still sent', async (t) => {
  const server = await start(t, {
    timeouts: { socketIdleMs: 1_000 },
    app: async () => {
      await sleep(2_500);
      return new Answer('ok');
    },
  });
  const client = await openRawClient(server.port);
  client.send(get('/'));
  await client.until(/ok$/);
  const [, answer] = (await client.closed).split('HTTP/1.1');
  assert.match(answer ?? '', / 200 /, 'and then the client is idle, and its socket goes');
  await waitFor(() => server.count() === 0);
});

test('over the limit, the server closes the connection that has made it wait longest', async (t) => {
  const server = await start(t, { limits: { connections: 3 } });
  const slow = await openRawClient(server.port);
  slow.send('GET / HTTP/1.1\r\n');
  await waitFor(() => server.count() === 1);
  const others = [await openRawClient(server.port), await openRawClient(server.port)];
  await waitFor(() => server.count() === 3);
  const fresh = await openRawClient(server.port);
  fresh.send(get('/'));
  await fresh.until(/ok$/);
  assert.equal(await slow.closed, '');
  for (const other of others) {
    other.send(get('/'));
    await other.until(/ok$/);
  }
  assert.deepEqual(server.cuts, ['too-many']);
});

test('a connection whose request is being answered is not closed for a new one', async (t) => {
  const { promise: done, resolve } = Promise.withResolvers<Answer>();
  let isBegun = false;
  const server = await start(t, {
    limits: { connections: 1 },
    app: () => {
      isBegun = true;
      return done;
    },
  });
  const busy = await openRawClient(server.port);
  busy.send(get('/'));
  await waitFor(() => isBegun);
  const refused = await openRawClient(server.port);
  assert.equal(await refused.closed, '');
  resolve(new Answer('ok'));
  await busy.until(/ok$/);
});

test('connections per address are limited, and other addresses are not affected', async (t) => {
  const server = await start(t, { limits: { perAddress: 2 } });
  const greedy = [];
  for (let i = 0; i < 5; i += 1) greedy.push(await openRawClient(server.port, { from: '127.0.0.2' }));
  const other = await openRawClient(server.port);
  other.send(get('/'));
  await other.until(/ok$/);
  await waitFor(() => server.cuts.length === 3);
  assert.deepEqual(new Set(server.cuts), new Set(['too-many-of-address']));
  assert.equal(server.count(), 3);
});

test('requests on one connection are answered one at a time, in order', async (t) => {
  const open: Record<string, (answer: Answer) => void> = {};
  const server = await start(t, {
    app: ({ target }) =>
      new Promise((resolve) => {
        open[target.path] = resolve;
      }),
  });
  const client = await openRawClient(server.port);
  client.send(get('/1') + get('/2') + get('/3'));
  for (const path of ['/1', '/2', '/3']) {
    await waitFor(() => open[path] !== undefined);
    assert.deepEqual(Object.keys(open), [path], 'the next one has not begun');
    open[path]?.(new Answer(path));
    delete open[path];
    await client.until(new RegExp(`${path}$`));
  }
});

test('a client that pipelines too many requests gets the first answers, then the connection is closed', async (t) => {
  let begun = 0;
  const server = await start(t, {
    limits: { pipelined: 4 },
    app: async () => {
      begun += 1;
      return new Answer('ok');
    },
  });
  const client = await openRawClient(server.port);
  client.send(get('/').repeat(1_000));
  const answers = await client.closed;
  assert.equal(answers.match(/^ok|ok(?=HTTP)|ok$/g)?.length, 5);
  assert.match(answers.slice(answers.lastIndexOf('HTTP/1.1')), /connection: close/i);
  assert.equal(begun, 5);
});

test('a client that does not read holds only one response, and is cut at the response timeout', async (t) => {
  let begun = 0;
  const bytes = new Uint8Array(16 * 2 ** 20);
  const server = await start(t, {
    limits: { answerMs: 200, slowestBytesPerS: 2 ** 30 },
    timeouts: { checkMs: 50 },
    app: async () => {
      begun += 1;
      return new Answer(bytes);
    },
  });
  const client = await openRawClient(server.port, { reads: false });
  client.send(get('/').repeat(3));
  // Bytes that the client sends meanwhile do not count as progress either.
  const trickle = setInterval(() => client.send('G'), 20);
  t.after(() => clearInterval(trickle));
  await waitFor(() => server.cuts.length > 0);
  assert.deepEqual(server.cuts, ['slow-reader']);
  assert.equal(begun, 1);
  await waitFor(() => server.count() === 0);
});

test('the total size of unread responses is bounded', async (t) => {
  const bytes = new Uint8Array(16 * 2 ** 20);
  const server = await start(t, {
    limits: { unsentBytes: 40 * 2 ** 20 },
    timeouts: { checkMs: 50 },
    app: async () => new Answer(bytes),
  });
  for (let i = 0; i < 4; i += 1) {
    const client = await openRawClient(server.port, { reads: false });
    client.send(get('/'));
  }
  await waitFor(() => server.cuts.length > 0);
  assert.deepEqual(new Set(server.cuts), new Set(['unsent-bytes']));
});

test('requests that never reach the application get the common error format', async (t) => {
  const server = await start(t, { app: () => assert.fail('the application sees it') });
  const refusals: readonly (readonly [text: string, status: number, code: string])[] = [
    ['GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'no-host'],
    [get('/', 'host: y\r\nConnection: close\r\n'), 400, 'bad-host'],
    [get('/', 'Expect: a-miracle\r\nConnection: close\r\n'), 417, 'unknown-expectation'],
    [get('/x/../api/render/y', 'Connection: close\r\n'), 400, 'bad-target'],
    [get('/api/./render/y', 'Connection: close\r\n'), 400, 'bad-target'],
    ['OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400, 'bad-target'],
    ['GARBAGE\r\n\r\n', 400, 'bad-http'],
    ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'bad-http'],
    [get(`/${'a'.repeat(20_000)}`), 431, 'headers-too-large'],
  ];
  for (const [sent, status, code] of refusals) {
    const client = await openRawClient(server.port);
    client.send(sent);
    const answer = await client.closed;
    assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `), sent.slice(0, 40));
    const body = readBody(answer);
    assert.deepEqual(Object.keys(body), ['status', 'error', 'code', 'request_id'], sent.slice(0, 40));
    assert.equal(body.code, code);
  }
});

test('an unread body does not block the next request on its connection', async (t) => {
  const server = await start(t);
  const client = await openRawClient(server.port);
  client.send(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello${get('/')}`);
  await client.until(/ok.*ok$/s);
});

test('a client that does not finish an unread body is cut off after the response', async (t) => {
  const server = await start(t);
  const client = await openRawClient(server.port);
  client.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n\r\nhello');
  assert.match(await client.closed, /^HTTP\/1\.1 200 .*ok$/s);
  await waitFor(() => server.count() === 0);
});

test('a failing application is answered with 500', async (t) => {
  const server = await start(t, { app: () => Promise.reject(new Error('a bug')) });
  const client = await openRawClient(server.port);
  client.send(get('/', 'Connection: close\r\n'));
  assert.match(await client.closed, /^HTTP\/1\.1 500 .*"code":"internal"/s);
});

test('garbage after a request does not replace its response', async (t) => {
  const { promise: done, resolve } = Promise.withResolvers<Answer>();
  const server = await start(t, { app: () => done });
  const client = await openRawClient(server.port);
  client.send(`${get('/')}GARBAGE\r\n\r\n`);
  setImmediate(() => resolve(new Answer('ok')));
  assert.match(await client.closed, /^HTTP\/1\.1 200 .*okHTTP\/1\.1 400 .*bad-http/s);
});

test('a request refused for lack of a slot gets the common error format, no-store and Retry-After', async (t) => {
  const door = { enter: () => null };
  const { routes } = makeTestRoutes();
  const server = await start(t, {
    door,
    routes: makeRouteTable(routes),
    app: () => assert.fail('the application sees it'),
  });
  const response = await fetch(`http://127.0.0.1:${server.port}/api/render/x`);
  assert.equal(response.status, 503);
  assert.equal(response.headers.get('retry-after'), '1');
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.equal(response.headers.get('access-control-allow-origin'), '*');
  assert.match(response.headers.get('access-control-expose-headers') ?? '', /retry-after/);
  const body = (await response.json()) as { request_id: string };
  assert.deepEqual(Object.keys(body), ['status', 'error', 'code', 'request_id']);
  assert.equal(response.headers.get('x-request-id'), body.request_id);
});

test('HTTP/1.0 needs no Host header, and the host of an absolute target overrides it', async (t) => {
  const server = await start(t, {
    app: async ({ host, target: { path, query } }) => new Answer(`http://${host}${path}?${query}`),
  });
  const old = await openRawClient(server.port);
  old.send('GET /x HTTP/1.0\r\n\r\n');
  assert.match(await old.closed, /http:\/\/127\.0\.0\.1\/x\?$/);
  const absolute = await openRawClient(server.port);
  absolute.send(get('http://tiles.example.org/x?a=1', 'Connection: close\r\n'));
  assert.match(await absolute.closed, /http:\/\/tiles\.example\.org\/x\?a=1$/);
});

test('a closing server waits for requests in flight, not for idle connections', async (t) => {
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const server = await start(t, {
    app: async ({ target }) => {
      if (target.path !== '/slow') return new Answer('ok');
      ask();
      await mayAnswer;
      return new Answer('slow');
    },
  });
  const [silent, halfHead, kept, keptHalf, busy] = await Promise.all(
    Array.from({ length: 5 }, () => openRawClient(server.port)),
  );
  assert.ok(silent && halfHead && kept && keptHalf && busy);
  halfHead.send('GET / HT');
  kept.send(get('/'));
  keptHalf.send(`${get('/')}GET / HT`);
  busy.send(get('/slow'));
  await Promise.all([kept.until(/ok$/), keptHalf.until(/ok$/), asked]);
  await waitFor(() => server.count() === 5);
  // Only the guard of the test could end what waits for longer.
  const closed = server.close(2 ** 31 - 1);
  for (const idle of [silent, halfHead, kept, keptHalf]) assert.ok(!(await idle.closed).includes('408'));
  assert.equal(server.count(), 1);
  answer();
  assert.match(await busy.closed, /slow$/);
  await closed;
});

test('a closing server answers all requests already received, even those not yet parsed', async (t) => {
  const server = await start(t);
  const clients = 20;
  // The clients run in another thread, because the event loop of this one does not turn between their requests and close().
  const sent = new Int32Array(new SharedArrayBuffer(4));
  const workerData: ClientOrder = { port: server.port, clients, sent };
  const worker = new Worker(new URL('testing/clients-worker.ts', import.meta.url), { workerData });
  t.after(() => worker.terminate());
  const answered = once(worker, 'message');
  for (let count = 0; count < clients; count = Atomics.load(sent, 0)) Atomics.wait(sent, 0, count);
  await server.close(2 ** 31 - 1);
  const [answers] = (await answered) as [readonly string[]];
  for (const answer of answers) assert.match(answer, /^HTTP\/1\.1 200 .*ok$/s);
});
