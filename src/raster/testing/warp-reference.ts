import type { Grid } from '../../geo/index.ts';
import type { GeoreferencedGrid } from '../../proj/index.ts';
import { makeApproximateGrid, makePixelMapping } from '../../proj/index.ts';
import type { ResampleMethod } from '../plan-warp.ts';
import { kernelSupport, resamplers } from '../plan-warp.ts';
import type { Raster, WarpRequest } from '../warp.ts';

/** A source pixel that counts for a target pixel. */
interface Tap {
  readonly value: number;
  readonly weight: number;
}

/**
 * Weight of a tap by its signed distance from the position in kernel units, by the textbook definitions of the kernels.
 */
function kernelWeight(method: ResampleMethod, distance: number): number {
  const d = Math.abs(distance);
  switch (method) {
    case 'bilinear':
      return Math.max(0, 1 - d);
    case 'cubic':
      if (d >= 2) return 0;
      return d < 1 ? 1.5 * d ** 3 - 2.5 * d ** 2 + 1 : -0.5 * d ** 3 + 2.5 * d ** 2 - 4 * d + 2;
    case 'cubicspline':
      // GDAL's spline continues beyond +2.
      if (d >= 2) return distance > 2 ? (2 - d) ** 3 / 6 : 0;
      return d < 1 ? (3 * d ** 3 - 6 * d ** 2 + 4) / 6 : (2 - d) ** 3 / 6;
    default:
      return d < resamplers[method].radiusPx ? sinc(d) * sinc(d / 3) : 0;
  }
}

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

/** The result of a method for the source pixels under a target pixel. */
function combineArea(method: ResampleMethod, taps: readonly Tap[]): number {
  const values = taps.map(({ value }) => value);
  const sorted = values.toSorted((a, b) => a - b);
  const quantile = (part: number): number => sorted[Math.max(0, Math.ceil(part * sorted.length - 1))]!;
  switch (method) {
    case 'max':
      return sorted.at(-1)!;
    case 'min':
      return sorted[0]!;
    case 'q1':
      return quantile(0.25);
    case 'med':
      return quantile(0.5);
    case 'q3':
      return quantile(0.75);
    case 'mode':
      return mostFrequent(values);
    default: {
      const total = taps.reduce((sum, { weight }) => sum + weight, 0);
      return taps.reduce((sum, { value, weight }) => sum + value * weight, 0) / total;
    }
  }
}

/** Of several, the one that first reached that count. */
function mostFrequent(values: readonly number[]): number {
  const counts = new Map<number, number>();
  let [winner, max] = [Number.NaN, 0];
  for (const value of values) {
    const count = (counts.get(value) ?? 0) + 1;
    counts.set(value, count);
    if (count > max) [winner, max] = [value, count];
  }
  return winner;
}

type Pair = readonly [number, number];

/**
 * What `warp` must compute, written plainly: every position projected exactly, every sum in double precision, no lanes
 * and no special cases. For tests only.
 */
export function warpReference(request: WarpRequest): Raster {
  const { target, plan, bands } = request;
  const { window, method } = plan;
  const length = target.width * target.height;
  const level: GeoreferencedGrid = { ...plan, transform: plan.levelTransform, ...plan.levelSize };
  const { toSource } = makePixelMapping(target, level);
  const project = (col: number, row: number): Pair => {
    const [x, y] = toSource(col, row);
    return [x - window.x, y - window.y];
  };
  const supports = supportsOf(target, level, method);
  const result = {
    ...target,
    bands: bands.map(() => new Float32Array(length)),
    mask: new Uint8Array(length),
  };
  for (let i = 0; i < length; i++) {
    const [col, row] = [i % target.width, Math.floor(i / target.width)];
    const support = supports(i);
    if (support === undefined) continue;
    const values = resamplers[method].isArea
      ? areaValues(request, project(col, row), project(col + 1, row + 1))
      : pointValues(request, project(col + 0.5, row + 0.5), support);
    if (values === undefined) continue;
    result.mask[i] = 1;
    for (let b = 0; b < bands.length; b++) result.bands[b]![i] = values[b]!;
  }
  return result;
}

/** Pixels of one axis that follow each other, and the weight of each. */
interface Weights {
  readonly first: number;
  readonly weights: readonly number[];
}

function hasData({ plan: { window }, mask }: WarpRequest, col: number, row: number): boolean {
  if (col < 0 || row < 0 || col >= window.width || row >= window.height) return false;
  return mask?.[row * window.width + col] !== 0;
}

/** The value of each band; none where no pixel has data. */
function areaValues(request: WarpRequest, one: Pair, other: Pair): readonly number[] | undefined {
  const { width, height } = request.plan.window;
  const cols = shares(one[0], other[0], width);
  const rows = shares(one[1], other[1], height);
  const taps: Tap[][] = request.bands.map(() => []);
  for (let r = 0; r < rows.weights.length; r++) {
    for (let c = 0; c < cols.weights.length; c++) {
      const [row, col] = [rows.first + r, cols.first + c];
      if (!hasData(request, col, row)) continue;
      const weight = rows.weights[r]! * cols.weights[c]!;
      for (let b = 0; b < taps.length; b++)
        taps[b]!.push({ value: request.bands[b]![row * width + col]!, weight });
    }
  }
  if (taps[0]!.length === 0) return undefined;
  return taps.map((ofBand) => combineArea(request.plan.method, ofBand));
}

/**
 * The pixels between two positions, and how much of each lies between them; at the edges of the image, including what
 * lies beyond.
 */
function shares(one: number, other: number, length: number): Weights {
  const [low, high] = [Math.min(one, other), Math.max(one, other)];
  if (low >= length - 1e-9 || (high <= 1e-9 && low < -1e-9)) return { first: 0, weights: [] };
  const first = Math.max(0, Math.floor(low + 1e-9));
  const end = Math.max(first + 1, Math.min(length, Math.ceil(high - 1e-9)));
  if (end - first === 1) return { first, weights: [1] };
  const weights: number[] = [];
  for (let pixel = first; pixel < end; pixel++) {
    const start = pixel === first ? low : pixel;
    weights.push((pixel === end - 1 ? high : pixel + 1) - start);
  }
  return { first, weights };
}

/** The value of each band; none where there are too few pixels with data. */
function pointValues(request: WarpRequest, at: Pair, support: Pair): readonly number[] | undefined {
  const [x, y] = at;
  const { bands, plan } = request;
  const { window, method } = plan;
  const { radiusPx } = resamplers[method];
  const [col, row] = [Math.floor(x + 1e-10), Math.floor(y + 1e-10)];
  if (!hasData(request, col, row)) return undefined;
  if (method === 'near') return bands.map((band) => band[row * window.width + col]!);
  const cols = taps(x, support[0], method);
  const rows = taps(y, support[1], method);
  const sums = bands.map(() => 0);
  let [weights, count, valid] = [0, 0, 0];
  for (let i = 0; i < rows.weights.length; i++) {
    for (let j = 0; j < cols.weights.length; j++) {
      const [r, c] = [rows.first + i, cols.first + j];
      if (c < 0 || r < 0 || c >= window.width || r >= window.height) continue;
      count++;
      if (!hasData(request, c, r)) continue;
      valid++;
      const weight = cols.weights[j]! * rows.weights[i]!;
      if (weight === 0) continue;
      for (let b = 0; b < sums.length; b++) sums[b]! += weight * bands[b]![r * window.width + c]!;
      weights += weight;
    }
  }
  // Cubic convolution falls back to bilinear where a tap is missing, unless it is widened.
  const isWidened = support[0] > radiusPx || support[1] > radiusPx;
  if (method === 'cubic' && !isWidened && valid < 16)
    return pointValues({ ...request, plan: { ...plan, method: 'bilinear' } }, at, [1, 1]);
  if (weights < 1e-6 || (method === 'lanczos' && valid < count / 2)) return undefined;
  return sums.map((sum) => sum / weights);
}

/** The taps of one axis with their weights. */
function taps(position: number, support: number, method: WarpRequest['plan']['method']): Weights {
  const { radiusPx } = resamplers[method];
  const radius = Math.ceil(support);
  const before = Math.floor(position - 0.5);
  const isSnapped = method === 'lanczos' && support > radiusPx;
  const centre = isSnapped ? before : position - 0.5;
  const first = before - radius + 1;
  const length = isSnapped && radius > support ? 2 * radius - 1 : 2 * radius;
  const weights: number[] = [];
  for (let tap = first; tap < first + length; tap++)
    weights.push(kernelWeight(method, ((tap - centre) * radiusPx) / support));
  return { first, weights };
}

/** Kernel widths are set per cell, so they come from the same grid; by pixel index. */
function supportsOf(
  target: Grid,
  level: GeoreferencedGrid,
  method: WarpRequest['plan']['method'],
): (index: number) => Pair | undefined {
  const grid = makeApproximateGrid(target, level);
  return (index) => {
    const [x, y] = [index % target.width, Math.floor(index / target.width)];
    for (let i = 0; i < grid.cellCount; i++) {
      const [col, row, size] = [grid.cells[3 * i]!, grid.cells[3 * i + 1]!, grid.cells[3 * i + 2]!];
      if (x < col || y < row || x >= col + size || y >= row + size) continue;
      return kernelSupport(resamplers[method], grid.ratios[2 * i]!, grid.ratios[2 * i + 1]!);
    }
    return undefined;
  };
}
