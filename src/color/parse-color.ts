import type { PackedColors, Rgb } from './rgb.ts';
import { packColor } from './rgb.ts';

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
