import type { ByteSource } from '../../../sources/index.ts';
import { truncated } from '../bytes/grib-errors.ts';
import { HEAD_READ_BYTES } from '../limits.ts';

/** Reads small pieces of a file, front to back, with few reads. */
export interface ByteWindow {
  readonly size: number;
  /** Exactly these bytes, valid until the next call. */
  take(offset: number, length: number, what: string): Promise<Uint8Array>;
}

/** Builds the window of a source. */
export function makeByteWindow(source: ByteSource): ByteWindow {
  let start = 0;
  let bytes: Uint8Array = new Uint8Array();
  return {
    size: source.size,
    async take(offset, length, what) {
      if (offset + length > source.size) throw truncated(what);
      if (offset < start || offset + length > start + bytes.length) {
        bytes = await source.read(offset, Math.min(Math.max(length, HEAD_READ_BYTES), source.size - offset));
        start = offset;
      }
      return bytes.subarray(offset - start, offset - start + length);
    },
  };
}
