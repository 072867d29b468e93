/** The pixels of a picture, four bytes each. */
interface RgbaPixels {
  readonly rgba: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Pixels of the picture per pixel of a letter. */
const SCALE = 2;

/** Blank letters between two repetitions, and lines between two rows of them. */
const GAP_LETTERS = 4;
const LINE_PX = 96;

/** Opacity of the letters, and of the shadow that makes them readable on snow. */
const OPACITY = { letters: 0.55, shadow: 0.4 } as const;

/** Writes a text over a picture repeatedly, every second row shifted by half, in place; over transparent pixels too. */
export function paintWatermark(pixels: RgbaPixels, text: string): void {
  const stepPx = (text.length + GAP_LETTERS) * GLYPH.advance * SCALE;
  const firstY = Math.min(LINE_PX / 2, Math.max(0, (pixels.height - GLYPH.height * SCALE) / 2));
  for (let row = 0, y = Math.floor(firstY); y < pixels.height; row++, y += LINE_PX) {
    const shift = row % 2 === 0 ? 0 : Math.floor(stepPx / 2);
    for (let x = 8 - shift; x < pixels.width; x += stepPx) {
      writeText(pixels, text, { x: x + 1, y: y + 1, level: 0, opacity: OPACITY.shadow });
      writeText(pixels, text, { x, y, level: 255, opacity: OPACITY.letters });
    }
  }
}

interface Stroke {
  readonly x: number;
  readonly y: number;
  readonly level: number;
  readonly opacity: number;
}

function writeText(pixels: RgbaPixels, text: string, stroke: Stroke): void {
  for (const [index, sign] of [...text].entries()) {
    const left = stroke.x + index * GLYPH.advance * SCALE;
    for (const [row, bits] of glyphRows(sign).entries()) {
      for (let column = 0; column < GLYPH.width; column++) {
        if (((bits >> (GLYPH.width - 1 - column)) & 1) === 0) continue;
        fillDot(pixels, { ...stroke, x: left + column * SCALE, y: stroke.y + row * SCALE });
      }
    }
  }
}

function fillDot({ rgba, width, height }: RgbaPixels, { x, y, level, opacity }: Stroke): void {
  for (let row = Math.max(0, y); row < Math.min(height, y + SCALE); row++) {
    for (let column = Math.max(0, x); column < Math.min(width, x + SCALE); column++) {
      const at = 4 * (row * width + column);
      for (let channel = at; channel < at + 3; channel++) {
        rgba[channel] = Math.round(rgba[channel]! + (level - rgba[channel]!) * opacity);
      }
      rgba[at + 3] = Math.round(rgba[at + 3]! + (255 - rgba[at + 3]!) * opacity);
    }
  }
}

/** Pixels of a character: seven rows of five, then one empty column and two empty rows. */
const GLYPH = { width: 5, height: 7, advance: 6, lineAdvance: 9 } as const;

/**
 * Capitals, digits and common signs, drawn for this purpose: system fonts would make pictures differ between machines.
 * Seven rows from the top, five bits each, the highest at the left.
 */
const drawn: ReadonlyMap<string, string> = new Map([
  [' ', '00 00 00 00 00 00 00'],
  ['A', '0e 11 11 1f 11 11 11'],
  ['B', '1e 11 11 1e 11 11 1e'],
  ['C', '0e 11 10 10 10 11 0e'],
  ['D', '1e 11 11 11 11 11 1e'],
  ['E', '1f 10 10 1e 10 10 1f'],
  ['F', '1f 10 10 1e 10 10 10'],
  ['G', '0e 11 10 17 11 11 0e'],
  ['H', '11 11 11 1f 11 11 11'],
  ['I', '0e 04 04 04 04 04 0e'],
  ['J', '07 02 02 02 02 12 0c'],
  ['K', '11 12 14 18 14 12 11'],
  ['L', '10 10 10 10 10 10 1f'],
  ['M', '11 1b 15 15 11 11 11'],
  ['N', '11 19 15 13 11 11 11'],
  ['O', '0e 11 11 11 11 11 0e'],
  ['P', '1e 11 11 1e 10 10 10'],
  ['Q', '0e 11 11 11 15 12 0d'],
  ['R', '1e 11 11 1e 14 12 11'],
  ['S', '0f 10 10 0e 01 01 1e'],
  ['T', '1f 04 04 04 04 04 04'],
  ['U', '11 11 11 11 11 11 0e'],
  ['V', '11 11 11 11 11 0a 04'],
  ['W', '11 11 11 15 15 1b 11'],
  ['X', '11 11 0a 04 0a 11 11'],
  ['Y', '11 11 0a 04 04 04 04'],
  ['Z', '1f 01 02 04 08 10 1f'],
  ['0', '0e 11 13 15 19 11 0e'],
  ['1', '04 0c 04 04 04 04 0e'],
  ['2', '0e 11 01 06 08 10 1f'],
  ['3', '0e 11 01 06 01 11 0e'],
  ['4', '02 06 0a 12 1f 02 02'],
  ['5', '1f 10 1e 01 01 11 0e'],
  ['6', '06 08 10 1e 11 11 0e'],
  ['7', '1f 01 02 04 08 08 08'],
  ['8', '0e 11 11 0e 11 11 0e'],
  ['9', '0e 11 11 0f 01 02 0c'],
  ['.', '00 00 00 00 00 0c 0c'],
  [',', '00 00 00 00 0c 04 08'],
  [':', '00 0c 0c 00 0c 0c 00'],
  [';', '00 0c 0c 00 0c 04 08'],
  ['-', '00 00 00 1f 00 00 00'],
  ['_', '00 00 00 00 00 00 1f'],
  ['/', '00 01 02 04 08 10 00'],
  ["'", '0c 04 08 00 00 00 00'],
  ['(', '02 04 08 08 08 04 02'],
  [')', '08 04 02 02 02 04 08'],
  ['&', '0c 12 14 08 15 12 0d'],
  ['+', '00 04 04 1f 04 04 00'],
  ['!', '04 04 04 04 04 00 04'],
  ['?', '0e 11 01 02 04 00 04'],
  ['@', '0e 11 01 0d 15 15 0e'],
  ['#', '0a 0a 1f 0a 1f 0a 0a'],
  ['*', '00 04 15 0e 15 04 00'],
  ['=', '00 00 1f 00 1f 00 00'],
]);

/** Whether the font has all characters of a text. */
export const canWrite = (text: string): boolean => [...text.toUpperCase()].every((sign) => drawn.has(sign));

/** The rows of a character; small letters are written as capitals, and unknown characters are blank. */
export const glyphRows = (sign: string): readonly number[] =>
  (drawn.get(sign.toUpperCase()) ?? '').split(' ').map((row) => Number.parseInt(row || '0', 16));
