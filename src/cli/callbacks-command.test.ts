import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Callback } from '../tasks/index.ts';
import { runCallbacks } from './callbacks-command.ts';
import type { CallbacksCommand } from './commands/index.ts';
import { parseCommand } from './commands/index.ts';
import { makeFakeTerminal } from './testing/fake-terminal.ts';

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
  assert.deepEqual(queries, [{ limit: 50 }]);
  assert.deepEqual(
    (JSON.parse(out) as Callback[]).map(({ taskId }) => taskId),
    ['one', 'two'],
  );
  assert.equal((await run('callbacks list --state failed')).out, 'No callbacks.\n');
});

test('one is shown whole, and sent again; what cannot be is said', async () => {
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

test('wrong words are refused, and the commands explain themselves', () => {
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
