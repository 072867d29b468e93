import assert from 'node:assert/strict';
import { test } from 'node:test';
import { targetByName } from './faulty-targets.ts';
import { judgeRun } from './judge.ts';
import { fuzzTarget } from './runner.ts';

const targetsModule = new URL('./faulty-targets.ts', import.meta.url).href;
/** Only a guard: the tests stop after so many runs. */
const durationMs = 120_000;
const shout = Buffer.from('hello!');

test('a result and a tagged error are fine', async () => {
  assert.equal((await judgeRun(targetByName('tagged'), Buffer.from('hello'))).outcome, 'ok');
  const { outcome, fault } = await judgeRun(targetByName('tagged'), shout);
  assert.deepEqual([outcome, fault], ['shouted', null]);
});

test('any other error, a slow run and one that leaves much behind are faults', async () => {
  const limits = { runMs: 100, growthBytes: 32 * 2 ** 20 };
  const faultOf = async (name: string) =>
    (await judgeRun(targetByName(name), shout, limits)).fault?.kind ?? '';
  assert.match(await faultOf('untagged'), /^TypeError: Cannot read .* at .*test\/fuzz\/faulty-targets\.ts/);
  assert.equal(await faultOf('slow'), 'slow: ok');
  assert.equal(await faultOf('large'), 'large: ok');
});

test('a run that never ends costs its thread alone, and its input is found', async () => {
  const options = { seed: 5, durationMs, maxRuns: 5, hangMs: 600, targetsModule };
  const { runs, findings } = await fuzzTarget(targetByName('hang'), options);
  const [finding] = findings;
  assert.equal(findings.length, 1);
  assert.equal(finding?.kind, 'hang');
  assert.ok(finding?.input.includes(0x21));
  assert.ok(runs > finding.run + 1, 'another thread went on behind it');
});

test('an unhandled rejection is a finding too', async () => {
  const { findings } = await fuzzTarget(targetByName('unhandled'), {
    seed: 5,
    durationMs,
    maxRuns: 200,
    targetsModule,
  });
  assert.match(findings[0]?.details ?? '', /no one is listening/);
});

test('the same seed makes the same runs', async () => {
  const find = async () => {
    const options = { seed: 9, durationMs, maxRuns: 300, targetsModule };
    const { findings } = await fuzzTarget(targetByName('untagged'), options);
    return findings.map(({ run, input }) => [run, Buffer.from(input).toString('hex')]);
  };
  const first = await find();
  assert.equal(first.length, 1);
  assert.deepEqual(await find(), first);
});
