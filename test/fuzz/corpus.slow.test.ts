import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { judgeRun } from './judge.ts';
import { makeInput } from './mutate.ts';
import { makeRandom } from './random.ts';
import { readMaterial } from './target.ts';
import { targets } from './targets/index.ts';

const CORPUS = fileURLToPath(new URL('./corpus/', import.meta.url));
const RUNS = 300;
const SEED = 20_261_115;

for (const target of targets) {
  test(`${target.name}: inputs that once went wrong are read or refused`, async () => {
    for (const file of globSync(`${target.name}/*.bin`, { cwd: CORPUS }).sort()) {
      const { fault } = await judgeRun(target, readFileSync(CORPUS + file));
      assert.ok(fault === null, `${file}: ${fault?.details}`);
    }
  });

  test(`${target.name}: ${RUNS} damaged inputs are read or refused, and both happen`, async () => {
    const material = await readMaterial(target);
    const outcomes = new Map<string, number>();
    for (let run = 0; run < RUNS; run++) {
      const { outcome, fault } = await judgeRun(
        target,
        makeInput(makeRandom(SEED, target.name, run), material),
      );
      assert.ok(fault === null, `run ${run}: ${fault?.details}`);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    const accepted = outcomes.get('ok') ?? 0;
    // all refused means that nothing after the first check was reached, none refused that nothing was damaged
    assert.ok(accepted > 5 && accepted < RUNS - 5, JSON.stringify([...outcomes]));
  });
}

test('every target reads some of its seeds as they are', async () => {
  for (const target of targets) {
    let readable = 0;
    const { seeds } = await readMaterial(target);
    for (const seed of seeds) readable += (await judgeRun(target, seed)).outcome === 'ok' ? 1 : 0;
    assert.ok(readable > 0, target.name);
  }
});
