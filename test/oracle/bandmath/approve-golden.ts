/**
 * Lets NumPy compute 20,000 random trees and records its answers, for tests that have no NumPy. Run by hand when the
 * language grows: `npm run node -- test/oracle/bandmath/approve-golden.ts`. Nothing is recorded unless all trees agree.
 */
import { writeGoldenTrees } from './golden-trees.ts';
import { judgeTrees } from './judge-trees.ts';

const verdict = judgeTrees({ seed: 20_240_101, first: 0, count: 20_100, interior: 'exact' });
for (const problem of verdict.problems.slice(0, 20)) console.error(problem);
if (verdict.problems.length > 0) process.exit(1);
const bytes = writeGoldenTrees(verdict, verdict.pool, verdict.approved);
const { numpy, texts, refused } = verdict;
console.log(`NumPy ${numpy}: ${texts.length - refused} trees recorded in ${bytes} bytes`);
