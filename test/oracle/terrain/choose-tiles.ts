import type { Grid, LonLatBounds, Tile } from '../../../src/geo/index.ts';
import { tileAt } from '../../../src/geo/index.ts';
import { aTicket } from '../../../src/pool/testing/run-here.ts';
import { makeProjection } from '../../../src/proj/index.ts';
import type { DemFile } from '../../../src/terrain/index.ts';
import type { OpenedDem } from './serve-dem.ts';

/** A tile to compare. */
export interface WantedTile extends Tile {
  readonly sizePx: 256 | 512;
  /** Whether relief and contours are compared too, in addition to the heights. */
  readonly hasRelief: boolean;
}

/** Where tiles are compared. */
export type Spot = readonly [lon: number, lat: number];

/** A location in degrees. */
export interface Point {
  readonly lon: number;
  readonly lat: number;
}

/** Zoom levels from the one nearest to the pixels of the files: averages, overviews, all methods, and far beyond. */
const ZOOMS = [-6, -4, -3, -2, -1, 0, 1, 3] as const;
/** Of these relief is compared, around the first location. */
const RELIEF_ZOOMS: readonly number[] = [-2, 0, 2];
const [MIN_ZOOM, MAX_ZOOM] = [1, 16];
/** Where Web Mercator ends. */
const MAX_LATITUDE = 85;
/** Metres a pixel of the whole map as one tile. */
const WHOLE_MAP_M = 156_543.033_928;

const { forward } = makeProjection(4326, 3857);

/** The tiles around locations; none where Web Mercator does not reach. */
export function chooseTiles(files: readonly DemFile[], spots: readonly Spot[]): readonly WantedTile[] {
  const resolutionM = Math.min(...files.map((file) => file.resolutionM));
  const tiles = new Map<string, WantedTile>();
  for (const [i, [lon, lat]] of spots.entries()) {
    if (Math.abs(lat) > MAX_LATITUDE) continue;
    const native = Math.round(Math.log2((WHOLE_MAP_M * Math.cos((lat * Math.PI) / 180)) / resolutionM));
    const [x, y] = forward(lon, lat);
    const add = (zoom: number, sizePx: 256 | 512, hasRelief: boolean): void => {
      const tile = tileAt(Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, zoom)), x, y);
      const key = [tile.z, tile.x, tile.y, sizePx].join();
      if (hasRelief || !tiles.has(key)) tiles.set(key, { ...tile, sizePx, hasRelief });
    };
    for (const step of ZOOMS) add(native + step, 256, false);
    add(native, 512, false);
    if (i === 0) for (const step of RELIEF_ZOOMS) add(native + step, 256, true);
  }
  return [...tiles.values()];
}

/** Samples a side of the grid in which high ground is searched for. */
const SAMPLES = 64;

/** Locations of a model that is not known: its highest ground, its middle and a corner. */
export async function findSpots({ records, readGrid }: OpenedDem): Promise<readonly Spot[]> {
  const { west, south, east, north } = hullOf(records);
  const step = [(east - west) / SAMPLES, (south - north) / SAMPLES] as const;
  const grid: Grid = {
    epsg: 4326,
    transform: [west, step[0], 0, north, 0, step[1]],
    width: SAMPLES,
    height: SAMPLES,
  };
  const heights = await readGrid({ grid, isFiltered: false }, aTicket);
  // Unknown heights are NaN, which is never greater than another number.
  const top = heights.reduce((max, heightM) => (heightM > max ? heightM : max), -Infinity);
  const highest = Math.max(0, heights.indexOf(top));
  const toSpot = (column: number, row: number): Spot => [
    toLongitude(west + column * step[0]),
    north + row * step[1],
  ];
  return [
    toSpot((highest % SAMPLES) + 0.5, Math.floor(highest / SAMPLES) + 0.5),
    toSpot(SAMPLES / 2, SAMPLES / 2),
    toSpot(0.1, 0.1),
  ];
}

/** Locations all over the files and a little outside of them, the same in every run. */
export function choosePoints(files: readonly DemFile[], count: number): readonly Point[] {
  let state = 12_345;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const { west, south, east, north } = hullOf(files);
  const between = (low: number, high: number): number =>
    Number((low + (1.06 * random() - 0.03) * (high - low)).toFixed(7));
  return Array.from({ length: count }, () => ({
    lon: toLongitude(between(west, east)),
    lat: Math.max(-90, Math.min(90, between(south, north))),
  }));
}

/** The bounds of all files; those west of the antimeridian come first. */
function hullOf(files: readonly DemFile[]): LonLatBounds {
  const isAcross =
    files.some(({ bounds }) => bounds.east >= 180) && files.some(({ bounds }) => bounds.west < 0);
  const turned = files.map(({ bounds: { west, east } }) =>
    isAcross && west < 0 ? [west + 360, east + 360] : [west, east],
  ) as readonly (readonly [number, number])[];
  return {
    west: Math.min(...turned.map(([west]) => west)),
    east: Math.max(...turned.map(([, east]) => east)),
    south: Math.min(...files.map(({ bounds }) => bounds.south)),
    north: Math.max(...files.map(({ bounds }) => bounds.north)),
  };
}

const toLongitude = (lon: number): number => Number((lon > 180 ? lon - 360 : lon).toFixed(7));
