import { isObject } from '../../json.ts';

/** An object of a JSON document. */
export type Json = Readonly<Record<string, unknown>>;

/** A finite number within bounds; null for anything else, including a number written as text. */
export function toNumber(value: unknown, [min, max] = [-Infinity, Infinity]): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= min && value <= max ? value : null;
}

/** Longer texts are ignored; real names and addresses stay well below. */
const MAX_TEXT = 4096;

/** A text that is not empty; null for anything else. */
export const toText = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= MAX_TEXT ? value : null;

/** A whole number, also one written as text: `landsat:wrs_path` is "010". */
export function toWhole(value: unknown): number | null {
  const text = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(text) ? (text as number) : null;
}

/** A list of objects without anything else in it, cut after `max` entries. */
export const toObjects = (value: unknown, max: number): readonly Json[] =>
  Array.isArray(value) ? value.slice(0, max).filter(isObject) : [];

const TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}:\d{2})(\.\d{1,12})?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** A time as ISO 8601 in UTC with milliseconds, from a day or a time with or without zone; null for anything else. */
export function toTime(value: unknown): string | null {
  const [, day, time = '00:00:00', fraction = '', zone = 'Z'] = TIME.exec(toText(value) ?? '') ?? [];
  if (day === undefined) return null;
  const exact = `${day}T${time}.${fraction.slice(1, 4).padEnd(3, '0')}Z`;
  const local = new Date(exact);
  // 30 February becomes 2 March.
  if (Number.isNaN(local.getTime()) || local.toISOString() !== exact) return null;
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  const shiftMs = (sign === '-' ? 1 : -1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  return new Date(local.getTime() + shiftMs).toISOString();
}

/** Whether objects and lists are nested deeper than this; checked without recursion, which deep nesting would overflow. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let here: unknown[] = [value];
  for (let level = 0; level <= levels; level++) {
    here = here.flatMap((one) => (one !== null && typeof one === 'object' ? Object.values(one) : []));
    if (here.length === 0) return false;
  }
  return true;
}
