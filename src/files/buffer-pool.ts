import { internal } from './errors.ts';

/**
 * Buffers for short use, so that a thread does not allocate a large one for every block: allocating and collecting them
 * costs a decoding thread a tenth of its time.
 */
export interface BufferPool {
  /** A buffer of at least this many bytes, with undefined content. */
  lease(byteLength: number): ArrayBuffer;
  /** Returns a buffer; the holder calls this once, when nothing reads the buffer any more. */
  release(buffer: ArrayBuffer): void;
}

/** Sizes are rounded up to this, so that blocks of nearly equal size share buffers. */
const STEP_BYTES = 64 * 1024;

/** Makes a pool that holds at most `maxBytes` of idle buffers. */
export function makeBufferPool(maxBytes: number): BufferPool {
  let idle: ArrayBuffer[] = [];
  let idleBytes = 0;
  return {
    lease(byteLength) {
      // A buffer that is far too large stays available for larger blocks.
      const index = idle.findIndex(
        (one) => one.byteLength >= byteLength && one.byteLength <= 2 * byteLength + STEP_BYTES,
      );
      const [found] = index < 0 ? [] : idle.splice(index, 1);
      if (found === undefined) return new ArrayBuffer(Math.ceil(byteLength / STEP_BYTES) * STEP_BYTES);
      idleBytes -= found.byteLength;
      return found;
    },
    release(buffer) {
      // Two holders would write different blocks into the same buffer.
      if (idle.includes(buffer)) throw internal('released-twice', 'A leased buffer was released twice.');
      idle.push(buffer);
      idleBytes += buffer.byteLength;
      while (idleBytes > maxBytes) {
        const [oldest, ...rest] = idle;
        idle = rest;
        idleBytes -= oldest?.byteLength ?? 0;
      }
    },
  };
}
