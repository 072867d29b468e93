import { internal, unsupported } from '../errors.ts';

/** Heights in metres at the centres of pixels, row by row. */
export interface HeightGrid {
  readonly heights: Float32Array;
  readonly width: number;
  readonly height: number;
  /** 1 where the height is known; without a mask every height is. NaN is unknown in any case. */
  readonly mask?: Uint8Array | null;
}

/** The cells that each contour height passes through. A cell is the square between four pixel centres. */
interface SortedCells {
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
    // No ground is two billion steps high, and NaN is not a height.
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

/** Contour heights are multiples of the interval; a step is the number of the multiple. */
interface ContourSteps {
  /** The height of a step, in metres. */
  heightOf(step: number): number;
  /** The highest step that is not above a height. */
  stepBelow(heightM: number): number;
}

/** Below a millimetre, rounding to micrometres would make steps uneven. */
const MIN_INTERVAL_M = 0.001;

/** Rounds to whole micrometres: 3 × 0.1 is 0.3, not 0.30000000000000004. Adding 0 turns −0 into 0. */
const round = (heightM: number): number => Math.round(heightM * 1e6) / 1e6 + 0;

/** The steps of an interval. */
export function makeContourSteps(intervalM: number): ContourSteps {
  if (!(intervalM >= MIN_INTERVAL_M && intervalM < Infinity))
    throw internal('contour-interval', `${intervalM} m is not a contour interval.`);
  const heightOf = (step: number): number => round(step * intervalM);
  const stepBelow = (heightM: number): number => {
    const step = Math.floor(heightM / intervalM);
    // The division may be off by a rounding error; a height on a step must belong to it.
    if (heightOf(step) > heightM) return step - 1;
    return heightOf(step + 1) <= heightM ? step + 1 : step;
  };
  return { heightOf, stepBelow };
}
