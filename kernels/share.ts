/*
 * The smaller copy of rows of an image of integers that has an odd side. A smaller pixel is a little less than two pixels
 * wide there, and takes parts of up to three: of column g out of m they count g, m and m - 1 - g times, of an even side
 * m times each. The same numbers as src/formats/cog/row-reducer.ts: sums are whole numbers in float64.
 */

/** The part of an image that is made smaller. */
// @ts-ignore: decorator
@unmanaged class Part {
  /** Pixels of the source and of the smaller copy in a row of the part. */
  sourceCols: u32;
  cols: u32;
  /** The first column of the smaller copy, and the size of the whole source. */
  firstCol: u32;
  width: u32;
  height: u32;
  /** The rows that come next: of the source, and of the smaller copy. */
  sourceRow: u32;
  row: u32;
  hasHole: u32;
  hole: i32;
  empty: i32;
  substitute: i32;
}

/**
 * Takes `rows` rows of the part from `from`, and writes the rows that they complete to `to`; returns how many. `sums` are
 * a sum and then a weight for each column of the row that is begun, and go on from call to call. Samples have 1 or 2
 * bytes, and a sign if negative.
 */
export function shareIntegers(sampleBytes: i32, from: usize, rows: u32, to: usize, sums: usize, part: usize): u32 {
  const image = changetype<Part>(part);
  if (sampleBytes == 1) return shareSamples<u8>(from, rows, to, sums, image);
  if (sampleBytes == 2) return shareSamples<u16>(from, rows, to, sums, image);
  return shareSamples<i16>(from, rows, to, sums, image);
}

// @ts-ignore: decorator
@inline function shareSamples<T>(from: usize, rows: u32, to: usize, sums: usize, part: Part): u32 {
  const outHeight = <u64>((part.height + 1) >> 1);
  const rowBytes = <usize>part.sourceCols * sizeof<T>();
  const outBytes = <usize>part.cols * sizeof<T>();
  let made: u32 = 0;
  for (let row: u32 = 0; row < rows; row++, from += rowBytes) {
    const begin = <u64>(part.sourceRow + row) * outHeight;
    const outEnd = (<u64>(part.row + made) + 1) * part.height;
    const isLast = begin + outHeight >= outEnd;
    const share = isLast ? outEnd - begin : outHeight;
    if (part.width & 1) addRow<T>(from, isLast ? to : 0, sums, <f64>share, <f64>(outHeight - share), part);
    else addEvenRow<T>(from, isLast ? to : 0, sums, <f64>share, <f64>(outHeight - share), part);
    if (!isLast) continue;
    to += outBytes;
    made++;
  }
  return made;
}

/** Adds a row whose pixels are parts of three. `to` is 0 while the row of the smaller copy goes on. */
// @ts-ignore: decorator
@inline function addRow<T>(from: usize, to: usize, sums: usize, share: f64, nextShare: f64, part: Part): void {
  const fullCols = (part.width + 1) >> 1;
  const middle = <f64>fullCols;
  const whole = <f64>part.width;
  const weights = sums + (<usize>part.cols << 3);
  const first = part.firstCol;
  // the first column of all has no pixel before it
  let at = from - (first == 0 ? sizeof<T>() : 0);
  for (let i: u32 = 0; i < part.cols; i++, at += 2 * sizeof<T>()) {
    const column = first + i;
    const left = <f64>column;
    const right = <f64>(fullCols - 1 - column);
    const a = column == 0 ? 0 : <i32>load<T>(at);
    const b = <i32>load<T>(at, sizeof<T>());
    const c = column + 1 == fullCols ? 0 : <i32>load<T>(at, 2 * sizeof<T>());
    let sum = <f64>a * left + <f64>b * middle + <f64>c * right;
    let weight = whole;
    if (part.hasHole && (a == part.hole || b == part.hole || c == part.hole)) {
      weight = (a == part.hole ? 0 : left) + (b == part.hole ? 0 : middle) + (c == part.hole ? 0 : right);
      sum =
        (a == part.hole ? 0 : <f64>a * left) + (b == part.hole ? 0 : <f64>b * middle) + (c == part.hole ? 0 : <f64>c * right);
    }
    put<T>(to, i, sums, weights, sum, weight, share, nextShare, part);
  }
}

/** The same where only the height is odd: pixels in pairs. */
// @ts-ignore: decorator
@inline function addEvenRow<T>(from: usize, to: usize, sums: usize, share: f64, nextShare: f64, part: Part): void {
  const each = <f64>(part.width >> 1);
  const weights = sums + (<usize>part.cols << 3);
  for (let i: u32 = 0; i < part.cols; i++, from += 2 * sizeof<T>()) {
    const a = <i32>load<T>(from);
    const b = <i32>load<T>(from, sizeof<T>());
    const hasA = !part.hasHole || a != part.hole;
    const hasB = !part.hasHole || b != part.hole;
    const sum = <f64>((hasA ? a : 0) + (hasB ? b : 0)) * each;
    const weight = <f64>(i32(hasA) + i32(hasB)) * each;
    put<T>(to, i, sums, weights, sum, weight, share, nextShare, part);
  }
}

/** Adds to a column, or ends its pixel and begins the next one. */
// @ts-ignore: decorator
@inline function put<T>(
  to: usize, i: u32, sums: usize, weights: usize, sum: f64, weight: f64, share: f64, nextShare: f64, part: Part,
): void {
  const sumAt = sums + (<usize>i << 3);
  const weightAt = weights + (<usize>i << 3);
  const allSum = load<f64>(sumAt) + sum * share;
  const allWeight = load<f64>(weightAt) + weight * share;
  if (to == 0) {
    store<f64>(sumAt, allSum);
    store<f64>(weightAt, allWeight);
    return;
  }
  store<f64>(sumAt, sum * nextShare);
  store<f64>(weightAt, weight * nextShare);
  let pixel = part.empty;
  if (allWeight > 0) {
    const mean = allSum / allWeight;
    // halves away from zero, as GDAL rounds
    pixel = <i32>(mean < 0 ? -Math.floor(0.5 - mean) : Math.floor(mean + 0.5));
    if (part.hasHole && pixel == part.hole) pixel = part.substitute;
  }
  store<T>(to + <usize>i * sizeof<T>(), <T>pixel);
}
