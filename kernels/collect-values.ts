/** What marks of pixels mean to statistics, as in src/zonal/collect-values.ts. */
export const COUNTED: u8 = 1;
export const MASKED: u8 = 2;
export const NO_DATA: u8 = 4;

/** Sixteen pixels. */
const ALL: u32 = 0xffff;

let valid: u32 = 0;
let cloudy: u32 = 0;

/**
 * Appends the values that count to `into`, which has room for one more than there are, and returns the end of them. Pixels
 * lie in spans, pairs of first and last index + 1, and have a mask of data; `flags` is 0 if no pixel has one. Adds the
 * number of pixels with data, and of clouds among them, to the two at `counts`.
 */
export function collectValues(
  values: usize, mask: usize, flags: usize, spans: usize, spanCount: u32, into: usize, counts: usize,
): usize {
  valid = 0;
  cloudy = 0;
  const nothing = i8x16.splat(0);
  const end = spans + (<usize>spanCount << 3);
  for (let span = spans; span < end; span += 8) {
    let at: usize = load<u32>(span);
    const until: usize = load<u32>(span, 4);
    for (; at + 16 <= until; at += 16) {
      const empty = <u32>i8x16.bitmask(i8x16.eq(v128.load(mask + at), nothing));
      if (flags == 0 || !v128.any_true(v128.load(flags + at))) into = collectSixteen(values + (at << 2), ~empty & ALL, into);
      else into = collectFlagged(values + (at << 2), flags + at, ~empty & ALL, into);
    }
    into = collectFew(values, mask, flags, at, until, into);
  }
  store<u32>(counts, load<u32>(counts) + valid);
  store<u32>(counts, load<u32>(counts, 4) + cloudy, 4);
  return into;
}

/** Collects those of sixteen pixels that have data, a bit for each: mostly all of them, or none. */
// @ts-ignore: decorator
@inline function collectSixteen(values: usize, data: u32, into: usize): usize {
  valid += popcnt(data);
  return keep(values, data, into);
}

/** The same where flags say which of them are clouds. */
function collectFlagged(values: usize, flags: usize, data: u32, into: usize): usize {
  const own = v128.load(flags);
  data &= ~bitsOf(own, NO_DATA);
  valid += popcnt(data);
  cloudy += popcnt(data & bitsOf(own, COUNTED));
  return keep(values, data & ~bitsOf(own, MASKED), into);
}

/** Which of sixteen flags have a mark, a bit for each. */
// @ts-ignore: decorator
@inline function bitsOf(flags: v128, mark: u8): u32 {
  const marks = i8x16.splat(<i8>mark);
  return <u32>i8x16.bitmask(i8x16.eq(v128.and(flags, marks), marks));
}

/** Copies those of sixteen values that are wanted. */
// @ts-ignore: decorator
@inline function keep(values: usize, wanted: u32, into: usize): usize {
  if (wanted == ALL) {
    copySixteen(values, into);
    return into + 64;
  }
  for (; wanted != 0; wanted &= wanted - 1) {
    store<u32>(into, load<u32>(values + (<usize>ctz(wanted) << 2)));
    into += 4;
  }
  return into;
}

// @ts-ignore: decorator
@inline function copySixteen(from: usize, to: usize): void {
  v128.store(to, v128.load(from));
  v128.store(to, v128.load(from, 16), 16);
  v128.store(to, v128.load(from, 32), 32);
  v128.store(to, v128.load(from, 48), 48);
}

/** One pixel after the other, without branches: those at the end of a run. */
function collectFew(values: usize, mask: usize, flags: usize, at: usize, until: usize, into: usize): usize {
  for (; at < until; at++) {
    const flag: u8 = flags == 0 ? 0 : load<u8>(flags + at);
    const hasData = u32(load<u8>(mask + at) != 0) & u32((flag & NO_DATA) == 0);
    valid += hasData;
    cloudy += hasData & u32((flag & COUNTED) != 0);
    store<u32>(into, load<u32>(values + (at << 2)));
    into += <usize>(hasData & u32((flag & MASKED) == 0)) << 2;
  }
  return into;
}
