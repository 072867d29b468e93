/*
 * The reversible wavelet of JPEG 2000, T.800, annex F: 5 and 3 taps, in whole numbers. Images begin at an even row and
 * column, so even ones become the low half.
 */

/** Samples of one or two bytes, `step` samples apart, as signed 32 bits around the middle of their range. */
export function centerSamples(
  from: usize, sampleBytes: i32, step: i32, to: usize, count: i32, middle: i32,
): void {
  const end = to + (<usize>count << 2);
  let next = from;
  if (sampleBytes == 2 && step == 1) {
    const middles = i32x4.splat(middle);
    for (; to + 16 <= end; to += 16, next += 8) {
      v128.store(to, i32x4.sub(v128.load_ext<u16>(next), middles));
    }
  }
  const bytes = <usize>(step * sampleBytes);
  for (; to < end; to += 4, next += bytes) {
    store<i32>(to, (sampleBytes == 2 ? <i32>load<u16>(next) : <i32>load<u8>(next)) - middle);
  }
}

/** The reversible colour transform, T.800, G.2: brightness and two differences instead of red, green and blue. */
export function separateColors(red: usize, green: usize, blue: usize, count: i32): void {
  for (const end = red + (<usize>count << 2); red < end; red += 16, green += 16, blue += 16) {
    const r = v128.load(red);
    const g = v128.load(green);
    const b = v128.load(blue);
    v128.store(red, i32x4.shr_s(i32x4.add(i32x4.add(r, b), i32x4.add(g, g)), 2));
    v128.store(green, i32x4.sub(b, g));
    v128.store(blue, i32x4.sub(r, g));
  }
}

/**
 * Halves an image of at least 2 × 2 values, whose rows are `stride` apart in both planes. The low half stays in `plane`; the others go into
 * the other quarters of the image in `details`.
 */
export function halveWavelet(plane: usize, details: usize, stride: i32, width: i32, height: i32): void {
  const rowBytes = <usize>stride << 2;
  const lowColumns = (width + 1) >> 1;
  const lowRows = (height + 1) >> 1;
  // Each row once: odd ones less the mean of their neighbours, then even ones, as soon as both neighbours are there.
  for (let y = 1; y <= height; y += 2) {
    const above = plane + <usize>(y - 1) * rowBytes;
    if (y < height) {
      const below = y + 1 < height ? above + 2 * rowBytes : above;
      liftOdd(above + rowBytes, above, below, width);
    }
    const before = y > 1 ? above - rowBytes : above + rowBytes;
    liftEven(above, before, y < height ? above + rowBytes : before, width);
    splitRow(above, plane + <usize>(y >> 1) * rowBytes, details + <usize>(y >> 1) * rowBytes + (<usize>lowColumns << 2), width);
    // The row below is complete only with the next even one, but is not changed by it.
    if (y < height) {
      const to = details + <usize>(lowRows + (y >> 1)) * rowBytes;
      splitRow(above + rowBytes, to, to + (<usize>lowColumns << 2), width);
    }
  }
}

/** Subtracts the mean of two rows. */
function liftOdd(row: usize, above: usize, below: usize, width: i32): void {
  let x = 0;
  for (; x + 4 <= width; x += 4, row += 16, above += 16, below += 16) {
    const mean = i32x4.shr_s(i32x4.add(v128.load(above), v128.load(below)), 1);
    v128.store(row, i32x4.sub(v128.load(row), mean));
  }
  for (; x < width; x++, row += 4, above += 4, below += 4) {
    store<i32>(row, load<i32>(row) - ((load<i32>(above) + load<i32>(below)) >> 1));
  }
}

/** Adds a quarter of the two rows, rounded. */
function liftEven(row: usize, above: usize, below: usize, width: i32): void {
  let x = 0;
  const two = i32x4.splat(2);
  for (; x + 4 <= width; x += 4, row += 16, above += 16, below += 16) {
    const sum = i32x4.add(i32x4.add(v128.load(above), v128.load(below)), two);
    v128.store(row, i32x4.add(v128.load(row), i32x4.shr_s(sum, 2)));
  }
  for (; x < width; x++, row += 4, above += 4, below += 4) {
    store<i32>(row, load<i32>(row) + ((load<i32>(above) + load<i32>(below) + 2) >> 2));
  }
}

/** The same along a row, whose halves go to two places; the low one may be the row's own. */
function splitRow(row: usize, low: usize, high: usize, width: i32): void {
  const two = i32x4.splat(2);
  let x = 0;
  let before = i32x4.splat(0);
  for (; x + 8 < width; x += 8, row += 32, low += 16, high += 16) {
    const first = v128.load(row);
    const second = v128.load(row, 16);
    const even = v128.shuffle<i32>(first, second, 0, 2, 4, 6);
    const odd = v128.shuffle<i32>(first, second, 1, 3, 5, 7);
    const next = v128.shuffle<i32>(even, i32x4.splat(load<i32>(row, 32)), 1, 2, 3, 4);
    const detail = i32x4.sub(odd, i32x4.shr_s(i32x4.add(even, next), 1));
    if (x == 0) before = v128.shuffle<i32>(detail, detail, 0, 0, 0, 0);
    const left = v128.shuffle<i32>(before, detail, 3, 4, 5, 6);
    v128.store(low, i32x4.add(even, i32x4.shr_s(i32x4.add(i32x4.add(left, detail), two), 2)));
    v128.store(high, detail);
    before = detail;
  }
  let left = i32x4.extract_lane(before, 3);
  for (; x < width; x += 2, row += 8, low += 4, high += 4) {
    const even = load<i32>(row);
    let detail = left;
    if (x + 1 < width) {
      const next = x + 2 < width ? load<i32>(row, 8) : even;
      detail = load<i32>(row, 4) - ((even + next) >> 1);
      store<i32>(high, detail);
    }
    if (x == 0) left = detail;
    store<i32>(low, even + ((left + detail + 2) >> 2));
    left = detail;
  }
}
