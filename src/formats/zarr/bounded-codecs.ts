import { promisify } from 'node:util';
import { gunzip, inflate, zstdDecompress } from 'node:zlib';
import { registry } from 'zarrita';
import { sourceBroken } from '../../errors.ts';
import { decodeBlosc } from './blosc.ts';
import { decodeLz4 } from './lz4-block.ts';

/** Bytes of a decoded chunk: bombs are refused before they are unpacked. */
export const MAX_CHUNK_BYTES = 2 ** 28;

type CodecEntry = NonNullable<ReturnType<typeof registry.get>>;
type Unpack = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Uint8Array>;

const tooLong = () =>
  sourceBroken('zarr-chunk', 'A chunk of the Zarr folder unpacks to more than its array holds.');

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

/** An LZ4 chunk of numcodecs: its length when unpacked, then one block. */
async function unpackLz4(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes.length < 4) throw tooLong();
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  if (length > MAX_CHUNK_BYTES) throw tooLong();
  return decodeLz4(bytes.subarray(4), length);
}

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
