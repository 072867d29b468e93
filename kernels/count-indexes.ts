/** The index of pixels without a scene. */
// @ts-ignore: decorator
@inline const NONE: u32 = 0xffff;

/**
 * Adds up how often each index occurs in a plane of u16, in a table of u32 that has room for all and is zeroed. Those of
 * pixels without a scene do not count. Returns the greatest index plus one, 0 if there is none. Neighbours are mostly of
 * one scene: eight are compared at a time.
 */
export function countIndexes(indexes: usize, count: u32, table: usize): u32 {
  const end = indexes + (<usize>count << 1);
  let past: u32 = 0;
  for (let at = indexes; at < end; ) {
    const index = <u32>load<u16>(at);
    const from = at;
    const same = i16x8.splat(<i16>index);
    at += 2;
    while (at + 16 <= end && i16x8.all_true(i16x8.eq(v128.load(at), same))) at += 16;
    while (at < end && <u32>load<u16>(at) == index) at += 2;
    if (index == NONE) continue;
    const to = table + (<usize>index << 2);
    store<u32>(to, load<u32>(to) + <u32>((at - from) >> 1));
    past = max(past, index + 1);
  }
  return past;
}
