import type { ByteSource, FilePart } from './byte-source.ts';

/** First read of a file: tells the formats apart, and holds the whole header of most. */
export const HEAD_BYTES = 64 * 1024;

/**
 * Opens an image by its header: `open` reads from the start of the file without a request for every piece. What it read
 * elsewhere is stored with the header of the file, where the source can do so. The head is not retained.
 */
export async function readHeader<Opened>(
  source: ByteSource,
  open: (headed: ByteSource) => Promise<Opened>,
  signal?: AbortSignal,
): Promise<Opened> {
  const head = await source.read(0, Math.min(HEAD_BYTES, source.size), signal);
  const parts: FilePart[] = [];
  const opened = await open({
    id: source.id,
    version: source.version,
    size: source.size,
    isNear: source.isNear === true,
    async read(offset, length, stop) {
      const isKnown = offset >= 0 && length >= 0 && offset + length <= head.length;
      if (isKnown) return head.subarray(offset, offset + length);
      const bytes = await source.read(offset, length, stop);
      if (source.storeHeader !== undefined) parts.push({ offset, bytes });
      return bytes;
    },
    close: () => source.close(),
  });
  source.storeHeader?.(parts);
  return opened;
}
