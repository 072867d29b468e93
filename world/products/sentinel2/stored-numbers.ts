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
