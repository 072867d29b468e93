import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseSources } from './source-settings.ts';

const scratch = mkdtempSync(join(tmpdir(), 'swath-sources-'));
after(() => rmSync(scratch, { recursive: true }));
const file = join(scratch, 'sources.json');
const parseFile = (content: unknown) => {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return parseSources(file);
};

test('a list names folders, hosts and public buckets', () => {
  assert.deepEqual(parseSources('/mnt/scenes https://*.example.org  s3://sentinel-cogs https://a.test/'), {
    folders: ['/mnt/scenes'],
    network: {
      hosts: ['*.example.org', 'a.test'],
      s3: [{ buckets: ['sentinel-cogs'], region: 'us-west-2' }],
    },
  });
  assert.deepEqual(parseSources('/mnt/scenes'), { folders: ['/mnt/scenes'] });
});

test('a file can add credentials, endpoints and private networks', () => {
  const content = {
    folders: ['/mnt/a'],
    hosts: ['tiles.test'],
    allowHttp: true,
    privateNetworks: ['10.0.0.0/8'],
    s3: [
      {
        buckets: ['mine'],
        region: 'eu-central-1',
        endpoint: 'http://minio.test:9000',
        pathStyle: true,
        credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
      },
    ],
  };
  const { folders, ...network } = content;
  assert.deepEqual(parseFile(content), { folders, network });
  assert.deepEqual(parseFile({}), { folders: [] });
});

test('invalid places are refused by name', () => {
  const wrong = ['http://plain.test', 'scenes', '/mnt/../etc', 'https://host/path', 's3://UPPER', 'ftp://x'];
  for (const place of wrong)
    assert.throws(() => parseSources(place), { message: /each entry must be/ }, place);
});

test('an invalid file is refused with the wrong value, and its secrets are not repeated', () => {
  assert.throws(() => parseFile({ host: ['x'] }), { message: /the whole is wrong/ });
  assert.throws(() => parseFile({ s3: [{ buckets: [], region: 'x' }] }), { message: /s3\.0\.buckets/ });
  assert.throws(() => parseFile({ folders: ['relative'] }), { message: /folders\.0 is wrong/ });
  assert.throws(() => parseFile({ privateNetworks: ['10.0.0.0/99'] }), { message: /privateNetworks\.0/ });
  assert.throws(
    () => parseFile('{"credentials": "hunter2"'),
    (error: Error) => {
      assert.match(error.message, /it is not JSON/);
      assert.doesNotMatch(error.message, /hunter2/);
      return true;
    },
  );
  assert.throws(() => parseSources(join(scratch, 'none.json')), { message: /cannot be read/ });
});
