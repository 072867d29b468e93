import type { CodingStyle } from '../headers/coding-style.ts';
import type { Span } from '../headers/tile-grid.ts';
import { spanAtLevel, toSpan } from '../headers/tile-grid.ts';

/**
 * Precincts, code-blocks and the two phases of the wavelet are counted from the image's corner, not the tile's. A tile
 * can be decoded as another tile of a smaller image only if all of these cut it at the same coordinates. Tiles with sides
 * of a power of two, the common ones, can all pass for tile 0; others (192 pixels with 64-pixel precincts in some
 * Sentinel-2 products) repeat after a few.
 */

/** One axis of the tile grid. */
interface Axis {
  readonly tileSide: number;
  readonly imageSide: number;
}

/** Number of the first tile on this axis that is cut into pieces as `tile` is. */
export function findTwin(tile: number, axis: Axis, style: CodingStyle, exponent: 'x' | 'y'): number {
  const span = toSpan(tile, axis.tileSide, axis.imageSide);
  const period = 2 ** style.decompositions;
  for (let twin = 0; twin < tile; twin++) {
    const shift = (tile - twin) * axis.tileSide;
    if (shift % period === 0 && isCutAlike(span, shift, style, exponent)) return twin;
  }
  return tile;
}

function isCutAlike(span: Span, shift: number, style: CodingStyle, exponent: 'x' | 'y'): boolean {
  const { decompositions, precinctExponents, blockExponents } = style;
  for (let resolution = 0; resolution <= decompositions; resolution++) {
    const level = decompositions - resolution;
    const precinct = precinctExponents[resolution]![exponent];
    const part = spanAtLevel(span, level);
    const moved = shift / 2 ** level;
    if (!isPartedAlike(part, moved, 2 ** precinct)) return false;
    // Where a tile's corner is no sample of the resolution, the order of packets asks whether a precinct begins there.
    const begins = (start: number) => start % 2 ** precinct === 0;
    if (span.start % 2 ** level !== 0 && begins(part.start) !== begins(part.start - moved)) return false;
    // The subbands of a resolution have half its samples, so half its precinct; the smallest is a subband itself.
    const halves = resolution === 0 ? 0 : 1;
    const block = 2 ** Math.min(blockExponents[exponent], precinct - halves);
    for (const band of toSubbands(span, level, halves === 1)) {
      if (!isPartedAlike(band, moved / 2 ** halves, block)) return false;
    }
  }
  return true;
}

/** Samples of the low- and high-pass subbands that make a resolution (ISO/IEC 15444-1, equation B-15). */
function toSubbands(span: Span, level: number, isSplit: boolean): readonly Span[] {
  if (!isSplit) return [spanAtLevel(span, level)];
  const half = 2 ** level;
  const high = { start: span.start - half, end: span.end - half };
  return [spanAtLevel(span, level + 1), spanAtLevel(high, level + 1)];
}

/** True when the grid of that step cuts the span at the same coordinates before and after it is moved. */
function isPartedAlike({ start, end }: Span, moved: number, step: number): boolean {
  if (moved % step === 0 || start >= end) return true;
  const isUncut = (from: number, to: number) => Math.floor(from / step) === Math.floor((to - 1) / step);
  return isUncut(start, end) && isUncut(start - moved, end - moved);
}
