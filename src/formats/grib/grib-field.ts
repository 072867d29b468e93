import type { SwathError } from '../../errors.ts';
import { HOUR_MS } from '../../units.ts';
import type { Scaling } from './grib-bytes.ts';
import { damaged, MAX_POINTS, over, unread } from './grib-bytes.ts';

/** What a value says about its time, as the header states it; null where it is none of these. */
export type GribMethod = 'instant' | 'sum' | 'mean' | 'min' | 'max';

/** Where a field lies in height: types and units of edition 2 (code table 4.5), in both editions. */
export interface GribLevel {
  /** Types of edition 1 that edition 2 does not have are counted from 1000. */
  readonly type: number;
  /** Metres, pascals or a number, as the type has it; null without one. */
  readonly value: number | null;
  /** The lower side of a layer; null without one. */
  readonly to: number | null;
}

/** A range of bytes of the file. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** What a message of a GRIB file says about one field. */
export interface GribField {
  readonly edition: 1 | 2;
  /** Number of the producer (WMO common code table C-11): 98 is ECMWF, 7 is NCEP. */
  readonly centre: number;
  /** Table and number in edition 1; discipline, category and number in edition 2. */
  readonly parameter: readonly number[];
  readonly level: GribLevel;
  readonly grid: GribGrid;
  readonly method: GribMethod | null;
  readonly runMs: number;
  /** When the period begins; null for a moment. */
  readonly startMs: number | null;
  /** The moment, or the end of the period. */
  readonly endMs: number;
  /** How long periods of this data set are, where that is known from elsewhere than its times. */
  readonly periodMs: number | null;
  readonly packing: Packing;
  readonly data: ByteRange;
  readonly bitmap: ByteRange | null;
}

/** The order in which the points of a grid are stored. */
interface ScanOrder {
  readonly isEastFirst: boolean;
  readonly isSouthFirst: boolean;
  /** Columns one after the other instead of rows. */
  readonly isByColumn: boolean;
  /** Every second row, or column, is stored in the opposite direction. */
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
interface StatedGrid {
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

/** Groups of complex packing (data representation templates 5.2 and 5.3 of edition 2). */
export interface Groups {
  readonly count: number;
  /** Bits of the reference of each group. */
  readonly referenceBits: number;
  readonly width: { readonly reference: number; readonly bits: number };
  readonly length: {
    readonly reference: number;
    readonly increment: number;
    readonly bits: number;
    readonly last: number;
  };
  /** How many kinds of gaps are coded in the numbers: 0, 1 or 2. */
  readonly gaps: number;
  /** Order of the spatial differences, and bytes of each number that starts them; order 0 without. */
  readonly order: number;
  readonly startBytes: number;
}

/** How the numbers of a field are stored. */
export type Packing =
  | {
      readonly kind: 'simple';
      readonly count: number | null;
      readonly bits: number;
      readonly scaling: Scaling;
    }
  | {
      readonly kind: 'second-order';
      readonly count: null;
      readonly bits: number;
      readonly scaling: Scaling;
      /** Points of a row; null where a bitmap leaves out points. */
      readonly rowLength: number | null;
    }
  | { readonly kind: 'complex'; readonly count: number; readonly scaling: Scaling; readonly groups: Groups }
  | { readonly kind: 'ieee'; readonly count: number; readonly bytes: 4 | 8 }
  | {
      readonly kind: 'jpeg2000' | 'png';
      readonly count: number;
      readonly bits: number;
      readonly scaling: Scaling;
    }
  | {
      readonly kind: 'ccsds';
      readonly count: number;
      readonly bits: number;
      readonly scaling: Scaling;
      readonly flags: number;
      readonly blockSize: number;
      readonly interval: number;
    };

/** Refuses factors that no number of a float has. */
export function checkScaling({ reference, binary, decimal }: Scaling): void {
  if (!Number.isFinite(reference) || !Number.isFinite(binary) || !Number.isFinite(decimal))
    throw damaged('the scale of its numbers is beyond all numbers');
}

const MINUTE_MS = 60_000;

/** Lengths of the units that have one: code table 4.4, of which edition 1 has another second. */
const UNIT_MS: ReadonlyMap<number, number> = new Map([
  [0, MINUTE_MS],
  [1, HOUR_MS],
  [2, 24 * HOUR_MS],
  [10, 3 * HOUR_MS],
  [11, 6 * HOUR_MS],
  [12, 12 * HOUR_MS],
]);

/** Milliseconds of a unit of forecast times. */
export function toUnitMs(unit: number, edition: 1 | 2): number {
  if (unit === (edition === 1 ? 254 : 13)) return 1_000;
  // Quarters and halves of an hour; in edition 2 the numbers mean seconds and nothing.
  if (edition === 1 && (unit === 13 || unit === 14)) return (unit === 13 ? 15 : 30) * MINUTE_MS;
  const ms = UNIT_MS.get(unit);
  if (ms === undefined)
    throw unread(
      'time-unit',
      `Forecast times of the GRIB file are in unit ${unit}; seconds to days are read, months and years are not.`,
    );
  return ms;
}

/** A moment, in milliseconds from 1970. */
export function toMoment(
  year: number,
  month: number,
  day: number,
  [hour, minute, second]: readonly [number, number, number],
): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isDate = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!isDate || hour > 24 || minute > 59 || second > 60)
    throw damaged(`there is no time ${year}-${month}-${day} ${hour}:${minute}:${second}`);
  return date.getTime() + hour * HOUR_MS + minute * MINUTE_MS + second * 1_000;
}

/** What was read of a message. */
export interface ReadMessage {
  /** Offset of the first byte after it. */
  readonly end: number;
  readonly fields: readonly GribField[];
  /** Why a field of it was left out; null if all were understood. */
  readonly refusal: SwathError | null;
}
