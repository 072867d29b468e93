/** The bits of a float32 number as an integer of the same order, as `toKey` in src/numbers/summary.ts. */
// @ts-ignore: decorator
@inline export function toKey(bits: u32): u32 {
  return bits ^ (<u32>(<i32>bits >> 31) | 0x80000000);
}
