import type { CodingStyle } from '../headers/coding-style.ts';
import type { Span } from '../headers/tile-grid.ts';
import { spanAtLevel } from '../headers/tile-grid.ts';

/** Code-blocks of one subband inside one precinct, row by row. */
export interface BlockGrid {
  readonly across: number;
  readonly down: number;
}

interface Axes<Value> {
  readonly x: Value;
  readonly y: Value;
}

/** Subbands of a resolution in the order of a packet; 1 is the high-pass side of an axis. */
const SUBBANDS = [
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: 1, y: 1 },
] as const;

/** Code-blocks of a precinct in each subband of its resolution (ISO/IEC 15444-1, B.5 to B.7). */
export function toBlockGrids(
  tile: Axes<Span>,
  precinct: Axes<number>,
  resolution: number,
  style: CodingStyle,
): readonly BlockGrid[] {
  const level = style.decompositions - resolution;
  const exponents = style.precinctExponents[resolution]!;
  const count = (axis: 'x' | 'y', high: 0 | 1): number => {
    // The smallest resolution is a subband itself; the others have halves, in precincts of half the side.
    const halves = resolution === 0 ? 0 : 1;
    const side = 2 ** (exponents[axis] - halves);
    const shift = high * 2 ** level;
    const { start, end } = tile[axis];
    const band = spanAtLevel({ start: start - shift, end: end - shift }, level + halves);
    const from = Math.max(band.start, precinct[axis] * side);
    const to = Math.min(band.end, (precinct[axis] + 1) * side);
    const block = Math.min(2 ** style.blockExponents[axis], side);
    return from >= to ? 0 : Math.ceil(to / block) - Math.floor(from / block);
  };
  const subbands = resolution === 0 ? [{ x: 0, y: 0 } as const] : SUBBANDS;
  return subbands.map(({ x, y }) => ({ across: count('x', x), down: count('y', y) }));
}
