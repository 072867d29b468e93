import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openStore } from '../../../src/app/open-store.ts';
import type { TaskStore } from '../../../src/tasks/index.ts';
import { waitFor } from '../../../src/testing/wait-for.ts';
import { newTask, ROOM, SWEEP } from '../../ports/tasks.ts';
import type { OwnDatabase } from './own-database.ts';
import { onEachDatabase } from './own-database.ts';

const SCRIPT = fileURLToPath(new URL('./lone-worker.ts', import.meta.url));

/** Starts a worker, and gives it with what it says first. */
async function startWorker({ dataDir, databaseUrl }: OwnDatabase, how: 'die' | 'wait' | 'victim') {
  const child = spawn(process.execPath, [SCRIPT, dataDir, databaseUrl ?? '', how], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const [first] = (await once(lines, 'line')) as [string];
  const next = once(lines, 'line') as Promise<[string]>;
  // A worker that dies says nothing more.
  next.catch(() => {});
  return { child, first, next };
}

const hasEnded = (child: ChildProcess): Promise<unknown> =>
  child.exitCode === null && child.signalCode === null ? once(child, 'exit') : Promise.resolve();

/** Sweeps until a lapsed lease is found. */
async function sweepLapsed(tasks: TaskStore): Promise<void> {
  await waitFor(async () => {
    const { requeued, failed } = await tasks.sweep(SWEEP);
    return requeued + failed > 0;
  });
}

onEachDatabase((name, open) => {
  test(`${name}: a worker that is paused past its lease is fenced when it continues`, async () => {
    await using database = await open();
    const store = await openStore(database);
    const task = newTask();
    await store.tasks.create(task, ROOM);
    const { child, first, next } = await startWorker(database, 'wait');
    assert.equal(first, 'leased 1');
    child.kill('SIGSTOP');
    await sweepLapsed(store.tasks);
    const [second] = await store.tasks.lease({ worker: 'second', max: 1, leaseMs: 60_000 });
    assert.equal(second?.lease.token, 2);
    child.kill('SIGCONT');
    child.stdin.write('go on\n');
    assert.deepEqual(await next, ['refused']);
    const result = { kind: 'document', document: 'of the second' } as const;
    assert.equal(await store.tasks.finish(second.lease, result), true);
    assert.equal(await store.tasks.findDocument(task.id), JSON.stringify(result.document));
    await hasEnded(child);
    await store.close();
  });

  test(`${name}: a task that kills its worker three times fails with that reason, and the queue continues`, async () => {
    await using database = await open();
    const store = await openStore(database);
    const [poison, other] = [newTask({ priority: 1 }), newTask()];
    for (const task of [poison, other]) await store.tasks.create(task, ROOM);
    for (let death = 1; death <= 3; death += 1) {
      const { child, first } = await startWorker(database, 'die');
      assert.equal(first, `leased ${death}`);
      await hasEnded(child);
      await sweepLapsed(store.tasks);
    }
    const failed = await store.tasks.find(poison.id);
    assert.deepEqual([failed?.state, failed?.deaths, failed?.error], ['failed', 3, SWEEP.death]);
    const [next] = await store.tasks.lease({ worker: 'w', max: 2, leaseMs: 60_000 });
    assert.equal(next?.task.id, other.id);
    await store.close();
  });

  test(`${name}: tasks next to one that kills its workers are finished, and only that one fails`, async () => {
    await using database = await open();
    const store = await openStore(database);
    const poison = newTask({ reference: 'poison' });
    const innocent = Array.from({ length: 5 }, () => newTask());
    for (const task of [poison, ...innocent]) await store.tasks.create(task, ROOM);
    // Four die together; three of them finish alone, the other dies alone twice; the rest runs together.
    for (let worker = 0; worker < 20; worker += 1) {
      const { child, first } = await startWorker(database, 'victim');
      await hasEnded(child);
      if (first === 'nothing') break;
      while ((await store.tasks.list({ state: 'running', limit: 9 })).length > 0)
        await sweepLapsed(store.tasks);
    }
    assert.deepEqual((await store.tasks.find(poison.id))?.error, SWEEP.death);
    for (const { id } of innocent) assert.equal((await store.tasks.find(id))?.state, 'finished');
    await store.close();
  });
});
