/**
 * The two tiers of tests. `x.test.ts` belongs to the fast tier, which `npm test` runs; `x.slow.test.ts` to the rest, which
 * `npm run test:all` adds, with properties tried at their full size.
 */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { makeListImports } from '../test/support/read-imports.ts';

const FAST_FILE_MS = 3_000;
/** Those of the fast tier that may take longer, each for a reason. */
const LONGER: Readonly<Record<string, number>> = {
  // The one flow with a browser on a service of its own; in a new checkout it makes the demo scene too.
  'test/browser/first-tile.test.ts': 30_000,
  // The whole contract of the stores, which is one for all databases.
  'test/ports/sqlite.test.ts': 8_000,
};

/** What a file of the fast tier may take, in milliseconds of processor time. */
export const limitOf = (file: string): number => LONGER[file] ?? FAST_FILE_MS;

export const isSlow = (file: string): boolean => file.endsWith('.slow.test.ts');

/** Every file of tests of the working directory, by name. */
export const listTests = (): readonly string[] =>
  ['clients', 'src', 'test', 'web', 'world'].flatMap((folder) => globSync(`${folder}/**/*.test.ts`)).sort();

/** The slow files that import one of the changed files, directly or not, or have changed themselves. */
export function findAffected(files: readonly string[], changed: ReadonlySet<string>): readonly string[] {
  const listImports = makeListImports('.');
  return files.filter((file) => isSlow(file) && listImports(file).some((one) => changed.has(one)));
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
