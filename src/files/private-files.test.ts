import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toUmask } from './private-files.ts';

test('only the owner can read new files, unless the directory is shared with its group', () => {
  const cases: readonly (readonly [directory: number | null, umask: number])[] = [
    [null, 0o077],
    [0o700, 0o077],
    // The mode of older versions, from the usual umask: nobody has chosen it.
    [0o755, 0o077],
    [0o777, 0o077],
    [0o750, 0o027],
    [0o2750, 0o027],
    [0o770, 0o007],
  ];
  for (const [directory, umask] of cases) {
    assert.equal(toUmask(directory), umask, `0${directory?.toString(8)}`);
  }
});
