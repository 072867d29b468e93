import { hasValue } from "./paint-seen";

/** Writes `value` over floats whose mask is 0 or that are not a number, four at a time: planes have room after them. */
export function fillEmpty(values: usize, mask: usize, count: u32, value: f32): void {
  const fill = f32x4.splat(value);
  for (let i: usize = 0; i < <usize>count; i += 4) {
    const at = values + (i << 2);
    const pixels = v128.load(at);
    v128.store(at, v128.bitselect(pixels, fill, hasValue(pixels, mask + i)));
  }
}
