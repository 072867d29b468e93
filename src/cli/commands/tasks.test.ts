import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCommand } from './parse-command.ts';

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

test('old tasks are removed after the days of the setting, or after others', () => {
  assert.deepEqual(parse('tasks prune'), { name: 'tasks prune', days: null, owner: null });
  assert.deepEqual(parse('tasks prune --days 0 --key k'), { name: 'tasks prune', days: 0, owner: 'k' });
  assert.deepEqual(parse('tasks prune --days 1.5'), { name: 'tasks prune', days: 1.5, owner: null });
});

test('the commands explain themselves', () => {
  const lines = [
    'tasks',
    'tasks --help',
    ...['list', 'show', 'cancel', 'retry', 'prune'].map((one) => `tasks ${one} -h`),
  ];
  for (const line of lines) assert.deepEqual(parse(line), { name: 'help', topic: 'tasks' }, line);
});

test('wrong words are refused with what is wrong', () => {
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
