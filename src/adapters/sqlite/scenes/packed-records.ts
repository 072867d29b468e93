import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { FiledHit } from '../../../catalog/index.ts';
import { makeLru } from '../../../lru.ts';
import { internal, tooLarge } from '../../errors.ts';
import { parseFilesColumn, toFiles } from '../../sql/hit-pages.ts';
import type { SceneRow, StoredRecord } from '../../sql/scenes.ts';
import type { Lookups } from '../connection.ts';

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

/** What the files of a record are read from. */
export interface FilesRow {
  readonly number: number;
  readonly hit: string;
  readonly files: string | null;
}

/** Layouts that a thread keeps: a few kilobytes each, and a page has a few dozen at most. */
const MAX_KEPT = 1_024;

/** Builds the function that finds the files of records, where the column is not right in the record itself. */
export function makeFindFiles(database: Lookups): (row: FilesRow) => FiledHit['files'] {
  const layoutOf = database.prepare<{ content: string }>('SELECT content FROM file_layouts WHERE id = ?');
  const restOf = database.prepare<{ rest: Uint8Array }>('SELECT rest FROM records WHERE number = ?');
  const layouts = makeLru<string>({ max: MAX_KEPT });
  return ({ number, hit, files }) => {
    const column = parseFilesColumn(hit, files);
    if (column === null)
      return toFiles(unpackRecord({ hit, ...(restOf.get(number) as { rest: Uint8Array }) }));
    const { layoutId, places } = column;
    const layout = layouts.remember(layoutId, () => {
      const row = layoutOf.get(layoutId);
      if (row === undefined)
        throw internal('store-corrupt', 'The database lacks a layout that a record names.');
      return row.content;
    });
    return { layout, places };
  };
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
