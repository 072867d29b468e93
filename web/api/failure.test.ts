import assert from 'node:assert/strict';
import { test } from 'node:test';
import { de } from '../texts/de.ts';
import { en } from '../texts/en.ts';
import { isBandMissing, isKeyRefused, setFailureSentences, toFailure, unknownForm } from './failure.ts';

test("the server's own message is shown", () => {
  const failure = toFailure(422, '{"status":false,"error":"Band B99 does not exist.","code":"unknown-band"}');
  assert.equal(failure.message, 'Band B99 does not exist.');
  assert.equal(failure.status, 422);
  assert.equal(failure.code, 'unknown-band');
});

test('a wrong key is explained in the words of the page, not in those of the interface', () => {
  const refuse = (code: string) =>
    toFailure(403, JSON.stringify({ error: 'This api_key is not valid.', code }));
  assert.match(refuse('bad-key').message, /^The server does not know this key.*Enter another key/);
  assert.match(refuse('too-many-wrong-keys').message, /Wait a minute/);
  setFailureSentences(de.failures);
  assert.match(refuse('bad-key').message, /^Der Server kennt diesen Schlüssel nicht/);
  setFailureSentences(en.failures);
  assert.ok(isKeyRefused(refuse('bad-key')));
  assert.equal(refuse('other').message, 'This api_key is not valid.');
});

test('an answer without a message gets a generic one', () => {
  assert.match(toFailure(502, '<html>Bad gateway</html>').message, /had a problem \(status 502\)/);
  assert.match(toFailure(503, '').message, /busy/);
  assert.match(toFailure(404, '{"error":5}').message, /does not have/);
  assert.match(toFailure(400, 'null').message, /status 400/);
  assert.match(toFailure(0, '').message, /does not answer/);
});

test('a missing band file is distinguished from other missing things', () => {
  const error = 'This scene has no file for the band VV.';
  const is = (body: object): boolean => isBandMissing(toFailure(422, JSON.stringify(body)));
  assert.ok(is({ error, code: 'no-such-band-file' }));
  assert.ok(!is({ error, code: 'no-such-scene' }) && !is({ error }) && !is({ error, code: 5 }));
});

test('401 and 403 mean the key', () => {
  assert.deepEqual(
    [401, 403, 404, 500, 0].map((status) => isKeyRefused(toFailure(status, ''))),
    [true, true, false, false, false],
  );
});

test('generic messages are in the language of the page', () => {
  setFailureSentences(de.failures);
  assert.match(toFailure(502, '').message, /^Der Server hatte ein Problem \(Status 502\)/);
  assert.match(unknownForm().message, /^Der Server hat in unbekannter Form geantwortet/);
  setFailureSentences(en.failures);
});
