/**
 * The two tiers of tests. `x.test.ts` belongs to the fast tier, which `npm test` runs; `x.slow.test.ts` to the rest, which
 * `npm run test:all` adds, with properties tried at their full size.
 */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { listImports } from '../test/support/read-imports.ts';

/** What a file of the fast tier may take, in milliseconds of processor time. */
const FAST_FILE_MS = 3_000;
/** The one flow of the fast tier with a browser on a service of its own, which takes most of it to start. */
const FLOW = { file: 'test/browser/first-tile.test.ts', ms: 12_000 };

/** What this file may take in the fast tier, in milliseconds of processor time. */
export const limitOf = (file: string): number => (file === FLOW.file ? FLOW.ms : FAST_FILE_MS);

export const isSlow = (file: string): boolean => file.endsWith('.slow.test.ts');

/** Every file of tests of the working directory, by name. */
export const listTests = (): readonly string[] =>
  ['src', 'test', 'web', 'world'].flatMap((folder) => globSync(`${folder}/**/*.test.ts`)).sort();

/** The slow files that import one of the changed files, directly or not, or have changed themselves. */
export function findAffected(files: readonly string[], changed: ReadonlySet<string>): readonly string[] {
  return files.filter((file) => isSlow(file) && listImports(file, '.').some((one) => changed.has(one)));
}

/** Files that differ from the last commit that was pushed, or from the last commit where nothing is pushed anywhere. */
export function listChanged(): ReadonlySet<string> {
  const git = (...args: string[]): string[] =>
    execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .split('\n')
      .filter((line) => line !== '');
  const [upstream = 'HEAD'] = attempt(() => git('rev-parse', '@{upstream}')) ?? [];
  return new Set([
    ...git('diff', '--name-only', '--relative', upstream),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]);
}

function attempt<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch {
    return null;
  }
}

/** Whether a file tries more cases in the full size; see src/testing/test-size.ts. */
export const hasSizes = (file: string): boolean =>
  readFileSync(file, 'utf8').includes('testing/test-size.ts');
