import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runTimed } from '../testing/run-timed.ts';
import { redactAddresses, toAddressOrigin, toShownAddress, toShownFile } from './shown-address.ts';

test('the location of a file is shown, its credentials are not', () => {
  const cases: readonly (readonly [address: string, shown: string])[] = [
    ['https://data.example.org/a/B04.tif', 'https://data.example.org/a/B04.tif'],
    ['https://user:s3cret@data.example.org:8443/a.tif', 'https://…@data.example.org:8443/a.tif'],
    ['https://token-s3cret@x.example/a.tif', 'https://…@x.example/a.tif'],
    ['https://us%40er:p@s3cret@x.example/a.tif', 'https://…@x.example/a.tif'],
    ['https://x.example/a.tif?X-Amz-Signature=s3cret&X-Amz-Expires=60', 'https://x.example/a.tif?…'],
    [
      'https://a.blob.core.windows.net/c/a.tif?sv=2024&sig=s3cret',
      'https://a.blob.core.windows.net/c/a.tif?…',
    ],
    ['https://x.example/a.tif#s3cret', 'https://x.example/a.tif'],
    ['https://x.example?api_key=s3cret', 'https://x.example?…'],
    ['HTTPS://user:s3cret@X.example/a', 'HTTPS://…@X.example/a'],
    ['https://user:s3c/ret@x.example/a.tif', 'https://…'],
    ['https://user:s3c?ret@x.example/a.tif', 'https://…'],
    ['s3://bucket/a/b.tif', 's3://bucket/a/b.tif'],
    ['http://[::1]:8080/a.tif?k=s3cret', 'http://[::1]:8080/a.tif?…'],
    ['/srv/scenes/a.tif', '/srv/scenes/a.tif'],
    ['scenes/a@b/c.tif', 'scenes/a@b/c.tif'],
  ];
  for (const [address, shown] of cases) {
    assert.equal(toShownAddress(address), shown);
    if (address.includes('://'))
      assert.equal(redactAddresses(`read "${address}" now`), `read "${shown}" now`);
  }
  assert.ok(toShownAddress(`https://x.example/${'a'.repeat(5_000)}`).length <= 300);
});

test('callers see the name of a file, and no other part of its address', () => {
  const cases: readonly (readonly [address: string, store: string, name: string | null])[] = [
    ['scenes/S2/B04.tif', 'folder', 'B04.tif'],
    ['/srv/private/T10UEU_B04_10m.jp2', 'folder', 'T10UEU_B04_10m.jp2'],
    ['https://user:s3cret@x.example/a/B04.TIF?sv=2024&sig=s3cret', 'http', 'B04.TIF'],
    ['https://x.example/a/B04.tif;token=s3cret', 'http', 'B04.tif'],
    ['https://user:s3c/ret@x.example', 'http', null],
    ['https://x.example/download/s3cret', 'http', null],
    ['https://x.example/a%2Fs3cret.tif', 'http', null],
    ['https://x.example?file=s3cret.tif', 'http', null],
    [`https://x.example/${'s3cret'.repeat(20)}.tif`, 'http', null],
    ['s3://bucket/a/B8A.tif', 's3', 'B8A.tif'],
  ];
  for (const [address, store, name] of cases)
    assert.deepEqual(toShownFile(address), { store, name }, address);
});

test('the origin of an address is its scheme and host, without credentials', () => {
  assert.equal(toAddressOrigin('https://user:s3cret@x.example:8443/a?b=c'), 'https://x.example:8443');
  assert.equal(toAddressOrigin('s3://bucket/a'), 's3://bucket');
  assert.equal(toAddressOrigin('/srv/a.tif'), null);
});

test('strings without addresses, stack traces and our own explanations are not changed', () => {
  for (const text of [
    'must be an address such as postgres://user:password@host:5432/database',
    'at file:///srv/swath/node_modules/@scope/x/index.js:12:3',
    'a broken product: what? nothing',
    '{"msg":"request","path":"/api/render/S2/31","ms":1.5}',
  ]) {
    assert.equal(redactAddresses(text), text);
  }
});

test('no secret in an address survives in a log line, and the line stays valid JSON', () => {
  const secret = 'THE-s3cret';
  const word = fc.stringMatching(/^[a-z0-9.-]{1,12}$/);
  fc.assert(
    fc.property(
      word,
      word,
      fc.constantFrom('https', 's3', 'postgres', 'http'),
      fc.nat(3),
      (host, path, scheme, kind) => {
        const address = [
          `${scheme}://u:${secret}@${host}/${path}`,
          `${scheme}://${secret}@${host}/${path}?a=b`,
          `${scheme}://${host}/${path}?${path}=${secret}&b=${secret}`,
          `${scheme}://${host}:80/${path}?a=b#${secret}`,
        ][kind];
        const line = JSON.stringify({
          msg: `cannot read ${address}, ${address}`,
          err: { stack: `at "${address}"` },
        });
        const shown = redactAddresses(line);
        assert.ok(!shown.includes(secret), shown);
        assert.equal(typeof JSON.parse(shown), 'object');
      },
    ),
  );
});

test('punctuation after an address is not part of it', async () => {
  for (const end of ['.', ', which', '; add it', ': no', ').', '?!', ' is']) {
    assert.equal(redactAddresses(`http://127.0.0.1:9000${end}`), `http://127.0.0.1:9000${end}`);
    assert.equal(redactAddresses(`https://u:p4ss@a.test:8443${end}`), `https://…@a.test:8443${end}`);
  }
  const { tookMs } = await runTimed(() => redactAddresses(`https://${'.'.repeat(100_000)}x`), 1_000);
  assert.ok(tookMs < 1_000, `${tookMs} ms`);
});
