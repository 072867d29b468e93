/** A range of bytes of a file. */
export interface StoredRange {
  readonly offset: number;
  readonly length: number;
}

/** A part of a read: what is taken of a stored range, or what is not stored. */
export interface ReadPart extends StoredRange {
  /** Null when it must be requested. */
  readonly stored: StoredRange | null;
}

/** The ranges of one state of a file that are stored. */
export interface RangeIndex {
  add(range: StoredRange): void;
  remove(range: StoredRange): void;
  /** Divides a read into stored and missing parts, in the order of the file. */
  planRead(offset: number, length: number): readonly ReadPart[];
}

/** Builds an index of the ranges of one file. */
export function makeRangeIndex(): RangeIndex {
  /** In the order of their offsets; of equal ones the longest comes first. */
  const ranges: StoredRange[] = [];
  /** No range that begins before `offset - longest` reaches beyond the offset. */
  let longest = 0;

  /** The first index whose range does not come before the given one. */
  const find = (offset: number, length: number): number => {
    let [low, high] = [0, ranges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const one = ranges[middle] as StoredRange;
      if (one.offset < offset || (one.offset === offset && one.length > length)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const isAt = (index: number, { offset, length }: StoredRange): boolean =>
    ranges[index]?.offset === offset && ranges[index]?.length === length;

  /** The stored range that holds a byte and reaches furthest behind it. */
  const findHolding = (at: number): StoredRange | null => {
    let best: StoredRange | null = null;
    let bestEnd = at;
    for (let i = find(at - longest, Number.POSITIVE_INFINITY); i < ranges.length; i += 1) {
      const one = ranges[i] as StoredRange;
      if (one.offset > at) break;
      const end = one.offset + one.length;
      if (end > bestEnd) [best, bestEnd] = [one, end];
    }
    return best;
  };
  const nextStart = (at: number): number =>
    ranges[find(at, Number.POSITIVE_INFINITY)]?.offset ?? Number.POSITIVE_INFINITY;

  return {
    add(range) {
      const index = find(range.offset, range.length);
      if (isAt(index, range)) return;
      ranges.splice(index, 0, range);
      longest = Math.max(longest, range.length);
    },
    remove(range) {
      const index = find(range.offset, range.length);
      if (isAt(index, range)) ranges.splice(index, 1);
    },
    planRead(offset, length) {
      const parts: ReadPart[] = [];
      const end = offset + length;
      for (let at = offset; at < end; ) {
        const stored = findHolding(at);
        const partEnd = Math.min(end, stored === null ? nextStart(at) : stored.offset + stored.length);
        parts.push({ offset: at, length: partEnd - at, stored });
        at = partEnd;
      }
      return parts;
    },
  };
}
