import type { PixelArray, PixelType } from '../../raster/index.ts';
import { bytesPerSample, makePixels } from '../../raster/index.ts';
import { withKernels } from '../tiff/codecs/byte-codecs.ts';
import { hostIsLittleEndian } from '../tiff/samples/sample-format.ts';
import type { Span } from './row-reducer.ts';
import { makeRowReducer, sourceSpan, toHoleRules } from './row-reducer.ts';

/** A strip of one band: an even number of pixels a row, and of rows. */
interface Strip {
  readonly pixels: PixelArray;
  readonly width: number;
  readonly rows: number;
}

/** Writes the smaller copy of a strip, at half the size, into an array from `start` on. */
type HalveStrip = (strip: Strip, into: PixelArray, start: number) => void;

/** Bytes copied into the kernels' memory at a time: as much as the cache of a core holds. */
const HALVE_SLICE_BYTES = 1024 * 1024;

/** Types as kernels/halve.ts and kernels/share.ts count them. */
const INTEGERS: Readonly<Record<Exclude<PixelType, 'float32'>, number>> = { uint8: 1, uint16: 2, int16: -2 };

/**
 * Builds the averaging of strips whose pixels make smaller ones in fours. The same bits as a row reducer, in WebAssembly:
 * a tenth of the time.
 */
export function makeHalveStrip({
  type,
  nodata,
}: {
  readonly type: PixelType;
  readonly nodata: number | null;
}): HalveStrip {
  const { hole, empty, substitute } = toHoleRules({ type, nodata });
  const sampleBytes = bytesPerSample[type];
  return (strip, into, start) => {
    const { pixels, width, rows } = strip;
    if (!hostIsLittleEndian) return halveInRows({ type, nodata }, strip, into, start);
    const cols = width / 2;
    const rowsAtOnce = Math.max(2, 2 * Math.floor(HALVE_SLICE_BYTES / (2 * width * sampleBytes)));
    withKernels(({ run, buffer }, allocate) => {
      const from = allocate(rowsAtOnce * width * sampleBytes);
      const to = allocate((rowsAtOnce / 2) * cols * sampleBytes);
      for (let row = 0; row < rows; row += rowsAtOnce) {
        const taken = Math.min(rowsAtOnce, rows - row);
        const view = pixels.subarray(row * width, (row + taken) * width);
        copyBytes(view, new Uint8Array(buffer(), from));
        const image = [from, to, cols, taken / 2] as const;
        if (type === 'float32') run.halveFloats(...image, hole, empty, substitute);
        else run.halveIntegers(INTEGERS[type], ...image, nodata === null ? 0 : 1, hole, empty, substitute);
        const made = (taken / 2) * cols;
        const target = into.subarray(start + (row / 2) * cols, start + (row / 2) * cols + made);
        toBytes(target).set(new Uint8Array(buffer(), to, made * sampleBytes));
      }
    });
  };
}

const toBytes = ({ buffer, byteOffset, byteLength }: PixelArray): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

function copyBytes(pixels: PixelArray, to: Uint8Array): void {
  to.set(toBytes(pixels));
}

/** The kernels are little-endian; other machines take the slower way. */
function halveInRows(
  input: { readonly type: PixelType; readonly nodata: number | null },
  { pixels, width, rows }: Strip,
  into: PixelArray,
  start: number,
): void {
  const reducer = makeRowReducer('average', { ...input, width, height: rows });
  let at = start;
  for (let row = 0; row < rows; row++) {
    const made = reducer.push(pixels, row * width);
    if (made === null) continue;
    into.set(made, at);
    at += made.length;
  }
}

/** Bytes copied into the kernels' memory at a time: as much as the cache of a core holds. */
const SHARE_SLICE_BYTES = 512 * 1024;

/** An image of integers, and the part of its smaller copy that is made. */
interface SharedImage {
  readonly type: Exclude<PixelType, 'float32'>;
  readonly nodata: number | null;
  readonly width: number;
  readonly height: number;
  readonly part: { readonly columns: Span; readonly rows: Span };
}

/** Takes the next rows of the source; returns the rows of the part that they complete, one after the other. */
type ShareStrip = (pixels: PixelArray, rows: number) => PixelArray;

/**
 * Builds the averaging of strips of an image with an odd side. The same numbers as a row reducer, in WebAssembly: a
 * fifth of the time.
 */
export function makeShareStrip({ type, nodata, width, height, part }: SharedImage): ShareStrip {
  const { empty, substitute } = toHoleRules({ type, nodata });
  const sampleBytes = bytesPerSample[type];
  const source = sourceSpan(part.columns, width);
  const sourceCols = source.end - source.start;
  const cols = part.columns.end - part.columns.start;
  const rowsAtOnce = Math.max(1, Math.floor(SHARE_SLICE_BYTES / (sourceCols * sampleBytes)));
  const sums = new Float64Array(2 * cols);
  let sourceRow = sourceSpan(part.rows, height).start;
  // the first source row may also be the last one of the row above the part
  let row = Math.floor((sourceRow * Math.ceil(height / 2)) / height);

  /** The members of `Part` in kernels/share.ts. */
  const toPart = (): Int32Array =>
    Int32Array.of(
      ...[sourceCols, cols, part.columns.start, width, height, sourceRow, row],
      ...[nodata === null ? 0 : 1, nodata ?? 0, empty, substitute],
    );

  const takeSlice = (pixels: PixelArray, rows: number, out: PixelArray, filled: number): number =>
    withKernels(({ run, buffer }, allocate) => {
      const from = allocate(rows * sourceCols * sampleBytes);
      const to = allocate((rows + 1) * cols * sampleBytes);
      const sumsAt = allocate(sums.byteLength);
      const members = toPart();
      const partAt = allocate(members.byteLength);
      new Uint8Array(buffer(), from).set(toBytes(pixels));
      new Float64Array(buffer(), sumsAt).set(sums);
      new Int32Array(buffer(), partAt).set(members);
      const made = run.shareIntegers(INTEGERS[type], from, rows, to, sumsAt, partAt);
      sums.set(new Float64Array(buffer(), sumsAt, sums.length));
      // those before the part are not wanted
      const skipped = Math.min(made, Math.max(0, part.rows.start - row));
      const wanted = new Uint8Array(
        buffer(),
        to + skipped * cols * sampleBytes,
        (made - skipped) * cols * sampleBytes,
      );
      toBytes(out).set(wanted, filled * cols * sampleBytes);
      sourceRow += rows;
      row += made;
      return made - skipped;
    });

  return (pixels, rows) => {
    const out = makePixels(type, (Math.ceil(rows / 2) + 1) * cols);
    let filled = 0;
    for (let start = 0; start < rows; start += rowsAtOnce) {
      const taken = Math.min(rowsAtOnce, rows - start);
      const slice = pixels.subarray(start * sourceCols, (start + taken) * sourceCols);
      filled += takeSlice(slice, taken, out, filled);
    }
    return out.subarray(0, filled * cols);
  };
}
