import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Callback, NewTask } from '../tasks/index.ts';
import type { TaskFile } from '../tasks/task.ts';
import { newTask, openTasks, ROOM } from '../tasks/testing/open-tasks.ts';
import { parseCommand } from './parse-command.ts';
import type { CallbacksCommand, TasksCommand } from './tasks.ts';
import { runCallbacks, runTasks } from './tasks.ts';
import { makeFakeTerminal } from './testing/fake-terminal.ts';

const parse = (line: string) => parseCommand(line.split(' ').filter((word) => word !== ''));

test('tasks are listed, all of them or those of a key or state', () => {
  assert.deepEqual(parse('tasks list'), {
    name: 'tasks list',
    owner: null,
    state: null,
    limit: 50,
    json: false,
  });
  assert.deepEqual(parse('tasks list --key 1f0c9a2b --state failed --limit 7 --json'), {
    name: 'tasks list',
    owner: '1f0c9a2b',
    state: 'failed',
    limit: 7,
    json: true,
  });
});

test('tasks are shown, cancelled and queued again by their ids', () => {
  assert.deepEqual(parse('tasks show a'), { name: 'tasks show', id: 'a' });
  assert.deepEqual(parse('tasks cancel a b'), { name: 'tasks cancel', ids: ['a', 'b'] });
  assert.deepEqual(parse('tasks retry a'), { name: 'tasks retry', ids: ['a'] });
});

test('old tasks are removed after the configured days, or after other ones', () => {
  assert.deepEqual(parse('tasks prune'), { name: 'tasks prune', days: null, owner: null });
  assert.deepEqual(parse('tasks prune --days 0 --key k'), { name: 'tasks prune', days: 0, owner: 'k' });
  assert.deepEqual(parse('tasks prune --days 1.5'), { name: 'tasks prune', days: 1.5, owner: null });
});

test('the commands print their help', () => {
  const lines = [
    'tasks',
    'tasks --help',
    ...['list', 'show', 'cancel', 'retry', 'prune'].map((one) => `tasks ${one} -h`),
  ];
  for (const line of lines) assert.deepEqual(parse(line), { name: 'help', topic: 'tasks' }, line);
});

test('wrong arguments are refused with the reason', () => {
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['tasks remove', /"tasks remove"/],
    ['tasks show', /Which task\?.*tasks show/],
    ['tasks show a b', /Unexpected argument "b"/],
    ['tasks cancel', /Which task\?.*tasks cancel/],
    ['tasks retry', /Which task\?/],
    ['tasks list a', /Unexpected argument/],
    ['tasks list --state done', /--state takes one of: queued, running, finished, failed, cancelled/],
    ['tasks list --limit 0', /--limit/],
    ['tasks prune --days -1', /--days/],
    ['tasks prune --days soon', /--days takes a number/],
    ['tasks prune --fast', /fast/],
  ];
  for (const [line, words] of wrong) {
    assert.throws(() => parse(line), { tag: 'bad-input', message: words }, line);
  }
});

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

test('the list shows the newest task first, with its progress and outcome', async () => {
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

test('the list accepts a key, a state and a number, and --json prints everything that the store knows', async () => {
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

test('one task is shown with everything known about it', async () => {
  await using stored = await makeStored();
  const { isDone, out } = await stored.run({ name: 'tasks show', id: stored.ids.failed });
  assert.equal(isDone, true);
  const task = await stored.store.find(stored.ids.failed);
  assert.deepEqual(JSON.parse(out), { ...task, order: {}, document: null });
  const unknown = await stored.run({ name: 'tasks show', id: 'x' });
  assert.deepEqual([unknown.isDone, unknown.out], [false, '']);
  assert.match(unknown.err, /There is no task "x"/);
});

test('open tasks are cancelled, and failed ones are queued again', async () => {
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

const callback = (taskId: string, more: Partial<Callback> = {}): Callback => ({
  taskId,
  owner: 'a1',
  url: `https://hooks.example/${taskId}?token=secret`,
  form: 'download',
  publicUrl: 'https://swath.example',
  state: 'delivered',
  attempts: 1,
  lastStatus: 200,
  lastError: null,
  nextAttemptAt: null,
  deliveredAt: '2026-01-01T00:00:00.000Z',
  ...more,
});

const STORED = [
  callback('one'),
  callback('two', {
    state: 'retrying',
    attempts: 2,
    lastStatus: null,
    lastError: 'timed-out',
    nextAttemptAt: '2026-01-02T03:04:05.678Z',
  }),
];

/** Runs a command line over two callbacks, of which only the second can be sent again. */
async function run(line: string) {
  const { terminal, out, err } = makeFakeTerminal();
  const queries: object[] = [];
  const isDone = await runCallbacks(parseCommand(line.split(' ')) as CallbacksCommand, {
    callbacks: {
      find: async (id) => STORED.find(({ taskId }) => taskId === id) ?? null,
      async list(query) {
        queries.push(query);
        return query.state === 'failed' ? [] : STORED;
      },
      retry: async (id) => id === 'two',
    },
    terminal,
  });
  assert.doesNotMatch(out() + err(), /secret/, 'queries of addresses are not shown');
  return { isDone, out: out(), err: err(), queries };
}

test('callbacks are listed as a table and as JSON', async () => {
  const table = await run('callbacks list --key a1 --state retrying --limit 7');
  assert.deepEqual(table.queries, [{ limit: 7, owner: 'a1', state: 'retrying' }]);
  assert.match(table.out, /^TASK +STATE +ATTEMPTS +LAST +NEXT +KEY +ADDRESS\n/);
  assert.match(table.out, /one +delivered +1 +200 +- +a1 +https:\/\/hooks\.example\/one\?…\n/);
  assert.match(table.out, /two +retrying +2 +timed-out +2026-01-02 03:04:05 +a1 /);
  const { out, queries } = await run('callbacks list --json');
  assert.deepEqual(queries, [{ limit: 50, owner: undefined, state: undefined }]);
  assert.deepEqual(
    (JSON.parse(out) as Callback[]).map(({ taskId }) => taskId),
    ['one', 'two'],
  );
  assert.equal((await run('callbacks list --state failed')).out, 'No callbacks.\n');
});

test('a callback is shown in full and sent again; if that is not possible, the reason is printed', async () => {
  assert.equal((JSON.parse((await run('callbacks show two')).out) as Callback).attempts, 2);
  const unknown = await run('callbacks show three');
  assert.deepEqual([unknown.isDone, unknown.out], [false, '']);
  assert.match(unknown.err, /No task "three" has a callback/);
  const retried = await run('callbacks retry two one three');
  assert.equal(retried.isDone, false);
  assert.equal(retried.out, 'The callback of task two will be sent again.\n');
  assert.match(retried.err, /Task one has not ended.*"three"/s);
  assert.equal((await run('callbacks retry two')).isDone, true);
});

test('wrong arguments are refused, and the callback commands print their help', () => {
  const parse = (line: string) => parseCommand(line.split(' '));
  for (const line of ['callbacks', 'callbacks --help', 'callbacks list -h', 'callbacks retry --help'])
    assert.deepEqual(parse(line), { name: 'help', topic: 'callbacks' }, line);
  for (const [line, message] of [
    ['callbacks send', /"callbacks send"/],
    ['callbacks show', /Which task/],
    ['callbacks retry', /Which task/],
    ['callbacks list --state open', /--state takes one of: waiting/],
    ['callbacks list --limit no', /--limit/],
  ] as const)
    assert.throws(() => parse(line), { code: /usage|unknown-command/, message }, line);
});
