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
