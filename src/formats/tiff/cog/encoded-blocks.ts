/** Bytes around each payload: the size before it and its last four bytes again after it. */
export const FRAME_BYTES = 4;

/** Encoded blocks in the order in which they were made. */
export interface EncodedBlocks {
  /** The blocks with their frames, one after the other; `transferOf` lists the buffers for a message. */
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
  /** Level, number in the level, and bytes of each block without its frame. */
  readonly levels: Uint8Array;
  readonly numbers: Uint32Array;
  readonly sizes: Uint32Array;
}

/** The buffers of encoded blocks, to be moved to another thread. */
export const transferOf = ({ chunks }: EncodedBlocks): ArrayBuffer[] => chunks.map(({ buffer }) => buffer);

/** Writes a payload at `at` with the leader and trailer that GDAL's ghost area promises; returns where it ends. */
export function frame(payload: Uint8Array, into: Uint8Array, at: number): number {
  const start = at + FRAME_BYTES;
  const end = start + payload.length;
  new DataView(into.buffer, into.byteOffset, into.byteLength).setUint32(at, payload.length, true);
  into.set(payload, start);
  into.copyWithin(end, end - FRAME_BYTES, end);
  return end + FRAME_BYTES;
}

/** Collects framed blocks; those of a chunk are put together, so that few buffers are moved and written. */
export function makeBlockList() {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const [levels, numbers, sizes]: [number[], number[], number[]] = [[], [], []];
  let open: Uint8Array[] = [];
  const closeChunk = (): void => {
    if (open.length === 0) return;
    const bytes = open.reduce((sum, { length }) => sum + length + 2 * FRAME_BYTES, 0);
    const chunk = new Uint8Array(bytes);
    let at = 0;
    for (const payload of open) at = frame(payload, chunk, at);
    chunks.push(chunk);
    open = [];
  };
  return {
    closeChunk,
    add(level: number, number: number, payload: Uint8Array): void {
      levels.push(level);
      numbers.push(number);
      sizes.push(payload.length);
      open.push(payload);
    },
    finish(): EncodedBlocks {
      closeChunk();
      return {
        chunks,
        levels: Uint8Array.from(levels),
        numbers: Uint32Array.from(numbers),
        sizes: Uint32Array.from(sizes),
      };
    },
  };
}
