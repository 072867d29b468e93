import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const sources = globSync('{bench,bin,kernels,scripts,src,test,web,world}/**/*.ts', {
  exclude: (path) => path.includes('node_modules') || path.includes('dist'),
});

test('there are sources to look at', () => {
  assert.ok(sources.length > 1_000);
});

test('no object literal is spread into another: the compiler does not check its keys', () => {
  const spread = /\.\.\.\{/;
  const found = sources.filter((file) => spread.test(readFileSync(file, 'utf8')));
  assert.deepEqual(found, []);
});
