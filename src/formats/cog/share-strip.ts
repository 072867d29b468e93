import type { PixelArray, PixelType } from '../../raster/index.ts';
import { bytesPerSample, makePixels } from '../../raster/index.ts';
import { withKernels } from '../tiff/codecs/idle-kernels.ts';
import type { Span } from './row-reducer.ts';
import { sourceSpan, toHoleRules } from './row-reducer.ts';

/** Types as kernels/share.ts counts them. */
const INTEGERS: Readonly<Record<Exclude<PixelType, 'float32'>, number>> = { uint8: 1, uint16: 2, int16: -2 };

/** What goes into the kernels' memory at a time: as much as the cache of a core. */
const SLICE_BYTES = 512 * 1024;

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
  const rowsAtOnce = Math.max(1, Math.floor(SLICE_BYTES / (sourceCols * sampleBytes)));
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

const toBytes = ({ buffer, byteOffset, byteLength }: PixelArray): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
