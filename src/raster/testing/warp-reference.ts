import type { Grid } from '../../geo/index.ts';
import type { GeoreferencedGrid } from '../../proj/index.ts';
import { makeApproximateGrid, makePixelMapping } from '../../proj/index.ts';
import type { Raster } from '../raster.ts';
import { kernelSupport, resamplers } from '../resampler.ts';
import type { WarpRequest } from '../warp.ts';
import type { Tap } from './reference-methods.ts';
import { combineArea, kernelWeight } from './reference-methods.ts';

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
    const corners = [project(col, row), project(col + 1, row + 1)] as const;
    const at = project(col + 0.5, row + 0.5);
    const values = bands.map((_, band) =>
      resamplers[method].isArea
        ? areaValue(request, band, corners)
        : pointValue(request, band, { at, support }),
    );
    if (values.some((value) => value === undefined)) continue;
    result.mask[i] = 1;
    for (const [b, value] of values.entries()) result.bands[b]![i] = value!;
  }
  return result;
}

function hasData({ plan: { window }, mask }: WarpRequest, col: number, row: number): boolean {
  if (col < 0 || row < 0 || col >= window.width || row >= window.height) return false;
  return mask?.[row * window.width + col] !== 0;
}

function areaValue(request: WarpRequest, band: number, [one, other]: readonly [Pair, Pair]) {
  const { width, height } = request.plan.window;
  const cols = shares(one[0], other[0], width);
  const rows = shares(one[1], other[1], height);
  const taps: Tap[] = [];
  for (const [row, rowShare] of rows) {
    for (const [col, colShare] of cols) {
      if (!hasData(request, col, row)) continue;
      taps.push({ value: request.bands[band]![row * width + col]!, weight: rowShare * colShare });
    }
  }
  return taps.length === 0 ? undefined : combineArea(request.plan.method, taps);
}

/**
 * The pixels between two positions, and how much of each lies between them; at the edges of the image, including what
 * lies beyond.
 */
function shares(one: number, other: number, length: number): Pair[] {
  const [low, high] = [Math.min(one, other), Math.max(one, other)];
  if (low >= length - 1e-9 || (high <= 1e-9 && low < -1e-9)) return [];
  const first = Math.max(0, Math.floor(low + 1e-9));
  const end = Math.max(first + 1, Math.min(length, Math.ceil(high - 1e-9)));
  return Array.from({ length: end - first }, (_, k) => {
    const pixel = first + k;
    if (end - first === 1) return [pixel, 1];
    const start = pixel === first ? low : pixel;
    return [pixel, (pixel === end - 1 ? high : pixel + 1) - start];
  });
}

function pointValue(
  request: WarpRequest,
  band: number,
  { at: [x, y], support }: { readonly at: Pair; readonly support: Pair },
): number | undefined {
  const { window, method } = request.plan;
  const { radiusPx } = resamplers[method];
  const source = request.bands[band]!;
  const [col, row] = [Math.floor(x + 1e-10), Math.floor(y + 1e-10)];
  if (!hasData(request, col, row)) return undefined;
  if (method === 'near') return source[row * window.width + col];
  const cols = taps(x, support[0], method);
  const rows = taps(y, support[1], method);
  let [sum, weights, count, valid] = [0, 0, 0, 0];
  for (const [r, weightY] of rows) {
    for (const [c, weightX] of cols) {
      if (c < 0 || r < 0 || c >= window.width || r >= window.height) continue;
      count++;
      if (!hasData(request, c, r)) continue;
      valid++;
      if (weightX * weightY === 0) continue;
      sum += weightX * weightY * source[r * window.width + c]!;
      weights += weightX * weightY;
    }
  }
  // Cubic convolution falls back to bilinear where a tap is missing, unless it is widened.
  const isWidened = support[0] > radiusPx || support[1] > radiusPx;
  if (method === 'cubic' && !isWidened && valid < 16) {
    const plain = { ...request, plan: { ...request.plan, method: 'bilinear' as const } };
    return pointValue(plain, band, { at: [x, y], support: [1, 1] });
  }
  if (weights < 1e-6 || (method === 'lanczos' && valid < count / 2)) return undefined;
  return sum / weights;
}

/** The taps of one axis with their weights. */
function taps(position: number, support: number, method: WarpRequest['plan']['method']): Pair[] {
  const { radiusPx } = resamplers[method];
  const radius = Math.ceil(support);
  const before = Math.floor(position - 0.5);
  const isSnapped = method === 'lanczos' && support > radiusPx;
  const centre = isSnapped ? before : position - 0.5;
  const all = Array.from({ length: 2 * radius }, (_, i): Pair => {
    const tap = before - radius + 1 + i;
    return [tap, kernelWeight(method, ((tap - centre) * radiusPx) / support)];
  });
  return isSnapped && radius > support ? all.slice(0, -1) : all;
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
      const [col, row, size] = grid.cells.subarray(3 * i) as unknown as [number, number, number];
      if (x < col || y < row || x >= col + size || y >= row + size) continue;
      return kernelSupport(resamplers[method], grid.ratios[2 * i]!, grid.ratios[2 * i + 1]!);
    }
    return undefined;
  };
}
