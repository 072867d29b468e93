import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openStore } from '../../../src/app/open-store.ts';
import { makeGuardedFetch } from '../../../src/net/index.ts';
import { startCallbackSender } from '../../../src/tasks/index.ts';
import { waitFor } from '../../../src/testing/wait-for.ts';
import { newTask, ROOM } from '../../ports/tasks.ts';
import type { OwnDatabase } from './own-database.ts';
import { onEachDatabase } from './own-database.ts';

const SCRIPT = fileURLToPath(new URL('./lone-sender.ts', import.meta.url));

/** A receiver that answers once it is told to. */
async function startReceiver() {
  const bodies: string[] = [];
  const held: ServerResponse[] = [];
  let isAnswering = false;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      bodies.push(body);
      if (isAnswering) response.end();
      else held.push(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    bodies,
    answer() {
      isAnswering = true;
      for (const response of held) response.end();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Stores a task with a callback to the receiver. */
async function order({ tasks }: Awaited<ReturnType<typeof openStore>>, { port }: Receiver): Promise<string> {
  const task = newTask();
  await tasks.create(task, ROOM, {
    url: `http://127.0.0.1:${port}/`,
    form: 'download',
    publicUrl: 'http://swath.test',
  });
  return task.id;
}

const startSender = ({ callbacks, tasks }: Awaited<ReturnType<typeof openStore>>, { port }: Receiver) =>
  startCallbackSender({
    store: callbacks,
    tasks,
    toBody: async ({ id, state }) => `${state} ${id}`,
    findSecret: async () => 'secret',
    fetch: makeGuardedFetch({
      policy: { allowHttp: true, ports: [port], privateNetworks: ['127.0.0.0/8'] },
    }),
    userAgent: 'swath/test',
    leaseMs: 60_000,
    firstDelayMs: 1,
    perMinute: 100,
  });

const startLone = ({ dataDir, databaseUrl }: OwnDatabase, how: 'die' | 'send', { port }: Receiver) =>
  spawn(process.execPath, [SCRIPT, dataDir, databaseUrl ?? '', how, String(port)], { stdio: 'inherit' });

onEachDatabase((name, open) => {
  test(`${name}: if a process is killed right after its task has ended, another sends the callback`, async () => {
    await using database = await open();
    await using receiver = await startReceiver();
    receiver.answer();
    const store = await openStore(database);
    const id = await order(store, receiver);
    const [, signal] = (await once(startLone(database, 'die', receiver), 'exit')) as [unknown, string];
    assert.equal(signal, 'SIGKILL');
    assert.equal((await store.callbacks.find(id))?.state, 'waiting');
    const sender = startSender(store, receiver);
    await waitFor(async () => (await store.callbacks.find(id))?.state === 'delivered');
    await sender.stop({ drainMs: 0 });
    assert.deepEqual(receiver.bodies, [`finished ${id}`], 'told once');
    assert.equal((await store.callbacks.find(id))?.attempts, 1);
    await store.close();
  });

  test(`${name}: if a process is killed while it sends a callback, another sends it again`, async () => {
    await using database = await open();
    await using receiver = await startReceiver();
    const store = await openStore(database);
    const id = await order(store, receiver);
    const lone = startLone(database, 'send', receiver);
    await waitFor(() => receiver.bodies.length === 1);
    lone.kill('SIGKILL');
    await once(lone, 'exit');
    receiver.answer();
    const sender = startSender(store, receiver);
    await waitFor(async () => (await store.callbacks.find(id))?.state === 'delivered');
    await sender.stop({ drainMs: 0 });
    // A process that is killed late sends it again itself when its lease is over.
    assert.deepEqual(new Set(receiver.bodies.slice(0, -1)), new Set(['"of the process that is killed"']));
    assert.equal(receiver.bodies.at(-1), `finished ${id}`);
    assert.equal((await store.callbacks.find(id))?.attempts, receiver.bodies.length);
    await store.close();
  });
});
