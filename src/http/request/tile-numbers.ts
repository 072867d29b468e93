import { badInput } from '../../errors.ts';
import type { Tile } from '../../geo/index.ts';
import { toBadCode } from './switch.ts';

/** A picture format that the end of an address may name. */
export type EndingFormat = 'png' | 'jpeg' | 'webp';

/** The last segment of a picture's address, and what its ending asks for. */
export interface RowText {
  /** The segment without its ending. */
  readonly y: string;
  /** `@2x`: twice as many pixels a side. */
  readonly isDouble: boolean;
  /** `.png`, `.jpg`, `.jpeg` or `.webp`; null without. */
  readonly format: EndingFormat | null;
}

const FORMATS: Readonly<Record<string, EndingFormat>> = {
  png: 'png',
  jpg: 'jpeg',
  jpeg: 'jpeg',
  webp: 'webp',
};

/** Takes `@2x` and a format from the end of a row: map libraries write `{y}@2x.png`. */
export function splitRow(text: string): RowText {
  const [, y = text, double, ending] = /^([^@]*?)(@2x)?(?:\.(png|jpe?g|webp))?$/i.exec(text) ?? [];
  return { y, isDouble: double !== undefined, format: FORMATS[ending?.toLowerCase() ?? ''] ?? null };
}

/** Reads the numbers of a tile, which may lie outside of the grid; a text that is no whole number is an error that names it. */
export const parseTileNumbers = (z: string, x: string, y: string): Tile => ({
  z: parseNumber('z', z),
  x: parseNumber('x', x),
  y: parseNumber('y', y),
});

function parseNumber(name: string, text: string): number {
  if (!/^-?\d{1,400}$/.test(text)) {
    throw badInput(
      toBadCode(name),
      `${name} must be a whole number, not ${JSON.stringify(text.slice(0, 20))}.`,
    );
  }
  // A minus before zero does not count.
  return Number(text) || 0;
}
