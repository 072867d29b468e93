import { hasValue, toBytes } from "./paint-seen";

/** Four bytes for each index, from a table of 256 colours. */
export function paintIndexes(indexes: usize, table: usize, rgba: usize, count: i32): void {
  for (let i = 0; i < count; i++) {
    const color = load<u32>(table + (<usize>load<u8>(indexes + <usize>i) << 2));
    store<u32>(rgba + (<usize>i << 2), color);
  }
}

/** Sets a byte of 256 for each index that occurs. */
export function markUsed(indexes: usize, used: usize, count: i32): void {
  for (let i = 0; i < count; i++) store<u8>(used + <usize>load<u8>(indexes + <usize>i), 1);
}

/** Writes `hole` over the indexes of pixels that are masked or NaN. */
export function paintHoles(values: usize, mask: usize, indexes: usize, count: i32, hole: u32): void {
  const holes = hole * 0x01010101;
  const whole = count & ~3;
  for (let i = 0; i < whole; i += 4) {
    const show = toBytes(hasValue(v128.load(values + (<usize>i << 2)), mask + <usize>i));
    store<u32>(indexes + <usize>i, (load<u32>(indexes + <usize>i) & show) | (holes & ~show));
  }
  for (let i = whole; i < count; i++) {
    const value = load<f32>(values + (<usize>i << 2));
    const isSeen = (load<u8>(mask + <usize>i) & 1) != 0 && value == value;
    if (!isSeen) store<u8>(indexes + <usize>i, <u8>hole);
  }
}
