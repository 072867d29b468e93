import { damaged, over, unread } from '../bytes/grib-errors.ts';
import { MAX_POINTS } from '../limits.ts';

/** The order in which the points of a grid are stored. */
export interface ScanOrder {
  readonly isEastFirst: boolean;
  readonly isSouthFirst: boolean;
  /** Columns one after the other instead of rows. */
  readonly isByColumn: boolean;
  /** Every second row, or column, goes the other way. */
  readonly isAlternating: boolean;
}

/** A regular grid of longitudes and latitudes. */
export interface GribGrid {
  readonly width: number;
  readonly height: number;
  /** Degrees of the first column from the west and of the first row from the north. */
  readonly west: number;
  readonly north: number;
  readonly lonStep: number;
  readonly latStep: number;
  readonly scan: ScanOrder;
}

/** What the header of a grid says, in degrees. */
export interface StatedGrid {
  readonly width: number;
  readonly height: number;
  readonly firstLat: number;
  readonly firstLon: number;
  readonly lastLat: number;
  readonly lastLon: number;
  /** Null where the header leaves it open. */
  readonly lonStep: number | null;
  readonly latStep: number | null;
  /** Degrees of the last digit: a thousandth in edition 1, a millionth in edition 2. */
  readonly unit: number;
  readonly scan: number;
}

/** A grid of the numbers of its header: steps are computed from the corners, which are rounded once and not at each step. */
export function toGribGrid(stated: StatedGrid): GribGrid {
  const { width, height, firstLat, lastLat, firstLon, lastLon, unit } = stated;
  if (width * height > MAX_POINTS) throw over('A grid', width * height, MAX_POINTS);
  if (width < 2 || height < 2)
    throw unread('grid-single', 'A grid of the GRIB file has fewer than two rows or columns.');
  if (
    Math.abs(firstLat) > 90 ||
    Math.abs(lastLat) > 90 ||
    Math.abs(firstLon) > 720 ||
    Math.abs(lastLon) > 720
  )
    throw damaged('a grid has latitudes or longitudes that do not exist');
  const scan = toScanOrder(stated.scan);
  const latSpan = scan.isSouthFirst ? lastLat - firstLat : firstLat - lastLat;
  const lonSpan = toTurn(scan.isEastFirst ? firstLon - lastLon : lastLon - firstLon);
  // A column that closes the circle is the first one again.
  const latStep = latSpan / (height - 1);
  const lonStep = (lonSpan < unit ? 360 : lonSpan) / (width - 1);
  if (!(latStep > 0)) throw damaged('the rows of a grid do not go the way that its header says');
  checkStep(latStep, stated.latStep, unit);
  checkStep(lonStep, stated.lonStep, unit);
  return {
    width,
    height,
    west: scan.isEastFirst ? lastLon : firstLon,
    north: scan.isSouthFirst ? lastLat : firstLat,
    lonStep,
    latStep,
    scan,
  };
}

const toTurn = (degrees: number): number => ((degrees % 360) + 360) % 360;

/** A step is rounded to the unit; a difference beyond that says that corners and steps are of two grids. */
function checkStep(step: number, stated: number | null, unit: number): void {
  if (stated !== null && Math.abs(stated - step) > 2 * unit + 0.01 * step)
    throw damaged(`a grid states steps of ${stated} degrees, and its corners give ${step}`);
}

/** The flags of flag table 3.4 (table 8 of edition 1). */
function toScanOrder(flags: number): ScanOrder {
  if ((flags & 0x0f) !== 0)
    throw unread(
      'grid-offsets',
      'Rows of a grid of the GRIB file are offset against each other; warp it first.',
    );
  return {
    isEastFirst: (flags & 0x80) !== 0,
    isSouthFirst: (flags & 0x40) !== 0,
    isByColumn: (flags & 0x20) !== 0,
    isAlternating: (flags & 0x10) !== 0,
  };
}

/** Refuses a grid by its name; ecCodes, cdo and GDAL can warp all of these. */
export const refuseGrid = (name: string) =>
  unread(
    'grid-type',
    `The GRIB file has fields on a ${name} grid; only regular grids of latitude and longitude are read. Warp it first, for example with cdo remapbil or gdalwarp, or download it on a regular grid.`,
  );
