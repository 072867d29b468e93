import type { Place, Stroke } from './polyline.ts';
import { smoothLine } from './polyline.ts';
import type { Relief } from './relief.ts';
import { reliefGrid, toReliefGrid } from './relief.ts';

/** A brook is drawn where it drains more than this: smaller ones are ditches nobody sees from space. */
const catchmentFromM2 = 1_100_000;

/** The brooks that the relief drains by, as lines of trees: dry in June, but green. */
export function makeStreams({ grid }: Relief): readonly Stroke[] {
  const { catchmentM2, receiver, order } = grid;
  const isBrook = (cell: number): boolean => catchmentM2[cell]! >= catchmentFromM2 && receiver[cell] !== cell;
  const hasBrookAbove = new Uint8Array(receiver.length);
  for (const cell of order) if (isBrook(cell)) hasBrookAbove[receiver[cell]!] = 1;
  const isDrawn = new Uint8Array(receiver.length);
  const strokes: Stroke[] = [];
  for (const head of order) {
    if (!isBrook(head) || hasBrookAbove[head] === 1) continue;
    const points: Place[] = [];
    let cell = head;
    for (; isBrook(cell) && isDrawn[cell] === 0; cell = receiver[cell]!) {
      isDrawn[cell] = 1;
      points.push(toPlace(cell));
    }
    points.push(toPlace(cell));
    if (points.length < 5) continue;
    strokes.push({ points: smoothLine(points, 3), halfWidthM: 3 });
  }
  return strokes;
}

/** Centre of a relief cell in the landscape: undoes the bending of `toReliefGrid` by a few fixed-point steps. */
function toPlace(cell: number): Place {
  const gx = reliefGrid.originX + ((cell % reliefGrid.cols) + 0.5) * reliefGrid.cellM;
  const gy = reliefGrid.originY + (Math.floor(cell / reliefGrid.cols) + 0.5) * reliefGrid.cellM;
  let x = gx;
  let y = gy;
  for (let step = 0; step < 6; step++) {
    const [bentX, bentY] = toReliefGrid(x, y);
    x += (gx - bentX) * 0.8;
    y += (gy - bentY) * 0.8;
  }
  return { x, y };
}
