import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listPictureOrigins } from './picture-origins.ts';
import { presets } from './presets/index.ts';

test('pictures come from the API and from public file hosts', () => {
  const url = 'https://stac.example.org/v1';
  assert.deepEqual(listPictureOrigins({ url, sources: { hosts: ['Files.example.org', '*.cdn.example'] } }), [
    'https://stac.example.org',
    'https://files.example.org',
    'https://*.cdn.example',
  ]);
  const tokens = [{ hosts: ['*.blob.example'], endpoint: 'https://stac.example.org/token' }];
  const s3 = [{ buckets: ['scenes'], region: 'eu-central-1' }];
  assert.deepEqual(listPictureOrigins({ url, sources: { hosts: ['*.blob.example'], tokens, s3 } }), [
    'https://stac.example.org',
  ]);
});

test('http and other ports are allowed only where the sources allow them', () => {
  const url = 'http://10.20.0.5:8081';
  assert.deepEqual(listPictureOrigins({ url, sources: { hosts: ['a.example'], allowHttp: true } }), [
    'http://10.20.0.5:8081',
    'https://a.example',
    'http://a.example',
  ]);
  assert.deepEqual(listPictureOrigins({ url, sources: { hosts: ['a.example'], ports: [443, 8443] } }), [
    'http://10.20.0.5:8081',
    'https://a.example',
    'https://a.example:8443',
  ]);
});

test('presets name https origins, without characters that end a policy directive', () => {
  for (const preset of presets) {
    for (const origin of listPictureOrigins(preset)) assert.match(origin, /^https:\/\/[a-z0-9.*-]+$/);
  }
});
