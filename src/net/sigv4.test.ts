import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeForS3, presignS3Url, signS3Request } from './sigv4.ts';

/** Account, day and bucket from the examples in Amazon's "Authenticating Requests: Using the Authorization Header". */
const example = {
  region: 'us-east-1',
  credentials: {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  },
  date: new Date('2013-05-24T00:00:00Z'),
};
const at = (path: string) => new URL(`https://examplebucket.s3.amazonaws.com${path}`);
const signatureOf = (headers: Record<string, string>) =>
  /Signature=([0-9a-f]{64})$/.exec(headers.authorization ?? '')?.[1];

test("Amazon's example: get an object's range", () => {
  const headers = signS3Request({
    ...example,
    method: 'GET',
    url: at('/test.txt'),
    headers: { Range: 'bytes=0-9' },
  });
  assert.equal(signatureOf(headers), 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41');
  assert.match(
    headers.authorization ?? '',
    /^AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE\/20130524\/us-east-1\/s3\/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,/,
  );
  assert.equal(headers['x-amz-date'], '20130524T000000Z');
});

test("Amazon's example: put an object", () => {
  const headers = signS3Request({
    ...example,
    method: 'PUT',
    url: at(`/${encodeForS3('test$file.text')}`),
    headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    bodyHash: '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
  });
  assert.equal(signatureOf(headers), '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd');
});

test("Amazon's examples: a query without a value, and one with values", () => {
  const sign = (path: string) =>
    signatureOf(signS3Request({ ...example, method: 'GET', url: at(path), headers: {} }));
  assert.equal(sign('/?lifecycle'), 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543');
  const listing = '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7';
  assert.equal(sign('/?max-keys=2&prefix=J'), listing);
  assert.equal(sign('/?prefix=J&max-keys=2'), listing, 'the order of the query does not matter');
});

test("Amazon's example: a presigned URL that is valid for a day", () => {
  const url = presignS3Url({ ...example, url: at('/test.txt'), expiresS: 86_400 });
  assert.equal(
    url.href,
    'https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256' +
      '&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
      '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
      '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  );
});

test('a session token is sent and signed, and no secret is in any header', () => {
  const credentials = { ...example.credentials, sessionToken: 'the-token' };
  const headers = signS3Request({ ...example, credentials, method: 'GET', url: at('/x'), headers: {} });
  assert.equal(headers['x-amz-security-token'], 'the-token');
  assert.match(headers.authorization ?? '', /SignedHeaders=[^,]*;x-amz-security-token,/);
  assert.doesNotMatch(JSON.stringify(headers), /wJalrXUtnFEMI/);
});

test('everything but unreserved characters is encoded', () => {
  assert.equal(encodeForS3("aZ09-._~ !'()*/+é"), 'aZ09-._~%20%21%27%28%29%2A%2F%2B%C3%A9');
});
