import type { LonLatBounds } from '../../geo/index.ts';
import type { DemFile } from '../dem.ts';

/** One overview mosaic to make: square cells of degrees, a file each. */
export interface OverviewPlan {
  /** 1 for the finest. */
  readonly overview: number;
  /** Side of a pixel in degrees. */
  readonly pixelDeg: number;
  /** Pixels a side of a cell. */
  readonly cellPx: number;
  readonly cells: readonly OverviewCell[];
}

/** A file of an overview mosaic. */
export interface OverviewCell {
  /** Names the cell in its mosaic: column and row from 180° W, 90° S. */
  readonly name: string;
  readonly bounds: LonLatBounds;
}

/** Pixels a side of a cell. Its file has reduced copies down to 512 pixels, so that one mosaic serves four zoom levels. */
const CELL_PX = 4096;
/** Pixels of the finest mosaic are at most so many pixels of the model. */
const FIRST_FACTOR = 4;
/** Pixels of each further mosaic are at most so many of the previous one: twice what its reduced copies cover. */
const NEXT_FACTOR = 16;
/** Files that a tile may read without mosaics. */
const MAX_FILES = 16;
/** Pixels a side that a tile may read of each of these files. */
const MAX_LEVEL_PX = 2_048;
/** A mosaic of so few cells needs no other above it. */
const FEW_CELLS = 4;
/** Max side of a cell: the whole map is nine of them. */
const MAX_CELL_DEG = 128;
/** A degree of latitude in metres, on a sphere. */
const DEGREE_M = 111_195;

/** The fields of a model's files that a plan needs. */
export type PlannedFile = Pick<DemFile, 'format' | 'bounds' | 'resolutionM' | 'width' | 'height' | 'levels'>;

/** The overview mosaics that a model needs, finest first; none if tiles of all zoom levels read little without. */
export function planOverviews(files: readonly PlannedFile[], cellPx = CELL_PX): readonly OverviewPlan[] {
  if (files.length <= MAX_FILES && files.every(hasSmallLevel)) return [];
  const finestDeg = Math.min(...files.map(({ resolutionM }) => resolutionM)) / DEGREE_M;
  const plans: OverviewPlan[] = [];
  for (let pixelDeg = FIRST_FACTOR * finestDeg; ; pixelDeg *= NEXT_FACTOR) {
    // Sides are powers of two, so that cells of all mosaics share their edges.
    const cellDeg = Math.min(MAX_CELL_DEG, 2 ** Math.floor(Math.log2(cellPx * pixelDeg)));
    const cells = cellsOf(files, cellDeg);
    plans.push({ overview: plans.length + 1, pixelDeg: cellDeg / cellPx, cellPx, cells });
    if (cells.length <= FEW_CELLS || cellDeg === MAX_CELL_DEG) return plans;
  }
}

/** Pyramids are their own overviews. */
const hasSmallLevel = ({ format, width, height, levels }: PlannedFile): boolean => {
  if (format === 'terrarium') return true;
  const last = levels.at(-1) ?? { width, height };
  return Math.max(last.width, last.height) <= MAX_LEVEL_PX;
};

/** The cells that a file touches, in order. */
function cellsOf(files: readonly PlannedFile[], cellDeg: number): readonly OverviewCell[] {
  const found = new Map<string, OverviewCell>();
  for (const { bounds } of files) {
    const [firstRow, lastRow] = rangeOf(bounds.south + 90, bounds.north + 90, cellDeg);
    const [firstColumn, lastColumn] = rangeOf(bounds.west + 180, bounds.east + 180, cellDeg);
    for (let row = firstRow; row <= lastRow; row++) {
      for (let column = firstColumn; column <= lastColumn; column++) {
        const cell = toCell(column, row, cellDeg);
        if (cell !== null) found.set(cell.name, cell);
      }
    }
  }
  return [...found.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** A file that exceeds a cell by less than this has pixels that are centred on its edge. */
const SLACK_DEG = 1e-3;

function rangeOf(from: number, to: number, cellDeg: number): readonly [first: number, last: number] {
  const slack = Math.min(SLACK_DEG, (to - from) / 4);
  return [Math.floor((from + slack) / cellDeg), Math.floor((to - slack) / cellDeg)];
}

function toCell(column: number, row: number, cellDeg: number): OverviewCell | null {
  const turn = Math.ceil(360 / cellDeg);
  // Beyond the antimeridian the count begins anew; cells of 128° overlap there, which does no harm.
  const wrapped = column >= turn ? column - turn : column;
  const west = wrapped * cellDeg - 180;
  const south = row * cellDeg - 90;
  if (west >= 180 || south >= 90 || south + cellDeg <= -90) return null;
  return {
    name: `${wrapped}-${row}`,
    bounds: { west, south, east: west + cellDeg, north: south + cellDeg },
  };
}
