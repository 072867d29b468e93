import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceBroken, timedOut } from '../errors.ts';
import type { GuardedResponse } from '../net/index.ts';
import { Redirection } from '../net/index.ts';
import { explainAnswer, explainError } from './explain-failure.ts';

const server = { url: 'https://files.example/a.tif' };
const bucket = { region: 'us-west-2', hasKey: true, requesterPays: false };

const answer = (status: number, headers: Record<string, string> = {}, code = ''): GuardedResponse => ({
  status,
  header: (name) => headers[name] ?? null,
  body: Buffer.from(code === '' ? '' : `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`),
});
const withCode = (code: string) => Object.assign(new Error(code), { code });

test('the region of a bucket is found from a redirect, a header or an error document', () => {
  const moved = sourceBroken('source-redirected', 'It was moved.', {
    cause: new Redirection(answer(301, { 'x-amz-bucket-region': 'eu-central-1' })),
  });
  const expected = /lies in the region eu-central-1, not in us-west-2\. State that region/;
  assert.match(explainError(moved, { ...server, bucket }), expected);
  const region = { 'x-amz-bucket-region': 'eu-central-1' };
  assert.match(explainAnswer(answer(400, region), { ...server, bucket }) ?? '', expected);
  assert.match(explainAnswer(answer(403, region), { ...server, bucket }) ?? '', expected);
  assert.match(
    explainAnswer(answer(400, {}, 'AuthorizationHeaderMalformed'), { ...server, bucket }) ?? '',
    /lies in another region than us-west-2/,
  );
  const same = { 'x-amz-bucket-region': 'us-west-2' };
  assert.match(explainAnswer(answer(403, same), { ...server, bucket }) ?? '', /refuses this account/);
});

test('wrong keys, missing rights and wrong clocks are explained', () => {
  const explain = (code: string, more = {}) =>
    explainAnswer(answer(403, {}, code), { ...server, bucket: { ...bucket, ...more } }) ?? '';
  assert.match(explain('InvalidAccessKeyId'), /refuses the access key \(InvalidAccessKeyId\)/);
  assert.match(explain('SignatureDoesNotMatch'), /refuses the access key/);
  assert.match(explain('RequestTimeTooSkewed'), /Set the clock of this machine/);
  assert.match(explain('AccessDenied'), /refuses this account \(403 AccessDenied\).*requesterPays/);
  assert.match(explain('AccessDenied', { hasKey: false }), /does not let everybody read this bucket/);
  assert.match(explain('AccessDenied', { hasKey: false, requesterPays: true }), /Set SWATH_AWS_KEY/);
  assert.match(explainAnswer(answer(503, {}, 'SlowDown'), server) ?? '', /limits the rate/);
  assert.match(
    explainAnswer(answer(400, {}, 'InvalidRequest'), server) ?? '',
    /refuses the request \(400 InvalidRequest\)/,
  );
  assert.equal(explainAnswer(answer(206), server), null);
});

test('certificate errors are explained', () => {
  const explain = (code: string) =>
    explainError(sourceBroken('source-untrusted', 'Not valid.', { cause: withCode(code) }), server);
  assert.match(explain('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'), /NODE_EXTRA_CA_CERTS/);
  assert.match(explain('CERT_HAS_EXPIRED'), /Check the clock/);
  assert.match(explain('ERR_TLS_CERT_ALTNAME_INVALID'), /that of another server/);
});

test('connection errors are explained, also those of several addresses', () => {
  const explain = (cause: Error) =>
    explainError(sourceBroken('source-unreachable', 'Unreachable.', { cause }), server);
  assert.match(explain(withCode('EAI_AGAIN')), /cannot be resolved now/);
  assert.match(
    explain(new AggregateError([withCode('ENETUNREACH'), withCode('ECONNREFUSED')])),
    /no route to files\.example/,
  );
  assert.match(explain(withCode('UND_ERR_SOCKET')), /closes the connection without an answer/);
  assert.match(explainError(timedOut('source-timed-out', 'Late.'), server), /does not answer in time/);
  const late = new DOMException('late', 'TimeoutError');
  assert.match(explainError(sourceBroken('x', 'x', { cause: late }), server), /does not answer in time/);
  assert.match(explainError(new Error('odd'), server), /cannot be used: odd/);
});
