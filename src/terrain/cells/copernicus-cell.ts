/** The cells of the Copernicus DEM of 30 m: their names, where they lie, and whether a file is the one of its name. */
import type { LonLatBounds } from '../../geo/index.ts';
import type { DemFile } from '../dem.ts';

/** A cell of one degree, by its south-western corner in whole degrees: `lon` from −180 to 179, `lat` from −90 to 89. */
export interface Cell {
  readonly lon: number;
  readonly lat: number;
}

const ROWS = 3_600;
/** Fewer columns towards the poles, so that pixels stay nearly square. */
const COLUMNS: readonly (readonly [fromLat: number, columns: number])[] = [
  [85, 360],
  [80, 720],
  [70, 1_200],
  [60, 1_800],
  [50, 2_400],
  [0, 3_600],
];

/** Pixels of a cell from west to east. */
const columnsAt = (lat: number): number => {
  const fromEquator = lat >= 0 ? lat : -lat - 1;
  return COLUMNS.find(([from]) => fromEquator >= from)![1];
};

/** The name of a cell's tile: `Copernicus_DSM_COG_10_N46_00_E006_00_DEM`. */
export function toCellName({ lon, lat }: Cell): string {
  const write = (value: number, letters: string, digits: number): string =>
    `${letters[value < 0 ? 1 : 0]}${String(Math.abs(value)).padStart(digits, '0')}`;
  return `Copernicus_DSM_COG_10_${write(lat, 'NS', 2)}_00_${write(lon, 'EW', 3)}_00_DEM`;
}

/**
 * What the tile of a cell covers. Its pixels are points: the first ones lie on the western and northern degree, so it
 * begins half a pixel before them. `west` of the cells at 180° is less than −180.
 */
const toCellBounds = ({ lon, lat }: Cell): LonLatBounds => {
  const [west, south] = [lon - 0.5 / columnsAt(lat), lat + 0.5 / ROWS];
  return { west, south, east: west + 1, north: south + 1 };
};

/** The cells that meet bounds, which may exceed ±180; at most `limit` of them. */
export function listCells({ west, south, east, north }: LonLatBounds, limit: number): readonly Cell[] {
  const cells = new Map<string, Cell>();
  // South of the last row there is half a pixel that no cell has.
  const toRow = (lat: number): number => Math.max(-90, Math.min(89, Math.floor(lat - 0.5 / ROWS)));
  for (let lat = toRow(south); lat <= toRow(north); lat++) {
    const toColumn = (lon: number): number => Math.floor(lon + 0.5 / columnsAt(lat));
    for (let column = toColumn(west); column <= toColumn(east); column++) {
      if (cells.size >= limit) return [...cells.values()];
      const lon = ((((column + 180) % 360) + 360) % 360) - 180;
      cells.set(`${lon} ${lat}`, { lon, lat });
    }
  }
  return [...cells.values()];
}

/** How an image is placed. */
type Placed = Pick<DemFile, 'epsg' | 'proj' | 'transform' | 'width' | 'height'>;

/** Why an image is not the tile of a cell; null if it is. */
export function findCellFault({ epsg, proj, transform, width, height }: Placed, cell: Cell): string | null {
  const columns = columnsAt(cell.lat);
  if (epsg !== 4326 || proj !== undefined) return 'its reference system is not EPSG:4326';
  if (width !== columns || height !== ROWS) {
    return `it has ${width} × ${height} pixels instead of ${columns} × ${ROWS}`;
  }
  const [left, across, skewX, top, skewY, down] = transform;
  const { west, north, east, south } = toCellBounds(cell);
  const offsPx = [
    (left - west) * columns,
    (left + across * width - east) * columns,
    (top - north) * ROWS,
    (top + down * height - south) * ROWS,
  ];
  // Other copies of the tiles may place them by the corners of pixels.
  const isHere = skewX === 0 && skewY === 0 && offsPx.every((off) => Math.abs(off) < 0.75);
  return isHere ? null : 'it lies elsewhere';
}

/**
 * The land whose tiles of 30 m Copernicus has not released, with all of its surroundings that are not sea: where a cell is
 * missing in there, its height is unknown.
 */
export const UNRELEASED: readonly LonLatBounds[] = [
  // Armenia and Azerbaijan, from the border of Georgia to that of Iran, with a part of the Caspian Sea, which lies at −28 m.
  { west: 43, south: 38, east: 51, north: 42 },
];
