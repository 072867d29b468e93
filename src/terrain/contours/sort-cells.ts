import { unsupported } from '../../errors.ts';
import type { ContourSteps } from './contour-steps.ts';
import type { HeightGrid } from './height-grid.ts';

/** The cells that each contour height passes through. A cell is the square between four pixel centres. */
export interface SortedCells {
  /** The highest step that is not above each pixel; `UNKNOWN_STEP` where the height is unknown. */
  readonly steps: Int32Array;
  /** The lowest step that passes through a cell. */
  readonly firstStep: number;
  /** Cells (the index of their upper left pixel), row by row: those of the first step, then those of the next one, … */
  readonly cells: Int32Array;
  /** Where the cells of each step begin in `cells`, and at last where they end. */
  readonly begins: Int32Array;
}

/** Lower than every other step, so that the lowest step of a cell says whether all its corners are known. */
const UNKNOWN_STEP = -(2 ** 31);

/** The error of an interval that gives more lines than a picture can show. */
export const tooManyContours = (maxPoints: number): Error =>
  unsupported(
    'too-many-contours',
    `The contour interval is too small for this picture: its lines have more than ${maxPoints} points.`,
    { details: { limit: maxPoints } },
  );

/** Sorts the cells of a grid by the contour heights between their corners; within a height they stay row by row. */
export function sortCells(grid: HeightGrid, rule: ContourSteps, maxPoints: number): SortedCells {
  const steps = toSteps(grid, rule);
  const { found, lows, highs } = findCells(grid, steps);
  let total = 0;
  let min = Infinity;
  let max = -Infinity;
  for (let i = 0; i < found.length; i++) {
    total += highs[i]! - lows[i]!;
    min = Math.min(min, lows[i]!);
    max = Math.max(max, highs[i]!);
  }
  const count = Math.max(0, max - min);
  // Every cell of a step has a piece of line. Steps between cells have none, but take memory as well.
  if (total > maxPoints || count > maxPoints) throw tooManyContours(maxPoints);

  const begins = new Int32Array(count + 1);
  for (let i = 0; i < found.length; i++) {
    const end = highs[i]! - min;
    for (let at = lows[i]! - min; at < end; at++) begins[at + 1]!++;
  }
  for (let at = 0; at < count; at++) begins[at + 1]! += begins[at]!;
  const cells = new Int32Array(total);
  const ends = begins.slice();
  for (let i = 0; i < found.length; i++) {
    const end = highs[i]! - min;
    for (let at = lows[i]! - min; at < end; at++) cells[ends[at]!++] = found[i]!;
  }
  return { steps, firstStep: min + 1, cells, begins };
}

function toSteps({ heights, mask }: HeightGrid, rule: ContourSteps): Int32Array {
  const steps = new Int32Array(heights.length);
  for (let i = 0; i < heights.length; i++) {
    const step = mask == null || mask[i] !== 0 ? rule.stepBelow(heights[i]!) : UNKNOWN_STEP;
    // No ground is two thousand million steps high, and what is no number is no height.
    steps[i] = Math.abs(step) < -UNKNOWN_STEP ? step : UNKNOWN_STEP;
  }
  return steps;
}

/** Cells with known corners between which there is a contour height: above step `low`, up to step `high`. */
interface FoundCells {
  readonly found: Int32Array;
  readonly lows: Int32Array;
  readonly highs: Int32Array;
}

function findCells({ width, height }: HeightGrid, steps: Int32Array): FoundCells {
  const [found, lows, highs] = [0, 1, 2].map(() => new Int32Array(steps.length)) as [
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  let count = 0;
  for (let y = 0; y + 1 < height; y++) {
    // The two corners on the left are those on the right of the cell before.
    let leftLow = Math.min(steps[y * width]!, steps[(y + 1) * width]!);
    let leftHigh = Math.max(steps[y * width]!, steps[(y + 1) * width]!);
    for (let cell = y * width, end = cell + width - 1; cell < end; cell++) {
      const upper = steps[cell + 1]!;
      const lower = steps[cell + width + 1]!;
      const low = Math.min(upper, lower);
      const high = Math.max(upper, lower);
      const cellLow = Math.min(leftLow, low);
      const cellHigh = Math.max(leftHigh, high);
      leftLow = low;
      leftHigh = high;
      if (cellLow === cellHigh || cellLow === UNKNOWN_STEP) continue;
      found[count] = cell;
      lows[count] = cellLow;
      highs[count++] = cellHigh;
    }
  }
  return { found: found.subarray(0, count), lows: lows.subarray(0, count), highs: highs.subarray(0, count) };
}
