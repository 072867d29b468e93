import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** A checkout whose kernels and viewer are built. */
export interface Checkout extends Disposable {
  readonly folder: string;
  /** The short name of its commit, with a plus if files differ from it. */
  readonly commit: string;
}

const ROOT = resolve(import.meta.dirname, '../..');

/** What they print is of interest only if they fail. */
const QUIET: ['ignore', 'ignore', 'inherit'] = ['ignore', 'ignore', 'inherit'];

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

/** This checkout as it is. */
export function useHere(): Checkout {
  execFileSync(process.execPath, ['scripts/refresh-builds.ts'], { cwd: ROOT, stdio: QUIET });
  const isChanged = git('status', '--porcelain') !== '';
  return {
    folder: ROOT,
    commit: `${git('rev-parse', '--short', 'HEAD')}${isChanged ? '+' : ''}`,
    [Symbol.dispose]: () => {},
  };
}

/** Checks a commit out beside this one and builds it. Packages are linked if both need the same, and installed otherwise. */
export function checkOut(name: string): Checkout {
  const folder = mkdtempSync(join(tmpdir(), 'swath-bench-commit-'));
  const commit = git('rev-parse', '--short', `${name}^{commit}`);
  git('worktree', 'add', '--quiet', '--detach', '--force', folder, commit);
  const remove = (): void => {
    git('worktree', 'remove', '--force', folder);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const lockOf = (checkout: string): string => readFileSync(join(checkout, 'package-lock.json'), 'utf8');
    const run = (program: string, args: readonly string[]): void =>
      void execFileSync(program, args, { cwd: folder, stdio: QUIET });
    if (lockOf(folder) === lockOf(ROOT)) run('cp', ['-al', join(ROOT, 'node_modules'), folder]);
    else run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
    // As after an install: it has built the kernels and the viewer at every commit.
    run('npm', ['run', 'prepare']);
  } catch (error) {
    remove();
    throw error;
  }
  return { folder, commit, [Symbol.dispose]: remove };
}
