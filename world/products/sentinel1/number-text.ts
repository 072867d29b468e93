/** A number as the annotations write it: `6.628682e+02`. */
export function toFloatText(value: number, digits = 6): string {
  const [mantissa = '', exponent = '0'] = value.toExponential(digits).split('e');
  const size = String(Math.abs(Number(exponent))).padStart(2, '0');
  return `${mantissa}e${Number(exponent) < 0 ? '-' : '+'}${size}`;
}

/** A list with its count, as the tables have it. */
export const toListXml = (name: string, values: readonly (number | string)[]): string =>
  `<${name} count="${values.length}">${values.join(' ')}</${name}>`;

/** Milliseconds since 1970 as `2021-08-09T17:39:53.153776`. */
export function toTimeText(atMs: number): string {
  const wholeMs = Math.floor(atMs);
  const micros = String(Math.floor((atMs - wholeMs) * 1_000)).padStart(3, '0');
  return `${new Date(wholeMs).toISOString().slice(0, -1)}${micros}`;
}
