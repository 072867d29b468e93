import assert from 'node:assert/strict';
import { test } from 'node:test';
import { badInput, notFound, sourceBroken, tooLarge, unavailable } from '../errors.ts';
import { isRefusal, judgeFailure } from './task-runner.ts';

test('temporary failures are retried, with three attempts in all and growing delays', () => {
  for (const error of [
    sourceBroken('broken-file', 'A file is broken.'),
    unavailable('results-unavailable', 'The bucket is away.'),
    new Error('a bug'),
  ]) {
    assert.deepEqual(
      [0, 1, 2].map((attempts) => judgeFailure(error, attempts, 0.5).retryInMs),
      [1_000, 4_000, null],
    );
  }
  assert.equal(judgeFailure(new Error('a bug'), 0, 0).retryInMs, 500);
  assert.equal(judgeFailure(new Error('a bug'), 0, 1).retryInMs, 1_500);
});

test('permanent failures are not retried', () => {
  for (const [error, more] of [
    [badInput('area-outside-scene', 'The area lies outside.'), { refusal: 'bad-input' }],
    [notFound('unknown-scene', 'There is no such scene.'), { refusal: 'not-found' }],
    [tooLarge('no-space', 'The disk is full.'), {}],
  ] as const) {
    assert.equal(judgeFailure(error, 0).retryInMs, null);
    assert.deepEqual(judgeFailure(error, 0).error, { code: error.code, message: error.message, ...more });
  }
});

test('a refusal means an error in the order, not in the service', () => {
  assert.ok(isRefusal(badInput('statistics-date', 'date_start must be a date.')));
  assert.ok(isRefusal(notFound('unknown-scene', 'There is no such scene.')));
  for (const error of [
    tooLarge('no-space', 'The disk is full.'),
    sourceBroken('broken-file', 'A file is broken.'),
    new Error('a bug'),
  ])
    assert.equal(isRefusal(error), false, error.message);
});
