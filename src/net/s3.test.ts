import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../testing/any-text.ts';
import { parseS3Endpoint, parseS3Href, toS3Url } from './s3.ts';

const amazon = { region: 'eu-central-1' };
const own = { region: 'us-east-1', endpoint: 'http://127.0.0.1:9000', pathStyle: true };
const toUrl = (href: string, location: Parameters<typeof toS3Url>[1]) =>
  toS3Url(parseS3Href(href), location).href;

test('the bucket is in the host name, or in the path if that is configured or the name has a dot', () => {
  assert.equal(toUrl('s3://scenes/a/b.tif', amazon), 'https://scenes.s3.eu-central-1.amazonaws.com/a/b.tif');
  assert.equal(
    toUrl('s3://my.scenes/a/b.tif', amazon),
    'https://s3.eu-central-1.amazonaws.com/my.scenes/a/b.tif',
  );
  assert.equal(toUrl('s3://scenes/a/b.tif', own), 'http://127.0.0.1:9000/scenes/a/b.tif');
  assert.equal(
    toUrl('s3://scenes/k', { region: 'x', endpoint: 'https://store.example:8443' }),
    'https://scenes.store.example:8443/k',
  );
});

test('a key is literal', () => {
  assert.equal(
    toUrl("s3://scenes/a b+c%2F?d#e'(1)*é", own),
    'http://127.0.0.1:9000/scenes/a%20b%2Bc%252F%3Fd%23e%27%281%29%2A%C3%A9',
  );
  assert.equal(new URL(toUrl('s3://scenes//a//b/', own)).pathname, '/scenes//a//b/');
});

test('every accepted key can be read back from its URL', () => {
  fc.assert(
    fc.property(anyText({ minLength: 1, maxLength: 40 }), (key) => {
      if (key.split('/').some((segment) => segment === '.' || segment === '..')) return;
      const url = toS3Url(parseS3Href(`s3://scenes/${key}`), own);
      assert.equal(decodeURIComponent(url.pathname), `/scenes/${key}`);
      assert.deepEqual([url.host, url.search, url.hash], ['127.0.0.1:9000', '', '']);
    }),
  );
});

test('an href that is not an object address is refused', () => {
  for (const href of [
    's3://scenes',
    's3://scenes/',
    's3:///key',
    's3://Scenes/key',
    's3://a/key',
    's3://a..b/key',
    's3://-ab/key',
    's3://ab-/key',
    's3://evil.example@x/key',
    's3://user:pass@scenes/key',
    's3://scenes:80/key',
    's3://scenes\\x/key',
    's3://scenes/../other/key',
    's3://scenes/a/./b',
    's3://scenes/..',
    `s3://${'b'.repeat(64)}/key`,
    `s3://scenes/${'é'.repeat(513)}`,
    's3://scenes/\ud800',
    'S3://scenes/key',
    'http://scenes/key',
    '',
  ]) {
    assert.throws(() => parseS3Href(href), { code: 'address-not-allowed' }, href);
  }
  assert.equal(parseS3Href(`s3://scenes/${'é'.repeat(512)}`).key.length, 512);
});

test('invalid regions and endpoints are refused', () => {
  for (const region of ['', 'eu/x', 'a.evil.example', 'EU']) {
    assert.throws(() => parseS3Endpoint({ region }), { code: 'bad-s3-region' }, region);
  }
  for (const endpoint of [
    'store.example',
    'ftp://x',
    'https://x/path',
    'https://u:p@x',
    'https://x/?q',
    'https://x/#h',
  ]) {
    assert.throws(() => parseS3Endpoint({ region: 'x', endpoint }), { code: 'bad-s3-endpoint' }, endpoint);
  }
});
