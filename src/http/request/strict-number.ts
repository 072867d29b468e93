/**
 * The pattern of a decimal number. Digits are as many as JSON writes, 21 before the point and 6 zeros with 17 more behind
 * it, so that the numbers of one answer (a contrast range, say) can be handed to the next request as they are.
 */
export const DECIMAL = '[+-]?(?:\\d{1,21}(?:\\.\\d{0,23})?|\\.\\d{1,23})(?:[eE][+-]?\\d{1,3})?';

const WHOLE_DECIMAL = new RegExp(`^${DECIMAL}$`);

/** A decimal number and nothing else: no hex, no spaces, no Infinity. Null when the text is not one. */
export function parseDecimal(text: string): number | null {
  if (!WHOLE_DECIMAL.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

/** A whole number in plain digits, or null. */
export const parseWhole = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null);
