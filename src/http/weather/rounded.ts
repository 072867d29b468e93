/** Four digits behind the point: more than any model knows, and fewer than its float32 numbers would be written with. */
const DIGITS = 4;

/** A number as it is answered; null where nothing is known. */
export const round = (value: number): number => Number(value.toFixed(DIGITS));

/** The same of what may be unknown. */
export const roundKnown = (value: number | null): number | null => (value === null ? null : round(value));
