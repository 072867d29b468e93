import { constants, deflateSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { MAX_ZSTD_WINDOW_LOG } from '../limits.ts';
import { decodeLzw, decodePackBits, deflateSteadily } from './byte-codecs.ts';
import type { InflatedRows, InflateRows } from './inflate.ts';
import { inflateBytes, inflateRows } from './inflate.ts';
import type { CodedBlock } from './picture-codecs.ts';
import { decodeJpeg, decodeLerc, decodeWebp } from './picture-codecs.ts';

/**
 * Compressions that we write. `steady-deflate` is read as deflate and has the same bytes on every machine: those of
 * Node's zlib depend on the processor, and those of zstd on its version. On noise it is 10 times faster than zlib's
 * level 1, and -2 to +12 % larger.
 */
export type CogCompression = 'none' | 'deflate' | 'steady-deflate' | 'zstd';

interface NamedCodec {
  readonly name: string;
  /** Values of the Compression tag; the first is the one we write. */
  readonly tags: readonly [number, ...number[]];
  /** libtiff looks at the Predictor tag only for codecs that have one. */
  readonly hasPredictor: boolean;
}

/** A codec of bytes: what they mean is the business of predictors and pixel types. */
export interface ByteCodec extends NamedCodec {
  /** Never makes more than `expectedBytes`: the caller checks that it made exactly that many. */
  decode(stored: Uint8Array, expectedBytes: number): Uint8Array;
  /** The codec can stop after a row and go on later; it undoes the predictor and the order of bytes on the way. */
  readonly decodeRows?: (how: InflateRows) => InflatedRows;
}

/** A codec of pictures, which knows sizes, bands and pixel types itself and compares them before it decodes. */
export interface PictureCodec extends NamedCodec {
  /** Samples in this machine's order, bands interleaved. */
  decodePicture(stored: Uint8Array, block: CodedBlock): Promise<Uint8Array>;
}

/** One way to store a block. A further codec is one more row of `codecs`. */
export type Codec = ByteCodec | PictureCodec;

/** A codec that we also write. */
interface WritableCodec extends ByteCodec {
  readonly levels: { readonly min: number; readonly max: number; readonly default: number };
  encode(bytes: Uint8Array, level: number): Uint8Array;
}

const none: WritableCodec = {
  name: 'none',
  tags: [1],
  hasPredictor: false,
  levels: { min: 0, max: 0, default: 0 },
  // a copy, because the stored bytes may belong to a cache and decoding goes on in place; not `slice`, which shares
  // the bytes when they come as a Buffer
  decode: (stored, expectedBytes) => new Uint8Array(stored.subarray(0, expectedBytes)),
  encode: (bytes) => bytes,
};

const deflate: WritableCodec = {
  name: 'deflate',
  // 32946 is the number it had before Adobe registered 8
  tags: [8, 32_946],
  hasPredictor: true,
  levels: { min: 1, max: 9, default: 6 },
  decode: inflateBytes,
  decodeRows: inflateRows,
  encode: (bytes, level) => deflateSync(bytes, { level }),
};

const steadyDeflate: WritableCodec = {
  ...deflate,
  levels: { min: 1, max: 1, default: 1 },
  encode: deflateSteadily,
};

const zstd: WritableCodec = {
  name: 'zstd',
  tags: [50_000],
  hasPredictor: true,
  // zstd's own default: twice as fast as GDAL's default 9 and 6 % larger on a noisy 10980² uint16 scene
  levels: { min: 1, max: 22, default: 3 },
  decode: (stored, expectedBytes) =>
    zstdDecompressSync(stored, {
      // stops a bomb, and one chunk of that size means that the first chunk shows it; Node refuses fewer than 64 bytes
      maxOutputLength: expectedBytes,
      chunkSize: Math.max(64, expectedBytes + 1),
      params: { [constants.ZSTD_d_windowLogMax]: MAX_ZSTD_WINDOW_LOG },
    }),
  // zstd frames have no checksum by default; deflate's zlib wrapper always has one
  encode: (bytes, level) =>
    zstdCompressSync(bytes, {
      params: { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_checksumFlag]: 1 },
    }),
};

/** The codecs we write, by their name in the options. */
export const writableCodecs: Readonly<Record<CogCompression, WritableCodec>> = {
  none,
  deflate,
  'steady-deflate': steadyDeflate,
  zstd,
};

const lzw: ByteCodec = { name: 'lzw', tags: [5], hasPredictor: true, decode: decodeLzw };
const packBits: ByteCodec = {
  name: 'packbits',
  tags: [32_773],
  hasPredictor: false,
  decode: decodePackBits,
};
const jpeg: PictureCodec = { name: 'jpeg', tags: [7], hasPredictor: false, decodePicture: decodeJpeg };
const webp: PictureCodec = { name: 'webp', tags: [50_001], hasPredictor: false, decodePicture: decodeWebp };
const lerc: PictureCodec = { name: 'lerc', tags: [34_887], hasPredictor: false, decodePicture: decodeLerc };

const codecs: readonly Codec[] = [none, deflate, zstd, lzw, packBits, jpeg, webp, lerc];

/** The codec of a Compression tag; null when we have none. */
export function codecOf(tag: number): Codec | null {
  return codecs.find((codec) => codec.tags.includes(tag)) ?? null;
}

const OTHER_NAMES: ReadonlyMap<number, string> = new Map([
  [2, 'CCITT RLE'],
  [3, 'CCITT fax 3'],
  [4, 'CCITT fax 4'],
  [6, 'old JPEG'],
  [34_712, 'JPEG 2000'],
  [34_925, 'LZMA'],
  [50_002, 'JPEG XL'],
]);

/** A Compression tag in words, for the sentence that says what we cannot read. */
export const compressionName = (tag: number): string => OTHER_NAMES.get(tag) ?? `number ${tag}`;
