import { exp, ln } from '../numbers/steady-math.ts';

/** Pressure of vapour in saturated air (FAO-56, equation 11). */
export const saturationHpa = (celsius: number): number => 6.108 * exp((17.27 * celsius) / (celsius + 237.3));

/** Temperature at which air with this vapour is saturated. */
export function dewPointC(vapourHpa: number): number {
  const exponent = ln(vapourHpa / 6.108);
  return (237.3 * exponent) / (17.27 - exponent);
}
