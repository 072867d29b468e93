import type { ByteSource } from '../../../sources/index.ts';
import { sourceBroken } from '../../errors.ts';
import { HEAD_READ_BYTES, NEXT_READ_BYTES } from '../limits.ts';

/** Reads small pieces of a file, front to back, with few requests. */
export interface ByteWindow {
  readonly size: number;
  /** Whether a read costs a round trip. */
  readonly isRemote: boolean;
  /** Reads these bytes alone, at the same time as others. */
  peek(offset: number, length: number): Promise<Uint8Array>;
  /**
   * A view of exactly these bytes; throws `jp2-truncated` when the file ends before. If they must be read, `readBytes`
   * are read from there: what follows is probably wanted next.
   */
  view(offset: number, length: number, readBytes?: number): Promise<DataView>;
}

/** Error for a part of the file that lies beyond its end. */
export const truncated = (what: string) =>
  sourceBroken('jp2-truncated', `The JPEG 2000 file is cut off or damaged: ${what} lies beyond its end.`);

/** Error for a header that contradicts itself or the standard. */
export const damaged = (what: string) =>
  sourceBroken('jp2-bad-header', `The JPEG 2000 file is damaged: ${what}.`);

/** Retains the bytes of the last read: headers are close together, and are read in order. */
export function makeByteWindow(source: ByteSource, signal?: AbortSignal): ByteWindow {
  let start = 0;
  let bytes: Uint8Array = new Uint8Array();
  return {
    size: source.size,
    isRemote: source.isNear !== true,
    peek: (offset, length) => source.read(offset, length, signal),
    async view(offset, length, readBytes = NEXT_READ_BYTES) {
      if (!(offset >= 0 && length >= 0 && offset + length <= source.size)) throw truncated('a header');
      if (offset < start || offset + length > start + bytes.length) {
        const wanted = Math.max(length, bytes.length === 0 ? HEAD_READ_BYTES : readBytes);
        bytes = await source.read(offset, Math.min(wanted, source.size - offset), signal);
        start = offset;
      }
      return new DataView(bytes.buffer, bytes.byteOffset + offset - start, length);
    },
  };
}
