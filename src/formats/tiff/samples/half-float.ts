/** 16-bit floats as 32-bit ones, which hold each of them exactly. */
export function widenHalves(halves: Uint16Array): Float32Array {
  const out = new Float32Array(halves.length);
  const words = new Uint32Array(out.buffer);
  for (let i = 0; i < halves.length; i++) {
    const half = halves[i]!;
    const sign = (half & 0x8000) << 16;
    const exponent = (half >> 10) & 0x1f;
    const fraction = half & 0x3ff;
    if (exponent === 0) {
      // zero or subnormal: the fraction counts steps of 2⁻²⁴
      out[i] = (sign === 0 ? 1 : -1) * fraction * 2 ** -24;
    } else {
      // 31 means infinity or not a number; the others move from a bias of 15 to one of 127
      words[i] = sign | ((exponent === 31 ? 255 : exponent + 112) << 23) | (fraction << 13);
    }
  }
  return out;
}
