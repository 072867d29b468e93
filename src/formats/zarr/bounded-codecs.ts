import { promisify } from 'node:util';
import { gunzip, inflate, zstdDecompress } from 'node:zlib';
import { registry } from 'zarrita';
import { sourceBroken } from '../../errors.ts';

/** Bytes of a decoded chunk: bombs are refused before they are unpacked. */
export const MAX_CHUNK_BYTES = 2 ** 28;

type CodecEntry = NonNullable<ReturnType<typeof registry.get>>;
type Codec = Awaited<ReturnType<CodecEntry>>;
type Unpack = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

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

/** Blosc and LZ4 chunks say at their start how long they become; so it is checked before they are unpacked. */
const toGuarded =
  (entry: CodecEntry, lengthAt: number): CodecEntry =>
  async () => {
    const inner = await entry();
    return {
      fromConfig(...config: Parameters<Codec['fromConfig']>) {
        const codec = inner.fromConfig(...config) as { decode(bytes: Uint8Array): unknown };
        return {
          kind: 'bytes_to_bytes',
          encode: () => Promise.reject(new Error('chunks of others are only read')),
          decode(bytes: Uint8Array) {
            if (bytes.length < lengthAt + 4) throw tooLong();
            const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(lengthAt, true);
            if (length > MAX_CHUNK_BYTES) throw tooLong();
            return codec.decode(bytes);
          },
        };
      },
    } as unknown as Codec;
  };

let isDone = false;

/** Makes the codecs of zarrita those that refuse bombs, once in a process. */
export function boundCodecs(): void {
  if (isDone) return;
  isDone = true;
  const replacements: Readonly<Record<string, CodecEntry>> = {
    gzip: toEntry(promisify(gunzip) as Unpack),
    zlib: toEntry(promisify(inflate) as Unpack),
    zstd: toEntry(promisify(zstdDecompress) as Unpack),
    // The header of a Blosc chunk: version, format, flags, size of a number, then the length.
    blosc: toGuarded(registry.get('blosc')!, 4),
    lz4: toGuarded(registry.get('lz4')!, 0),
  };
  for (const [name, entry] of Object.entries(replacements)) {
    registry.set(name as Parameters<typeof registry.set>[0], entry);
    registry.set(`numcodecs.${name}` as Parameters<typeof registry.set>[0], entry);
  }
}
