import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { describeConfig, parseConfig } from './config.ts';

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

test('results and data cubes are stored in the data directory, or in a bucket that the sources name with credentials', () => {
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

test('a bucket that cannot be written is refused at the start, with the reason and without secrets', () => {
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
