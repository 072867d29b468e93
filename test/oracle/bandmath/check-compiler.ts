/**
 * The compiler computes the trees of check-bandmath.ts, and this compares with the interpreter: the same bits wherever
 * IEEE 754 defines them. A function that is not exact may be one step of float32 off; what is computed from a part that
 * was is passed over. Run by hand or by `npm run oracle`:
 *
 *     npm run node -- test/oracle/bandmath/check-compiler.ts --trees 20000 --seed 7
 */
import { parseArgs } from 'node:util';
import { isSwathError } from '../../../src/errors.ts';
import { makeRandom } from '../../fuzz/random.ts';
import { computeText } from './compute-text.ts';
import { evaluateText, planesOf } from './evaluate-text.ts';
import { makeFloatJudge } from './float-judge.ts';
import { makeHostilePlanes } from './hostile-planes.ts';
import { findParts, MAX_DEPTH, POOL_PLANES } from './judge-trees.ts';
import { makeRandomTree } from './random-tree.ts';
import { writeTree } from './write-tree.ts';

const { values: options } = parseArgs({
  options: { trees: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
});
const CHUNK = 20_000;
/** Where a sum of logarithms comes out near 0 its parts have cancelled, and their own last bits are what is left. */
const CANCELLED = 1e-12;
const [total, seed] = [Number(options.trees), Number(options.seed)];
const isAsGood = makeFloatJudge(1);
const counts = { same: 0, near: 0, refused: 0, overWindow: 0, wrong: 0 };

for (let first = 0; first < total && counts.wrong <= 100; first += CHUNK) {
  const pool = makeHostilePlanes(makeRandom(seed, 'bandmath-pool', first), POOL_PLANES);
  for (let index = 0; index < Math.min(CHUNK, total - first); index++) {
    const random = makeRandom(seed, 'bandmath-any', first + index);
    const tree = makeRandomTree(random, 1 + random.below(MAX_DEPTH), 'any');
    const parts = [...findParts(tree), tree];
    const roots = parts.map((part) => ('name' in part ? part.name : ''));
    const texts = parts.map((part) => writeTree(part, random));
    counts[compare(texts, roots, planesOf(pool, index))] += 1;
  }
}
console.log(
  `${counts.same} trees the same, ${counts.near} with a part one step off, ${counts.overWindow} left to the interpreter, ` +
    `${counts.refused} refused, ${counts.wrong} computed otherwise`,
);
if (counts.wrong > 0 || counts.same === 0) process.exitCode = 1;

function compare(
  texts: readonly string[],
  roots: readonly string[],
  planes: Parameters<typeof evaluateText>[1],
): keyof typeof counts {
  const text = texts.join(',');
  try {
    const ours = computeText(text, planes);
    if (ours === null) return 'overWindow';
    const theirs = evaluateText(text, planes);
    for (const [i, { values, mask }] of ours.entries()) {
      const right = theirs[i]!;
      const isMaskRight = mask.every((has, pixel) => has === right.mask[pixel]);
      const isSame = values.every(
        (value, pixel) => Object.is(value, right.values[pixel]) || mask[pixel] === 0,
      );
      if (isMaskRight && isSame) continue;
      // A part that was off makes the next ones differ by more: they are not its fault, and not compared.
      const isNear = values.every(
        (value, pixel) =>
          mask[pixel] === 0 ||
          isAsGood(roots[i]!, value, right.values[pixel]!) ||
          (roots[i]!.startsWith('logaddexp') && Math.abs(value - right.values[pixel]!) < CANCELLED),
      );
      if (isMaskRight && isNear) return 'near';
      console.error(`${texts[i]} is computed otherwise`);
      return 'wrong';
    }
    return 'same';
  } catch (error) {
    if (!isSwathError(error) || error.tag === 'internal') throw new Error(text, { cause: error });
    return 'refused';
  }
}
