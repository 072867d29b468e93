import { GLYPH, glyphRows } from './small-font.ts';

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
