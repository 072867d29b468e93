import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { benchmarks } from '../bench/benchmarks.ts';

test('npm run bench lists every benchmark of bench/', () => {
  const folders = globSync('bench/*/run.ts').map((file) => file.split('/')[1] ?? '');
  assert.deepEqual(Object.keys(benchmarks), folders.sort());
});
