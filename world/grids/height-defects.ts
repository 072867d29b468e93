import { random } from '../numbers/noise.ts';
import { spots } from '../setting/spots.ts';

/** Side of the square around the forest in which the DEM has the defects of a bad survey. */
const DEFECTS_SIDE_M = 8_000;

/** Share of pixels that are spikes: towers and radar echoes. */
const SPIKE_SHARE = 1 / 400;
/** Blocks of pixels of which this share is a void, as in the shadow of a radar. */
const VOID_BLOCK_PX = 4;
const VOID_SHARE = 1 / 50;
const SEEDS = { spike: 7_101, size: 7_102, hole: 7_103, rim: 7_104 } as const;

/** Whether a location, in local metres, lies where the DEM has defects. */
export const hasDefects = (x: number, y: number): boolean =>
  Math.max(Math.abs(x - spots.forest.x), Math.abs(y - spots.forest.y)) <= DEFECTS_SIDE_M / 2;

/**
 * A height with the defects that real models have: whole metres, spikes of 40 to 120 m up or down, and voids (null).
 * Column and row number the pixels of the whole model.
 */
export function toDefectiveHeight(height: number, column: number, row: number): number | null {
  const [blockColumn, blockRow] = [Math.floor(column / VOID_BLOCK_PX), Math.floor(row / VOID_BLOCK_PX)];
  const isHole = random(blockColumn, blockRow, SEEDS.hole) < VOID_SHARE;
  // Their rims are ragged.
  if (isHole && random(column, row, SEEDS.rim) < 0.8) return null;
  const whole = Math.round(height);
  if (random(column, row, SEEDS.spike) >= SPIKE_SHARE) return whole;
  const size = random(column, row, SEEDS.size);
  const sign = size < 0.5 ? -1 : 1;
  return whole + sign * Math.round(40 + 80 * size);
}
