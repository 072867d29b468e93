/** Whether every promise of the list has a test that is named after it. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { functions, rows } from './rows.ts';

const read = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8');
const files = globSync('sections/*.test.ts', { cwd: import.meta.dirname });

/** Names of tests, `subject promise: what is so`, in the files of the subjects. */
const names = files.flatMap((file) =>
  [...read(file).matchAll(/^test\('([^']+)'/gm)].map(([, name]) => name!),
);
const covered = new Set(names.map((name) => name.slice(0, name.indexOf(':'))));

test('every promise has a test of its name', () => {
  const wanted = Object.entries(rows).flatMap(([section, names]) =>
    names.map((name) => `${section} ${name}`),
  );
  assert.deepEqual(
    wanted.filter((row) => !covered.has(row)),
    [],
  );
});

test('tests are named after rows, so that a row that was renamed is found', () => {
  assert.deepEqual(
    [...covered].filter((name) => {
      const [, section = '', row = ''] = /^(\w+) (.+)$/.exec(name) ?? [];
      return !rows[section]?.includes(row);
    }),
    [],
  );
});

test('every function of band expressions is drawn by the test of its group', () => {
  const parts = read('sections/functions.test.ts').split(/^test\('/m);
  for (const [row, list] of Object.entries(functions)) {
    const part = parts.find((text) => text.startsWith(`expression ${row}:`)) ?? '';
    const missing = list.split(', ').filter((name) => !new RegExp(`[\`'(*]${name}[(\`']`).test(part));
    assert.deepEqual(missing, [], row);
  }
});
