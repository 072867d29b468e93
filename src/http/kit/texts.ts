/** Parsing of numbers, switches and days. */

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

/** How a switch, or what can be switched on by a name, is switched off. */
export const OFF_NAMES = ['false', '0'] as const;

const ON_NAMES = ['true', '1'] as const;

/** What a switch may say. */
export const SWITCH_NAMES = [...ON_NAMES, ...OFF_NAMES] as const;

const ON: ReadonlySet<string> = new Set(ON_NAMES);
const OFF: ReadonlySet<string> = new Set(OFF_NAMES);

/** Whether a text, in any case, switches something off. */
export const isOff = (text: string): boolean => OFF.has(text.toLowerCase());

/** What a text switches, in any case; null for one that is not a switch. */
export function parseSwitchName(text: string): boolean | null {
  const name = text.toLowerCase();
  if (ON.has(name)) return true;
  return OFF.has(name) ? false : null;
}

/** The code of an error about a parameter's value. */
export const toBadCode = (name: string): string => `bad-${name.toLowerCase().replaceAll('_', '-')}`;

/** A day as 2026-06-21, also from a text with a time behind it: programs send the first instant of a day. Null for others. */
export function parseDay(value: unknown): string | null {
  const day =
    typeof value === 'string' ? /^(\d{4}-\d{2}-\d{2})(?:T[\d:.]*Z?)?$/.exec(value.trim())?.[1] : undefined;
  if (day === undefined) return null;
  const time = Date.parse(`${day}T00:00:00Z`);
  // February has no 30th day.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? day : null;
}
