import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromWire, sourceBroken, toWire, withSubject } from './errors.ts';

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

const DEM = { file: 'a file of the model', server: 'a store of the model' };

test('an error about a subject is said about the one that the caller knows, also after it crossed threads', () => {
  const cause = new Error('ENOENT');
  const error = sourceBroken.about('source-gone', '{file} cannot be opened.', { cause, details: { n: 1 } });
  assert.equal(error.message, 'A file cannot be opened.');
  const scene = { file: 'a file of this scene', server: 'a store of this scene' };
  const stated = withSubject(error, scene);
  assert.deepEqual([stated.message, stated.cause], ['A file of this scene cannot be opened.', cause]);
  const there = withSubject(fromWire(structuredClone(toWire(stated))), DEM);
  assert.equal(there.message, 'A file of the model cannot be opened.');
  assert.deepEqual([there.tag, there.code, there.details], ['source-broken', 'source-gone', { n: 1 }]);
  const certificate = sourceBroken.about('source-untrusted', 'The certificate of {server} is not valid.', {
    subject: scene,
  });
  assert.equal(certificate.message, 'The certificate of a store of this scene is not valid.');
});

test('an error without a subject stays as it is, whatever its sentence says', () => {
  const error = sourceBroken('bad-name', 'There is no band {file}.');
  assert.equal(withSubject(error, DEM), error);
  assert.equal(withSubject(null, DEM), null);
});
