import { inflateSync, zstdDecompressSync } from 'node:zlib';
import { sourceBroken, unsupported } from '../../errors.ts';
import { decodeLz4 } from './lz4-block.ts';

const damaged = (cause?: unknown) =>
  sourceBroken(
    'zarr-damaged',
    'A Blosc chunk of the Zarr folder is damaged.',
    cause === undefined ? {} : { cause },
  );

const HEADER_BYTES = 16;
/** Flags of the header (c-blosc, README_HEADER.rst); the upper three bits number the codec. */
const FLAG = { shuffled: 0x01, copied: 0x02, bitShuffled: 0x04, unsplit: 0x10 } as const;
/** A block is split into one stream for each byte of a number, unless there are too many or they are too short. */
const [MAX_SPLITS, MIN_STREAM_BYTES] = [16, 128];

type Unpack = (packed: Uint8Array, length: number) => Uint8Array;
const CODECS: ReadonlyMap<number, Unpack> = new Map<number, Unpack>([
  [1, decodeLz4],
  [3, (packed, length) => inflateSync(packed, { maxOutputLength: length })],
  [4, (packed, length) => zstdDecompressSync(packed, { maxOutputLength: length })],
]);

interface Header {
  readonly flags: number;
  readonly typeBytes: number;
  readonly length: number;
  readonly blockBytes: number;
}

/**
 * Unpacks a chunk of Blosc 1 with LZ4, zlib or zstd inside. Our own, because the one of numcodecs makes code from text,
 * which the service forbids.
 */
export function decodeBlosc(bytes: Uint8Array, maxLength: number): Uint8Array {
  const header = parseHeader(bytes, maxLength);
  const { flags, length, blockBytes } = header;
  if ((flags & FLAG.copied) !== 0) {
    if (bytes.length < HEADER_BYTES + length) throw damaged();
    return bytes.slice(HEADER_BYTES, HEADER_BYTES + length);
  }
  const out = new Uint8Array(length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const blocks = Math.ceil(length / blockBytes);
  if (HEADER_BYTES + 4 * blocks > bytes.length) throw damaged();
  for (let block = 0; block < blocks; block++) {
    const start = view.getUint32(HEADER_BYTES + 4 * block, true);
    const size = Math.min(blockBytes, length - block * blockBytes);
    const values = unpackBlock(bytes, { view, start, size, header });
    out.set(unshuffle(values, header), block * blockBytes);
  }
  return out;
}

function parseHeader(bytes: Uint8Array, maxLength: number): Header {
  if (bytes.length < HEADER_BYTES) throw damaged();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [version, flags, typeBytes] = [bytes[0]!, bytes[2]!, bytes[3]!];
  const [length, blockBytes] = [view.getUint32(4, true), view.getUint32(8, true)];
  if (version !== 2) throw unsupported('zarr-blosc', `Blosc chunks of version ${version} are not known.`);
  if (length > maxLength || typeBytes === 0 || (length > 0 && blockBytes === 0)) throw damaged();
  return { flags, typeBytes, length, blockBytes };
}

interface BlockPlan {
  readonly view: DataView;
  readonly start: number;
  readonly size: number;
  readonly header: Header;
}

function unpackBlock(bytes: Uint8Array, { view, start, size, header }: BlockPlan): Uint8Array {
  const { flags, typeBytes, blockBytes } = header;
  const unpack = CODECS.get(flags >> 5);
  if (unpack === undefined)
    throw unsupported(
      'zarr-blosc',
      'Blosc chunks are read with LZ4, zlib or zstd inside, not with BloscLZ or Snappy.',
    );
  const isSplit =
    (flags & FLAG.unsplit) === 0 &&
    typeBytes <= MAX_SPLITS &&
    Math.floor(blockBytes / typeBytes) >= MIN_STREAM_BYTES &&
    size === blockBytes;
  const streams = isSplit ? typeBytes : 1;
  const streamBytes = Math.floor(size / streams);
  const out = new Uint8Array(size);
  let at = start;
  for (let stream = 0; stream < streams; stream++) {
    if (at + 4 > bytes.length) throw damaged();
    const packedBytes = view.getUint32(at, true);
    at += 4;
    if (at + packedBytes > bytes.length) throw damaged();
    const packed = bytes.subarray(at, at + packedBytes);
    at += packedBytes;
    // A stream that did not become shorter is stored as it is.
    const values = packedBytes === streamBytes ? packed : guard(() => unpack(packed, streamBytes));
    if (values.length !== streamBytes) throw damaged();
    out.set(values, stream * streamBytes);
  }
  return out;
}

/** zlib's own errors are damage of the chunk. */
function guard(unpack: () => Uint8Array): Uint8Array {
  try {
    return unpack();
  } catch (error) {
    throw damaged(error);
  }
}

function unshuffle(values: Uint8Array, { flags, typeBytes }: Header): Uint8Array {
  if ((flags & FLAG.bitShuffled) !== 0) return unshuffleBits(values, typeBytes);
  return (flags & FLAG.shuffled) !== 0 && typeBytes > 1 ? unshuffleBytes(values, typeBytes) : values;
}

function unshuffleBytes(values: Uint8Array, typeBytes: number): Uint8Array {
  const count = Math.floor(values.length / typeBytes);
  // What is left after the last whole number stays where it is.
  const out = values.slice();
  for (let byte = 0; byte < typeBytes; byte++)
    for (let i = 0; i < count; i++) out[i * typeBytes + byte] = values[byte * count + i]!;
  return out;
}

function unshuffleBits(values: Uint8Array, typeBytes: number): Uint8Array {
  const count = Math.floor(values.length / typeBytes);
  const out = values.slice();
  // In this version of Blosc blocks of other counts are stored plainly.
  if (count % 8 !== 0) return out;
  out.fill(0, 0, count * typeBytes);
  const rowBytes = count / 8;
  for (let bit = 0; bit < 8 * typeBytes; bit++) {
    for (let i = 0; i < count; i++) {
      const value = (values[bit * rowBytes + (i >> 3)]! >> (i & 7)) & 1;
      out[i * typeBytes + (bit >> 3)]! |= value << (bit & 7);
    }
  }
  return out;
}
