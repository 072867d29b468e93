/** A ring in columns and rows, without its first position at the end. */
export type FlatRing = readonly (readonly [x: number, y: number])[];

/** The part of a ring between two columns (axis 0) or two rows (axis 1), after Sutherland and Hodgman. */
export function clipRing(ring: FlatRing, axis: 0 | 1, low: number, high: number): FlatRing {
  return clipHalf(clipHalf(ring, axis, low, 1), axis, high, -1);
}

function clipHalf(ring: FlatRing, axis: 0 | 1, limit: number, sign: 1 | -1): FlatRing {
  const inside: (readonly [number, number])[] = [];
  for (let i = 0; i < ring.length; i++) {
    const [from, to] = [ring[(i + ring.length - 1) % ring.length]!, ring[i]!];
    const [before, after] = [sign * (from[axis] - limit), sign * (to[axis] - limit)];
    if (before >= 0 !== after >= 0) {
      const share = before / (before - after);
      inside.push([from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]);
    }
    if (after >= 0) inside.push(to);
  }
  return inside;
}

/** Twice the signed size of a ring, and its first moments: the sums of the shoelace formula. */
export function measureRing(ring: FlatRing): {
  readonly size: number;
  readonly x: number;
  readonly y: number;
} {
  let [size, x, y] = [0, 0, 0];
  // Relative to a position of the ring: far from the origin a small ring would be a difference of large numbers.
  const [x0, y0] = ring[0] ?? [0, 0];
  for (let i = 0; i < ring.length; i++) {
    const [from, to] = [ring[(i + ring.length - 1) % ring.length]!, ring[i]!];
    const cross = (from[0] - x0) * (to[1] - y0) - (to[0] - x0) * (from[1] - y0);
    size += cross / 2;
    x += (cross * (from[0] + to[0] - 2 * x0)) / 6;
    y += (cross * (from[1] + to[1] - 2 * y0)) / 6;
  }
  return { size, x: x + size * x0, y: y + size * y0 };
}
