import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { internal, sourceBroken, timedOut } from '../../errors.ts';
import { statusOf, toErrorParts } from './error-answer.ts';

test('every store failure is 503, and only operators see its message', () => {
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

test('an unavailable file server is 503 with Retry-After; a broken file is 502', () => {
  const away = [
    sourceBroken('source-unreachable', 'It cannot be reached.'),
    sourceBroken('source-failing', 'It fails.'),
    sourceBroken('source-resting', 'It rests.'),
    sourceBroken('source-cut-off', 'It breaks off.'),
    timedOut('source-timed-out', 'It is late.'),
  ];
  for (const error of away) {
    const { status, headers } = toErrorParts(error, 'id');
    assert.deepEqual([status, headers['retry-after']], [503, '1'], error.code);
  }
  for (const code of ['source-changed', 'source-gone', 'source-untrusted', 'tiff-truncated'])
    assert.equal(statusOf(sourceBroken(code, 'It is wrong.')), 502, code);
});
