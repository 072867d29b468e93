/** What marks of pixels mean to statistics, as in src/zonal/collect-values.ts. */
export const COUNTED: u8 = 1;
export const MASKED: u8 = 2;
export const NO_DATA: u8 = 4;

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
  const end = spans + (<usize>spanCount << 3);
  for (let span = spans; span < end; span += 8) {
    let at: usize = load<u32>(span);
    const until: usize = load<u32>(span, 4);
    for (; at + 16 <= until; at += 16) {
      if (isPlain(mask + at, flags == 0 ? 0 : flags + at)) {
        copySixteen(values + (at << 2), into);
        into += 64;
        valid += 16;
      } else into = collectFew(values, mask, flags, at, at + 16, into);
    }
    into = collectFew(values, mask, flags, at, until, into);
  }
  store<u32>(counts, load<u32>(counts) + valid);
  store<u32>(counts, load<u32>(counts, 4) + cloudy, 4);
  return into;
}

/** Whether all of sixteen pixels have data and none has a flag. */
// @ts-ignore: decorator
@inline function isPlain(mask: usize, flags: usize): bool {
  return v128.all_true<i8>(v128.load(mask)) && (flags == 0 || !v128.any_true(v128.load(flags)));
}

// @ts-ignore: decorator
@inline function copySixteen(from: usize, to: usize): void {
  v128.store(to, v128.load(from));
  v128.store(to, v128.load(from, 16), 16);
  v128.store(to, v128.load(from, 32), 32);
  v128.store(to, v128.load(from, 48), 48);
}

/** One pixel after the other, without branches: clouds have ragged edges. */
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
