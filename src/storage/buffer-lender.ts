import { internal } from '../errors.ts';

/**
 * Lends buffers that are used for a moment and given back, so that large ones are not made anew for every block: making
 * and collecting them costs a thread that decodes a tenth of its time.
 */
export interface BufferLender {
  /** A buffer of at least that many bytes, with anything in it. */
  take(byteLength: number): ArrayBuffer;
  /** Said once, by who took it, when nobody looks at it any more. */
  giveBack(buffer: ArrayBuffer): void;
}

/** Buffers are made in steps of this, so that blocks of nearly equal size share them. */
const STEP_BYTES = 64 * 1024;

/** Makes a lender that keeps at most `maxBytes` of idle buffers. */
export function makeBufferLender(maxBytes: number): BufferLender {
  let idle: ArrayBuffer[] = [];
  let idleBytes = 0;
  return {
    take(byteLength) {
      // One that is far too large would be missed by those who need it.
      const at = idle.findIndex(
        (one) => one.byteLength >= byteLength && one.byteLength <= 2 * byteLength + STEP_BYTES,
      );
      const [found] = at < 0 ? [] : idle.splice(at, 1);
      if (found === undefined) return new ArrayBuffer(Math.ceil(byteLength / STEP_BYTES) * STEP_BYTES);
      idleBytes -= found.byteLength;
      return found;
    },
    giveBack(buffer) {
      // Lent twice, it would be two blocks at once.
      if (idle.includes(buffer)) throw internal('given-back-twice', 'A lent buffer was given back twice.');
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
