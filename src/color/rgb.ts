/** A colour of three channels, 0 to 1 each. */
export type Rgb = readonly [red: number, green: number, blue: number];

/**
 * Packed colours, as text: six hexadecimal digits each, without separators. It is the shortest form that is still plain
 * JSON, so a plan carries all colours of a picture in 1.5 kB.
 */
export type PackedColors = string;

/** Digits of one colour in a packed list. */
const COLOR_DIGITS = 6;

/** How many colours are in a packed list. */
export const countColors = (packed: PackedColors): number => packed.length / COLOR_DIGITS;

/** The colour at an index of a packed list, as on the wire: `#rrggbb`. */
export const hexAt = (packed: PackedColors, index: number): string =>
  `#${packed.slice(index * COLOR_DIGITS, (index + 1) * COLOR_DIGITS)}`;

/** A packed list as colours on the wire. */
export const toHexList = (packed: PackedColors): string[] =>
  Array.from({ length: countColors(packed) }, (_, i) => hexAt(packed, i));

/** The same colours, last first. */
export const reverseColors = (packed: PackedColors): PackedColors =>
  toHexList(packed)
    .reverse()
    .map((hex) => hex.slice(1))
    .join('');

/** The colours of a packed list as numbers from 0 to 1. */
export const toRgbList = (packed: PackedColors): Rgb[] => toHexList(packed).map(hexToRgb);

/** Channels of `#rrggbb`. */
export function hexToRgb(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}

/** Six digits of a colour; channels are clamped to 0 and 1. */
export const packColor = ([red, green, blue]: Rgb): PackedColors =>
  DIGITS[toLevel(red)]! + DIGITS[toLevel(green)]! + DIGITS[toLevel(blue)]!;

const DIGITS: readonly string[] = Array.from({ length: 256 }, (_, level) =>
  level.toString(16).padStart(2, '0'),
);

/** Rounds to the nearest of 256 levels, halves to the even one, like NumPy and matplotlib's `to_hex`. */
function toLevel(channel: number): number {
  const scaled = Math.min(1, Math.max(0, channel)) * 255;
  const low = Math.floor(scaled);
  const rest = scaled - low;
  if (rest === 0.5) return low + (low & 1);
  return rest > 0.5 ? low + 1 : low;
}

/** A colour on the wire (docs/use/interface.md, "Colormaps and legends"): `#rrggbb`, or three numbers from 0 to 1. */
export type WireColor = string | Rgb;

/** How to describe valid colours in an error. */
export const COLOR_FORMS = 'six hexadecimal digits like #1a9850, or a list of three numbers from 0 to 1';

/** Six digits of a hexadecimal colour, with or without `#`; null for any other text. */
export const parseHex = (text: string): PackedColors | null =>
  /^#?[0-9a-f]{6}$/i.test(text) ? text.slice(-6).toLowerCase() : null;

/** A colour of a JSON body, hexadecimal ones normalized; null when it is invalid. */
export function parseWireColor(value: unknown): WireColor | null {
  if (typeof value === 'string') {
    const packed = parseHex(value);
    return packed === null ? null : `#${packed}`;
  }
  return isRgb(value) ? [value[0], value[1], value[2]] : null;
}

const isRgb = (value: unknown): value is Rgb =>
  Array.isArray(value) && value.length === 3 && value.every(isChannel);

const isChannel = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 1;

/** Six digits of a parsed colour. */
export const packWireColor = (color: WireColor): PackedColors =>
  typeof color === 'string' ? color.slice(1) : packColor(color);
