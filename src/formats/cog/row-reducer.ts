import type { Size } from '../../geo/index.ts';
import type { PixelArray, PixelType } from '../../raster/index.ts';
import { makePixels } from '../../raster/index.ts';
import { sampleFormatOf } from '../tiff/samples/sample-format.ts';
import type { OverviewMethod } from './plan-cog.ts';

/** Makes the next smaller copy of one band while its rows arrive from top to bottom. */
interface RowReducer {
  /**
   * Takes the source row that begins at `start`; returns the row of the smaller copy that it completes, or null.
   * The returned array is used again by the next call.
   */
  push(source: PixelArray, start: number): PixelArray | null;
}

/** Some columns or rows: from `start` up to before `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The part of the smaller copy that is wanted. */
interface ReducedPart {
  readonly columns: Span;
  readonly rows: Span;
}

/** The band to be halved. */
interface ReducerInput {
  readonly type: PixelType;
  readonly nodata: number | null;
  /** Size of the whole source, whatever part of it is pushed. */
  readonly width: number;
  readonly height: number;
  /**
   * All of the smaller copy when omitted. Pushed rows begin with the first row and column that the part needs, as
   * `sourceSpan` says.
   */
  readonly part?: ReducedPart;
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

/** The source pixels, out of `sourceLength`, that pixels of the smaller copy are made of. */
export function sourceSpan({ start, end }: Span, sourceLength: number): Span {
  const length = Math.ceil(sourceLength / 2);
  return {
    start: Math.floor((start * sourceLength) / length),
    end: Math.ceil((end * sourceLength) / length),
  };
}

function toShares(sourceLength: number, { start, end: stop }: Span): Shares {
  const length = Math.ceil(sourceLength / 2);
  const count = stop - start;
  const shares: Shares = {
    first: new Int32Array(count),
    count: new Uint8Array(count),
    firstShare: new Float64Array(count),
    lastShare: new Float64Array(count),
  };
  const offset = sourceSpan({ start, end: stop }, sourceLength).start;
  for (let i = 0; i < count; i++) {
    const begin = (start + i) * sourceLength;
    const end = begin + sourceLength;
    const first = Math.floor(begin / length);
    const last = Math.ceil(end / length) - 1;
    shares.first[i] = first - offset;
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

/** How means treat pixels without data. */
interface HoleRules {
  /** Compared with each source pixel; NaN when there is no nodata value, because nothing equals NaN. */
  readonly hole: number;
  /** The pixel where nothing was measured. */
  readonly empty: number;
  /** The pixel for a mean that happens to equal the nodata value. */
  readonly substitute: number;
}

/** The rules of a type and its nodata value. */
export function toHoleRules({ type, nodata }: Pick<ReducerInput, 'type' | 'nodata'>): HoleRules {
  const hole = nodata ?? Number.NaN;
  return {
    hole,
    empty: type === 'float32' ? hole : (nodata ?? 0),
    substitute: Number.isNaN(hole) ? hole : nextToNodata(type, hole),
  };
}

/** How a mean becomes a pixel. */
interface MeanToPixel extends Omit<HoleRules, 'substitute'> {
  toPixel(mean: number): number;
}

function makeMeanToPixel(input: ReducerInput): MeanToPixel {
  const { hole, empty, substitute } = toHoleRules(input);
  const avoidHole = (pixel: number): number => (pixel === hole ? substitute : pixel);
  // halves away from zero, as GDAL rounds
  const round = (mean: number): number => (mean < 0 ? -Math.floor(0.5 - mean) : Math.floor(mean + 0.5));
  return input.type === 'float32'
    ? { hole, empty, toPixel: (mean) => avoidHole(Math.fround(mean)) }
    : { hole, empty, toPixel: (mean) => avoidHole(round(mean)) };
}

type PartInput = ReducerInput & { readonly part: ReducedPart };

const widthOf = ({ part: { columns } }: PartInput): number => columns.end - columns.start;

/** Whether each pixel of the smaller copy has exactly four of the source. */
export const isInFours = ({ width, height }: Size): boolean => width % 2 === 0 && height % 2 === 0;

/** Both sides even: exactly four source pixels for one. Three times as fast as weighing shares. */
function makeQuadAverage(input: PartInput): RowReducer {
  const { type } = input;
  const { hole, empty, toPixel } = makeMeanToPixel(input);
  const out = makePixels(type, widthOf(input));
  const width = 2 * out.length;
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
function makeShareAverage(input: PartInput): RowReducer {
  const { type, width, height, part } = input;
  const { hole, empty, toPixel } = makeMeanToPixel(input);
  const fullWidth = Math.ceil(width / 2);
  const outWidth = widthOf(input);
  const outHeight = Math.ceil(height / 2);
  const { first, count, firstShare, lastShare } = toShares(width, part.columns);
  const out = makePixels(type, outWidth);
  let sum = new Float64Array(outWidth);
  let weight = new Float64Array(outWidth);
  let nextSum = new Float64Array(outWidth);
  let nextWeight = new Float64Array(outWidth);
  let row = sourceSpan(part.rows, height).start;
  // the first source row may also be the last one of the row above the part
  let outRow = Math.floor((row * outHeight) / height);

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
          pixelSum += middle * fullWidth;
          pixelWeight += fullWidth;
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
      if (end < outEnd) return null;
      const isWanted = outRow >= part.rows.start;
      const made = complete();
      return isWanted ? made : null;
    },
  };
}

function makeNearest(input: PartInput): RowReducer {
  const { type, width, height, part } = input;
  const outWidth = widthOf(input);
  const outHeight = Math.ceil(height / 2);
  const offset = sourceSpan(part.columns, width).start;
  // GDAL's choice: the source pixel whose corner is nearest to the corner of the smaller one
  const pick = (i: number, length: number, outLength: number): number =>
    Math.floor(0.5 + (i * length) / outLength);
  const columns = Int32Array.from(
    { length: outWidth },
    (_, i) => pick(part.columns.start + i, width, Math.ceil(width / 2)) - offset,
  );
  const out = makePixels(type, outWidth);
  let row = sourceSpan(part.rows, height).start;
  let outRow = part.rows.start;
  return {
    push(source, start) {
      // the last source row may also be the first one of the row below the part
      if (row++ !== pick(outRow, height, outHeight) || outRow === part.rows.end) return null;
      outRow++;
      for (let i = 0; i < outWidth; i++) out[i] = source[start + columns[i]!]!;
      return out;
    },
  };
}

/** A reducer of one band by the chosen method. */
export function makeRowReducer(method: OverviewMethod, input: ReducerInput): RowReducer {
  const whole = {
    columns: { start: 0, end: Math.ceil(input.width / 2) },
    rows: { start: 0, end: Math.ceil(input.height / 2) },
  };
  const wanted: PartInput = { ...input, part: input.part ?? whole };
  if (method === 'nearest') return makeNearest(wanted);
  return isInFours(input) ? makeQuadAverage(wanted) : makeShareAverage(wanted);
}

/** Makes the next smaller copy of all bands together. */
interface BandsReducer {
  /** Takes a row of each band; returns the rows that they complete, one for each band, or null. */
  push(bands: readonly PixelArray[], start: number): readonly PixelArray[] | null;
}

/** A reducer of bands, each by its own method. */
export function makeBandsReducer(methods: readonly OverviewMethod[], input: ReducerInput): BandsReducer {
  const reducers = methods.map((method) => makeRowReducer(method, input));
  const isMixed = new Set(methods).size > 1;
  // Bands of one method complete a row together.
  if (!isMixed) {
    return {
      push(bands, start) {
        const rows = reducers.map((reducer, band) => reducer.push(bands[band]!, start));
        return rows[0] === null ? null : (rows as readonly PixelArray[]);
      },
    };
  }
  // A picked pixel is known before the mean of its neighbours is: its row waits.
  const waiting = methods.map((): PixelArray[] => []);
  return {
    push(bands, start) {
      for (const [band, reducer] of reducers.entries()) {
        const row = reducer.push(bands[band]!, start);
        if (row !== null) waiting[band]!.push(row.slice());
      }
      if (waiting.some((rows) => rows.length === 0)) return null;
      return waiting.map((rows) => rows.shift()!);
    },
  };
}

/** The smaller copy of a strip of whole pairs of rows, which takes of four pixels the first one. */
export function pickStrip(
  { pixels, width, rows }: { readonly pixels: PixelArray; readonly width: number; readonly rows: number },
  into: PixelArray,
  start: number,
): void {
  for (let row = 0, to = start; row < rows; row += 2) {
    const from = row * width;
    for (let column = 0; column < width; column += 2) into[to++] = pixels[from + column]!;
  }
}
