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
  const at = offsetOf(numbers, shape, expression);
  const own = numbers.values.subarray(at, at + NUMBERS.length);
  const [count, min, max, average, std, variance, q1, median, q3, p10, p90] = own as unknown as number[] &
    [number, number, number, number, number, number, number, number, number, number, number];
  const validPx = own[VALID] as number;
  if (Number.isNaN(validPx)) return null;
  const cloudPx = own[CLOUD] as number;
  return {
    statistics: Number.isNaN(count)
      ? null
      : { count, min, max, average, std, variance, q1, median, q3, p10, p90 },
    areaPx: own[AREA] as number,
    validPx,
    cloudPx: Number.isNaN(cloudPx) ? null : cloudPx,
    isTouched: own[TOUCHED] === 1,
    histogram: null,
  };
}
