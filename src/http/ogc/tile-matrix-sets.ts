/** Tile matrix sets that layers are tiled in: those of the OGC register, and those of the operator. */
import { MERCATOR_HALF_SIDE_M } from '../../geo/index.ts';
import { notFound } from '../errors.ts';
import type { Layer } from './layers.ts';

/** One zoom level of a set. */
export interface TileMatrix {
  readonly id: string;
  readonly scaleDenominator: number;
  /** Units of the reference system to a pixel. */
  readonly cellSize: number;
  /** The upper left corner, longitude or easting first. */
  readonly origin: readonly [x: number, y: number];
  readonly tileWidth: number;
  readonly tileHeight: number;
  readonly columns: number;
  readonly rows: number;
}

/** A tile matrix set. */
export interface TileMatrixSet {
  readonly id: string;
  readonly title: string;
  /** As the register names it; null for a set of the operator. */
  readonly uri: string | null;
  readonly crsUri: string;
  /** As WMTS names its reference system. */
  readonly crsUrn: string;
  readonly epsg: number;
  /** Whether documents write coordinates with the northing first. */
  readonly isNorthFirst: boolean;
  /** Metres to a unit, as OGC defines scales. */
  readonly unitM: number;
  /** From coarse to fine; at least one. */
  readonly matrices: readonly TileMatrix[];
}

/** Pixels of a tile's side, in sets of the register. */
export const TILE_PX = 256;

/** Scales are those of pixels of 0.28 mm. */
const OGC_PIXEL_M = 0.00028;

/** Metres to a degree of the equator. */
export const DEGREE_M = 111_319.490_793_273_57;

/** The finest zoom level, with pixels of 0.6 m: no sensor has finer ones. GDAL opens a set at its finest level. */
const MAX_SET_ZOOM = 18;

const REGISTER = 'http://www.opengis.net/def/tilematrixset/OGC/1.0';
const CRS = 'http://www.opengis.net/def/crs';

/** The scale of cells, as a denominator. */
export const toScale = (cellSize: number, unitM: number): number => (cellSize * unitM) / OGC_PIXEL_M;

/** The first level of a set whose pixels halve from level to level, while the tiles double in both directions. */
interface Quad {
  readonly first: number;
  readonly last: number;
  readonly origin: readonly [x: number, y: number];
  readonly cellSize: number;
  readonly unitM: number;
  readonly columns: number;
  readonly rows: number;
}

const toMatrices = ({ first, last, origin, cellSize, unitM, columns, rows }: Quad): readonly TileMatrix[] =>
  Array.from({ length: last - first + 1 }, (_, i) => ({
    id: `${first + i}`,
    scaleDenominator: toScale(cellSize / 2 ** i, unitM),
    cellSize: cellSize / 2 ** i,
    origin,
    tileWidth: TILE_PX,
    tileHeight: TILE_PX,
    columns: columns * 2 ** i,
    rows: rows * 2 ** i,
  }));

/** Tiles of the first door. */
export const webMercatorQuad: TileMatrixSet = {
  id: 'WebMercatorQuad',
  title: 'Google Maps Compatible for the World',
  uri: `${REGISTER}/WebMercatorQuad`,
  crsUri: `${CRS}/EPSG/0/3857`,
  crsUrn: 'urn:ogc:def:crs:EPSG::3857',
  epsg: 3857,
  isNorthFirst: false,
  unitM: 1,
  matrices: toMatrices({
    first: 0,
    last: MAX_SET_ZOOM,
    origin: [-MERCATOR_HALF_SIDE_M, MERCATOR_HALF_SIDE_M],
    cellSize: (2 * MERCATOR_HALF_SIDE_M) / TILE_PX,
    unitM: 1,
    columns: 1,
    rows: 1,
  }),
};

const worldCrs84Quad: TileMatrixSet = {
  id: 'WorldCRS84Quad',
  title: 'CRS84 for the World',
  uri: `${REGISTER}/WorldCRS84Quad`,
  crsUri: `${CRS}/OGC/1.3/CRS84`,
  crsUrn: 'urn:ogc:def:crs:OGC:1.3:CRS84',
  epsg: 4326,
  isNorthFirst: false,
  unitM: DEGREE_M,
  matrices: toMatrices({
    first: 0,
    last: MAX_SET_ZOOM - 1,
    origin: [-180, 90],
    cellSize: 180 / TILE_PX,
    unitM: DEGREE_M,
    columns: 2,
    rows: 1,
  }),
};

/** Half a meridian: the height of a tile of level 1, and the northing of the upper edge. */
const MERIDIAN_M = 20_003_931.458_625_5;

const UTM_ZONES = 60;

/** Zones of the north for both hemispheres, as the register has them: southern northings are negative. */
const utmSets: readonly TileMatrixSet[] = Array.from({ length: UTM_ZONES }, (_, i): TileMatrixSet => {
  const zone = `${i + 1}`.padStart(2, '0');
  const id = `UTM${zone}WGS84Quad`;
  return {
    id,
    title: `Universal Transverse Mercator Zone ${zone} WGS84 Quad`,
    uri: `${REGISTER}/${id}`,
    crsUri: `${CRS}/EPSG/0/326${zone}`,
    crsUrn: `urn:ogc:def:crs:EPSG::326${zone}`,
    epsg: 32_601 + i,
    isNorthFirst: false,
    unitM: 1,
    matrices: toMatrices({
      first: 1,
      last: MAX_SET_ZOOM,
      origin: [-9_501_965.729_312_76, MERIDIAN_M],
      cellSize: MERIDIAN_M / TILE_PX,
      unitM: 1,
      columns: 1,
      rows: 2,
    }),
  };
});

/** Sets of the register; no other set may have their names. */
export const registeredSets: readonly TileMatrixSet[] = [webMercatorQuad, worldCrs84Quad, ...utmSets];

/** The sets of a service. */
export interface TileMatrixSets {
  readonly all: readonly TileMatrixSet[];
  /** A set by its name; throws when there is none. */
  find(id: string): TileMatrixSet;
  /** The sets that documents offer for a layer. */
  of(layer: Pick<Layer, 'source' | 'bounds'>): readonly TileMatrixSet[];
}

/** The sets of the register and those of the operator. */
export function makeTileMatrixSets(custom: readonly TileMatrixSet[]): TileMatrixSets {
  const all = [...registeredSets, ...custom];
  const byId = new Map(all.map((set) => [set.id, set]));
  return {
    all,
    find(id) {
      const found = byId.get(id);
      if (found !== undefined) return found;
      const own = custom.map((set) => set.id);
      const names = ['WebMercatorQuad', 'WorldCRS84Quad', 'UTM01WGS84Quad to UTM60WGS84Quad', ...own];
      throw notFound(
        'unknown-tile-matrix-set',
        `There is no such tile matrix set; there are ${names.join(', ')}.`,
      );
    },
    of({ source, bounds }) {
      if (source.kind === 'terrain') return [webMercatorQuad, ...custom.filter(({ epsg }) => epsg === 3857)];
      return [webMercatorQuad, worldCrs84Quad, ...toUtmSets(bounds), ...custom];
    },
  };
}

/** Layers that are wider than this are offered without UTM: programs would read 60 sets to use none of them. */
const MAX_UTM_ZONES = 6;

/** The zones that a layer touches. */
function toUtmSets({ west, east }: Layer['bounds']): readonly TileMatrixSet[] {
  const [first, last] = [Math.floor((west + 180) / 6), Math.ceil((east + 180) / 6) - 1];
  if (last - first >= MAX_UTM_ZONES) return [];
  const zones = Array.from({ length: Math.max(1, last - first + 1) }, (_, i) => first + i);
  return zones.flatMap((zone) => utmSets[((zone % UTM_ZONES) + UTM_ZONES) % UTM_ZONES] ?? []);
}

/** The ground of a UTM zone in degrees; null for other sets, which have ground of any longitude. */
export function toZoneOf(set: TileMatrixSet): { readonly west: number; readonly east: number } | null {
  const zone = utmSets.indexOf(set);
  return zone < 0 ? null : { west: zone * 6 - 180, east: zone * 6 - 174 };
}

/** The zoom level of map tiles whose pixels are about as large at the equator. */
export const toMapZoom = ({ cellSize }: TileMatrix, { unitM }: TileMatrixSet): number =>
  Math.round(Math.log2((2 * MERCATOR_HALF_SIDE_M) / TILE_PX / (cellSize * unitM)));

/** A position as documents write it: in the order of the axes. */
export const toAxes = (
  [x, y]: readonly [x: number, y: number],
  { isNorthFirst }: Pick<TileMatrixSet, 'isNorthFirst'>,
): readonly [number, number] => (isNorthFirst ? [y, x] : [x, y]);
