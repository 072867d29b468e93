import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { FiledHit } from '../../../catalog/index.ts';
import { makeLru } from '../../../lru.ts';
import { internal, tooLarge } from '../../errors.ts';
import { toFiles } from '../../sql/hit-pages.ts';
import type { SceneRow, StoredRecord } from '../../sql/scenes.ts';

/** A record as it is stored. */
export interface PackedRecord {
  readonly hit: string;
  readonly rest: Uint8Array;
}

/** A row to write; null as `rest` means that it is already packed and sent separately. */
export type WrittenRow = Omit<SceneRow, 'rest'> & { readonly rest: string | null };

/** The rest of a record has a few kilobytes, with the lattice of a radar scene a few hundred. */
const MAX_REST_BYTES = 64 * 1024 * 1024;

/**
 * The fastest level, with a hash table of 4096 slots: the input is small, and clearing the default tables takes longer
 * than filling them. The chunk size is the first allocation.
 */
const PACK = {
  chunkSize: 1024,
  params: {
    [constants.ZSTD_c_compressionLevel]: 1,
    [constants.ZSTD_c_hashLog]: 12,
  },
} as const;
const UNPACK = { chunkSize: 4096, maxOutputLength: MAX_REST_BYTES } as const;

/** Compresses the rest of a record, which repeats itself for every band, to a twelfth, in about 15 µs. */
export function packRest(text: string | Uint8Array): Uint8Array {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  if (bytes.length > MAX_REST_BYTES) {
    throw tooLarge(
      'record-too-large',
      `A record of ${bytes.length} bytes exceeds the limit of ${MAX_REST_BYTES} bytes for a scene.`,
    );
  }
  return zstdCompressSync(bytes, PACK);
}

/** Unpacks the rest of a record. */
export function unpackRecord<Row extends PackedRecord>(row: Row): Omit<Row, 'rest'> & StoredRecord {
  try {
    return { ...row, rest: zstdDecompressSync(row.rest, UNPACK).toString() };
  } catch (cause) {
    throw internal('store-corrupt', 'A record in the database is damaged: it cannot be unpacked.', { cause });
  }
}

/** Scenes whose files are kept: their layouts are a few texts, and their places some hundred bytes each. */
const MAX_LISTED = 8_192;

/**
 * Builds the function that finds the files of a hit. They are kept by the version of the record, a hash of all of it:
 * unpacking and splitting it takes several times as long as all else that a page with files does. `readRest` is called for
 * files that are not kept.
 */
export function makeFindFiles(): (hit: string, readRest: () => Uint8Array) => FiledHit['files'] {
  const known = makeLru<FiledHit['files']>({ max: MAX_LISTED });
  // Equal texts are one: those of a dataset, and those of a tile.
  const texts = makeLru<string>({ max: MAX_LISTED });
  const share = (text: string): string => texts.remember(text, () => text);
  return (hit, readRest) =>
    known.remember(hit.slice(hit.lastIndexOf('"version":')), () => {
      const packed: PackedRecord = { hit, rest: readRest() };
      const { layout, places } = toFiles(unpackRecord(packed));
      return { layout: share(layout), places: share(places) };
    });
}

/**
 * Concatenated strings, plain or packed, in memory that threads share: thousands of separate strings would be copied to
 * each thread, and collected as garbage there.
 */
export interface Portion {
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  /** The end of each string. */
  readonly ends: readonly number[];
}

/** Bytes of a portion, unless a single string is longer: a thread packs it in about 20 ms. */
const PORTION_BYTES = 4 * 2 ** 20;

/** Max bytes of a UTF-16 unit in UTF-8. */
const MAX_UNIT_BYTES = 3;

/** Strings that are sent to threads for packing, in order. */
interface Packing {
  add(text: string): void;
  /** Resolves to all portions, packed. */
  end(): Promise<readonly Portion[]>;
}

/** Collects strings into portions; each is packed while the next is collected. */
export function makePacking(pack: (texts: Portion) => Promise<Portion>): Packing {
  const packed: Promise<Portion>[] = [];
  let bytes = Buffer.from(new SharedArrayBuffer(0));
  let ends: number[] = [];
  function send(): void {
    if (ends.length === 0) return;
    const portion = pack({ bytes, ends });
    // `end` reports it; until then a rejection must not count as unhandled.
    portion.catch(() => {});
    packed.push(portion);
    ends = [];
  }
  return {
    add(text) {
      const begin = ends.at(-1) ?? 0;
      if (ends.length === 0 || begin + text.length * MAX_UNIT_BYTES > bytes.length) {
        send();
        const size = Math.max(PORTION_BYTES, Buffer.byteLength(text));
        bytes = Buffer.from(new SharedArrayBuffer(size));
        ends.push(bytes.write(text, 0));
      } else ends.push(begin + bytes.write(text, begin));
    },
    end() {
      send();
      return Promise.all(packed);
    },
  };
}

/** Joins pieces into a portion. */
export function toPortion(pieces: readonly Uint8Array[]): Portion {
  let length = 0;
  const ends = pieces.map((piece) => {
    length += piece.length;
    return length;
  });
  const bytes = new Uint8Array(new SharedArrayBuffer(length));
  for (const [i, piece] of pieces.entries()) bytes.set(piece, (ends[i] as number) - piece.length);
  return { bytes, ends };
}

/** The pieces of a portion, without a copy. */
export function piecesOf({ bytes, ends }: Portion): readonly Uint8Array[] {
  return ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
}
