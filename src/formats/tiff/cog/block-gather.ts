import type { PixelArray } from '../../../raster/index.ts';

/** A place in a row of blocks. */
interface BlockPlace {
  /** Band arrays of `width` × at least `rows` pixels. */
  readonly bands: readonly PixelArray[];
  readonly width: number;
  /** Rows that hold data. */
  readonly rows: number;
  /** First column of the block. */
  readonly left: number;
  readonly blockSize: number;
}

/**
 * Copies one square block out of a row of blocks, bands interleaved by pixel. Places outside the image repeat the last
 * pixel and the last row: differences of zero, which compress best.
 */
export function gatherBlock(out: PixelArray, { bands, width, rows, left, blockSize }: BlockPlace): void {
  const samples = bands.length;
  const columns = Math.min(blockSize, width - left);
  const rowLength = blockSize * samples;
  for (let band = 0; band < samples; band++) {
    const source = bands[band]!;
    for (let row = 0; row < rows; row++) {
      const from = row * width + left;
      let to = row * rowLength + band;
      if (samples === 1) out.set(source.subarray(from, from + columns), to);
      else for (let i = 0; i < columns; i++, to += samples) out[to] = source[from + i]!;
      const last = source[from + columns - 1]!;
      to = row * rowLength + columns * samples + band;
      for (let i = columns; i < blockSize; i++, to += samples) out[to] = last;
    }
  }
  for (let row = rows; row < blockSize; row++) {
    out.copyWithin(row * rowLength, (rows - 1) * rowLength, rows * rowLength);
  }
}
