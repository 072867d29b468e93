/**
 * Texts one after another, or what they were packed into, in memory that threads share: thousands of strings would be
 * copied for every thread they come to, and collected as garbage in each.
 */
export interface Portion {
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  /** Where each of them ends. */
  readonly ends: readonly number[];
}

/** Bytes of a portion of texts, unless one alone is longer: a thread packs it in some 20 ms. */
const PORTION_BYTES = 4 * 2 ** 20;

/** Max bytes of a UTF-16 unit in UTF-8. */
const MAX_UNIT_BYTES = 3;

/** Texts on their way to threads that pack them, in order. */
export interface Packing {
  add(text: string): void;
  /** All of them, packed. */
  end(): Promise<readonly Portion[]>;
}

/** Collects texts into portions, each of which is packed while the next is collected. */
export function makePacking(pack: (texts: Portion) => Promise<Portion>): Packing {
  const packed: Promise<Portion>[] = [];
  let bytes = Buffer.from(new SharedArrayBuffer(0));
  let ends: number[] = [];
  function send(): void {
    if (ends.length === 0) return;
    const portion = pack({ bytes, ends });
    // `end` reports it; until then a rejection must not count as unhandled.
    portion.catch(() => {});
    packed.push(portion);
    ends = [];
  }
  return {
    add(text) {
      const begin = ends.at(-1) ?? 0;
      if (ends.length === 0 || begin + text.length * MAX_UNIT_BYTES > bytes.length) {
        send();
        const size = Math.max(PORTION_BYTES, Buffer.byteLength(text));
        bytes = Buffer.from(new SharedArrayBuffer(size));
        ends.push(bytes.write(text, 0));
      } else ends.push(begin + bytes.write(text, begin));
    },
    end() {
      send();
      return Promise.all(packed);
    },
  };
}

/** Puts pieces together. */
export function toPortion(pieces: readonly Uint8Array[]): Portion {
  let length = 0;
  const ends = pieces.map((piece) => {
    length += piece.length;
    return length;
  });
  const bytes = new Uint8Array(new SharedArrayBuffer(length));
  for (const [i, piece] of pieces.entries()) bytes.set(piece, (ends[i] as number) - piece.length);
  return { bytes, ends };
}

/** The pieces again, without a copy. */
export function piecesOf({ bytes, ends }: Portion): readonly Uint8Array[] {
  return ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
}
