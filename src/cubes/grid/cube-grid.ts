/** A regular grid of longitudes and latitudes, rows from north to south, columns from west to east. */
export interface CubeGrid {
  /** Longitude of the middle of the first column; a turn more or less does not matter. */
  readonly west: number;
  /** Latitude of the middle of the first row. */
  readonly north: number;
  readonly lonStep: number;
  readonly latStep: number;
  readonly width: number;
  readonly height: number;
}

/** Middles of two files of one grid differ by rounding only: less than this share of a cell. */
const SAME_SHARE = 0.01;

/** Cells of a grid; 0.05 degrees around the world are 26 million. */
export const MAX_CELLS = 2 ** 25;

/** Whether two grids are the same, but for rounding and whole turns. */
export function isSameGrid(one: CubeGrid, other: CubeGrid): boolean {
  if (one.width !== other.width || one.height !== other.height) return false;
  const { lonStep, latStep, width, height } = one;
  const turn = toTurn(one.west - other.west + 180) - 180;
  return (
    Math.abs(turn) < SAME_SHARE * lonStep &&
    Math.abs(one.north - other.north) < SAME_SHARE * latStep &&
    Math.abs(lonStep - other.lonStep) * width < SAME_SHARE * lonStep &&
    Math.abs(latStep - other.latStep) * height < SAME_SHARE * latStep
  );
}

/** Whether the last column of a grid touches the first one. */
export const isRoundTheWorld = ({ lonStep, width }: CubeGrid): boolean =>
  Math.abs(lonStep * width - 360) < SAME_SHARE * lonStep;

/** Degrees as an angle from 0 to below 360. */
const toTurn = (degrees: number): number => ((degrees % 360) + 360) % 360;

/** A longitude in columns from the western edge of the grid, 0 to below a whole turn. */
export const toColumn = ({ west, lonStep }: CubeGrid, lon: number): number =>
  toTurn(lon - (west - lonStep / 2)) / lonStep;

/** A latitude in rows from the northern edge of the grid. */
export const toRow = ({ north, latStep }: CubeGrid, lat: number): number =>
  (north + latStep / 2 - lat) / latStep;
