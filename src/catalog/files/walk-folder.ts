import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { badInput, cancelled, sourceBroken, tooLarge } from '../../errors.ts';

/** A file under the folder that is looked through. */
export interface FoundFile {
  /** Absolute. */
  readonly path: string;
  /** Names from the folder down, the file's own last. */
  readonly parts: readonly string[];
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/** How far a walk goes. */
export interface WalkLimits {
  readonly maxDepth: number;
  readonly maxFiles: number;
}

/** How a walk is made. */
export interface WalkOptions {
  readonly signal?: AbortSignal;
  readonly limits?: WalkLimits;
}

/** A file or folder that was passed over; the walk goes on without it. */
export interface PassedOver {
  /** Its path below the folder, shortened. */
  readonly name: string;
  readonly code: 'folder-too-deep' | 'folder-unreadable' | 'link-not-followed';
  readonly reason: string;
}

/** What a walk has found. */
export interface WalkedFolder {
  /** In order of their paths. */
  readonly files: readonly FoundFile[];
  readonly passedOver: readonly PassedOver[];
}

/** Buckets of providers are ten levels deep; a hundred thousand products have a million files, in several runs. */
const LIMITS: WalkLimits = { maxDepth: 24, maxFiles: 500_000 };

/**
 * All plain files under a folder. Symbolic links are not followed, so that nothing outside the folder is read and no
 * circle is walked; the folder itself may be one. What lies too deep or may not be read is passed over and reported:
 * one odd folder must not keep all others out.
 */
export async function walkFolder(
  folder: string,
  { signal, limits = LIMITS }: WalkOptions = {},
): Promise<WalkedFolder> {
  const root = await realpath(folder).catch((cause: unknown) => {
    throw badInput('no-folder', `There is no folder ${folder}, or it may not be read.`, { cause });
  });
  const files: FoundFile[] = [];
  const passedOver: PassedOver[] = [];
  const pending: (readonly string[])[] = [[]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const here = next;
    if (signal?.aborted) throw cancelled('cancelled', 'The ingest was stopped.');
    if (here.length > limits.maxDepth) {
      const reason = `It lies more than ${limits.maxDepth} folders deep and was not looked into.`;
      passedOver.push({ name: shorten(here), code: 'folder-too-deep', reason });
      continue;
    }
    const entries = await readEntries(root, here).catch((error: unknown) => {
      if (here.length === 0) throw error;
      if (!isGone(error)) passedOver.push(toUnreadable(here));
      return [];
    });
    for (const entry of entries) {
      const parts = [...here, entry.name];
      if (entry.isDirectory()) pending.push(parts);
      if (!entry.isFile() && !entry.isSymbolicLink()) continue;
      if (files.length + passedOver.length >= limits.maxFiles) {
        throw tooLarge(
          'folder-too-full',
          `${folder} holds more than ${limits.maxFiles} files; take parts of it.`,
        );
      }
      if (entry.isSymbolicLink()) {
        passedOver.push(toLink(parts));
        continue;
      }
      const path = join(root, ...parts);
      // A file may be gone by now; then it is as if it had never been there.
      const stat = await lstat(path).catch(() => null);
      if (stat === null) continue;
      files.push({ path, parts, sizeBytes: stat.size, modifiedMs: stat.mtimeMs });
    }
  }
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), passedOver };
}

const toUnreadable = (parts: readonly string[]): PassedOver => ({
  name: shorten(parts),
  code: 'folder-unreadable',
  reason: 'The folder may not be read.',
});

const toLink = (parts: readonly string[]): PassedOver => ({
  name: shorten(parts),
  code: 'link-not-followed',
  reason: 'Symbolic links inside a folder are not followed; name the folder they lead to.',
});

/** As much of a path as fits on a line. */
const MAX_NAME_LENGTH = 120;

/** The path with its middle left out when it is long: both ends tell best which one it is. */
function shorten(parts: readonly string[]): string {
  const name = parts.join('/');
  const half = MAX_NAME_LENGTH / 2;
  return name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, half)}…${name.slice(-half)}`;
}

const isGone = (error: unknown): boolean =>
  error instanceof Error && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';

async function readEntries(root: string, parts: readonly string[]): Promise<Dirent[]> {
  return readdir(join(root, ...parts), { withFileTypes: true }).catch((cause: unknown) => {
    const isFile = (cause as NodeJS.ErrnoException).code === 'ENOTDIR';
    if (isFile) throw badInput('no-folder', `${join(root, ...parts)} is a file and no folder.`, { cause });
    throw sourceBroken('folder-unreadable', `The folder ${join(root, ...parts)} cannot be read.`, { cause });
  });
}
