import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSwathError } from '../errors.ts';
import { parseCommand } from './parse-command.ts';

const parse = (line: string) => parseCommand(line.split(' '));
const refuses = (line: string, words: RegExp) =>
  assert.throws(
    () => parse(line),
    (error) => isSwathError(error) && error.code === 'usage' && words.test(error.message),
    line,
  );

test('the demo is created in three sizes, and removed', () => {
  assert.deepEqual(parse('demo'), { name: 'demo build', set: 'standard' });
  assert.deepEqual(parse('demo --small'), { name: 'demo build', set: 'small' });
  assert.deepEqual(parse('demo --full'), { name: 'demo build', set: 'full' });
  assert.deepEqual(parse('demo --remove'), { name: 'demo remove' });
  assert.deepEqual(parse('demo --help'), { name: 'help', topic: 'demo' });
  refuses('demo --full --remove', /exclude each other/);
  refuses('demo all', /Unexpected argument/);
});

test('the truth can be queried for a location and a day', () => {
  assert.deepEqual(parse('demo truth --at -122.4,48.4 --date 2026-06-21 --sensor L8 --json'), {
    name: 'demo truth',
    longitude: -122.4,
    latitude: 48.4,
    day: '2026-06-21',
    sensor: 'L8',
    json: true,
  });
  assert.deepEqual(parse('demo fields'), { name: 'demo fields', limit: 5_000 });
  assert.deepEqual(parse('demo fields --limit 12'), { name: 'demo fields', limit: 12 });
  refuses('demo fields --limit all', /whole number/);
  refuses('demo truth', /--at is required/);
  refuses('demo truth --at -122,48', /--date is required/);
  refuses('demo truth --at 48.4 --date 2026-06-21', /longitude,latitude/);
  refuses('demo truth --at -122,95 --date 2026-06-21', /longitude,latitude/);
  refuses('demo truth --at -122,48 --date 2026-06-31', /--date takes a day/);
});
