import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSwathError } from '../errors.ts';
import { toUsage } from './command.ts';
import { toExitStatus } from './exit-status.ts';
import { printHelp } from './help.ts';
import { parseCommand, topics } from './parse-command.ts';
import { makeTerminal } from './terminal.ts';

/** What a command that asks for help prints, where there is no terminal. */
function printTo(args: readonly string[]): string {
  const command = parseCommand(args);
  assert.ok(command.name === 'help', args.join(' '));
  const printed: unknown[] = [];
  const out = { write: (text: unknown) => printed.push(text) > 0 };
  const err = { write: () => assert.fail('help is a result') };
  printHelp(makeTerminal({ out, err, noColor: false }), command.topic);
  return printed.join('');
}

test('help is printed for every way to request it, without colours where there is no terminal', () => {
  for (const args of [
    [],
    ['--help'],
    ['help', 'keys'],
    ['keys', '--help'],
    ['serve', '-h'],
    ['doctor', '--help'],
    ['tasks', '--help'],
    ['help', 'tasks'],
  ]) {
    const printed = printTo(args);
    assert.match(printed, /Usage: swath/, args.join(' '));
    assert.ok(!printed.includes('\u001b['), args.join(' '));
  }
});

test('wrong usage is refused in one sentence, with status 2', () => {
  for (const args of [
    ['swim'],
    ['serve', '--fast'],
    ['keys', 'eat'],
    ['keys', 'create', 'x'],
    ['keys', 'revoke'],
    ['keys', 'delete-stored'],
    ['keys', 'create', '--rate', '0'],
    ['tasks', 'eat'],
    ['tasks', 'cancel'],
    ['tasks', 'list', '--state', 'done'],
  ]) {
    assert.throws(
      () => parseCommand(args),
      (error) => isSwathError(error) && toExitStatus(error) === 2 && /^[^\n]+$/.test(error.message),
      args.join(' '),
    );
  }
});

test('the help of a topic names every command, argument and option in its table', () => {
  for (const topic of topics) {
    const printed = printTo(['help', topic.name]);
    for (const spec of topic.commands) {
      assert.ok(printed.includes(`swath ${toUsage(spec)}`), spec.name);
      for (const { flags } of spec.options) assert.ok(printed.includes(flags), `${spec.name} ${flags}`);
    }
    const longest = Math.max(...printed.split('\n').map((line) => line.length));
    assert.ok(longest <= 110, `${topic.name} has a line of ${longest} characters`);
  }
});

test('a misspelt option is refused with the likely one', () => {
  assert.throws(() => parseCommand(['keys', 'create', '--lable', 'x']), {
    code: 'usage',
    message: /'--lable'.*Did you mean --label\? "swath keys create --help" shows what is possible\.$/,
  });
});
