import type { PixelArray, PixelType } from '../../../raster/index.ts';
import { makePixels } from '../../../raster/index.ts';
import { sampleFormatOf } from '../samples/sample-format.ts';
import type { OverviewMethod } from './cog-options.ts';

/** Makes the next smaller copy of one band while its rows arrive from top to bottom. */
export interface RowReducer {
  /**
   * Takes the source row that begins at `start`; returns the row of the smaller copy that it completes, or null.
   * The returned array is used again by the next call.
   */
  push(source: PixelArray, start: number): PixelArray | null;
}

/** The band to be halved. */
interface ReducerInput {
  readonly type: PixelType;
  readonly nodata: number | null;
  readonly width: number;
  readonly height: number;
}

/**
 * The smaller copy covers the same ground as its source, as GDAL and all readers take it: n source pixels on
 * m = ceil(n / 2) smaller ones. For odd n one smaller pixel is a little less than two source pixels wide, so it takes
 * parts of up to three. Positions and shares are counted in m-ths of a source pixel, where they are whole numbers: sums
 * of integers stay exact, and so do their halves.
 */
interface Shares {
  readonly first: Int32Array;
  readonly count: Uint8Array;
  readonly firstShare: Float64Array;
  readonly lastShare: Float64Array;
}

function toShares(sourceLength: number, length: number): Shares {
  const shares: Shares = {
    first: new Int32Array(length),
    count: new Uint8Array(length),
    firstShare: new Float64Array(length),
    lastShare: new Float64Array(length),
  };
  for (let i = 0; i < length; i++) {
    const begin = i * sourceLength;
    const end = begin + sourceLength;
    const first = Math.floor(begin / length);
    const last = Math.ceil(end / length) - 1;
    shares.first[i] = first;
    shares.count[i] = last - first + 1;
    shares.firstShare[i] = Math.min(end, (first + 1) * length) - begin;
    shares.lastShare[i] = end - Math.max(begin, last * length);
  }
  return shares;
}

/** The neighbour of nodata that a mean takes when it happens to hit nodata itself: data must not become a hole. */
function nextToNodata(type: PixelType, nodata: number): number {
  if (type !== 'float32') return nodata === sampleFormatOf(type).max ? nodata - 1 : nodata + 1;
  const bits = new Int32Array(new Float32Array([nodata]).buffer);
  // one step in the bits of a float is one step in its size: towards zero, and away from it only at zero itself
  bits[0] = bits[0]! + (nodata === 0 ? 1 : -1);
  return new Float32Array(bits.buffer)[0]!;
}

/** How a mean becomes a pixel. */
interface MeanToPixel {
  /** Compared with each source pixel; NaN when there is no nodata value, because nothing equals NaN. */
  readonly hole: number;
  /** The pixel where nothing was measured. */
  readonly empty: number;
  toPixel(mean: number): number;
}

function makeMeanToPixel({ type, nodata }: ReducerInput): MeanToPixel {
  const substitute = nodata === null || Number.isNaN(nodata) ? Number.NaN : nextToNodata(type, nodata);
  const hole = nodata ?? Number.NaN;
  const avoidHole = (pixel: number): number => (pixel === hole ? substitute : pixel);
  // halves away from zero, as GDAL rounds
  const round = (mean: number): number => (mean < 0 ? -Math.floor(0.5 - mean) : Math.floor(mean + 0.5));
  return type === 'float32'
    ? { hole, empty: hole, toPixel: (mean) => avoidHole(Math.fround(mean)) }
    : { hole, empty: nodata ?? 0, toPixel: (mean) => avoidHole(round(mean)) };
}

/** Both sides even: exactly four source pixels for one. Three times as fast as weighing shares. */
function makeQuadAverage(input: ReducerInput): RowReducer {
  const { type, width } = input;
  const { hole, empty, toPixel } = makeMeanToPixel(input);
  const out = makePixels(type, width / 2);
  const upper = makePixels(type, width);
  let isUpper = false;
  return {
    push(source, start) {
      isUpper = !isUpper;
      if (isUpper) {
        upper.set(source.subarray(start, start + width));
        return null;
      }
      for (let i = 0, at = 0; i < out.length; i++, at += 2) {
        const a = upper[at]!;
        const b = upper[at + 1]!;
        const c = source[start + at]!;
        const d = source[start + at + 1]!;
        let sum = 0;
        let count = 0;
        // NaN is never a measurement, whatever the nodata value is
        if (a !== hole && !Number.isNaN(a)) {
          sum += a;
          count++;
        }
        if (b !== hole && !Number.isNaN(b)) {
          sum += b;
          count++;
        }
        if (c !== hole && !Number.isNaN(c)) {
          sum += c;
          count++;
        }
        if (d !== hole && !Number.isNaN(d)) {
          sum += d;
          count++;
        }
        out[i] = count === 0 ? empty : toPixel(sum / count);
      }
      return out;
    },
  };
}

/** A side is odd: shares of pixels are weighed. */
function makeShareAverage(input: ReducerInput): RowReducer {
  const { type, width, height } = input;
  const { hole, empty, toPixel } = makeMeanToPixel(input);
  const outWidth = Math.ceil(width / 2);
  const outHeight = Math.ceil(height / 2);
  const { first, count, firstShare, lastShare } = toShares(width, outWidth);
  const out = makePixels(type, outWidth);
  let sum = new Float64Array(outWidth);
  let weight = new Float64Array(outWidth);
  let nextSum = new Float64Array(outWidth);
  let nextWeight = new Float64Array(outWidth);
  let row = 0;
  let outRow = 0;

  const accumulate = (source: PixelArray, start: number, share: number, nextShare: number): void => {
    for (let i = 0; i < outWidth; i++) {
      let at = start + first[i]!;
      let pixelSum = 0;
      let pixelWeight = 0;
      const end = at + count[i]! - 1;
      const left = source[at]!;
      if (left !== hole && !Number.isNaN(left)) {
        pixelSum = left * firstShare[i]!;
        pixelWeight = firstShare[i]!;
      }
      for (at++; at < end; at++) {
        const middle = source[at]!;
        if (middle !== hole && !Number.isNaN(middle)) {
          pixelSum += middle * outWidth;
          pixelWeight += outWidth;
        }
      }
      if (at === end) {
        const right = source[at]!;
        if (right !== hole && !Number.isNaN(right)) {
          pixelSum += right * lastShare[i]!;
          pixelWeight += lastShare[i]!;
        }
      }
      sum[i] = sum[i]! + pixelSum * share;
      weight[i] = weight[i]! + pixelWeight * share;
      if (nextShare > 0) {
        nextSum[i] = pixelSum * nextShare;
        nextWeight[i] = pixelWeight * nextShare;
      }
    }
  };

  const complete = (): PixelArray => {
    for (let i = 0; i < outWidth; i++) {
      out[i] = weight[i] === 0 ? empty : toPixel(sum[i]! / weight[i]!);
    }
    [sum, nextSum] = [nextSum, sum];
    [weight, nextWeight] = [nextWeight, weight];
    nextSum.fill(0);
    nextWeight.fill(0);
    outRow++;
    return out;
  };

  return {
    push(source, start) {
      const begin = row * outHeight;
      const end = begin + outHeight;
      const outEnd = (outRow + 1) * height;
      const share = Math.min(end, outEnd) - begin;
      accumulate(source, start, share, outHeight - share);
      row++;
      return end >= outEnd ? complete() : null;
    },
  };
}

function makeNearest({ type, width, height }: ReducerInput): RowReducer {
  const outWidth = Math.ceil(width / 2);
  const outHeight = Math.ceil(height / 2);
  // GDAL's choice: the source pixel whose corner is nearest to the corner of the smaller one
  const pick = (i: number, length: number, outLength: number): number =>
    Math.floor(0.5 + (i * length) / outLength);
  const columns = Int32Array.from({ length: outWidth }, (_, i) => pick(i, width, outWidth));
  const out = makePixels(type, outWidth);
  let row = 0;
  let outRow = 0;
  return {
    push(source, start) {
      if (row++ !== pick(outRow, height, outHeight)) return null;
      outRow++;
      for (let i = 0; i < outWidth; i++) out[i] = source[start + columns[i]!]!;
      return out;
    },
  };
}

/** A reducer of one band by the chosen method. */
export function makeRowReducer(method: OverviewMethod, input: ReducerInput): RowReducer {
  if (method === 'nearest') return makeNearest(input);
  const isEven = input.width % 2 === 0 && input.height % 2 === 0;
  return isEven ? makeQuadAverage(input) : makeShareAverage(input);
}
