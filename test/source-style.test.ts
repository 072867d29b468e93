import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const sources = globSync('{bench,bin,kernels,scripts,src,test,web}/**/*.ts', {
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

test('commands in documents and messages run on the Node of the checkout: npm run …, not node …', () => {
  // Decisions are not edited later, and the lists of commands are the scripts of package.json.
  const documents = globSync('{*.md,docs/*.md}');
  const command = /(?<!npm run )\bnode (-\S+ )*(scripts|test|bench|bin|src|web|world)\//;
  const found = [...documents, ...sources].filter((file) => command.test(readFileSync(file, 'utf8')));
  assert.ok(documents.length > 5);
  assert.deepEqual(found, []);
});
