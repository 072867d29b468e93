import { sourceBroken } from '../../../errors.ts';
import type { CodingStyle } from '../headers/coding-style.ts';
import type { Span } from '../headers/tile-grid.ts';
import { spanAtLevel } from '../headers/tile-grid.ts';
import { MAX_PACKETS, MAX_TILE_PIECES } from '../limits.ts';

/** Cells of a grid that a span touches. */
const cells = ({ start, end }: Span, exponent: number): number =>
  start >= end ? 0 : Math.ceil(end / 2 ** exponent) - Math.floor(start / 2 ** exponent);

/**
 * Counts precincts and code-blocks before the decoder allocates some hundred bytes for each: a few bytes of header can
 * ask for as many as there are pixels.
 */
export function checkPieces(x: Span, y: Span, style: CodingStyle, bandCount: number): void {
  const { decompositions, precinctExponents, blockExponents, layers } = style;
  let precincts = 0;
  let blocks = 0;
  precinctExponents.forEach((precinct, resolution) => {
    const level = decompositions - resolution;
    const [spanX, spanY] = [spanAtLevel(x, level), spanAtLevel(y, level)];
    precincts += cells(spanX, precinct.x) * cells(spanY, precinct.y);
    // three subbands of half the side have as many blocks as the whole with blocks of twice the side, less a quarter
    const halves = resolution === 0 ? 0 : 1;
    const blockX = Math.min(blockExponents.x, precinct.x - halves) + halves;
    const blockY = Math.min(blockExponents.y, precinct.y - halves) + halves;
    blocks += (resolution === 0 ? 1 : 3) * cells(spanX, blockX) * cells(spanY, blockY);
  });
  const pieces = (precincts + blocks) * bandCount;
  const packets = precincts * bandCount * layers;
  if (pieces > MAX_TILE_PIECES || packets > MAX_PACKETS) {
    throw sourceBroken(
      'jp2-too-many-pieces',
      `A tile of the JPEG 2000 file has ${pieces} pieces in ${packets} packets; at most ${MAX_TILE_PIECES} in ${MAX_PACKETS} are read.`,
    );
  }
}
