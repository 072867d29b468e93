import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

const SAMPLE = "import fc from 'fast-check'; console.log(fc.sample(fc.nat(), 5).join())";
const PRELOAD = new URL('../../scripts/prepare-process.ts', import.meta.url).href;

function sampleWith(seed: string | undefined): string {
  const { TEST_COSTS: _costs, TEST_SEED: _seed, ...env } = process.env;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', PRELOAD, '--input-type=module', '-e', SAMPLE],
    {
      env: seed === undefined ? env : { ...env, TEST_SEED: seed },
      encoding: 'utf8',
    },
  );
  assert.match(stdout, /^\d+(,\d+){4}\n$/, stderr);
  return stdout;
}

test('properties try the same cases with the same TEST_SEED, and new ones without it', () => {
  assert.equal(sampleWith('1'), sampleWith('1'));
  assert.notEqual(sampleWith('1'), sampleWith('2'));
  assert.notEqual(sampleWith(undefined), sampleWith(undefined));
});
