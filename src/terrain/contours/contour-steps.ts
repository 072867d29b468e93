import { internal } from '../../errors.ts';

/** Contour heights are multiples of the interval; a step is the number of the multiple. */
export interface ContourSteps {
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
