import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { badInput, internal, unavailable } from '../errors.ts';
import { describeExitStatuses, EXIT, toExitStatus } from './exit-status.ts';

test('wrong usage and settings exit with 2, a failure with 1, and an unexpected error with 70', () => {
  for (const code of ['usage', 'unknown-command', 'bad-settings']) {
    assert.equal(toExitStatus(badInput(code, 'No.')), 2, code);
  }
  assert.equal(toExitStatus(badInput('usage-of-nothing', 'No.')), 1, 'a code is compared whole');
  assert.equal(toExitStatus(unavailable('store-full', 'Full.')), 1);
  assert.equal(toExitStatus(internal('store-corrupt', 'Damaged.')), 1);
  assert.equal(toExitStatus(new TypeError('x is not a function')), 70);
  assert.equal(toExitStatus('text'), 70);
});

test('help and documentation list every status', () => {
  assert.equal(describeExitStatuses(), '0 done, 1 failed, 2 wrong usage or settings, 70 crashed');
  const [, table = ''] = readFileSync('docs/operate/start.md', 'utf8').split(
    '| Exit status | Meaning |\n|---|---|\n',
  );
  const rows = table.slice(0, table.indexOf('\n\n')).split('\n');
  assert.deepEqual(
    rows.map((row) => Number(row.split('|')[1])),
    Object.values(EXIT),
  );
});
