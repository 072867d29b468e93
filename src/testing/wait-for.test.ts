import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whenHolds } from './wait-for.ts';

test('an assertion is repeated until it holds, and gives its value', async () => {
  let count = 0;
  const value = await whenHolds(() => {
    assert.ok(++count >= 3);
    return count;
  });
  assert.equal(value, 3);
});

test('what never holds is thrown as the last assertion said it', async () => {
  let count = 0;
  const never = whenHolds(() => assert.fail(`look ${++count}`), 0, 1);
  await assert.rejects(never, { code: 'ERR_ASSERTION', message: `look ${count}` });
});

test('an error that is no failed assertion is thrown at once', async () => {
  let count = 0;
  const broken = whenHolds(() => {
    count++;
    throw new TypeError('broken');
  });
  await assert.rejects(broken, TypeError);
  assert.equal(count, 1);
});
