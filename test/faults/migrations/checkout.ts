import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { migrations } from '../../../src/adapters/postgres/schema/migrations.ts';

const SCHEMA = 'src/adapters/postgres/schema';

/** Another version of the sources, which can be started. */
export interface Checkout extends Disposable {
  readonly commit: string;
  /** The path of its `swath`. */
  readonly program: string;
  /** Whether it starts on a newer schema: versions before there was a `works_from` refuse it. */
  readonly maySeeNewer: boolean;
}

/**
 * The sources as they were before the schema of PostgreSQL last changed, with the packages of this checkout; null where the
 * history does not reach so far, as in a shallow clone.
 */
export async function checkOutPrevious(): Promise<Checkout | null> {
  const commit = await findPrevious();
  if (commit === null) return null;
  const root = mkdtempSync(join(tmpdir(), 'swath-previous-'));
  unpack(root, commit);
  symlinkSync(join(process.cwd(), 'node_modules'), join(root, 'node_modules'));
  // No test looks at the viewer, so any will do; kernels belong to the code that loads them.
  for (const built of ['kernels/dist', 'web/dist']) cpSync(built, join(root, built), { recursive: true });
  if (git('diff', '--name-only', commit, '--', 'kernels') !== '') buildKernels(root);
  return {
    commit,
    program: join(root, 'bin/swath.js'),
    maySeeNewer: readFileSync(join(root, SCHEMA, 'migrate.ts'), 'utf8').includes('works_from'),
    [Symbol.dispose]() {
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/**
 * Runs its own script without optimisation, which takes nine tenths of a build: the few pictures of a test need no speed,
 * and WebAssembly has the same numbers either way.
 */
function buildKernels(root: string): void {
  const script = join(root, 'scripts/build-kernels.ts');
  const text = readFileSync(script, 'utf8');
  writeFileSync(script, text.replace('--optimizeLevel=3', '--optimizeLevel=0').replace("'--converge',", ''));
  execFileSync(process.execPath, [script], { cwd: root, stdio: 'ignore' });
}

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

function unpack(root: string, commit: string, ...paths: readonly string[]): void {
  const archive = execFileSync('git', ['archive', commit, ...paths], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['x', '-C', root], { input: archive });
}

/** The newest commit with fewer steps than this version: a change of words in the files of the schema is none of the schema. */
async function findPrevious(): Promise<string | null> {
  try {
    const changes = git('log', '--format=%H', '--', SCHEMA).split('\n');
    for (const change of changes) {
      const before = git('rev-parse', '--verify', `${change}^{commit}~1`);
      if ((await countSteps(before)) < migrations.length) return before;
    }
  } catch {
    // The history ends before.
  }
  return null;
}

/** The files of the schema import only each other. */
async function countSteps(commit: string): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), 'swath-schema-'));
  try {
    unpack(root, commit, SCHEMA);
    const module: { readonly migrations: typeof migrations } = await import(
      pathToFileURL(join(root, SCHEMA, 'migrations.ts')).href
    );
    return module.migrations.length;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
