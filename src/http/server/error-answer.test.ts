import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { internal } from '../../errors.ts';
import { statusOf, toErrorParts } from './error-answer.ts';

test('every failure of a store is 503, and its message stays with the operators', () => {
  const sources = globSync('src/adapters/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
  const codes = new Set(
    sources.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/'(store-[a-z-]+)'/g)].map(([, code]) => code),
    ),
  );
  assert.ok(codes.size > 5, [...codes].join());
  for (const code of codes) {
    const error = internal(code as string, 'The database /secret/place cannot be opened.');
    assert.equal(statusOf(error), 503, code);
    const { headers, body } = toErrorParts(error, 'id');
    assert.equal(headers['retry-after'], '1');
    assert.ok(!body.includes('secret'), body);
  }
});
