/** A range of bytes: half-open. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

/** Bytes of a tile-part of which some are known. */
export interface KnownBytes {
  readonly length: number;
  /** The known bytes from there on, as far as they go without a gap. */
  from(offset: number): Uint8Array;
  /** What is not known before `end`. */
  gaps(end: number): readonly ByteSpan[];
  add(start: number, bytes: Uint8Array): void;
}

interface Piece {
  readonly start: number;
  readonly bytes: Uint8Array;
}

const endOf = ({ start, bytes }: Piece): number => start + bytes.length;

/** Starts with no byte known. */
export function makeKnownBytes(length: number): KnownBytes {
  /** In their order; no two touch. */
  let pieces: readonly Piece[] = [];
  return {
    length,
    from(offset) {
      const found = pieces.find((piece) => piece.start <= offset && offset < endOf(piece));
      return found === undefined ? new Uint8Array() : found.bytes.subarray(offset - found.start);
    },
    gaps(end) {
      const starts = [0, ...pieces.map(endOf)];
      const ends = [...pieces.map(({ start }) => start), length];
      return starts
        .map((start, i) => ({ start, end: Math.min(ends[i]!, end) }))
        .filter((gap) => gap.start < gap.end);
    },
    add(start, bytes) {
      const joined: Piece[] = [];
      for (const piece of [...pieces, { start, bytes }].sort((a, b) => a.start - b.start)) {
        const before = joined.at(-1);
        if (before === undefined || endOf(before) < piece.start) joined.push(piece);
        else joined.splice(-1, 1, { ...before, bytes: Buffer.concat([before.bytes, piece.bytes]) });
      }
      pieces = joined;
    },
  };
}
