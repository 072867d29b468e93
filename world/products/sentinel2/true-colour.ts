/** Stored numbers that are white, without what newer baselines add: the provider's own pictures use it. */
const WHITE = 3_558;

/** The bands of a true-colour picture: red, green, blue. */
export const TRUE_COLOUR = ['B04', 'B03', 'B02'] as const;

/** A stored number as the brightness of a picture, 1 to 255; 0 stays what was not measured. */
export function toBrightness(stored: number, added: number): number {
  if (stored === 0) return 0;
  return Math.min(255, Math.max(1, Math.round(((stored - added) * 255) / WHITE)));
}
