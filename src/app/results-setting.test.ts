import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseConfig } from './config.ts';
import { checkResultsFolder, describeResults } from './results.ts';
import { parseResults, toResultsFolder } from './results-setting.ts';

const scratch = mkdtempSync(join(tmpdir(), 'swath-results-setting-'));
after(() => rmSync(scratch, { recursive: true }));

test('results are stored in a bucket or in a folder with an absolute path', () => {
  assert.equal(parseResults('/srv/results'), '/srv/results');
  assert.equal(parseResults('/srv/results/'), '/srv/results');
  assert.equal(parseResults('s3://mine/x'), 's3://mine/x');
  assert.deepEqual(['/srv', 's3://mine', null].map(toResultsFolder), ['/srv', null, null]);
  for (const text of [
    '/',
    '/srv/../etc',
    '/srv/./x',
    '/srv//x',
    'results',
    './results',
    's3:/x',
    'file:///srv',
  ]) {
    assert.throws(() => parseConfig({ SWATH_RESULTS: text }), {
      code: 'bad-settings',
      message: /absolute path/,
    });
  }
});

test('the folder of results must be there and be writable; a link to one is followed', async () => {
  const check = (results: string) => checkResultsFolder({ results });
  const folder = join(scratch, 'folder');
  await assert.rejects(check(folder), { code: 'results-folder', message: /does not exist/ });
  mkdirSync(folder);
  await check(folder);
  symlinkSync(folder, join(scratch, 'link'));
  await check(join(scratch, 'link'));
  writeFileSync(join(scratch, 'file'), '');
  await assert.rejects(check(join(scratch, 'file')), { message: /is a file/ });
  if (process.getuid?.() === 0) return;
  chmodSync(folder, 0o500);
  await assert.rejects(check(folder), { message: /EACCES/ });
});

test('doctor says whether running nodes share the place of these settings', async () => {
  const place = join(scratch, 'shared');
  mkdirSync(place);
  mkdirSync(join(place, '.identity'));
  writeFileSync(join(place, '.identity', 'id'), 'an-id\n');
  const running = [
    { node: 'a 1', storeId: 'an-id', place: '/mnt/elsewhere' },
    { node: 'b 2', storeId: 'other', place: '/b/results' },
  ];
  const found = await describeResults({ dataDir: scratch, results: place }, running);
  assert.deepEqual(
    found.map(({ name, ok }) => [name, ok]),
    [
      ['Place', true],
      ['Running node', true],
      ['Running node', false],
    ],
  );
  const bucket = await describeResults({ dataDir: scratch, results: 's3://mine/x' }, [
    { node: 'a 1', storeId: 's3://mine/x/', place: 's3://mine/x/' },
  ]);
  assert.ok(bucket.every(({ ok }) => ok));
  const missing = await describeResults({ dataDir: scratch, results: join(scratch, 'nowhere') }, []);
  assert.deepEqual([missing[0]?.ok, /does not exist/.test(missing[0]?.value ?? '')], [false, true]);
});
