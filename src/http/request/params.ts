import { badInput } from '../../errors.ts';
import { parseDecimal } from './strict-number.ts';
import { toBadCode } from './switch.ts';

/**
 * The fields of a JSON object as they came: a body, or the `params` of a task. A null counts as left out: programs send it
 * for what they do not set.
 */
export type Params = Readonly<Record<string, unknown>>;

const refuse = (name: string, rule: string): Error => badInput(toBadCode(name), `${name} ${rule}`);

/** Texts are names and expressions: none is longer. */
const MAX_TEXT = 2_048;

/** A text; null when it is left out. */
export function readText(params: Params, name: string, maxChars = MAX_TEXT): string | null {
  const value = params[name] ?? null;
  if (value === null) return null;
  if (typeof value !== 'string' || value.length > maxChars)
    throw refuse(name, `must be a text of up to ${maxChars} characters.`);
  return value;
}

/** A text that must be there. */
export function requireText(params: Params, name: string): string {
  const text = readText(params, name);
  if (text === null || text.trim() === '') throw refuse(name, 'is required, and must be a text.');
  return text;
}

/** A list of texts, or one text with commas between them; null when it is left out. Numbers are taken as texts. */
export function readTexts(params: Params, name: string, max: number): readonly string[] | null {
  const value = params[name] ?? null;
  if (value === null) return null;
  const items = typeof value === 'string' ? value.split(',') : value;
  const isList =
    Array.isArray(items) && items.every((item) => typeof item === 'string' || typeof item === 'number');
  if (!isList) throw refuse(name, 'must be a list of texts.');
  if (items.length > max) throw refuse(name, `must have at most ${max} items; it has ${items.length}.`);
  return items.map((item) => {
    const text = String(item).trim();
    if (text.length > MAX_TEXT) throw refuse(name, `must have items of up to ${MAX_TEXT} characters.`);
    return text;
  });
}

/** A switch: true or false, 1 or 0, as a number, a text or what it is. */
export function readSwitch(params: Params, name: string, fallback: boolean): boolean {
  const value = params[name] ?? null;
  if (value === null || value === '') return fallback;
  // A list of one would be written like what is in it.
  const text = typeof value === 'object' ? '' : String(value).toLowerCase();
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw refuse(name, 'must be true, 1, false or 0.');
}

/** A number, also as text; null when it is left out. */
export function readNumber(params: Params, name: string): number | null {
  const value = params[name] ?? null;
  if (value === null || value === '') return null;
  const number = typeof value === 'number' ? value : typeof value === 'string' ? parseDecimal(value) : null;
  if (number === null || !Number.isFinite(number)) throw refuse(name, 'must be a number.');
  return number;
}

/** One of several words; the fallback when it is left out or empty. */
export function readChoice<Choice extends string, Fallback>(
  params: Params,
  name: string,
  { choices, fallback }: { readonly choices: readonly Choice[]; readonly fallback: Fallback },
): Choice | Fallback {
  const value = params[name] ?? null;
  if (value === null || value === '') return fallback;
  const word = typeof value === 'string' ? value.toLowerCase() : null;
  const found = choices.find((choice) => choice === word);
  if (found === undefined) throw refuse(name, `must be one of ${choices.join(', ')}.`);
  return found;
}
