import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HANG_MS, waitFor } from '../../src/testing/wait-for.ts';
import { listImports } from './read-imports.ts';

// It hashes the sources of generators, which their callers import or start.
// Reads: kernels/ package.json world/package.json

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** By its real path, also where checkouts share their packages by a link: Swath keeps data directories by real paths. */
const CACHE = join(realpathSync(join(ROOT, 'node_modules')), '.cache/swath-made');
/** Folders of other sources are removed after this time: longer than any test run, and a working day of going back and forth. */
const OLD_MS = 12 * 3_600_000;

/**
 * The cache key of what a generator makes: any change of a file that it imports, of the packages, or of the version of
 * the demo world makes its folders again, so that no test ever sees stale files.
 */
export function hashSources(entry: string, root = ROOT): string {
  const hash = createHash('sha256').update(process.version);
  const kernels = globSync('kernels/**/*.ts', { cwd: root });
  const sources = [...listImports(entry, root), ...kernels, 'package.json', 'world/package.json'];
  for (const file of sources.sort()) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 16);
}

const folders = new Map<string, string>();
/** The folder for what a generator makes of these sources: the same for as long as a process runs. */
function findFolder(entry: string): string {
  const known = folders.get(entry);
  if (known !== undefined) return known;
  const found = join(CACHE, hashSources(entry));
  mkdirSync(found, { recursive: true });
  for (const other of globSync(`${CACHE}/*`)) {
    const { mtimeMs } = statSync(other, { throwIfNoEntry: false }) ?? { mtimeMs: 0 };
    if (other !== found && Date.now() - mtimeMs > OLD_MS) rmSync(other, { recursive: true, force: true });
  }
  // A folder in use is not an old one, even if nothing was added to it for long.
  utimesSync(found, new Date(), new Date());
  folders.set(entry, found);
  return found;
}

/** Something that many test files need, that is slow to make, and that never changes once it is there. */
export interface Made {
  /** Unique, and derived from whatever determines the content besides the sources. */
  readonly name: string;
  /** The source file that makes it: a change of it, or of anything it imports, makes the folder again. */
  readonly madeBy: string;
  /** Fills an empty folder. */
  make(folder: string): Promise<void> | void;
}

/**
 * Folders of what is to be made, each made once for all test files that run at the same time or later, in the order
 * asked for. What another file is making is left to it, and waited for when there is nothing else to do. A folder has its
 * name only once it is complete, so a killed run leaves no half-made folder; what it had claimed is made by the
 * next that needs it.
 */
export async function makeOnce(wanted: readonly Made[], within?: string): Promise<readonly string[]> {
  const folders = wanted.map(({ name, madeBy }) => join(within ?? findFolder(madeBy), name));
  for (const mayWait of [false, true]) {
    for (const [i, { make }] of wanted.entries()) {
      const folder = folders[i] as string;
      while (!existsSync(folder)) {
        if (claim(folder)) await fill(folder, make);
        else if (mayWait) await waitFor(() => existsSync(folder) || !isClaimed(folder));
        else break;
      }
    }
  }
  return folders;
}

const claimOf = (folder: string): string => `${folder}.claim`;

/** Whether it is ours to make; the claim has our process id in it. */
function claim(folder: string): boolean {
  if (!isClaimed(folder)) rmSync(claimOf(folder), { force: true });
  try {
    writeFileSync(claimOf(folder), String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Whether a live process is making it. */
function isClaimed(folder: string): boolean {
  const path = claimOf(folder);
  try {
    // One that is written at this moment has no number yet.
    const pid = Number(readFileSync(path, 'utf8'));
    // A process that takes longer is considered dead.
    const isRecent = Date.now() - statSync(path).mtimeMs < HANG_MS;
    return isRecent && (pid === 0 || isAlive(pid));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

async function fill(folder: string, make: Made['make']): Promise<void> {
  const fresh = mkdtempSync(join(dirname(folder), '.making-'));
  try {
    await make(fresh);
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    // Two processes that found the same stale claim may both have made it; either result will do.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(claimOf(folder), { force: true });
  }
}
