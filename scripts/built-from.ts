import { createHash } from 'node:crypto';
import { globSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

// Tests look at the viewer and the kernels alone.
// Reads: web/ clients/typescript/ kernels/ src/seasons/ src/numbers/ src/units.ts scripts/build-web.ts scripts/build-kernels.ts package-lock.json

/** What is built of sources and is not in the repository. */
interface Built {
  readonly folder: string;
  /** All that it is built from: its own files, the builder, and the packages. */
  readonly sources: readonly string[];
}

/** The viewer, with the rooms of src/ that it imports (test/rooms.test.ts has the same list). */
export const WEB: Built = {
  folder: 'web/dist',
  sources: [
    'web/**/*.{ts,tsx,css,html,svg,json}',
    'clients/typescript/src/*.ts',
    'src/seasons/*.ts',
    'src/numbers/trace-patches.ts',
    'src/units.ts',
    'scripts/build-web.ts',
    'package-lock.json',
  ],
};

/** The kernels: with those of other sources, threads call functions that are not there. */
export const KERNELS: Built = {
  folder: 'kernels/dist',
  sources: ['kernels/**/*.ts', 'scripts/build-kernels.ts', 'package-lock.json'],
};

/** The server. */
export const SERVER: Built = {
  folder: 'bin/dist',
  sources: ['src/**/*.ts', 'world/**/*.ts', 'scripts/build-server.ts', 'package-lock.json'],
};

/** A fingerprint of the sources: unlike times of files, the same in every copy of a checkout. */
export function hashSources(root: string, { folder, sources }: Built): string {
  const hash = createHash('sha256');
  const files = globSync([...sources], { cwd: root }).filter(
    (file) => !file.endsWith('.test.ts') && !file.startsWith(join(folder)),
  );
  for (const file of files.sort())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** The file in which a build says what it was made from. */
export const toBuiltFrom = (root: string, { folder }: Built): string => join(root, folder, 'built-from.txt');

/** Whether it was built from the sources as they are. */
export function isFresh(root: string, built: Built): boolean {
  try {
    return readFileSync(toBuiltFrom(root, built), 'utf8') === hashSources(root, built);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

interface Refreshing {
  readonly root: string;
  build(): Promise<unknown>;
  /** Called with a sentence when it cannot be built. */
  onFailure(sentence: string): void;
}

/**
 * Builds again what was built of other sources; a stale build is better than none, so a failure is only said. The time of
 * a build says when its sources were last compared, for those who cannot read all of them (bin/swath.js).
 */
export async function refresh(built: Built, { root, build, onFailure }: Refreshing): Promise<void> {
  const now = new Date();
  if (isFresh(root, built)) return utimesSync(toBuiltFrom(root, built), now, now);
  try {
    await build();
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    onFailure(
      `${built.folder} is not what the sources make, and could not be built again ("npm run prepare"): ${reason}`,
    );
  }
}
