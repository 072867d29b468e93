import type { CodingStyle, Progression, Span } from '../headers/main-header.ts';
import { spanAtLevel } from '../headers/main-header.ts';
import { MAX_INDEXED_PACKETS } from '../limits.ts';

/** A tile of an image that begins at 0, 0. */
export interface TileCut {
  readonly x: Span;
  readonly y: Span;
  readonly bandCount: number;
  readonly style: CodingStyle;
}

/** One precinct of one band: a packet for each layer belongs to it. */
export interface Precinct {
  readonly resolution: number;
  readonly band: number;
  /** The corner at which the order of packets reaches it, on the grid of the full image. */
  readonly x: number;
  readonly y: number;
  /** Code-blocks of each of its subbands. */
  readonly grids: readonly BlockGrid[];
}

/** One packet: a layer of a precinct. */
export interface Packet {
  readonly precinct: Precinct;
  readonly layer: number;
}

/** Whether the packets of the small resolutions come before all others of a tile. */
export const isFrontLoaded = ({ progression, layers }: CodingStyle): boolean =>
  progression === 'RLCP' || progression === 'RPCL' || (progression === 'LRCP' && layers === 1);

/** Lists all packets of a tile in their order; null when there are more than are worth an index. */
export function listPackets(tile: TileCut): readonly Packet[] | null {
  const { layers, progression } = tile.style;
  const precincts = listPrecincts(tile, MAX_INDEXED_PACKETS / layers);
  if (precincts === null) return null;
  const all = Array.from({ length: layers }, (_, layer) => layer);
  const inLayer = (some: readonly Precinct[]) => (layer: number) =>
    some.map((precinct) => ({ precinct, layer }));
  switch (progression) {
    case 'LRCP':
      return all.flatMap(inLayer(precincts));
    case 'RLCP':
      return tile.style.precinctExponents.flatMap((_, resolution) =>
        all.flatMap(inLayer(precincts.filter((precinct) => precinct.resolution === resolution))),
      );
    default:
      return precincts
        .toSorted(byPosition(progression))
        .flatMap((precinct) => all.map((layer) => ({ precinct, layer })));
  }
}

/** The order of precincts where the position comes before the layer. */
function byPosition(progression: Progression): (a: Precinct, b: Precinct) => number {
  const position = (a: Precinct, b: Precinct) => a.y - b.y || a.x - b.x;
  switch (progression) {
    case 'RPCL':
      return (a, b) => a.resolution - b.resolution || position(a, b) || a.band - b.band;
    case 'PCRL':
      return (a, b) => position(a, b) || a.band - b.band || a.resolution - b.resolution;
    default:
      return (a, b) => a.band - b.band || position(a, b) || a.resolution - b.resolution;
  }
}

/** All precincts: by resolution, by band, row by row. */
function listPrecincts({ x, y, bandCount, style }: TileCut, max: number): readonly Precinct[] | null {
  const precincts: Precinct[] = [];
  for (const [resolution, exponents] of style.precinctExponents.entries()) {
    const level = style.decompositions - resolution;
    const columns = toSteps(x, level, exponents.x);
    const rows = toSteps(y, level, exponents.y);
    if (precincts.length + columns.length * rows.length * bandCount > max) return null;
    for (let band = 0; band < bandCount; band++) {
      for (const row of rows) {
        for (const column of columns) {
          const grids = toBlockGrids({ x, y }, { x: column.index, y: row.index }, resolution, style);
          precincts.push({ resolution, band, x: column.at, y: row.at, grids });
        }
      }
    }
  }
  return precincts;
}

/** Precincts of one axis at a level, by their numbers from the image's corner. */
function toSteps(span: Span, level: number, exponent: number): readonly { index: number; at: number }[] {
  const { start, end } = spanAtLevel(span, level);
  if (start >= end) return [];
  const side = 2 ** exponent;
  const first = Math.floor(start / side);
  return Array.from({ length: Math.ceil(end / side) - first }, (_, i) => {
    const corner = (first + i) * side;
    // One that begins before the tile is reached at the tile's corner (ISO/IEC 15444-1, B.12.1.3).
    return { index: first + i, at: corner < start ? span.start : corner * 2 ** level };
  });
}

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
function toBlockGrids(
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
