/** The next float32 above a value, so that no float32 lies between. */
export function nextAbove(value: number): number {
  const float = new Float32Array([value]);
  if (float[0] === 0) return 2 ** -149;
  const bits = new Int32Array(float.buffer);
  bits[0]! += float[0]! > 0 ? 1 : -1;
  return float[0]!;
}
