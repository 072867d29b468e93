import { frame } from '../setting/frame.ts';
import { RELIEF_ROWS } from './relief-rows.ts';

/** Metres of one step of a stored height. */
export const RELIEF_STEP_M = 2.5;
/** Locations along a side of the frame, and metres between them. */
export const RELIEF_COUNT = RELIEF_ROWS.length;
export const RELIEF_SPACING_M = frame.sizeM / (RELIEF_COUNT - 1);

const heights = Float32Array.from({ length: RELIEF_COUNT * RELIEF_COUNT }, (_, i) => {
  const column = i % RELIEF_COUNT;
  const row = RELIEF_ROWS[(i - column) / RELIEF_COUNT]!;
  return RELIEF_STEP_M * Number.parseInt(row.slice(2 * column, 2 * column + 2), 36);
});

/** Height of the ground around a location in local metres, blurred to some 2 km as weather models have it. */
export function reliefHeightM(x: number, y: number): number {
  const at = (metres: number): number =>
    Math.min(RELIEF_COUNT - 1.001, Math.max(0, metres / RELIEF_SPACING_M));
  const [column, row] = [Math.floor(at(x)), Math.floor(at(y))];
  const [east, south] = [at(x) - column, at(y) - row];
  const along = (line: number): number => {
    const first = line * RELIEF_COUNT + column;
    return heights[first]! * (1 - east) + heights[first + 1]! * east;
  };
  return along(row) * (1 - south) + along(row + 1) * south;
}
