import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { checkResultsFolder, describeResults } from '../app/results.ts';
import { describeConfig, parseConfig } from './config.ts';
import { parseResults, toResultsFolder } from './object-settings.ts';

/** Settings with a bucket that can be written, and one that cannot. */
function withSources(work: (sources: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'swath-bucket-setting-'));
  const file = join(folder, 'sources.json');
  const credentials = { accessKeyId: 'id', secretAccessKey: 'hunter2' };
  const s3 = [
    { buckets: ['mine'], region: 'eu-central-1', credentials },
    { buckets: ['public'], region: 'eu-central-1' },
  ];
  writeFileSync(file, JSON.stringify({ s3 }));
  try {
    work(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('results and data cubes are stored in the data directory, or in a bucket that the sources list with credentials', () => {
  assert.deepEqual([parseConfig({}).results, parseConfig({}).cubes], [null, null]);
  withSources((file) => {
    const env = { SWATH_SOURCES: file, SWATH_CUBES: 's3://mine/cubes' };
    const config = parseConfig(env);
    assert.deepEqual([config.results, config.cubes], [null, 's3://mine/cubes']);
    const [shown] = describeConfig(config, env).filter(({ variable }) => variable === 'SWATH_CUBES');
    assert.deepEqual([shown?.value, shown?.fromEnvironment], ['s3://mine/cubes', true]);
    for (const href of ['s3://mine', 's3://mine/', 's3://mine/swath/results', 's3://mine/a.b_c-1/']) {
      const env = { SWATH_SOURCES: file, SWATH_RESULTS: href };
      const config = parseConfig(env);
      assert.equal(config.results, href);
      const shown = describeConfig(config, env).find(({ variable }) => variable === 'SWATH_RESULTS');
      assert.equal(shown?.value, href);
    }
  });
});

test('an unwritable bucket is refused at startup, with the reason and without secrets', () => {
  withSources((file) => {
    const refuse = (env: Record<string, string>, reason: RegExp) =>
      assert.throws(
        () => parseConfig({ SWATH_SOURCES: file, ...env }),
        (error: Error) => reason.test(error.message) && !error.message.includes('hunter2'),
        JSON.stringify(env),
      );
    refuse({ SWATH_RESULTS: 's3://other/x' }, /SWATH_RESULTS names the bucket other, which .* does not list/);
    refuse({ SWATH_RESULTS: 's3://public/x' }, /SWATH_RESULTS .* no credentials/);
    refuse({ SWATH_CUBES: 's3://other/x' }, /SWATH_CUBES names the bucket other, which .* does not list/);
    refuse({ SWATH_CUBES: 's3://public/x' }, /SWATH_CUBES .* no credentials/);
    refuse({ SWATH_CUBES: '/folder' }, /SWATH_CUBES must be s3:/);
    for (const href of [
      ...[
        'mine',
        'https://mine/x',
        's3://',
        's3://Mine',
        's3://a..b/x',
        's3:///x',
        's3://mine/../x',
        's3://mine/a//b',
      ],
      ...['s3://mine/.x', 's3://mine/a b', 's3://mine/é', 's3://mine?x', `s3://mine/${'a/'.repeat(11)}`],
    ]) {
      refuse({ SWATH_RESULTS: href }, /SWATH_RESULTS must be s3:/);
    }
    refuse({ SWATH_RESULTS_DELIVERY: 'both' }, /SWATH_RESULTS_DELIVERY must be one of proxy, redirect/);
  });
});

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

test('the results folder must exist and be writable; a link to one is followed', async () => {
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

test('doctor says whether running nodes share the configured place', async () => {
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
