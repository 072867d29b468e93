/** Small shaping functions, made of operations that give the same bits on every machine. */

/** `value` limited to [low, high]. */
export function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}

/** 0 below `low`, 1 above `high`, smooth in between; `low` may be above `high` for a falling step. */
export function smoothStep(low: number, high: number, value: number): number {
  const t = (value - low) / (high - low);
  if (t <= 0) return 0;
  if (t >= 1) return 1;
  return t * t * (3 - 2 * t);
}

/** Close to exp(-x) for x >= 0 (within 0.02). */
export function decay(x: number): number {
  const base = 1 / (1 + x / 16);
  const p2 = base * base;
  const p4 = p2 * p2;
  const p8 = p4 * p4;
  return p8 * p8;
}

/** A unit vector from a number in [0, 1): the rational form of the circle, so without sine or cosine. */
export function unitVector(turn: number): readonly [x: number, y: number] {
  // t = tan(angle / 2) over the quarter around each axis; the quarter itself is exact.
  const quarter = Math.floor(turn * 4);
  const t = (turn * 4 - quarter) * 0.82842712 - 0.41421356;
  const norm = 1 + t * t;
  const cos = (1 - t * t) / norm;
  const sin = (2 * t) / norm;
  if (quarter === 0) return [cos, sin];
  if (quarter === 1) return [-sin, cos];
  if (quarter === 2) return [-cos, -sin];
  return [sin, -cos];
}
