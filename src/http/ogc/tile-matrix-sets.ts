/** Tile matrix sets of the OGC register that layers are tiled in, and the ground of their tiles. */
import { MERCATOR_HALF_SIDE_M } from '../../geo/index.ts';
import type { PictureGround } from '../../render/index.ts';
import { badInput, notFound } from '../errors.ts';
import { parseWhole } from '../kit/parameters.ts';

/** A tile matrix set: from zoom to zoom pixels halve, and the number of tiles doubles in both directions. */
export interface TileMatrixSet {
  readonly id: string;
  readonly title: string;
  /** As OGC names it. */
  readonly uri: string;
  readonly crsUri: string;
  /** As WMTS names its reference system. */
  readonly crsUrn: string;
  readonly epsg: number;
  /** The upper left corner, in the order of longitude or easting first. */
  readonly origin: readonly [x: number, y: number];
  /** Units of the reference system to a pixel of zoom 0. */
  readonly cellSize: number;
  /** Metres to a unit, as OGC defines scales. */
  readonly unitM: number;
  readonly columns: number;
  readonly rows: number;
  readonly maxZoom: number;
}

/** Pixels of a tile's side. */
export const TILE_PX = 256;

/** Scales are those of pixels of 0.28 mm. */
const OGC_PIXEL_M = 0.00028;

/** Metres to a degree of the equator. */
const DEGREE_M = 111_319.490_793_273_57;

/**
 * The finest zoom level, with pixels of 0.6 m at the equator: no sensor has finer ones. GDAL opens a set at its finest level.
 */
const MAX_SET_ZOOM = 18;

const REGISTER = 'http://www.opengis.net/def/tilematrixset/OGC/1.0';
const CRS = 'http://www.opengis.net/def/crs';

/** All sets. */
export const tileMatrixSets: readonly TileMatrixSet[] = [
  {
    id: 'WebMercatorQuad',
    title: 'Google Maps Compatible for the World',
    uri: `${REGISTER}/WebMercatorQuad`,
    crsUri: `${CRS}/EPSG/0/3857`,
    crsUrn: 'urn:ogc:def:crs:EPSG::3857',
    epsg: 3857,
    origin: [-MERCATOR_HALF_SIDE_M, MERCATOR_HALF_SIDE_M],
    cellSize: (2 * MERCATOR_HALF_SIDE_M) / TILE_PX,
    unitM: 1,
    columns: 1,
    rows: 1,
    maxZoom: MAX_SET_ZOOM,
  },
  {
    id: 'WorldCRS84Quad',
    title: 'CRS84 for the World',
    uri: `${REGISTER}/WorldCRS84Quad`,
    crsUri: `${CRS}/OGC/1.3/CRS84`,
    crsUrn: 'urn:ogc:def:crs:OGC:1.3:CRS84',
    epsg: 4326,
    origin: [-180, 90],
    cellSize: 180 / TILE_PX,
    unitM: DEGREE_M,
    columns: 2,
    rows: 1,
    maxZoom: MAX_SET_ZOOM - 1,
  },
];

/** A set by its name; throws when there is none. */
export function findTileMatrixSet(id: string): TileMatrixSet {
  const found = tileMatrixSets.find((set) => set.id === id);
  if (found !== undefined) return found;
  const names = tileMatrixSets.map((set) => set.id).join(' and ');
  throw notFound('unknown-tile-matrix-set', `There is no such tile matrix set; there are ${names}.`);
}

/** One zoom level of a set. */
export interface TileMatrix {
  readonly zoom: number;
  readonly scaleDenominator: number;
  readonly cellSize: number;
  readonly columns: number;
  readonly rows: number;
}

/** The zoom levels of a set. */
export const listMatrices = (set: TileMatrixSet): readonly TileMatrix[] =>
  Array.from({ length: set.maxZoom + 1 }, (_, zoom) => toMatrix(set, zoom));

const toMatrix = ({ cellSize, unitM, columns, rows }: TileMatrixSet, zoom: number): TileMatrix => {
  const size = cellSize / 2 ** zoom;
  return {
    zoom,
    scaleDenominator: (size * unitM) / OGC_PIXEL_M,
    cellSize: size,
    columns: columns * 2 ** zoom,
    rows: rows * 2 ** zoom,
  };
};

/** Columns and rows of the tiles that some ground touches, both ends included. */
export interface TileLimits {
  readonly zoom: number;
  readonly minColumn: number;
  readonly maxColumn: number;
  readonly minRow: number;
  readonly maxRow: number;
}

/** The tiles of a zoom level that touch a rectangle of the set's reference system. */
export function toLimits(
  set: TileMatrixSet,
  zoom: number,
  { minX, minY, maxX, maxY }: { minX: number; minY: number; maxX: number; maxY: number },
): TileLimits {
  const { cellSize, columns, rows } = toMatrix(set, zoom);
  const [x0, y0] = set.origin;
  const span = cellSize * TILE_PX;
  const clamp = (index: number, count: number): number => Math.min(count - 1, Math.max(0, index));
  return {
    zoom,
    minColumn: clamp(Math.floor((minX - x0) / span), columns),
    maxColumn: clamp(Math.ceil((maxX - x0) / span) - 1, columns),
    minRow: clamp(Math.floor((y0 - maxY) / span), rows),
    maxRow: clamp(Math.ceil((y0 - minY) / span) - 1, rows),
  };
}

/** Where a tile is, in texts of a request. */
export interface TileTexts {
  readonly matrix: string;
  readonly row: string;
  readonly column: string;
}

/** The ground of a tile, and the reference system of its picture: null for that of map tiles. */
export interface TileGround {
  readonly ground: PictureGround;
  readonly epsg: number | null;
  readonly zoom: number;
}

/** Reads the position of a tile. */
export function readTile(set: TileMatrixSet, texts: TileTexts): TileGround {
  // GeoServer's clients write the set before the zoom.
  const zoom = parseWhole(texts.matrix.replace(`${set.id}:`, ''));
  if (zoom === null || zoom > set.maxZoom) {
    throw notFound('no-such-tile', `There is no such tile matrix: ${set.id} has 0 to ${set.maxZoom}.`);
  }
  const { columns, rows, cellSize } = toMatrix(set, zoom);
  const [column, row] = [parseWhole(texts.column), parseWhole(texts.row)];
  if (column === null || row === null) {
    throw badInput('bad-tile', 'The row and the column of a tile are whole numbers from 0.');
  }
  if (column >= columns || row >= rows) {
    throw notFound(
      'no-such-tile',
      `There is no such tile: columns of this matrix run from 0 to ${columns - 1}, rows from 0 to ${rows - 1}.`,
    );
  }
  if (set.epsg === 3857)
    return { ground: { kind: 'tile', tile: { z: zoom, x: column, y: row } }, epsg: null, zoom };
  const span = cellSize * TILE_PX;
  const [minX, maxY] = [set.origin[0] + column * span, set.origin[1] - row * span];
  const bounds = { minX, maxY, maxX: minX + span, minY: maxY - span };
  return { ground: { kind: 'bounds', epsg: set.epsg, bounds }, epsg: set.epsg, zoom };
}
