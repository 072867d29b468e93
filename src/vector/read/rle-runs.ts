/**
 * Reads `count` numbers of a width in bits from the runs of Parquet: equal values, or packed groups of eight. A run that is
 * longer than what is left is cut: the library we use for the rest believes it, and fills memory.
 */
export function readRuns(bytes: Uint8Array, width: number, count: number): Uint32Array {
  if (!(width >= 0 && width <= 32)) throw new RangeError('numbers of more than 32 bits');
  const values = new Uint32Array(count);
  let [at, seen] = [0, 0];
  const next = (): number => {
    const byte = bytes[at++];
    if (byte === undefined) throw new RangeError('runs end too early');
    return byte;
  };
  while (seen < count) {
    const header = readVarInt(next);
    if ((header & 1) === 0) {
      let value = 0;
      for (let shift = 0; shift < width; shift += 8) value += next() * 2 ** shift;
      const end = Math.min(count, seen + (header >>> 1));
      values.fill(value, seen, end);
      seen = end;
      continue;
    }
    const groups = header >>> 1;
    const packed = bytes.subarray(at, at + groups * width);
    const end = Math.min(count, seen + groups * 8);
    // Writers may leave out the end of the last group.
    if (packed.length * 8 < (end - seen) * width) throw new RangeError('runs end too early');
    unpack(packed, width, values.subarray(seen, end));
    at += packed.length;
    seen = end;
  }
  return values;
}

function readVarInt(next: () => number): number {
  let value = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = next();
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return value % 2 ** 32;
  }
  throw new RangeError('a number that is too long');
}

/** Numbers follow each other without gaps, lowest bits first. */
function unpack(packed: Uint8Array, width: number, into: Uint32Array): void {
  let [held, bits, at] = [0, 0, 0];
  const size = 2 ** width;
  for (let i = 0; i < into.length; i++) {
    while (bits < width) {
      held += packed[at++]! * 2 ** bits;
      bits += 8;
    }
    into[i] = held % size;
    held = Math.floor(held / size);
    bits -= width;
  }
}
