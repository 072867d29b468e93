import type { ByteSource, FilePart } from './byte-source.ts';

/** First read of a file: tells the formats apart, and holds the whole header of most. */
const HEAD_BYTES = 64 * 1024;

/**
 * Opens an image by its header: `open` reads from the start of the file without a request for every piece. What it read is
 * stored as the header of the file, where the source can do so. The head is not retained.
 */
export async function readHeader<Opened>(
  source: ByteSource,
  open: (headed: ByteSource) => Promise<Opened>,
  signal?: AbortSignal,
): Promise<Opened> {
  const parts: FilePart[] = [];
  // A source that knows its beginning has what it read when it was opened.
  const head =
    source.isKnown?.(0, 1) === true
      ? new Uint8Array(0)
      : await source.read(0, Math.min(HEAD_BYTES, source.size), signal);
  const isInHead = (offset: number, length: number): boolean =>
    offset >= 0 && length >= 0 && offset + length <= head.length;
  const opened = await open({
    id: source.id,
    version: source.version,
    size: source.size,
    isKnown: (offset, length) => isInHead(offset, length) || source.isKnown?.(offset, length) === true,
    async read(offset, length, stop) {
      const bytes = isInHead(offset, length)
        ? head.subarray(offset, offset + length)
        : await source.read(offset, length, stop);
      if (source.storeHeader !== undefined) parts.push({ offset, bytes });
      return bytes;
    },
    close: () => source.close(),
  });
  source.storeHeader?.(parts);
  return opened;
}
