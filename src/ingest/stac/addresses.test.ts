import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeIsAllowedHref } from './addresses.ts';

const isAllowed = makeIsAllowedHref({
  dataDir: '/srv/swath',
  folders: ['/srv/images'],
  network: { hosts: ['x.example', '*.y.example'], s3: [{ buckets: ['pictures'], region: 'eu-west-1' }] },
});

test('scenes may refer to the sources in the settings', () => {
  for (const href of [
    'scenes/demo/B04.tif',
    '/srv/images/a/b.tif',
    'https://x.example/a.tif',
    'https://a.y.example/a.tif?x=1',
    's3://pictures/a.tif',
  ]) {
    assert.equal(isAllowed(href), true, href);
  }
});

test('scenes may not refer to anything else', () => {
  for (const href of [
    '../B04.tif',
    '/etc/passwd',
    '/srv/images/../../etc/passwd',
    '/srv/imagesque/a.tif',
    'http://x.example/a.tif',
    'https://z.example/a.tif',
    'https://x.example.evil/a.tif',
    'https://x.example@evil.example/a.tif',
    'https://x.example:8443/a.tif',
    's3://others/a.tif',
    'file:///etc/passwd',
    'gopher://x.example/',
    'https://169.254.169.254/latest',
    '',
  ]) {
    assert.equal(isAllowed(href), false, href);
  }
  assert.equal(makeIsAllowedHref({ dataDir: '/srv/swath', folders: [] })('https://x.example/a.tif'), false);
});
