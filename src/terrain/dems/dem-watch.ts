import { isSwathError } from '../../errors.ts';
import { makeLru } from '../../lru.ts';
import type { DemFile } from './dem.ts';
import type { DemStore } from './dem-store.ts';

/** Notices that files of elevation models are replaced. */
export interface DemWatch {
  /** True if one of these files differs from its record and the record was renewed: look it up again. */
  check(files: readonly DemFile[]): Promise<boolean>;
  /** The same at once, for files of which a thread found that they have changed. */
  renew(files: readonly DemFile[]): Promise<void>;
}

interface WatchDeps {
  readonly store: Pick<DemStore, 'putFiles'>;
  /** The state of a local file; null if the disk cannot tell. */
  readonly readStamp: (href: string) => Promise<string | null>;
  /** Reads the header of a file again; an image that is no longer the same model throws. */
  readonly readAgain: (file: DemFile) => Promise<DemFile>;
  readonly nowMs: () => number;
  readonly onRenewed: (file: DemFile) => void;
  readonly onFailure: (file: DemFile, error: unknown) => void;
}

/** As for scenes: a file is checked at most so often. */
const CHECK_MS = 5_000;
const MAX_KNOWN = 10_000;

/** Builds the watch. Remote files are compared when they are opened. */
export function makeDemWatch(deps: WatchDeps): DemWatch {
  const { store, readStamp, readAgain, nowMs, onRenewed, onFailure } = deps;
  const checkedAt = makeLru<number>({ max: MAX_KNOWN });

  const isChanged = async (file: DemFile): Promise<boolean> => {
    const [stamp] = file.stamps;
    const lastMs = checkedAt.get(file.id);
    if (stamp === undefined || (lastMs !== undefined && nowMs() - lastMs < CHECK_MS)) return false;
    checkedAt.set(file.id, nowMs());
    const current = await readStamp(file.href);
    return current !== null && current !== stamp;
  };

  const renewOne = async (file: DemFile): Promise<boolean> => {
    try {
      const renewed = await readAgain(file);
      await store.putFiles([renewed]);
      onRenewed(renewed);
      return true;
    } catch (error) {
      onFailure(file, error);
      // Reading its pixels reports the error.
      if (!isSwathError(error)) throw error;
      return false;
    }
  };

  const renewAll = async (files: readonly DemFile[]): Promise<boolean> => {
    let isAny = false;
    for (const file of files) isAny = (await renewOne(file)) || isAny;
    return isAny;
  };

  return {
    async check(files) {
      const states = await Promise.all(files.map(isChanged));
      return renewAll(files.filter((_, i) => states[i]));
    },
    async renew(files) {
      const local = await Promise.all(
        files.map(async (file) => {
          const current = await readStamp(file.href);
          return current === null || current !== file.stamps[0];
        }),
      );
      await renewAll(files.filter((file, i) => local[i] && file.stamps.length > 0));
    },
  };
}
