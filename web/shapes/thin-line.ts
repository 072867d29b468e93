/** Lines with fewer positions that run almost the same way. */
import type { Position } from './shape.ts';

interface Stretch {
  readonly from: number;
  readonly to: number;
  /** The position between them that is farthest from the straight line, and how far. */
  readonly farthest: number;
  readonly offset: number;
}

/** At most `max` positions: those of Douglas and Peucker that a line of so many deviates least by. */
export const thinLine = (positions: readonly Position[], max: number): readonly Position[] => {
  if (positions.length <= max) return positions;
  // Degrees of longitude are shorter by the cosine of the latitude; one factor for the whole line is near enough.
  const scale = Math.cos(((positions[0]?.[1] ?? 0) * Math.PI) / 180);
  const at = (i: number): Position => {
    const [lon, lat] = positions[i] ?? [0, 0];
    return [lon * scale, lat];
  };
  const offsetOf = ([x, y]: Position, [ax, ay]: Position, [bx, by]: Position): number => {
    const length2 = (bx - ax) ** 2 + (by - ay) ** 2;
    const along = length2 === 0 ? 0 : ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length2;
    const t = Math.max(0, Math.min(1, along));
    return Math.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay));
  };
  const toStretch = (from: number, to: number): Stretch => {
    let [farthest, offset] = [from, -1];
    for (let i = from + 1; i < to; i++) {
      const own = offsetOf(at(i), at(from), at(to));
      if (own > offset) [farthest, offset] = [i, own];
    }
    return { from, to, farthest, offset };
  };
  const stretches = [toStretch(0, positions.length - 1)];
  while (stretches.length + 1 < max) {
    const worst = stretches.reduce((a, b) => (b.offset > a.offset ? b : a));
    const split = [toStretch(worst.from, worst.farthest), toStretch(worst.farthest, worst.to)];
    stretches.splice(stretches.indexOf(worst), 1, ...split);
  }
  return [...stretches.map(({ from }) => from), positions.length - 1].flatMap((i) => {
    const position = positions[i];
    return position === undefined ? [] : [position];
  });
};
