import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDataHref } from './data-files.ts';
import { toFileStamp } from './file-source.ts';
import { isFolderHref } from './folder-files.ts';

/** The state of a file by its href; null where a look at the disk cannot tell: it is gone, or lies in a network. */
export type ReadFileStamp = (href: string) => Promise<string | null>;

/** Builds the look at files of this machine, without opening them: the same text as `version` of the opened file. */
export function makeReadFileStamp(dataDir: string): ReadFileStamp {
  return async (href) => {
    const path = isFolderHref(href) ? href : isDataHref(href) ? join(dataDir, href) : null;
    if (path === null) return null;
    try {
      return toFileStamp(await stat(path));
    } catch {
      // What cannot be read is reported by those who open it.
      return null;
    }
  };
}
