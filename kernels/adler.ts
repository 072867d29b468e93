const BASE: u32 = 65521;
/** Bytes until the sums must be reduced: zlib's limit for 32 bits is 5552. */
const CHUNK: u32 = 4096;
/** Vectors until a sum of sums exceeds 16 bits: that of 16 is 255 · 120 at most. */
const GROUP: u32 = 16;

/** Adler-32 (RFC 1950) of some bytes after those whose sum is `sum`; 1 is the sum of no bytes. */
export function adler32(sum: u32, from: usize, bytes: usize): u32 {
  let a = sum & 0xffff;
  let b = sum >> 16;
  const end = from + bytes;
  while (from < end) {
    const chunkEnd = min(from + CHUNK, end);
    const vectors = <u32>(chunkEnd - from) >> 4;
    b += a * (vectors << 4);
    // sums of bytes, sums of those before each vector, and bytes weighted by how many are left in their vector
    let sums = i32x4.splat(0);
    let before = i32x4.splat(0);
    let weighted = i32x4.splat(0);
    for (let left = vectors; left > 0; ) {
      // up to 16 vectors are summed lane by lane in 16 bits: half of the steps that sums of 32 bits take
      const group = min(left, GROUP);
      left -= group;
      let low = i16x8.splat(0);
      let high = i16x8.splat(0);
      let lowBefore = i16x8.splat(0);
      let highBefore = i16x8.splat(0);
      for (let i: u32 = 0; i < group; i++) {
        const v = v128.load(from);
        from += 16;
        lowBefore = i16x8.add(lowBefore, low);
        highBefore = i16x8.add(highBefore, high);
        low = i16x8.add(low, i16x8.extend_low_i8x16_u(v));
        high = i16x8.add(high, i16x8.extend_high_i8x16_u(v));
      }
      before = i32x4.add(before, i32x4.mul(sums, i32x4.splat(group)));
      before = i32x4.add(before, addPairs(lowBefore, highBefore));
      sums = i32x4.add(sums, addPairs(low, high));
      const left16 = i32x4.dot_i16x8_s(low, i16x8(16, 15, 14, 13, 12, 11, 10, 9));
      const left8 = i32x4.dot_i16x8_s(high, i16x8(8, 7, 6, 5, 4, 3, 2, 1));
      weighted = i32x4.add(weighted, i32x4.add(left16, left8));
    }
    b += (addLanes(before) << 4) + addLanes(weighted);
    a += addLanes(sums);
    for (; from < chunkEnd; from++) {
      a += load<u8>(from);
      b += a;
    }
    a %= BASE;
    b %= BASE;
  }
  return (b << 16) | a;
}

// @ts-ignore: decorator
@inline function addPairs(low: v128, high: v128): v128 {
  return i32x4.add(i32x4.extadd_pairwise_i16x8_u(low), i32x4.extadd_pairwise_i16x8_u(high));
}

// @ts-ignore: decorator
@inline function addLanes(v: v128): u32 {
  return i32x4.extract_lane(v, 0) + i32x4.extract_lane(v, 1) + i32x4.extract_lane(v, 2) + i32x4.extract_lane(v, 3);
}
