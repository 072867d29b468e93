/**
 * NumPy computes random expressions over hostile values, and this compares with the interpreter. Run by hand or by
 * `npm run oracle`:
 *
 *     npm run node -- test/oracle/bandmath/check-bandmath.ts                              a million trees
 *     npm run node -- test/oracle/bandmath/check-bandmath.ts --trees 20000 --seed 7
 */
import { parseArgs } from 'node:util';
import { judgeTrees } from './judge-trees.ts';

const { values } = parseArgs({
  options: { trees: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
});
const CHUNK = 20_000;
const total = Number(values.trees);
let done = 0;
let refused = 0;
let wrong = 0;
let version = '';
const worst = new Map<string, number>();
while (done < total) {
  const count = Math.min(CHUNK, total - done);
  const verdict = judgeTrees({ seed: Number(values.seed), first: done, count, interior: 'any' });
  for (const problem of verdict.problems.slice(0, 10)) console.error(problem);
  for (const [name, ulps] of Object.entries(verdict.worst)) {
    worst.set(name, Math.max(worst.get(name) ?? 0, ulps));
  }
  wrong += verdict.problems.length;
  refused += verdict.refused;
  version = verdict.numpy;
  done += count;
  if (wrong > 100) break;
}
const farthest = [...worst].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, ulps]) => `${name} ${ulps}`);
console.log(`Largest distance in float32 units: ${farthest.join(', ')}`);
console.log(
  `NumPy ${version}: ${done} trees compared, ${refused} refused by both, ${wrong} computed otherwise`,
);
if (wrong > 0 || done === 0) process.exitCode = 1;
