import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromWire, sourceBroken, toWire } from './errors.ts';

test('an error that crosses threads takes the reasons behind it along, for the log and not for users', () => {
  const inner = new Error('certificate has expired');
  const middle = new AggregateError([inner], 'all tries failed');
  const outer = sourceBroken('source-untrusted', 'The certificate is not valid.', {
    cause: sourceBroken('source-untrusted', 'A store is not trusted.', { cause: middle }),
  });
  const there = fromWire(structuredClone(toWire(outer)));
  assert.equal(there.message, 'The certificate is not valid.');
  assert.match(
    String(there.cause),
    /because of SwathError: A store is not trusted\.\n.*all tries failed\n.*because of Error: certificate has expired/,
  );
});

test('a chain of causes without an end is cut', () => {
  const circle = new Error('round');
  circle.cause = circle;
  const { stack = '' } = toWire(circle);
  assert.equal(stack.split('because of').length - 1, 5);
});
