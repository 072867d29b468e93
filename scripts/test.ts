/**
 * Runs every `*.test.ts` of the checkout with Node's own test runner.
 * `npm run test:only -- src/formats` narrows it to files whose path contains one of the given words.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';

/**
 * Path beginnings of the files that take longest, the longest first. The runner begins files in the order given: a long
 * one at the end would run alone while the other cores have nothing left to do.
 */
const LONG = [
  'test/browser/',
  'test/service/',
  'src/adapters/sqlite/sqlite.',
  'test/world/',
  'test/ports/',
  'test/fuzz/',
  'src/raster/warp',
  'src/world/',
  'src/render/',
  'src/proj/',
];
const rankOf = (file: string): number => {
  const rank = LONG.findIndex((beginning) => file.startsWith(beginning));
  return rank === -1 ? LONG.length : rank;
};

const words = process.argv.slice(2);
const files = ['src', 'test', 'web']
  .flatMap((folder) => globSync(`${folder}/**/*.test.ts`))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort()
  .sort((a, b) => rankOf(a) - rankOf(b));
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
