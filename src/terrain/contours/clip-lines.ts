import type { Bounds } from '../../geo/index.ts';
import { addBorderPoints } from './border-points.ts';
import type { ContourLine } from './contour-line.ts';
import { isClosed } from './contour-line.ts';

/** Cuts lines to a box in grid coordinates, edges included; a line that leaves the box and returns becomes several. */
export const clipLines = (lines: readonly ContourLine[], box: Bounds): ContourLine[] =>
  lines.flatMap(({ heightM, isIndex, points }) =>
    cutPieces(addBorderPoints(points, box), box).map((piece) => ({ heightM, isIndex, points: piece })),
  );

/** The pieces of a line inside a box whose border none of its segments crosses; each has at least two points. */
function cutPieces(points: Float64Array, box: Bounds): Float64Array[] {
  const pieces: [begin: number, end: number][] = [];
  let begin = 0;
  for (let i = 0; i <= points.length; i += 2) {
    if (i < points.length && isInside(points[i]!, points[i + 1]!, box)) continue;
    // A single point is where a line touches the box from outside.
    if (i - begin > 2) pieces.push([begin, i]);
    begin = i + 2;
  }
  const cut = pieces.map(([from, to]) => points.subarray(from, to));
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (pieces.length < 2 || first?.[0] !== 0 || last?.[1] !== points.length || !isClosed({ points }))
    return cut;
  // A ring that begins inside the box: its last piece goes on with the first.
  return [concatenate(cut.at(-1)!, cut[0]!.subarray(2)), ...cut.slice(1, -1)];
}

const isInside = (x: number, y: number, box: Bounds): boolean =>
  x >= box.minX && x <= box.maxX && y >= box.minY && y <= box.maxY;

function concatenate(one: Float64Array, other: Float64Array): Float64Array {
  const both = new Float64Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
