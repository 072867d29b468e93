/**
 * Runs every `*.test.ts` of the checkout with Node's own test runner.
 * `npm run test:only -- src/formats` narrows it to files whose path contains one of the given words.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';

const words = process.argv.slice(2);
const files = ['src', 'test', 'web']
  .flatMap((folder) => globSync(`${folder}/**/*.test.ts`))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort();
if (files.length === 0) {
  console.error(`No test file matches: ${words.join(' ') || '(all)'}`);
  process.exit(1);
}

const run = spawnSync(
  process.execPath,
  [
    '--disallow-code-generation-from-strings',
    '--disable-proto=delete',
    '--test',
    '--test-timeout=120000',
    // Node's default leaves one core idle, which on two cores is half of them.
    `--test-concurrency=${availableParallelism()}`,
    ...files,
  ],
  {
    stdio: 'inherit',
    // Every file of tests is a process of its own: what one compiled, the others need not compile again.
    env: { NODE_COMPILE_CACHE: resolve('node_modules/.cache/tests'), ...process.env },
  },
);
process.exit(run.status ?? 1);
