import { putBlock, putEnd } from "./jpeg-bits";
import { toFullBlocks, toHalvedBlocks } from "./jpeg-color";
import { BitWriter, BLOCKS, EDGE, FULL, GREY, HALVED, HALVES, INVERSES, JpegJob, WRITER } from "./jpeg-job";
import { prepareTables } from "./jpeg-tables";
import { transform } from "./jpeg-transform";

const BLOCK_BYTES: usize = 128;

/** Prepares a job for `jpegRows`. */
export function jpegStart(job: JpegJob): void {
  prepareTables(job);
  const writer = changetype<BitWriter>(job.work + WRITER);
  memory.fill(job.work + WRITER, 0, offsetof<BitWriter>());
  writer.free = 64;
}

/**
 * The scan of a baseline JPEG, T.81: rows of units from `first` to before `end`, 16 pixels high when chroma is
 * subsampled and 8 otherwise; all rows must come once and in order. Returns the bytes written from `job.out` on, which
 * after the last row are followed by the end marker. The bytes are those of libjpeg with its accurate transform.
 */
export function jpegRows(job: JpegJob, first: i32, end: i32): i32 {
  const writer = changetype<BitWriter>(job.work + WRITER);
  writer.to = job.out;
  const unit = job.layout == HALVED ? 16 : 8;
  for (let top = first * unit; top < end * unit; top += unit) {
    for (let left = 0; left < job.width; left += unit) putUnit(job, writer, left, top, unit);
  }
  if (end * unit >= job.height) {
    putEnd(writer);
    store<u16>(writer.to, 0xd9ff);
    writer.to += 2;
  }
  return <i32>(writer.to - job.out);
}

// @ts-ignore: decorator
@inline function putUnit(job: JpegJob, writer: BitWriter, left: i32, top: i32, unit: i32): void {
  const work = job.work;
  const blocks = work + BLOCKS;
  let rowBytes = <usize>job.width << 2;
  let from = job.rgba + (<usize>top * <usize>job.width + <usize>left << 2);
  const cols = job.width - left;
  const rows = job.height - top;
  if (cols < unit || rows < unit) {
    copyEdge(from, rowBytes, work + EDGE, cols, rows, unit);
    from = work + EDGE;
    rowBytes = <usize>unit << 2;
  }
  if (job.layout == HALVED) {
    toHalvedBlocks(from, rowBytes, blocks);
    if (rows < unit) repeatColor(blocks + 4 * BLOCK_BYTES, (rows + 1) >> 1);
    let before = writer.firsts0;
    before = putBrightness(work, writer, 0, before, false);
    before = putBrightness(work, writer, 1, before, cols <= 8);
    before = putBrightness(work, writer, 2, before, rows <= 8);
    writer.firsts0 = putBrightness(work, writer, 3, before, cols <= 8 || rows <= 8);
    putColor(work, writer, 4);
  } else {
    if (job.layout == FULL) toFullBlocks(from, rowBytes, blocks, false);
    else toFullBlocks(from, rowBytes, blocks, true);
    writer.firsts0 = putBrightness(work, writer, 0, writer.firsts0, false);
    if (job.layout != GREY) putColor(work, writer, 1);
  }
}

/** A block that lies wholly outside the picture is as cheap as possible: it repeats the first value before it. */
function putBrightness(work: usize, writer: BitWriter, i: usize, before: i32, isOutside: bool): i32 {
  const block = work + BLOCKS + i * BLOCK_BYTES;
  if (isOutside) {
    memory.fill(block, 0, BLOCK_BYTES);
    store<i16>(block, before);
  } else {
    transform(block, work + INVERSES, work + HALVES);
  }
  return putBlock(work, writer, block, 0, before);
}

function putColor(work: usize, writer: BitWriter, i: usize): void {
  const blue = work + BLOCKS + i * BLOCK_BYTES;
  const red = blue + BLOCK_BYTES;
  transform(blue, work + INVERSES + 256, work + HALVES + 128);
  writer.firsts1 = putBlock(work, writer, blue, 1, writer.firsts1);
  transform(red, work + INVERSES + 256, work + HALVES + 128);
  writer.firsts2 = putBlock(work, writer, red, 1, writer.firsts2);
}

/** The existing pixels, and copies of the last ones to the right and below. */
function copyEdge(from: usize, rowBytes: usize, to: usize, cols: i32, rows: i32, unit: i32): void {
  for (let row = 0; row < unit; row++) {
    const source = from + <usize>min(row, rows - 1) * rowBytes;
    for (let col = 0; col < unit; col++, to += 4) store<u32>(to, load<u32>(source + (<usize>min(col, cols - 1) << 2)));
  }
}

/** Below the picture, rows of chroma are repeated after subsampling, as in libjpeg; `count` rows exist. */
function repeatColor(blocks: usize, count: i32): void {
  const last = blocks + (<usize>(count - 1) << 4);
  for (let row = count; row < 8; row++) {
    const to = blocks + (<usize>row << 4);
    v128.store(to, v128.load(last));
    v128.store(to + BLOCK_BYTES, v128.load(last + BLOCK_BYTES));
  }
}
