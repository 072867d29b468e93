/** The planes of a picture; as LAYOUTS in src/formats/jpeg.ts. */
export const HALVED: i32 = 0;
export const FULL: i32 = 1;
export const GREY: i32 = 2;

/** One picture to encode. src/formats/jpeg.ts writes it in this order, 32 bits per field. */
@unmanaged
export class JpegJob {
  /** Red, green, blue and an ignored byte per pixel. */
  rgba: usize;
  width: i32;
  height: i32;
  layout: i32;
  /** As in the file, see jpeg-tables.ts. */
  tables: usize;
  /** WORK_BYTES, for everything below. */
  work: usize;
  /** Room for all blocks of the rows that one call encodes, at 416 bytes each. */
  out: usize;
}

/** State between blocks. */
@unmanaged
export class BitWriter {
  /** Bits not yet stored: the lowest 64 - free ones count, the newest is the lowest. */
  bits: u64;
  free: i32;
  to: usize;
  /** The end of the last block, which is combined with the beginning of the next. */
  end: u32;
  endSize: i32;
  /** First coefficient of the last block of each plane. */
  firsts0: i32;
  firsts1: i32;
  firsts2: i32;
}

// Offsets in the work memory; the number after each is its size.
/** The block being coded in the order of the file, saturated to bytes. */
export const ZIGZAG: usize = 0; // 64
export const WRITER: usize = 64; // 64
/** Per table: 64 int32 of 2^20 / step, rounded up, in natural order as all coefficients here. */
export const INVERSES: usize = 128; // 2 * 256
/** Per table: 64 int16 of half a step, times the factor 8 of the transform. */
export const HALVES: usize = 640; // 2 * 128
/** Six blocks of 64 int16: samples, then coefficients. */
export const BLOCKS: usize = 896; // 6 * 128
/** 16 x 16 pixels at the right or lower edge, repeated outwards. */
export const EDGE: usize = 1664; // 1024
/** Per table: 16 codes of a first coefficient's size. A code is an uint32 of `bits << 5 | size`. */
export const FIRST_CODES: usize = 2688; // 2 * 64
/** Per table: 256 codes of a run of zeros and the size after it. */
export const RUN_CODES: usize = 2816; // 2 * 1024
/** Per table: 16 runs of 64 codes with the value itself after them, -32 to 31. */
export const VALUE_CODES: usize = 4864; // 2 * 4096, to 13056
