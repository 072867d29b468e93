import type { AreaGeometry, LonLat, LonLatBounds, Ring } from '../../geo/index.ts';
import { makeProjection } from '../../proj/index.ts';

/** A tile of Sentinel-2's grid: squares of 100 km of the military grid, which overlap by 9.8 km. */
export interface MgrsTile {
  /** `31TDH`. */
  readonly name: string;
  readonly zone: number;
  readonly latitudeBand: string;
  readonly square: string;
  readonly epsg: number;
  /** The upper left corner in metres of its zone. */
  readonly west: number;
  readonly north: number;
  /** Its frame in degrees, in two parts if it crosses 180°. */
  readonly footprint: AreaGeometry;
}

/** The side of a tile. */
export const TILE_M = 109_800;

const SQUARE_M = 100_000;
/** The largest pixels of a tile; corners are multiples of them, counted from the equator. */
const COARSEST_M = 60;
/** Row letters repeat. */
const ROW_CYCLE_M = 2_000_000;
const SOUTH_M = 10_000_000;
const COLUMN_SETS = ['ABCDEFGH', 'JKLMNPQR', 'STUVWXYZ'];
const ROW_LETTERS = 'ABCDEFGHJKLMNPQRSTUV';
const BANDS = 'CDEFGHJKLMNPQRSTUVWX';
const BAND_DEG = 8;
const LOWEST_DEG = -80;
const HIGHEST_DEG = 84;

const known = new Map<string, MgrsTile>();

/** The tile of a name; throws for a name that no square has. */
export function toMgrsTile(name: string): MgrsTile {
  const found = known.get(name) ?? makeTile(name);
  known.set(name, found);
  return found;
}

function makeTile(name: string): MgrsTile {
  const [, zoneText = '', latitudeBand = '', column = '', row = ''] =
    /^(\d{1,2})([C-X])([A-Z])([A-Z])$/.exec(name) ?? [];
  const zone = Number(zoneText);
  const isNorth = latitudeBand >= 'N';
  const columnNumber = (COLUMN_SETS[(zone - 1) % 3] ?? '').indexOf(column);
  const rowNumber = ROW_LETTERS.indexOf(row);
  const bandNumber = BANDS.indexOf(latitudeBand);
  if (zone < 1 || zone > 60 || columnNumber < 0 || rowNumber < 0 || bandNumber < 0) {
    throw new Error(`${name} is not a tile of Sentinel-2`);
  }
  const epsg = (isNorth ? 32_600 : 32_700) + zone;
  const centreDeg = zone * 6 - 183;
  const [, lowestM] = makeProjection(4326, epsg).forward(centreDeg, LOWEST_DEG + bandNumber * BAND_DEG);
  // Even zones begin five letters later.
  const shifted = (rowNumber + (zone % 2 === 0 ? 15 : 0)) % ROW_LETTERS.length;
  let south = shifted * SQUARE_M;
  while (south + SQUARE_M <= lowestM) south += ROW_CYCLE_M;
  const zeroM = isNorth ? 0 : SOUTH_M;
  const west = Math.floor(((columnNumber + 1) * SQUARE_M) / COARSEST_M) * COARSEST_M;
  const north = Math.ceil((south + SQUARE_M - zeroM) / COARSEST_M) * COARSEST_M + zeroM;
  const footprint = toFootprint(epsg, centreDeg, [west, north - TILE_M, west + TILE_M, north]);
  return {
    name: `${zone}${latitudeBand}${column}${row}`,
    zone,
    latitudeBand,
    square: column + row,
    epsg,
    west,
    north,
    footprint,
  };
}

/** A box of a projection in degrees: its corners, with longitudes on the side of `centreDeg`, cut at 180°. */
export function toFootprint(
  crs: number | string,
  centreDeg: number,
  [west, south, east, north]: readonly [number, number, number, number],
): AreaGeometry {
  const { forward } = makeProjection(crs, 4326);
  const near = (lon: number): number => lon - Math.round((lon - centreDeg) / 360) * 360;
  const round = (value: number): number => Math.round(value * 1e7) / 1e7;
  const corners = (
    [
      [west, north],
      [west, south],
      [east, south],
      [east, north],
      [west, north],
    ] as const
  ).map(([x, y]): LonLat => {
    const [lon, lat] = forward(x, y);
    return [round(near(lon)), round(lat)];
  });
  return cutAtAntimeridian(corners);
}

/** Parts beyond 180° are moved to the other side, as the catalogs have them. */
function cutAtAntimeridian(ring: Ring): AreaGeometry {
  const lons = ring.map(([lon]) => lon);
  if (Math.min(...lons) >= -180 && Math.max(...lons) <= 180) return { type: 'Polygon', coordinates: [ring] };
  const edge = Math.max(...lons) > 180 ? 180 : -180;
  const inner = clip(ring, (lon) => (edge > 0 ? lon <= edge : lon >= edge), edge);
  const outer = clip(ring, (lon) => (edge > 0 ? lon >= edge : lon <= edge), edge).map(
    ([lon, lat]): LonLat => [lon - 2 * edge, lat],
  );
  return { type: 'MultiPolygon', coordinates: [[inner], [outer]] };
}

/** Sutherland and Hodgman, at one meridian. */
function clip(ring: Ring, isInside: (lon: number) => boolean, edge: number): Ring {
  const kept: LonLat[] = [];
  for (let i = 1; i < ring.length; i++) {
    const [from, to] = [ring[i - 1]!, ring[i]!];
    if (isInside(from[0])) kept.push(from);
    if (isInside(from[0]) !== isInside(to[0])) {
      const t = (edge - from[0]) / (to[0] - from[0]);
      kept.push([edge, from[1] + t * (to[1] - from[1])]);
    }
  }
  return [...kept, kept[0]!];
}

/** The names of the tiles whose 100 km squares a box may meet, at most `max` of them; boxes over 180° have `east < west`. */
export function listMgrsTiles({ west, south, east, north }: LonLatBounds, max: number): readonly string[] {
  const names = new Set<string>();
  const whole = east < west ? east + 360 : east;
  // A square is nowhere narrower than 0.9° of latitude; half of that meets all of them.
  const stepDeg = 0.4;
  const steps = (from: number, to: number): readonly number[] => [
    ...Array.from({ length: Math.ceil((to - from) / stepDeg) }, (_, i) => from + i * stepDeg),
    to,
  ];
  for (const lat of steps(Math.max(LOWEST_DEG, south), Math.min(HIGHEST_DEG - 1e-9, north))) {
    for (const lon of steps(west, whole)) {
      names.add(mgrsNameAt(((((lon + 180) % 360) + 360) % 360) - 180, lat));
      if (names.size >= max) return [...names];
    }
  }
  return [...names];
}

/** The name of the square of a place between 80° S and 84° N, without the exceptions of Norway and Svalbard. */
export function mgrsNameAt(lon: number, lat: number): string {
  const zone = Math.min(60, Math.floor((lon + 180) / 6) + 1);
  const band = BANDS[Math.min(BANDS.length - 1, Math.floor((lat - LOWEST_DEG) / BAND_DEG))]!;
  const [x, y] = makeProjection(4326, (lat >= 0 ? 32_600 : 32_700) + zone).forward(lon, lat);
  const column = COLUMN_SETS[(zone - 1) % 3]![Math.floor(x / SQUARE_M) - 1];
  const rowNumber = (Math.floor(y / SQUARE_M) + (zone % 2 === 0 ? 5 : 0)) % ROW_LETTERS.length;
  return `${zone}${band}${column}${ROW_LETTERS[rowNumber]}`;
}
