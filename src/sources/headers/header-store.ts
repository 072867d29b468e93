import { hash } from 'node:crypto';
import type { FolderHandle } from '../../files/index.ts';
import { joinFolder } from '../../files/index.ts';
import type { HeaderRecord } from './header-record.ts';
import { packHeader, parseHeader } from './header-record.ts';

/** Headers of remote files on disk, by what the files are opened with. */
export interface HeaderStore {
  find(key: string): Promise<HeaderRecord | null>;
  /** Stores a header later, in place of an earlier one; it may be dropped. */
  store(key: string, header: HeaderRecord): Promise<void>;
  /** Removes the header of a file that is no longer the same. */
  forget(key: string): Promise<void>;
}

/**
 * The name of a remote file in caches on disk: its address with its query, and as whom it is read. Neither can be read
 * from it.
 */
export const toFileKey = (url: string, identity: string): string =>
  hash('sha256', `${identity}\n${url}`, 'hex').slice(0, 32);

/** Opens the headers of a folder on the calling thread. */
export function makeHeaderStore(handle: FolderHandle): HeaderStore {
  const folder = joinFolder(handle);
  const toName = (key: string): string => `${key.slice(0, 2)}/${key}+0`;
  return {
    async find(key) {
      const bytes = await folder.read(toName(key));
      const header = bytes === null ? null : parseHeader(bytes);
      folder.counters.add(header === null ? 'misses' : 'hits', 1);
      return header;
    },
    async store(key, header) {
      const bytes = packHeader(header);
      if (bytes !== null) await folder.write(toName(key), bytes);
    },
    forget: (key) => folder.remove(toName(key)),
  };
}
