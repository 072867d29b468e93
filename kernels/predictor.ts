// Predictor 2 of TIFF (6.0, section 14): the difference from the sample of the same band one pixel to the left is
// stored. Everything is done in steps of 16 bytes without a special case at the end of a row: sums are written 16 bytes
// before their differences, so that the excess of a store was read before, and the next row overwrites it.

/** The differences lie this far after their sums. */
const LAG: usize = 16;

/**
 * Turns `rows` of stored samples into samples in the byte order of this machine: swapped when `swaps`, and summed when
 * `sums`. They are at `to` + 16 and come out at `to`. `pixelBytes` are those of all interleaved bands.
 */
export function unpredict(to: usize, rowBytes: u32, rows: u32, sampleBytes: u32, pixelBytes: u32, sums: bool, swaps: bool): void {
  const order = toOrder(sampleBytes, swaps);
  for (let row: u32 = 0; row < rows; row++, to += rowBytes) {
    if (!sums) turnRow(to, rowBytes, order);
    else if (pixelBytes == 1) sumBytes(to, rowBytes);
    else if (pixelBytes == 2 && sampleBytes == 2) sumShorts(to, rowBytes, order);
    else if (sampleBytes == 1) sumRow<i8>(to, rowBytes, pixelBytes, order);
    else if (sampleBytes == 2) sumRow<i16>(to, rowBytes, pixelBytes, order);
    else if (sampleBytes == 4) sumRow<i32>(to, rowBytes, pixelBytes, order);
    else sumRow<i64>(to, rowBytes, pixelBytes, order);
  }
}

/** The inverse: writes the stored bytes of samples to another address; writes up to 15 bytes after them. */
export function predict(from: usize, to: usize, rowBytes: u32, rows: u32, sampleBytes: u32, pixelBytes: u32, swaps: bool): void {
  const order = toOrder(sampleBytes, swaps);
  for (let row: u32 = 0; row < rows; row++, from += rowBytes, to += rowBytes) {
    for (let i: u32 = 0; i < pixelBytes; i += 16) v128.store(to + i, v128.swizzle(v128.load(from + i), order));
    for (let i = pixelBytes; i < rowBytes; i += 16) {
      const here = v128.load(from + i);
      const left = v128.load(from + i - pixelBytes);
      let difference = i8x16.sub(here, left);
      if (sampleBytes == 2) difference = i16x8.sub(here, left);
      else if (sampleBytes == 4) difference = i32x4.sub(here, left);
      else if (sampleBytes == 8) difference = i64x2.sub(here, left);
      v128.store(to + i, v128.swizzle(difference, order));
    }
  }
}

/** Where each byte of a vector comes from, for the byte order of this machine. */
export function toOrder(sampleBytes: u32, swaps: bool): v128 {
  if (!swaps || sampleBytes == 1) return i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  if (sampleBytes == 2) return i8x16(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
  if (sampleBytes == 4) return i8x16(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
  return i8x16(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
}

// @ts-ignore: decorator
@inline function turnRow(to: usize, rowBytes: u32, order: v128): void {
  for (let i: u32 = 0; i < rowBytes; i += 16) {
    v128.store(to + i, v128.swizzle(v128.load(to + i, LAG), order));
  }
}

/** One band of 16 bits: each vector is summed in three steps, and the last sum of the previous one added to all. */
// @ts-ignore: decorator
@inline function sumShorts(to: usize, rowBytes: u32, order: v128): void {
  const zero = i16x8.splat(0);
  let carry = zero;
  for (let i: u32 = 0; i < rowBytes; i += 16) {
    let v = v128.swizzle(v128.load(to + i, LAG), order);
    v = i16x8.add(v, i16x8.shuffle(zero, v, 0, 8, 9, 10, 11, 12, 13, 14));
    v = i16x8.add(v, i16x8.shuffle(zero, v, 0, 1, 8, 9, 10, 11, 12, 13));
    v = i16x8.add(v, i16x8.shuffle(zero, v, 0, 1, 2, 3, 8, 9, 10, 11));
    v = i16x8.add(v, carry);
    v128.store(to + i, v);
    carry = i16x8.shuffle(v, v, 7, 7, 7, 7, 7, 7, 7, 7);
  }
}

/** One band of 8 bits. */
// @ts-ignore: decorator
@inline export function sumBytes(to: usize, rowBytes: u32): void {
  const zero = i8x16.splat(0);
  let carry = zero;
  for (let i: u32 = 0; i < rowBytes; i += 16) {
    let v = v128.load(to + i, LAG);
    v = i8x16.add(v, i8x16.shuffle(zero, v, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30));
    v = i8x16.add(v, i8x16.shuffle(zero, v, 0, 1, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29));
    v = i8x16.add(v, i8x16.shuffle(zero, v, 0, 1, 2, 3, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27));
    v = i8x16.add(v, i8x16.shuffle(zero, v, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23));
    v = i8x16.add(v, carry);
    v128.store(to + i, v);
    carry = i8x16.splat(i8x16.extract_lane_s(v, 15));
  }
}

/**
 * Any bands: pixel by pixel when one fits a vector, otherwise 16 bytes at once, whose left neighbours are done by then.
 */
// @ts-ignore: decorator
@inline export function sumRow<T>(to: usize, rowBytes: u32, pixelBytes: u32, order: v128): void {
  if (pixelBytes <= 16) {
    let sum = i32x4.splat(0);
    for (let i: u32 = 0; i < rowBytes; i += pixelBytes) {
      sum = v128.add<T>(sum, v128.swizzle(v128.load(to + i, LAG), order));
      v128.store(to + i, sum);
    }
    return;
  }
  turnRow(to, pixelBytes, order);
  for (let i = pixelBytes; i < rowBytes; i += 16) {
    const difference = v128.swizzle(v128.load(to + i, LAG), order);
    v128.store(to + i, v128.add<T>(difference, v128.load(to + i - pixelBytes)));
  }
}
