import { randomBytes } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Repeat } from '../async/index.ts';
import { repeatByTimer } from '../async/index.ts';
import type { FolderFiles } from '../files/index.ts';
import { ignoreMissing } from '../files/index.ts';

/** A folder in which one file is being made. */
interface StagingFolder {
  readonly path: string;
  /** Removes it with all that is in it; never throws, because a sweep removes what is left. */
  remove(): Promise<void>;
}

/** The folders of files that are being made by the processes of a machine. */
export interface Staging {
  open(): Promise<StagingFolder>;
  /** Removes the folders of processes that have shown no sign of life for so long; gives their number. */
  sweep(olderThanMs: number): Promise<number>;
}

/** What staging needs. */
export interface StagingDeps {
  /** Made when missing; used by nothing else. */
  readonly folder: string;
  readonly files: FolderFiles;
  /** Monotonic. */
  readonly nowMs?: () => number;
  readonly repeat?: Repeat;
}

/** Often enough that a process which is only busy is not taken for a dead one. */
const BEAT_MS = 20_000;

/** The time of a folder as it was last seen, and since when. */
interface Sight {
  readonly stamp: number;
  readonly sinceMs: number;
}

/**
 * Builds it. A process renews the times of its folders as long as it lives. Whether one is alive is told by watching: its
 * folders do not stay as they are. Times are only compared with each other, so that a clock that is set means nothing.
 */
export function makeStaging(deps: StagingDeps): Staging {
  const { folder, files, nowMs = () => performance.now(), repeat = repeatByTimer } = deps;
  const own = new Set<string>();
  let seen = new Map<string, Sight>();

  return {
    async open() {
      // Random, because in containers every process has the same number.
      const name = randomBytes(8).toString('hex');
      const path = join(folder, name);
      own.add(name);
      try {
        await files.makeFolder(path);
      } catch (error) {
        own.delete(name);
        throw error;
      }
      const stop = repeat(() => void files.touch(path).catch(() => {}), BEAT_MS);
      return {
        path,
        async remove() {
          stop();
          own.delete(name);
          await files.removeFolder(path).catch(() => {});
        },
      };
    },

    async sweep(olderThanMs) {
      const sights = new Map<string, Sight>();
      let removed = 0;
      for (const name of await listNames(folder)) {
        if (own.has(name)) continue;
        const path = join(folder, name);
        const stamp = await readStamp(path);
        if (stamp === null) continue;
        const last = seen.get(name);
        const sight = last?.stamp === stamp ? last : { stamp, sinceMs: nowMs() };
        if (nowMs() - sight.sinceMs < olderThanMs) {
          sights.set(name, sight);
          continue;
        }
        await files.removeFolder(path);
        removed += 1;
      }
      seen = sights;
      return removed;
    },
  };
}

const listNames = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder).catch(ignoreMissing)) ?? [];

/** Null for one that another process has removed meanwhile. */
const readStamp = async (path: string): Promise<number | null> =>
  (await stat(path).catch(ignoreMissing))?.mtimeMs ?? null;
