/** Reflectance 1 is stored as this. */
export const QUANTIFICATION = 10_000;
/** What newer baselines add, and their metadata say to take off. */
export const ADDED = 1_000;
/** Files have 15 bits. */
const MAX_STORED = 32_767;

/** Rounds reflectances to stored numbers; 0 where nothing was measured, and only there. */
export function toStoredNumbers(
  plane: Float32Array,
  { added, outside }: { readonly added: number; readonly outside: Uint8Array | null },
): Uint16Array {
  const stored = new Uint16Array(plane.length);
  for (let i = 0; i < stored.length; i++) {
    const number = Math.floor(plane[i]! * QUANTIFICATION + added + 0.5);
    stored[i] = number < 1 ? 1 : number > MAX_STORED ? MAX_STORED : number;
  }
  if (outside !== null) for (let i = 0; i < stored.length; i++) if (outside[i] === 1) stored[i] = 0;
  return stored;
}

/** Stored numbers that are white, without what newer baselines add: the provider's own pictures use it. */
const WHITE = 3_558;

/** The bands of a true-colour picture: red, green, blue. */
export const TRUE_COLOUR = ['B04', 'B03', 'B02'] as const;

/** A stored number as the brightness of a picture, 1 to 255; 0 stays what was not measured. */
export function toBrightness(stored: number, added: number): number {
  if (stored === 0) return 0;
  return Math.min(255, Math.max(1, Math.round(((stored - added) * 255) / WHITE)));
}
