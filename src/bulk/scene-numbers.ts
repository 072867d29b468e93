import type { Summary } from '../numbers/index.ts';
import type { Measured } from '../zonal/index.ts';

/** The numbers of a shape in a scene for one expression, in the order in which they are stored. */
export const NUMBERS = [
  ...['count', 'min', 'max', 'average', 'std', 'variance', 'q1', 'median', 'q3', 'p10', 'p90'],
  ...['validPx', 'cloudPx', 'areaPx', 'isTouched'],
] as const;

/** How many numbers come of the values alone. */
export const SUMMARY_NUMBERS = 11;
const [VALID, CLOUD, AREA, TOUCHED] = [11, 12, 13, 14] as const;

/** The numbers of many shapes in one scene: by shape, then by expression, then in the order above. NaN where there is none. */
export interface SceneNumbers {
  readonly shapes: number;
  readonly expressions: number;
  readonly values: Float64Array<ArrayBuffer>;
}

/** Where the numbers of a shape and an expression begin. */
export const offsetOf = (
  { expressions }: Pick<SceneNumbers, 'expressions'>,
  shape: number,
  expression: number,
): number => (shape * expressions + expression) * NUMBERS.length;

/** Numbers of shapes that have not been measured. */
export function makeSceneNumbers(shapes: number, expressions: number): SceneNumbers {
  return { shapes, expressions, values: new Float64Array(shapes * expressions * NUMBERS.length).fill(NaN) };
}

/** What pixels were counted of a shape. */
export interface CountedPixels {
  readonly validPx: number;
  /** Null where the scene has no mask of clouds. */
  readonly cloudPx: number | null;
}

/**
 * The numbers that come of values alone, from where they are stored. By their positions: a view of them, and taking it apart
 * by a pattern, takes as long as all else of a row.
 */
export function toSummary(values: Float64Array, at: number): Summary {
  return {
    count: values[at] as number,
    min: values[at + 1] as number,
    max: values[at + 2] as number,
    average: values[at + 3] as number,
    std: values[at + 4] as number,
    variance: values[at + 5] as number,
    q1: values[at + 6] as number,
    median: values[at + 7] as number,
    q3: values[at + 8] as number,
    p10: values[at + 9] as number,
    p90: values[at + 10] as number,
  };
}

/** Writes what was measured from the values of a shape. */
export function setSummary(
  values: Float64Array,
  at: number,
  { summary, validPx, cloudPx }: CountedPixels & { readonly summary: Summary | null },
): void {
  if (summary !== null) {
    values[at] = summary.count;
    values[at + 1] = summary.min;
    values[at + 2] = summary.max;
    values[at + 3] = summary.average;
    values[at + 4] = summary.std;
    values[at + 5] = summary.variance;
    values[at + 6] = summary.q1;
    values[at + 7] = summary.median;
    values[at + 8] = summary.q3;
    values[at + 9] = summary.p10;
    values[at + 10] = summary.p90;
  }
  values[at + VALID] = validPx;
  values[at + CLOUD] = cloudPx ?? NaN;
}

/** Writes what is known of a shape's pixels without reading them. */
export function setArea(
  values: Float64Array,
  at: number,
  {
    areaPx,
    isTouched,
    isByCentres = false,
  }: Pick<Measured, 'areaPx' | 'isTouched'> & {
    /** Pixels count by their centres, although shares were ordered: the shape is too large for those. */
    readonly isByCentres?: boolean;
  },
): void {
  values[at + AREA] = areaPx;
  values[at + TOUCHED] = isByCentres ? BY_CENTRES : Number(isTouched);
}

/** In place of whether a shape is touched. */
const BY_CENTRES = 2;

/** Whether a shape was too large for shares of pixels. */
export const isByCentres = (numbers: SceneNumbers, shape: number): boolean =>
  numbers.values[offsetOf(numbers, shape, 0) + TOUCHED] === BY_CENTRES;

/** The same as the statistics of one area; null if the shape lies outside the scene. */
export function toMeasured(numbers: SceneNumbers, shape: number, expression: number): Measured | null {
  const { values } = numbers;
  const at = offsetOf(numbers, shape, expression);
  const validPx = values[at + VALID] as number;
  if (Number.isNaN(validPx)) return null;
  const cloudPx = values[at + CLOUD] as number;
  return {
    statistics: Number.isNaN(values[at]) ? null : toSummary(values, at),
    areaPx: values[at + AREA] as number,
    validPx,
    cloudPx: Number.isNaN(cloudPx) ? null : cloudPx,
    isTouched: values[at + TOUCHED] === 1,
    histogram: null,
  };
}
