import { makeProjection } from '../../../src/proj/index.ts';
import { epsg, frame } from '../../setting/frame.ts';
import type { LocalWindow } from '../local-window.ts';

/** NAD83 / UTM zone 10N: the same metres as the world's own zone of WGS 84. */
export const naipEpsg = 26910;

/** A quarter of a quadrangle of the USGS, 3.75 minutes square. */
export interface QuarterQuad {
  /** The square of one degree by its south-eastern corner: latitude, then longitude west in three digits. */
  readonly block: string;
  /** Quadrangle of 7.5 minutes in the square, 1 to 64, line after line from the north-west. */
  readonly quad: number;
  readonly quarter: 'nw' | 'ne' | 'sw' | 'se';
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  /** Its image in whole metres: the quarter and the 300 m around it that images overlap by. */
  readonly window: LocalWindow;
}

/** Quarters of a degree's side. */
const PER_DEGREE = 16;
const OVERLAP_M = 300;

/** The quarter that a location, in local metres, lies in. */
export function findQuarterQuad(x: number, y: number): QuarterQuad {
  const [lon, lat] = makeProjection(epsg, 4326).forward(frame.west + x, frame.north - y);
  // counted from the corner of the square in the north-west
  const [blockWest, blockNorth] = [Math.floor(lon), Math.ceil(lat)];
  const col = Math.floor((lon - blockWest) * PER_DEGREE);
  const row = Math.floor((blockNorth - lat) * PER_DEGREE);
  const west = blockWest + col / PER_DEGREE;
  const north = blockNorth - row / PER_DEGREE;
  const [east, south] = [west + 1 / PER_DEGREE, north - 1 / PER_DEGREE];
  const block = `${blockNorth - 1}${String(-blockWest - 1).padStart(3, '0')}`;
  return {
    block,
    quad: (row >> 1) * 8 + (col >> 1) + 1,
    quarter: `${row % 2 === 0 ? 'n' : 's'}${col % 2 === 0 ? 'w' : 'e'}`,
    west,
    south,
    east,
    north,
    window: toWindow([
      [west, north],
      [east, north],
      [west, south],
      [east, south],
    ]),
  };
}

function toWindow(corners: readonly (readonly [lon: number, lat: number])[]): LocalWindow {
  const { forward } = makeProjection(4326, epsg);
  const locations = corners.map(([lon, lat]) => forward(lon, lat));
  const xs = locations.map(([east]) => east - frame.west);
  const ys = locations.map(([, north]) => frame.north - north);
  const x = Math.floor(Math.min(...xs)) - OVERLAP_M;
  const y = Math.floor(Math.min(...ys)) - OVERLAP_M;
  return {
    x,
    y,
    widthM: Math.ceil(Math.max(...xs)) + OVERLAP_M - x,
    heightM: Math.ceil(Math.max(...ys)) + OVERLAP_M - y,
  };
}
