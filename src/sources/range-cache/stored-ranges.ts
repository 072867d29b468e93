import type { SharedFolder } from '../../files/index.ts';
import type { ReadPart, StoredRange } from './range-index.ts';
import { makeRangeIndex } from './range-index.ts';

/** The stored ranges of one state of a file. */
export interface StoredRanges {
  /** Divides a read into stored and missing parts, with what other threads have stored meanwhile. */
  plan(offset: number, length: number): Promise<readonly ReadPart[]>;
  /** The bytes of a stored range; null if it is gone or damaged. */
  read(range: StoredRange): Promise<Uint8Array | null>;
  /** Stores bytes later; they are copied. */
  store(offset: number, bytes: Uint8Array): void;
  /** Removes all of them. */
  clear(): Promise<void>;
}

/**
 * Longer reads are stored in pieces: of a stored range all bytes are read and checked, even if only some are needed. A
 * piece takes 2 ms.
 */
const PIECE_BYTES = 2 ** 20;

/** What others store is looked for no more often: a listing of a thousand files takes a millisecond. */
const RELIST_MS = 1_000;

/** Opens the ranges of a folder that belong to one key: each is a file named by its offset and length. */
export function makeStoredRanges(folder: SharedFolder, key: string, nowMs: () => number): StoredRanges {
  const below = `${key.slice(0, 2)}/${key}`;
  const index = makeRangeIndex();
  const toName = ({ offset, length }: StoredRange): string =>
    `${below}/${offset.toString(16)}+${length.toString(16)}`;
  let listing: Promise<void> | null = null;
  let listedMs = Number.NEGATIVE_INFINITY;

  /** Reads that are planned together wait for one listing, and go on together: their ranges can still be merged. */
  const list = (): Promise<void> => {
    listing ??= folder
      .list(below)
      .then((names) => {
        for (const name of names) index.add(parseName(name));
        listedMs = nowMs();
      })
      .finally(() => {
        listing = null;
      });
    return listing;
  };

  return {
    async plan(offset, length) {
      const known = index.planRead(offset, length);
      if (known.every(({ stored }) => stored !== null) || nowMs() - listedMs < RELIST_MS) return known;
      await list();
      return index.planRead(offset, length);
    },
    async read(range) {
      const bytes = await folder.read(toName(range));
      if (bytes === null) index.remove(range);
      return bytes;
    },
    store(offset, bytes) {
      for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
        const piece = bytes.subarray(at, at + PIECE_BYTES);
        const range = { offset: offset + at, length: piece.length };
        void folder.write(toName(range), piece).then((isStored) => {
          if (isStored) index.add(range);
        });
      }
    },
    clear: () => folder.removeAll(below),
  };
}

function parseName(name: string): StoredRange {
  const [offset = '', length = ''] = name.split('+');
  return { offset: Number.parseInt(offset, 16), length: Number.parseInt(length, 16) };
}
