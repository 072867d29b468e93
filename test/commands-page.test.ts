import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { COMMANDS_PAGE, writeCommandsPage } from '../scripts/commands-page.ts';

test('docs/operate/commands.md is what the tables of the command line say', () => {
  assert.equal(
    readFileSync(COMMANDS_PAGE, 'utf8'),
    writeCommandsPage(),
    'run: npm run node -- scripts/commands-page.ts',
  );
});
