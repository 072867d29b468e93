import { adler32 } from "./adler";
import { beginStream, deflateBlock, endStream, PAIRS_BYTES } from "./deflate";
import { filterRow, LINE_MARGIN, readLine } from "./png-filter";

/**
 * The zlib stream of a PNG's pixels (PNG 3rd edition, clauses 9 and 10) to `out`; returns its bytes. `pixels` are rows
 * of RGBA, of which `channels` 3 takes the colours and 4 all, or rows of single bytes for `channels` 1.
 *
 * `work` has room for the table of pairs, two lines of `lineBytes` and `blockRows` filtered rows, and `out` for all of
 * them stored: src/formats/png/pixel-stream.ts. Each block of rows is filtered, summed and encoded while it is in the
 * CPU cache.
 */
export function png(pixels: usize, width: i32, height: i32, channels: i32, out: usize, work: usize, blockRows: i32, lineBytes: usize): usize {
  const rowBytes = <usize>width * channels;
  const pixelBytes = <usize>width << (channels == 1 ? 0 : 2);
  const lines = work + PAIRS_BYTES;
  let above = lines + LINE_MARGIN;
  let line = above + lineBytes;
  // The byte before a block is 0, and its first byte, the filter of a row, is not: no run crosses the start of a block.
  const block = line + lineBytes;
  memory.fill(lines, 0, 2 * lineBytes + LINE_MARGIN);

  beginStream(out, work);
  let sum: u32 = 1;
  for (let row = 0; row < height; row += blockRows) {
    const end = min(row + blockRows, height);
    let to = block;
    for (let y = row; y < end; y++) {
      readLine(pixels, line, width, channels);
      pixels += pixelBytes;
      filterRow(line, above, to, rowBytes, channels);
      const done = above;
      above = line;
      line = done;
      to += rowBytes + 1;
    }
    sum = adler32(sum, block, to - block);
    deflateBlock(block, to, end == height);
  }
  return endStream(sum) - out;
}
