/** A decimal number and nothing else: no hex, no spaces, no Infinity (hardening E9). Null when the text is not one. */
export function parseDecimal(text: string): number | null {
  if (!/^[+-]?(\d{1,17}(\.\d{0,17})?|\.\d{1,17})(e[+-]?\d{1,3})?$/i.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

/** A whole number in plain digits, or null. */
export const parseWhole = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null);
