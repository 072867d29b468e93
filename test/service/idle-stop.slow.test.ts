/** SIGTERM ends an idle service at once, also with connected clients and while it waits for something. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { test } from 'node:test';
import { SMALL_ORDERS } from '../faults/tasks/orders.ts';
import { onEachDatabase } from '../faults/tasks/own-database.ts';
import type { RunningSwath } from '../support/start-swath.ts';
import { ONE_THREAD, SERVICE_KEY, startSwath } from '../support/start-swath.ts';

/** A shutdown that waits for anything at all waits for so long: far longer than an end without work takes. */
const DRAIN_MS = 600_000;
const AT_ONCE_MS = 0.9 * DRAIN_MS;

const ENV = {
  ...ONE_THREAD,
  SWATH_DRAIN_MS: String(DRAIN_MS),
  // A thread for files on the network, and connections that are held for the next request of a client.
  SWATH_SOURCES: 'https://data.example.org',
};

/** Ends the service; fails if it waits for something, or has to be forced. */
async function endsAtOnce(swath: RunningSwath): Promise<void> {
  const guard = setTimeout(() => swath.process.kill('SIGKILL'), AT_ONCE_MS);
  const status = await swath.stop();
  clearTimeout(guard);
  assert.equal(status, 0, swath.output());
}

async function openSocket(url: string, bytes = ''): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

/** Connections of every kind that has no request under way. */
async function connectIdly(url: string): Promise<Disposable> {
  const agent = new Agent({ keepAlive: true });
  const answered = new Promise((resolve, reject) => {
    request(`${url}/healthz`, { agent }, (response) => response.resume().on('end', resolve))
      .on('error', reject)
      .end();
  });
  await answered;
  const sockets = [
    await openSocket(url),
    await openSocket(url, 'GET /healthz HT'),
    await openSocket(url, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /he'),
  ];
  await once(sockets.at(-1) as Socket, 'data');
  return {
    [Symbol.dispose]() {
      agent.destroy();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Orders statistics that nobody works on, and polls them: the answer is held. */
async function holdPoll(url: string): Promise<{ readonly answer: Promise<Response> }> {
  const headers = { 'x-api-key': SERVICE_KEY };
  const { type, params } = SMALL_ORDERS.find(({ name }) => name === 'statistics') ?? assert.fail();
  const body = JSON.stringify({ type, params });
  const created = await fetch(`${url}/api/gdw/api`, { method: 'POST', headers, body });
  assert.equal(created.status, 202, await created.clone().text());
  const { task_id: id } = (await created.json()) as { task_id: string };
  const answer = fetch(`${url}/api/gdw/api/${id}`, { headers });
  // A request on another connection that is answered later than the poll has begun.
  await fetch(`${url}/api/sensors`, { headers });
  return { answer };
}

onEachDatabase((name, open) => {
  for (const roles of ['all', 'api', 'worker'] as const) {
    test(`on ${name}, an idle process with the role ${roles} ends at once`, async () => {
      await using database = await open();
      const { dataDir, databaseUrl } = database;
      const env = {
        ...ENV,
        SWATH_ROLES: roles,
        ...(databaseUrl === null ? {} : { SWATH_DATABASE_URL: databaseUrl }),
      };
      await using swath = await startSwath({ dataDir, env });
      using _connections = await connectIdly(swath.url);
      const poll = roles === 'api' ? await holdPoll(swath.url) : null;
      await endsAtOnce(swath);
      // Answered as it is now, or refused because the end came before the request.
      if (poll !== null) assert.ok([200, 503].includes((await poll.answer).status));
    });
  }
});

test('a process that creates the demo world ends at once, and the next one continues', async () => {
  await using swath = await startSwath({ env: { ...ENV, SWATH_DEMO: 'on' } });
  await endsAtOnce(swath);
  assert.match(swath.output(), /the next start goes on with it/);
});
