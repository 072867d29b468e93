import type { OnReadOpts, Socket } from 'node:net';

/** Room for one read of a socket, as much as Node takes itself. */
const READ_BYTES = 64 * 1024;
/**
 * A byte that was read stays as it is until 64 KiB more have arrived. Undici needs that of a head, whose pieces it keeps
 * until the head is complete: at most 16 KiB.
 */
const SLAB_BYTES = 3 * READ_BYTES;

const makeSlab = (): Buffer => Buffer.allocUnsafeSlow(SLAB_BYTES).subarray(0, READ_BYTES);

/**
 * Lets sockets read into memory of their own, used again and again. Node allocates 64 KiB for each read otherwise, and V8
 * counts them: it collected the whole heap of the network thread after every 10 MB.
 *
 * The chunks are those of a usual socket, for a reader that copies or parses each as soon as it reads it.
 */
export function makeSlabReads(): OnReadOpts {
  // Node asks for the next place as soon as the callback has returned.
  let next: Buffer | null = null;
  return {
    buffer() {
      const place = next ?? makeSlab();
      next = null;
      return place;
    },
    callback(this: Socket, byteLength: number, { buffer, byteOffset }: Uint8Array): boolean {
      const end = byteOffset + byteLength;
      // Chunks that nobody has read yet keep their slab, and the socket gets another.
      const isRead = this.readableLength === 0;
      next = isRead ? Buffer.from(buffer, end + READ_BYTES <= SLAB_BYTES ? end : 0, READ_BYTES) : null;
      return this.push(Buffer.from(buffer, byteOffset, byteLength));
    },
  };
}
