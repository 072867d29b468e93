import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// Reads: web/ scripts/build-web.ts package-lock.json

/** All that the viewer is built from: its own files, the builder, and the packages. */
const SOURCES = ['web/**/*.{ts,css,html,svg}', 'scripts/build-web.ts', 'package-lock.json'];

/** A fingerprint of the viewer's sources: unlike times of files, the same in every copy of a checkout. */
export function hashWebSources(root: string): string {
  const hash = createHash('sha256');
  const files = globSync(SOURCES, { cwd: root }).filter(
    (file) => !file.endsWith('.test.ts') && !file.startsWith(join('web', 'dist')),
  );
  for (const file of files.sort())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** The file in which a build says what it was made from. */
export const toBuiltFrom = (root: string): string => join(root, 'web', 'dist', 'built-from.txt');

/** Whether `web/dist` was built from the sources as they are. */
export function isWebFresh(root: string): boolean {
  try {
    return readFileSync(toBuiltFrom(root), 'utf8') === hashWebSources(root);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

interface Refreshing {
  readonly root: string;
  build(): Promise<unknown>;
  /** Told when it cannot be built. */
  onFailure(sentence: string): void;
}

/** Builds the viewer again when its sources have changed; a stale one is better than none, so a failure is only said. */
export async function refreshWeb({ root, build, onFailure }: Refreshing): Promise<void> {
  if (isWebFresh(root)) return;
  try {
    await build();
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    onFailure(
      `web/dist is not what the sources make, and could not be built again ("npm run prepare"): ${reason}`,
    );
  }
}
