import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { test } from 'node:test';
import { Agent } from 'undici';
import { cancelled } from '../errors.ts';
import type { ResponseHead } from './exchange.ts';
import { exchange, startBody } from './exchange.ts';

const MIB = 1024 * 1024;

/** A store that sends the number of bytes in the path, and one connection to it. */
async function withStore(run: (store: Store) => Promise<void>): Promise<void> {
  const sockets = new Set<Socket>();
  const held: (() => void)[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '').slice(1);
    if (path === 'held') held.push(() => response.end('late'));
    else response.end(Buffer.alloc(Number(path), 7));
  }).on('connection', (socket) => sockets.add(socket));
  await listen(server);
  const agent = new Agent({ connections: 1 });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await run({
      sockets,
      release: () => held.shift()?.(),
      ask: (path, { maxBytes, signal = new AbortController().signal }) =>
        exchange(agent, {
          question: { origin, path: `/${path}`, method: 'GET' },
          signal,
          onHead: (head: ResponseHead) => (maxBytes === 0 ? null : startBody(head, { maxBytes })),
          onChunk: () => {},
        }),
    });
  } finally {
    await agent.destroy();
    server.close().closeAllConnections();
  }
}

interface Store {
  readonly sockets: ReadonlySet<Socket>;
  release(): void;
  ask(
    path: string,
    options: { readonly maxBytes: number; readonly signal?: AbortSignal },
  ): ReturnType<typeof exchange>;
}

const listen = (server: Server) =>
  new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));

test('bodies of many chunks arrive whole, and the connection is reused', () =>
  withStore(async ({ ask, sockets }) => {
    for (const size of [0, 1, 3 * MIB + 1]) {
      const { head, body } = await ask(String(size), { maxBytes: 4 * MIB });
      assert.equal(head.status, 200);
      assert.equal(body.length, size);
      assert.ok(body.every((byte) => byte === 7));
    }
    assert.equal(sockets.size, 1);
  }));

test('a short unwanted body is drained, a long one closes its connection', () =>
  withStore(async ({ ask, sockets }) => {
    assert.equal((await ask('1000', { maxBytes: 0 })).body.length, 0);
    assert.equal((await ask('1', { maxBytes: 1 })).body.length, 1);
    assert.equal(sockets.size, 1, 'the same connection');
    assert.equal((await ask(String(8 * MIB), { maxBytes: 0 })).body.length, 0);
    assert.equal((await ask('1', { maxBytes: 1 })).body.length, 1);
    assert.equal(sockets.size, 2, 'a new connection');
  }));

test('a call rejects at once when its caller disconnects, also while it waits for a connection', () =>
  withStore(async ({ ask, release }) => {
    const before = ask('held', { maxBytes: 10 });
    const leaving = new AbortController();
    const waiting = ask('1', { maxBytes: 10, signal: leaving.signal });
    const refused = assert.rejects(waiting, { code: 'left' });
    leaving.abort(cancelled('left', 'The caller left.'));
    await refused;
    const answered = setInterval(release, 5);
    assert.equal(Buffer.from((await before).body).toString(), 'late', 'other calls are not affected');
    clearInterval(answered);
    assert.equal((await ask('1', { maxBytes: 1 })).body.length, 1);
  }));
