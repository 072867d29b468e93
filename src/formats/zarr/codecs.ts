import { promisify } from 'node:util';
import { gunzip, inflate, inflateSync, zstdDecompress, zstdDecompressSync } from 'node:zlib';
import type { AsyncReadable } from 'zarrita';
import { registry } from 'zarrita';
import { sourceBroken, unsupported } from '../errors.ts';

/** Bytes of a decoded chunk: bombs are refused before they are unpacked. */
export const MAX_CHUNK_BYTES = 2 ** 28;

type CodecEntry = NonNullable<ReturnType<typeof registry.get>>;
type Unpack = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Uint8Array>;

let isDone = false;

/** Makes the codecs of zarrita those that refuse bombs, once in a process. */
export function boundCodecs(): void {
  if (isDone) return;
  isDone = true;
  const replacements: Readonly<Record<string, CodecEntry>> = {
    gzip: toEntry(promisify(gunzip) as Unpack),
    zlib: toEntry(promisify(inflate) as Unpack),
    zstd: toEntry(promisify(zstdDecompress) as Unpack),
    blosc: toEntry(async (bytes) => decodeBlosc(bytes, MAX_CHUNK_BYTES)),
    lz4: toEntry(unpackLz4),
  };
  for (const [name, entry] of Object.entries(replacements)) {
    registry.set(name as Parameters<typeof registry.set>[0], entry);
    registry.set(`numcodecs.${name}` as Parameters<typeof registry.set>[0], entry);
  }
}

const toEntry = (unpack: Unpack): CodecEntry => {
  const codec = {
    kind: 'bytes_to_bytes',
    encode: () => Promise.reject(new Error('chunks of others are only read')),
    decode: async (bytes: Uint8Array) =>
      new Uint8Array(await unpack(bytes, { maxOutputLength: MAX_CHUNK_BYTES })),
  };
  const entry = { fromConfig: () => codec };
  return (async () => entry) as unknown as CodecEntry;
};

const tooLong = () =>
  sourceBroken('zarr-chunk', 'A chunk of the Zarr folder unpacks to more than its array holds.');

/** An LZ4 chunk of numcodecs: its length when unpacked, then one block. */
async function unpackLz4(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes.length < 4) throw tooLong();
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  if (length > MAX_CHUNK_BYTES) throw tooLong();
  return decodeLz4(bytes.subarray(4), length);
}

/** The codec of arrays whose chunks lie together in one file; zarrita handles it apart from its registry. */
const SHARDING = 'sharding_indexed';

/** Throws when an array names a codec that is not known: zarrita would leave a rejection that ends the process. */
export async function checkCodecs(store: AsyncReadable, name: string): Promise<void> {
  const [newer, older] = [await store.get(`/${name}/zarr.json`), await store.get(`/${name}/.zarray`)];
  const bytes = newer ?? older;
  if (bytes === undefined) return;
  const document = JSON.parse(Buffer.from(bytes).toString('utf8')) as Readonly<
    Record<string, unknown>
  > | null;
  if (typeof document !== 'object' || document === null) throw badCodecs();
  if (newer !== undefined) checkList(document.codecs, 'name');
  else
    checkList(
      [document.compressor, ...toList(document.filters)].filter((one) => one !== null),
      'id',
    );
}

const badCodecs = () => sourceBroken('zarr-damaged', 'The Zarr folder is damaged: its codecs make no sense.');

function toList(value: unknown): readonly unknown[] {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) throw badCodecs();
  return value;
}

function checkList(codecs: unknown, key: 'name' | 'id'): void {
  for (const codec of toList(codecs)) {
    if (typeof codec !== 'object' || codec === null) throw badCodecs();
    const entry = codec as Readonly<Record<string, unknown>>;
    const name = entry[key];
    if (typeof name !== 'string') throw badCodecs();
    if (name === SHARDING && key === 'name') {
      const inner = entry.configuration as Readonly<Record<string, unknown>> | null | undefined;
      checkList(inner?.codecs, key);
      checkList(inner?.index_codecs, key);
      continue;
    }
    const isKnown = [name, `numcodecs.${name}`].some((one) =>
      registry.has(one as Parameters<typeof registry.has>[0]),
    );
    if (!isKnown) throw unsupported('zarr-codec', `The Zarr codec "${name.slice(0, 40)}" is not known.`);
  }
}

const damagedLz4 = () => sourceBroken('zarr-damaged', 'A chunk of the Zarr folder is damaged.');

/** Unpacks an LZ4 block of a known length (LZ4 Block Format Description); more or less than that is damage. */
function decodeLz4(packed: Uint8Array, length: number): Uint8Array {
  const out = new Uint8Array(length);
  let [at, end] = [0, 0];
  const readLength = (start: number): number => {
    let sum = start;
    if (start < 15) return sum;
    for (let byte = 255; byte === 255; sum += byte) {
      if (at >= packed.length) throw damagedLz4();
      byte = packed[at++]!;
    }
    return sum;
  };
  while (at < packed.length) {
    const token = packed[at++]!;
    const literals = readLength(token >> 4);
    if (at + literals > packed.length || end + literals > length) throw damagedLz4();
    out.set(packed.subarray(at, at + literals), end);
    at += literals;
    end += literals;
    // The last sequence has literals only.
    if (at === packed.length) break;
    if (at + 2 > packed.length) throw damagedLz4();
    const distance = packed[at]! | (packed[at + 1]! << 8);
    at += 2;
    const match = readLength(token & 15) + 4;
    if (distance === 0 || distance > end || end + match > length) throw damagedLz4();
    // Byte by byte: a match may reach into what it writes.
    for (const stop = end + match; end < stop; end++) out[end] = out[end - distance]!;
  }
  if (end !== length) throw damagedLz4();
  return out;
}

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

type UnpackStream = (packed: Uint8Array, length: number) => Uint8Array;
const CODECS: ReadonlyMap<number, UnpackStream> = new Map<number, UnpackStream>([
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
