import type { BitsPlan, ValuesPlan } from './color-plan.ts';
import { MAX_COLORS } from './color-plan.ts';
import { unsupported } from './errors.ts';
import type { PackedColors } from './rgb.ts';
import { COLOR_FORMS, packWireColor, parseWireColor } from './rgb.ts';

/** Whole numbers that float32 data can hold exactly. */
const LARGEST_VALUE = 2 ** 24;
const LAST_BIT = 15;

/**
 * Parses PALETTE: a JSON dictionary whose keys are whole numbers or, for quality bits, one or two bits like `(15,14)`.
 * For bits, the first matching key gives the colour. JSON.parse would move keys like "5" before others, so entries are
 * parsed one by one in their order.
 */
export function parsePalette(text: string, keys: 'values' | 'bits'): ValuesPlan | BitsPlan {
  const entries = readEntries(text);
  const colors = entries.map(([key, value]) => parseColor(key, value)).join('');
  if (keys === 'values') {
    const values = entries.map(([key]) => parseValue(key));
    refuseTwice(values.map(String));
    return { kind: 'values', colors, values };
  }
  const bits = entries.map(([key]) => parseBits(key));
  refuseTwice(bits.map((of) => of.toSorted((a, b) => a - b).join()));
  return { kind: 'bits', colors, bits };
}

const refuse = (sentence: string) => unsupported('bad-palette', sentence);

/** A key, and a value that is a string or a flat list: nothing else can be a colour. */
const ENTRY = /\s*"([^"\\]{0,40})"\s*:\s*("[^"\\]{0,40}"|\[[^[\]"]{0,120}\])\s*/y;

function readEntries(text: string): [key: string, value: unknown][] {
  const entries: [string, unknown][] = [];
  const inner = /^\s*\{([^{}]*)\}\s*$/.exec(text)?.[1];
  const isEmpty = inner?.trim() === '';
  if (inner === undefined || isEmpty) {
    throw refuse('PALETTE must be a JSON dictionary of values and colours, like {"1":"#ff0000"}.');
  }
  let at = 0;
  for (;;) {
    ENTRY.lastIndex = at;
    const match = ENTRY.exec(inner);
    if (match === null) {
      throw refuse(
        `PALETTE is not a JSON dictionary of colours: entry ${entries.length + 1} cannot be read.`,
      );
    }
    if (entries.length === MAX_COLORS) throw refuse(`PALETTE can have at most ${MAX_COLORS} entries.`);
    entries.push([match[1]!, parseJson(match[2]!)]);
    at = ENTRY.lastIndex;
    if (at === inner.length) return entries;
    if (inner[at] !== ',') {
      throw refuse(
        `PALETTE is not a JSON dictionary of colours: a comma is missing after entry ${entries.length}.`,
      );
    }
    at++;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unsupported('bad-palette', 'PALETTE has a colour that is not valid JSON.', { cause });
  }
}

function parseColor(key: string, value: unknown): PackedColors {
  const color = parseWireColor(value);
  if (color === null) throw refuse(`The colour of "${key}" in PALETTE must be ${COLOR_FORMS}.`);
  return packWireColor(color);
}

function parseValue(key: string): number {
  const value = /^-?\d{1,8}$/.test(key) ? Number(key) : Number.NaN;
  if (!(Math.abs(value) <= LARGEST_VALUE)) {
    throw refuse(`"${key}" in PALETTE must be a whole number of up to ${LARGEST_VALUE}.`);
  }
  // -0 is 0
  return value + 0;
}

function parseBits(key: string): number[] {
  const match = /^(?:(\d{1,2})|\(\s?(\d{1,2})\s?,\s?(\d{1,2})\s?\))$/.exec(key);
  const bits =
    match === null ? [] : match.slice(1).flatMap((bit) => (bit === undefined ? [] : [Number(bit)]));
  if (bits.length === 0 || bits.some((bit) => bit > LAST_BIT) || bits[0] === bits[1]) {
    throw refuse(
      `"${key}" in PALETTE must be a bit from 0 to ${LAST_BIT} or two different ones like "(15,14)".`,
    );
  }
  return bits;
}

function refuseTwice(keys: readonly string[]): void {
  const seen = new Set<string>();
  for (const key of keys) {
    if (seen.has(key)) throw refuse(`PALETTE has the key ${key} twice.`);
    seen.add(key);
  }
}
