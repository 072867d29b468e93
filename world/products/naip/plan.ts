import { badInput } from '../../../src/errors.ts';
import { makeProjection } from '../../../src/proj/index.ts';
import { epsg, frame } from '../../setting.ts';
import type { LocalWindow } from '../local-window.ts';

/** One image of NAIP. */
export interface NaipPlan {
  /** When it was flown, milliseconds since 1970. */
  readonly atMs: number;
  /** Three colours, or near infrared too. */
  readonly samples: 'rgb' | 'rgbir';
  /** A location in the quarter quadrangle, in local metres; the middle of the image when that is a crop. */
  readonly x: number;
  readonly y: number;
  /** Side of the crop in whole metres, or null for all of the quarter: 5.3 × 7.6 km. */
  readonly cropM: number | null;
  readonly seed: number;
}

/** What a plan comes to. */
export interface NaipImage {
  readonly quarter: QuarterQuad;
  readonly window: LocalWindow;
  /** `m_4812243_ne_10_1_20230712`. */
  readonly name: string;
  /** Names of the folders it lies in, from the state down. */
  readonly folders: readonly string[];
}

/** Names an image and finds what it shows. */
export function toNaipImage({ atMs, samples, x, y, cropM }: NaipPlan): NaipImage {
  const quarter = findQuarterQuad(x, y);
  const day = new Date(atMs).toISOString().slice(0, 10).replaceAll('-', '');
  const quad = `${quarter.block}${String(quarter.quad).padStart(2, '0')}`;
  return {
    quarter,
    window: cropM === null ? quarter.window : crop(quarter.window, { x, y, cropM }),
    // zone 10, pixels of 1 m
    name: `m_${quad}_${quarter.quarter}_10_1_${day}`,
    folders: ['wa', day.slice(0, 4), '1m', samples, quarter.block],
  };
}

/** A square around a location, moved where it would leave the image. */
function crop(whole: LocalWindow, { x, y, cropM }: { x: number; y: number; cropM: number }): LocalWindow {
  if (!Number.isInteger(cropM) || cropM < 1 || cropM > Math.min(whole.widthM, whole.heightM)) {
    throw badInput('bad-crop', `A crop of ${cropM} m does not fit into a quarter quadrangle.`);
  }
  const begin = (middle: number, from: number, lengthM: number) =>
    Math.min(Math.max(from, Math.round(middle - cropM / 2)), from + lengthM - cropM);
  return {
    x: begin(x, whole.x, whole.widthM),
    y: begin(y, whole.y, whole.heightM),
    widthM: cropM,
    heightM: cropM,
  };
}

/** NAD83 / UTM zone 10N: the same metres as the world's own zone of WGS 84. */
export const naipEpsg = 26910;

/** A quarter of a quadrangle of the USGS, 3.75 minutes square. */
interface QuarterQuad {
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
