import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewTask, TaskFile } from '../tasks/index.ts';
import { newTask, openTasks, ROOM } from '../tasks/testing/open-tasks.ts';
import type { TasksCommand } from './commands/index.ts';
import { runTasks } from './tasks-command.ts';
import { makeFakeTerminal } from './testing/fake-terminal.ts';

const file = (fileName: string, bytes: number): TaskFile => ({
  kind: 'file',
  blobKey: 'a.1',
  fileName,
  contentType: 'image/tiff',
  bytes,
  etag: 'e',
});

/** A task in each state, over a real store. */
async function makeStored() {
  const opened = await openTasks();
  const { store } = opened;
  const create = async (more: Partial<NewTask>): Promise<NewTask> => {
    const task = newTask(more);
    await store.create(task, ROOM);
    return task;
  };
  const lease = async () => {
    const [leased] = await store.lease({ worker: 'w', max: 1, leaseMs: 60_000 });
    return leased?.lease ?? assert.fail('nothing is queued');
  };
  const finished = await create({ kind: 'bands' });
  await store.finish(await lease(), file('bands.TIF', 3 * 2 ** 20));
  const small = await create({ kind: 'picture' });
  await store.finish(await lease(), file('picture.jpeg', 1025));
  const failed = await create({});
  await store.fail(await lease(), { code: 'source-broken', message: 'A file is broken.' }, null);
  const running = await create({});
  await store.renew(await lease(), { done: 1, total: 3 }, 60_000);
  const queued = await create({ owner: 'key 2' });
  const cleaned: unknown[] = [];
  return {
    store,
    cleaned,
    ids: {
      finished: finished.id,
      small: small.id,
      failed: failed.id,
      running: running.id,
      queued: queued.id,
    },
    async run(command: TasksCommand) {
      const { terminal, out, err } = makeFakeTerminal();
      const isDone = await runTasks(command, {
        tasks: store,
        async cleanUp(options) {
          cleaned.push(options);
          return { tasks: 1, orphans: 2 };
        },
        terminal,
      });
      return { isDone, out: out(), err: err() };
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

const list: TasksCommand = { name: 'tasks list', owner: null, state: null, limit: 50, json: false };

test('the list has the newest task first, with its progress and what came of it', async () => {
  await using stored = await makeStored();
  const { isDone, out, err } = await stored.run(list);
  const [header, ...rows] = out.trimEnd().split('\n');
  assert.equal(isDone, true);
  assert.match(header ?? '', /^ID +KIND +STATE +DONE +KEY +CREATED +RESULT$/);
  const { queued, running, failed, small, finished } = stored.ids;
  const day = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`;
  for (const [i, pattern] of [
    `${queued} +index +queued +0 % +key 2 +${day}`,
    `${running} +index +running +33 % +key 1 +${day}`,
    `${failed} +index +failed +0 % +key 1 +${day} +source-broken: A file is broken\\.`,
    `${small} +picture +finished +100 % +key 1 +${day} +picture\\.jpeg \\(2 KiB\\)`,
    `${finished} +bands +finished +100 % +key 1 +${day} +bands\\.TIF \\(3\\.0 MiB\\)`,
  ].entries()) {
    assert.match(rows[i] ?? '', new RegExp(`^${pattern}$`));
  }
  assert.match(err, /^5 shown; of all: .*queued index 1/);
});

test('the list takes a key, a state and a number, and --json has all that the store says', async () => {
  await using stored = await makeStored();
  const idsOf = async (more: object): Promise<readonly string[]> => {
    const { out } = await stored.run({ ...list, ...more, json: true });
    return (JSON.parse(out) as { id: string }[]).map(({ id }) => id);
  };
  const { queued, running, failed } = stored.ids;
  assert.deepEqual(await idsOf({ owner: 'key 2' }), [queued]);
  assert.deepEqual(await idsOf({ state: 'failed' }), [failed]);
  assert.deepEqual(await idsOf({ limit: 2 }), [queued, running]);
  const [shown] = JSON.parse((await stored.run({ ...list, json: true, limit: 1 })).out) as [object];
  assert.deepEqual(shown, JSON.parse(JSON.stringify(await stored.store.find(queued))));
  assert.equal((await stored.run({ ...list, owner: 'nothing' })).out, 'No tasks.\n');
});

test('one task is shown with all that is known about it', async () => {
  await using stored = await makeStored();
  const { isDone, out } = await stored.run({ name: 'tasks show', id: stored.ids.failed });
  assert.equal(isDone, true);
  const task = await stored.store.find(stored.ids.failed);
  assert.deepEqual(JSON.parse(out), { ...task, order: {}, document: null });
  const unknown = await stored.run({ name: 'tasks show', id: 'x' });
  assert.deepEqual([unknown.isDone, unknown.out], [false, '']);
  assert.match(unknown.err, /There is no task "x"/);
});

test('tasks that are not over are cancelled, and those that failed are queued again', async () => {
  await using stored = await makeStored();
  const { queued, running, finished, failed } = stored.ids;
  const cancelled = await stored.run({ name: 'tasks cancel', ids: [queued, finished, 'x', running] });
  assert.equal(cancelled.isDone, false, 'not all of them');
  assert.equal(cancelled.out, `Cancelled ${queued}.\nCancelled ${running}.\n`);
  assert.match(cancelled.err, new RegExp(`The task ${finished} has already ended\\.\nThere is no task "x"`));
  const retried = await stored.run({ name: 'tasks retry', ids: [failed, queued] });
  assert.deepEqual(
    [retried.isDone, retried.out],
    [true, `Queued again ${failed}.\nQueued again ${queued}.\n`],
  );
  assert.equal((await stored.store.find(failed))?.state, 'queued');
  const refused = await stored.run({ name: 'tasks retry', ids: [finished] });
  assert.equal(refused.isDone, false);
  assert.match(refused.err, /has neither failed nor been cancelled/);
});

test('old tasks are removed, and the command says how many', async () => {
  await using stored = await makeStored();
  const { isDone, out } = await stored.run({ name: 'tasks prune', days: 0, owner: 'key 1' });
  assert.equal(isDone, true);
  assert.equal(out, 'Removed tasks with their results: 1; results without a task: 2.\n');
  const [options] = stored.cleaned as [{ days: number; owner: string }];
  assert.deepEqual([options.days, options.owner], [0, 'key 1']);
});
