import { adler32 } from "./adler";
import { beginPart, beginStream, deflateBlock, endPart, endStream, PAIRS_BYTES } from "./deflate";
import { filterFirstRow, filterRow, LINE_MARGIN, readLine } from "./png-filter";

/**
 * The zlib stream of a PNG's pixels (PNG 3rd edition, clauses 9 and 10) to `out`; returns its bytes. `pixels` are rows
 * of RGBA, of which `channels` 3 takes the colours and 4 all, or rows of single bytes for `channels` 1.
 *
 * `work` has room for the table of pairs, two lines of `lineBytes` and `blockRows` filtered rows, and `out` for all of
 * them stored: src/formats/png.ts. Each block of rows is filtered, summed and encoded while it is in the
 * CPU cache.
 */
export function png(pixels: usize, width: i32, height: i32, channels: i32, out: usize, work: usize, blockRows: i32, lineBytes: usize): usize {
  beginStream(out, work);
  const sum = putRows(pixels, width, height, channels, work, blockRows, lineBytes, false, true);
  return endStream(sum) - out;
}

/**
 * The same for some rows of a larger PNG that do not know the row above them: without the header of the stream, up to a
 * whole byte, and followed by the checksum of these rows alone.
 */
export function pngStrip(pixels: usize, width: i32, height: i32, channels: i32, out: usize, work: usize, blockRows: i32, lineBytes: usize, isLast: i32): usize {
  beginPart(out, work);
  const sum = putRows(pixels, width, height, channels, work, blockRows, lineBytes, true, isLast != 0);
  if (isLast == 0) endPart();
  return endStream(sum) - out;
}

/** Filters and encodes all rows; returns their checksum. */
function putRows(
  pixels: usize, width: i32, height: i32, channels: i32, work: usize, blockRows: i32, lineBytes: usize, isStrip: bool, isLast: bool,
): u32 {
  const rowBytes = <usize>width * channels;
  const pixelBytes = <usize>width << (channels == 1 ? 0 : 2);
  const lines = work + PAIRS_BYTES;
  let above = lines + LINE_MARGIN;
  let line = above + lineBytes;
  // The byte before a block is 0, and its first byte, the filter of a row, is not: no run crosses the start of a block.
  const block = line + lineBytes;
  memory.fill(lines, 0, 2 * lineBytes + LINE_MARGIN);

  let sum: u32 = 1;
  for (let row = 0; row < height; row += blockRows) {
    const end = min(row + blockRows, height);
    let to = block;
    for (let y = row; y < end; y++) {
      readLine(pixels, line, width, channels);
      pixels += pixelBytes;
      if (isStrip && y == 0) filterFirstRow(line, to, rowBytes, channels);
      else filterRow(line, above, to, rowBytes, channels);
      const done = above;
      above = line;
      line = done;
      to += rowBytes + 1;
    }
    sum = adler32(sum, block, to - block);
    deflateBlock(block, to, isLast && end == height);
  }
  return sum;
}
