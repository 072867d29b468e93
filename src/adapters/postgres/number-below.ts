/** The greatest number below another: what is not above it is less than the other. Nothing is below -Infinity. */
export function toNumberBelow(value: number): number {
  if (value === Number.NEGATIVE_INFINITY) return value;
  if (value === 0) return -Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  // Doubles of one sign are in the order of their bits; negative ones the other way round.
  view.setBigInt64(0, view.getBigInt64(0) + (value > 0 ? -1n : 1n));
  return view.getFloat64(0);
}
