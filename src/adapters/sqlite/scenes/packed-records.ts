import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { internal, tooLarge } from '../../errors.ts';
import type { SceneRow, StoredRecord } from '../../sql/scene-row.ts';

/** A record as it is stored. */
export interface PackedRecord {
  readonly hit: string;
  readonly rest: Uint8Array;
}

/** A row on its way to the table; if its rest is null, that is packed already and comes separately. */
export type WrittenRow = Omit<SceneRow, 'rest'> & { readonly rest: string | null };

/** The rest of a record is some kilobytes, with the lattice of a radar scene some hundreds. */
const MAX_REST_BYTES = 64 * 1024 * 1024;

/**
 * The fastest level, with a hash table of 4096 slots: what is packed is small, and clearing the default tables takes
 * longer than filling them. A chunk is what is allocated at first.
 */
const PACK = {
  chunkSize: 1024,
  params: {
    [constants.ZSTD_c_compressionLevel]: 1,
    [constants.ZSTD_c_hashLog]: 12,
  },
} as const;
const UNPACK = { chunkSize: 4096, maxOutputLength: MAX_REST_BYTES } as const;

/** Makes the rest of a record, which says much the same of every band, a twelfth as long, in some 15 µs. */
export function packRest(text: string | Uint8Array): Uint8Array {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  if (bytes.length > MAX_REST_BYTES) {
    throw tooLarge(
      'record-too-large',
      `A record of ${bytes.length} bytes is more than the ${MAX_REST_BYTES} a scene may have.`,
    );
  }
  return zstdCompressSync(bytes, PACK);
}

/** The record with its rest as text again. */
export function unpackRecord<Row extends PackedRecord>(row: Row): Omit<Row, 'rest'> & StoredRecord {
  try {
    return { ...row, rest: zstdDecompressSync(row.rest, UNPACK).toString() };
  } catch (cause) {
    throw internal('store-corrupt', 'A record in the database is damaged: it cannot be unpacked.', { cause });
  }
}

/**
 * Texts one after another, or what they were packed into, in memory that threads share: thousands of strings would be
 * copied for every thread they come to, and collected as garbage in each.
 */
export interface Portion {
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  /** Where each of them ends. */
  readonly ends: readonly number[];
}

/** Bytes of a portion of texts, unless one alone is longer: a thread packs it in some 20 ms. */
const PORTION_BYTES = 4 * 2 ** 20;

/** Max bytes of a UTF-16 unit in UTF-8. */
const MAX_UNIT_BYTES = 3;

/** Texts on their way to threads that pack them, in order. */
interface Packing {
  add(text: string): void;
  /** All of them, packed. */
  end(): Promise<readonly Portion[]>;
}

/** Collects texts into portions, each of which is packed while the next is collected. */
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

/** Puts pieces together. */
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

/** The pieces again, without a copy. */
export function piecesOf({ bytes, ends }: Portion): readonly Uint8Array[] {
  return ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
}
