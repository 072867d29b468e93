/**
 * The bits of float32 numbers as integers of the same order: those of negative numbers are inverted, the others moved
 * above them.
 */
export const toKey = (bits: number): number => (bits ^ ((bits >> 31) | 0x80000000)) >>> 0;

/** The inverse of `toKey`. */
export const fromKey = (key: number): number => (key >>> 31 === 1 ? key & 0x7fffffff : ~key) >>> 0;

const BINS = 1 << 11;

/** Sorts numbers in place in linear time: a radix sort by 11, 11 and 10 bits of their keys. */
export function sortFloats(values: Float32Array): void {
  const given = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const counts = [0, 1, 2].map(() => new Uint32Array(BINS)) as [Uint32Array, Uint32Array, Uint32Array];
  const [lower, middle, upper] = counts;
  for (let i = 0; i < given.length; i++) {
    const key = toKey(given[i]!);
    given[i] = key;
    lower[key & (BINS - 1)]!++;
    middle[(key >>> 11) & (BINS - 1)]!++;
    upper[key >>> 22]!++;
  }
  let from: Uint32Array = given;
  let to: Uint32Array = new Uint32Array(given.length);
  for (const [round, ends] of counts.entries()) {
    let next = 0;
    for (let bin = 0; bin < BINS; bin++) {
      const count = ends[bin]!;
      ends[bin] = next;
      next += count;
    }
    const shift = 11 * round;
    for (let i = 0; i < from.length; i++) {
      const key = from[i]!;
      to[ends[(key >>> shift) & (BINS - 1)]!++] = key;
    }
    [from, to] = [to, from];
  }
  for (let i = 0; i < given.length; i++) given[i] = fromKey(from[i]!);
}
