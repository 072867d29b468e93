import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSwathError } from '../../errors.ts';
import { explainDirectory } from './data-directory.ts';

test('file system errors of the data directory are explained by their reason', () => {
  for (const [code, ...parts] of [
    ['ENOSPC', 'unavailable', 'store-full'],
    ['EDQUOT', 'unavailable', 'store-full'],
    ['EIO', 'unavailable', 'store-io-error'],
    ['EROFS', 'unavailable', 'store-read-only'],
    ['EACCES', 'unavailable', 'store-read-only'],
    ['ENOTDIR', 'bad-input', 'data-not-writable'],
  ] as const) {
    const error = explainDirectory(Object.assign(new Error('no'), { code }), '/data');
    assert.ok(isSwathError(error), code);
    assert.deepEqual([error.tag, error.code], parts);
    assert.match(error.message, new RegExp(`/data.*${code}.*SWATH_DATA`));
  }
  const unknown = new Error('a bug');
  assert.equal(explainDirectory(unknown, '/data'), unknown);
});
