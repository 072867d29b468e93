/** Bytes around each payload: the size before it and its last four bytes again after it. */
export const FRAME_BYTES = 4;

/** Encoded blocks in the order in which they were made. */
export interface EncodedBlocks {
  /** The blocks with their frames, one after the other; `transferOf` lists the buffers for a message. */
  readonly chunks: readonly Uint8Array[];
  /** Level, number in the level, and bytes of each block without its frame. */
  readonly levels: Uint8Array;
  readonly numbers: Uint32Array;
  readonly sizes: Uint32Array;
}

/** The buffers of encoded blocks that are to be moved to another thread; those in shared memory are there already. */
export const transferOf = ({ chunks }: EncodedBlocks): ArrayBuffer[] =>
  chunks.map(({ buffer }) => buffer).filter((buffer) => buffer instanceof ArrayBuffer);

/** Writes a payload at `at` with the leader and trailer that GDAL's ghost area promises; returns where it ends. */
export function frame(payload: Uint8Array, into: Uint8Array, at: number): number {
  const start = at + FRAME_BYTES;
  const end = start + payload.length;
  new DataView(into.buffer, into.byteOffset, into.byteLength).setUint32(at, payload.length, true);
  into.set(payload, start);
  into.copyWithin(end, end - FRAME_BYTES, end);
  return end + FRAME_BYTES;
}

/** Bytes of a chunk: large enough that moving and writing it costs nothing for each block. */
const CHUNK_BYTES = 4 * 1024 * 1024;

/** Collects framed blocks in chunks, so that few buffers are moved and written. The first chunk is `room`, if given. */
export function makeBlockList(room: SharedArrayBuffer | null) {
  const chunks: Uint8Array[] = [];
  const [levels, numbers, sizes]: [number[], number[], number[]] = [[], [], []];
  let chunk: Uint8Array = room === null ? new Uint8Array() : new Uint8Array(room);
  let used = 0;
  const closeChunk = (): void => {
    if (used > 0) chunks.push(chunk.subarray(0, used));
  };
  return {
    /** Copies a block. */
    add(level: number, number: number, payload: Uint8Array): void {
      levels.push(level);
      numbers.push(number);
      sizes.push(payload.length);
      const needed = payload.length + 2 * FRAME_BYTES;
      if (used + needed > chunk.length) {
        closeChunk();
        chunk = new Uint8Array(Math.max(CHUNK_BYTES, needed));
        used = 0;
      }
      used = frame(payload, chunk, used);
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
