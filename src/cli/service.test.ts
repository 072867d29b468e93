import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCommand } from './parse-command.ts';
import { printGreeting } from './service.ts';
import { makeFakeTerminal } from './testing/fake-terminal.ts';

test('--earth is an option of serve', () => {
  assert.deepEqual(parseCommand(['serve', '--earth']), { name: 'serve', earth: true });
  assert.deepEqual(parseCommand(['serve']), { name: 'serve', earth: false });
});

test('the greeting names the catalogs if pictures come from them', () => {
  const greet = (catalogs: readonly string[]): string => {
    const { terminal, out } = makeFakeTerminal();
    const common = {
      version: '1',
      url: 'http://localhost:8080',
      dataDir: '/data',
      newKey: null,
      worker: null,
    };
    printGreeting(terminal, { ...common, catalogs });
    return out();
  };
  assert.match(greet(['Earth Search', 'USGS']), /^Pictures come live from Earth Search, then USGS\.$/m);
  assert.doesNotMatch(greet([]), /Pictures/);
});
