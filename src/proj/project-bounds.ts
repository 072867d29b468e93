import type { Bounds } from '../geo/index.ts';
import { MERCATOR_HALF_SIDE_M } from '../geo/index.ts';
import { makeProjection } from './projection.ts';

/** Segments per side: curved sides bulge between corners, and 32 segments leave a thousandth of the bulge. */
const PIECES = 32;

/** Systems that span the globe, and its circumference in their units. */
const turns: ReadonlyMap<number, number> = new Map([
  [3857, 2 * MERCATOR_HALF_SIDE_M],
  [4326, 360],
]);

/**
 * The bounding rectangle of a rectangle of another system, both by EPSG code; null where a part of its edge has no
 * counterpart. It stays in one piece across the antimeridian, and may then extend beyond ±180°.
 */
export function projectBounds(bounds: Bounds, from: number, to: number): Bounds | null {
  if (from === to) return bounds;
  const { minX, minY, maxX, maxY } = bounds;
  const { forward } = makeProjection(from, to);
  const [fromTurn, toTurn] = [turns.get(from), turns.get(to)];
  const [middleX] = forward((minX + maxX) / 2, (minY + maxY) / 2);
  const toX = (x: number, projected: number): number => {
    if (toTurn === undefined) return projected;
    // Between two systems that span the globe, x only changes its scale.
    if (fromTurn !== undefined) return (x / fromTurn) * toTurn;
    return projected - toTurn * Math.round((projected - middleX) / toTurn);
  };
  const [xs, ys]: [number[], number[]] = [[], []];
  for (const [x, y] of edgesOf(bounds)) {
    const [projectedX, projectedY] = forward(x, y);
    if (Number.isNaN(projectedX) || Number.isNaN(projectedY)) return null;
    xs.push(toX(x, projectedX));
    ys.push(projectedY);
  }
  return { minX: Math.min(...xs), minY: Math.min(...ys), maxX: Math.max(...xs), maxY: Math.max(...ys) };
}

function* edgesOf({ minX, minY, maxX, maxY }: Bounds): Generator<readonly [x: number, y: number]> {
  for (let i = 0; i <= PIECES; i++) {
    const x = minX + ((maxX - minX) * i) / PIECES;
    const y = minY + ((maxY - minY) * i) / PIECES;
    yield* [
      [x, minY],
      [x, maxY],
      [minX, y],
      [maxX, y],
    ] as const;
  }
}
