import { sourceBroken } from '../../../errors.ts';
import type { ByteSource } from '../../../sources/index.ts';
import { HEAD_READ_BYTES, MAX_HEAD_READS, NEXT_READ_BYTES } from '../limits.ts';

/** Reads small pieces of a file's metadata with few requests. */
export interface HeadReader {
  /** A view of exactly these bytes; throws `tiff-truncated` when the file ends before. */
  view(offset: number, length: number): Promise<DataView>;
}

/** Error for a part of the file that lies beyond its end. */
export const truncated = (what: string) =>
  sourceBroken('tiff-truncated', `The TIFF is cut off or damaged: ${what} lies beyond its end.`);

/** One generous read at the start holds everything of a COG; what lies elsewhere costs one read each. */
export function makeHeadReader(source: ByteSource, signal?: AbortSignal): HeadReader {
  const windows: { readonly start: number; readonly bytes: Uint8Array }[] = [];

  const find = (offset: number, length: number) =>
    windows.find(({ start, bytes }) => offset >= start && offset + length <= start + bytes.length);

  const load = async (offset: number, length: number) => {
    if (windows.length === MAX_HEAD_READS) {
      throw sourceBroken(
        'tiff-scattered',
        `The header of the TIFF lies in more than ${MAX_HEAD_READS} pieces.`,
      );
    }
    const isFirst = windows.length === 0;
    const start = isFirst && offset + length <= HEAD_READ_BYTES ? 0 : offset;
    const wanted = start + Math.max(isFirst ? HEAD_READ_BYTES : NEXT_READ_BYTES, offset + length - start);
    const bytes = await source.read(start, Math.min(wanted, source.size) - start, signal);
    const window = { start, bytes };
    windows.push(window);
    return window;
  };

  return {
    async view(offset, length) {
      if (!(offset >= 0 && offset + length <= source.size)) throw truncated('part of its header');
      const { start, bytes } = find(offset, length) ?? (await load(offset, length));
      return new DataView(bytes.buffer, bytes.byteOffset + offset - start, length);
    },
  };
}
