import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareTables, readGolden } from './colormap-tables.ts';

test('every colormap has the colours that matplotlib gives it, within one level', () => {
  const golden = readGolden();
  assert.ok(golden.tables.length > 250);
  const { problems, offByOne } = compareTables(golden);
  assert.deepEqual(problems, []);
  // Only where tables are described by curves; a bad curve would have more.
  assert.ok(offByOne < 200, `${offByOne} channels are off by one`);
});

test('a wrong level, a wrong type and a missing map are noticed', () => {
  const golden = readGolden();
  const [first] = golden.tables;
  const wrong = { ...first!, colors: `000000${first!.colors.slice(6)}`, type: 'continuous' };
  const { problems } = compareTables({ version: '', tables: [wrong, { ...wrong, name: 'no_such_map' }] });
  assert.ok(problems.some((problem) => problem.includes('we lack no_such_map')));
  assert.ok(problems.some((problem) => problem.startsWith('matplotlib lacks ')));
  assert.ok(problems.some((problem) => problem === 'Accent is continuous'));
  assert.ok(problems.some((problem) => /^Accent of 5 is off by \d+ levels$/.test(problem)));
});
