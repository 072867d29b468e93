/** The shortest decimal that is this float32 and no other: 0.1234 and not 0.12340000271797180. */
export function toShortest(float: number): number {
  // Every float32 has six digits, and nine tell any two of them apart.
  for (const digits of [6, 7, 8]) {
    const short = Number(float.toPrecision(digits));
    if (Math.fround(short) === float) return short;
  }
  return Number(float.toPrecision(9));
}
