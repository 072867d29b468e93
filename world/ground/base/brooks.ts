import type { Point } from './polyline.ts';
import { smoothLine } from './polyline.ts';
import type { ReliefGrid } from './relief-grid.ts';
import type { River } from './trunk-rivers.ts';
import type { Warp } from './warp.ts';

/** A brook is drawn where it drains more than this: smaller ones are hidden under trees. */
const catchmentFromM2 = 5_000_000;

/** The rivers and brooks that the relief drains by, from their heads to the sea, the lake or a larger river. */
export function makeBrooks({ eroded, confluences, toHeightM }: ReliefGrid, warp: Warp): readonly River[] {
  const { catchmentM2, receiver, order, heightM } = eroded;
  const isBrook = (cell: number): boolean => catchmentM2[cell]! >= catchmentFromM2 && receiver[cell] !== cell;
  const hasBrookAbove = new Uint8Array(receiver.length);
  for (const cell of order) if (isBrook(cell)) hasBrookAbove[receiver[cell]!] = 1;
  const isDrawn = new Uint8Array(receiver.length);
  const rivers: River[] = [];
  for (const head of order) {
    if (!isBrook(head) || hasBrookAbove[head] === 1) continue;
    const cells: number[] = [];
    let cell = head;
    for (; isBrook(cell) && isDrawn[cell] === 0 && !confluences.has(cell); cell = receiver[cell]!) {
      isDrawn[cell] = 1;
      cells.push(cell);
    }
    if (cells.length === 0) continue;
    const locations: Point[] = cells.map(warp.pointOf);
    const levels = cells.map((at) => heightM[at]!);
    // Straight to the river across its valley floor: on the flat the grid would lead it alongside for miles.
    const joined = confluences.get(cell);
    locations.push(joined?.point ?? warp.pointOf(cell));
    levels.push(Math.min(levels.at(-1)!, joined?.levelM ?? heightM[cell]!));
    cells.push(cell);
    rivers.push({
      points: smoothLine(locations, 2),
      levelM: smoothNumbers(levels.map(toHeightM), 2),
      // Width grows with the square root of the catchment, as hydraulic geometry has it.
      halfWidthM: smoothNumbers(
        cells.map((at) => Math.min(22, 0.6 + 0.00095 * Math.sqrt(Math.min(catchmentM2[at]!, 6e8)))),
        2,
      ),
    });
  }
  return rivers;
}

/** Numbers along a line, smoothed as `smoothLine` smooths its locations. */
function smoothNumbers(values: readonly number[], rounds: number): readonly number[] {
  return smoothLine(
    values.map((value) => ({ x: value, y: 0 })),
    rounds,
  ).map(({ x }) => x);
}
