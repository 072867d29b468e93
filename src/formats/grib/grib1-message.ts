import { isSwathError } from '../../errors.ts';
import { HOUR_MS } from '../../units.ts';
import type { ByteWindow } from './grib-bytes.ts';
import {
  damaged,
  getIbmFloat,
  getSigned16,
  getSigned24,
  getUint24,
  MAX_BITS,
  MAX_DATA_BYTES,
  MAX_SECTION_BYTES,
  over,
  toView,
  truncated,
  unread,
} from './grib-bytes.ts';
import type {
  ByteRange,
  GribField,
  GribGrid,
  GribLevel,
  GribMethod,
  Packing,
  ReadMessage,
} from './grib-field.ts';
import { checkScaling, refuseGrid, toGribGrid, toMoment, toUnitMs } from './grib-field.ts';

const HEAD_BYTES = 8;
const PRODUCT_BYTES = 28;
const GRID_BYTES = 32;
const BITMAP_HEAD_BYTES = 6;
const DATA_HEAD_BYTES = 11;
const END_BYTES = 4;

/** Reads what a message of edition 1 says about its field; the numbers are left where they are. */
export async function readGrib1Message(window: ByteWindow, start: number): Promise<ReadMessage> {
  const head = toView(await window.take(start, HEAD_BYTES, 'the head of a message'));
  const statedBytes = getUint24(head, 4);
  let at = start + HEAD_BYTES;
  const product = (await readSection(window, at, PRODUCT_BYTES)).slice();
  at += product.length;
  let gridSection: Uint8Array | null = null;
  if ((product[7]! & 0x80) !== 0) {
    gridSection = (await readSection(window, at, GRID_BYTES)).slice();
    at += gridSection.length;
  }
  let bitmap: Bitmap | null = null;
  if ((product[7]! & 0x40) !== 0) {
    const view = toView(await window.take(at, BITMAP_HEAD_BYTES, 'a bitmap'));
    const length = getUint24(view, 0);
    if (length < BITMAP_HEAD_BYTES) throw damaged(`a bitmap has ${length} bytes`);
    bitmap = {
      offset: at + BITMAP_HEAD_BYTES,
      length: length - BITMAP_HEAD_BYTES,
      predefined: view.getUint16(4),
    };
    at += length;
  }
  const dataHead = (await window.take(at, DATA_HEAD_BYTES, 'the head of the numbers')).slice();
  const lengths = toLengths(statedBytes, getUint24(toView(dataHead), 0), at - start);
  const end = start + lengths.message;
  if (end > window.size) throw truncated('a message');
  if (at + lengths.data > end - END_BYTES || lengths.data < DATA_HEAD_BYTES)
    throw damaged('the numbers of a message lie beyond its end');
  if (lengths.data > MAX_DATA_BYTES) throw over('A field', lengths.data, MAX_DATA_BYTES);
  const range = { offset: at + DATA_HEAD_BYTES, length: lengths.data - DATA_HEAD_BYTES };
  try {
    return { end, fields: [toField({ product, gridSection, bitmap, dataHead, range })], refusal: null };
  } catch (error) {
    // Other messages may be readable; if none is, this is the reason.
    if (isSwathError(error) && error.tag === 'unsupported') return { end, fields: [], refusal: error };
    throw error;
  }
}

interface Bitmap extends ByteRange {
  readonly predefined: number;
}

async function readSection(window: ByteWindow, at: number, minBytes: number): Promise<Uint8Array> {
  const length = getUint24(toView(await window.take(at, 3, 'a header')), 0);
  if (length < minBytes || length > MAX_SECTION_BYTES) throw damaged(`a header has ${length} bytes`);
  return window.take(at, length, 'a header');
}

/**
 * Lengths have three bytes. ECMWF's messages of more than 8 MB count in units of 120 bytes, and the length of the numbers,
 * which is below 120 then, says how much of the last unit is too much (as ecCodes reads and writes it).
 */
function toLengths(
  message: number,
  data: number,
  dataAt: number,
): { readonly message: number; readonly data: number } {
  if (message < 0x800000 || data >= 120) return { message, data };
  const whole = (message & 0x7fffff) * 120 - data + 4;
  return { message: whole, data: whole - dataAt - END_BYTES };
}

interface Sections {
  readonly product: Uint8Array;
  readonly gridSection: Uint8Array | null;
  readonly bitmap: Bitmap | null;
  readonly dataHead: Uint8Array;
  readonly range: ByteRange;
}

function toField({ product, gridSection, bitmap, dataHead, range }: Sections): GribField {
  const view = toView(product);
  if (gridSection === null)
    throw unread(
      'grid-number',
      `The GRIB file names its grid only by a number (${product[6]}); write it with a grid section, for example with cdo copy.`,
    );
  if (bitmap !== null && bitmap.predefined !== 0)
    throw unread(
      'bitmap-number',
      `The GRIB file names a bitmap (${bitmap.predefined}) that it does not hold.`,
    );
  const grid = toGrid(gridSection);
  const rowLength = grid.scan.isByColumn ? grid.height : grid.width;
  return {
    edition: 1,
    centre: product[4]!,
    parameter: [product[3]!, product[8]!],
    level: toLevel(product[9]!, view),
    grid,
    ...toGrib1Time(product),
    packing: toPacking(toView(dataHead), getSigned16(view, 26), bitmap === null ? rowLength : null),
    data: range,
    bitmap: bitmap === null ? null : { offset: bitmap.offset, length: bitmap.length },
  };
}

const ECMWF = 98;

/** Class ERA5 in the local section of ECMWF, and its streams: the reanalysis, and the ensemble of its uncertainty. */
const ERA5_CLASS = 23;
const ERA5_PERIODS_MS: ReadonlyMap<number, number> = new Map([
  [1025, HOUR_MS],
  [1030, 3 * HOUR_MS],
]);

/** What the period of a time range indicator means (table 5). */
const RANGE_METHODS: ReadonlyMap<number, GribMethod | null> = new Map([
  // Valid at some time between two; what it says about it is left to the parameter.
  [2, null],
  [3, 'mean'],
  [4, 'sum'],
  // The value at the end less that at the beginning: for something that accumulates, the sum in between.
  [5, null],
]);

/** The times of a field of edition 1, from its product section. */
function toGrib1Time(
  product: Uint8Array,
): Pick<GribField, 'runMs' | 'startMs' | 'endMs' | 'method' | 'periodMs'> {
  const view = toView(product);
  const byte = (at: number): number => view.getUint8(at);
  const runMs = toMoment((byte(24) - 1) * 100 + byte(12), byte(13), byte(14), [byte(15), byte(16), 0]);
  const indicator = byte(20);
  const periodMs = toPeriodMs(view);
  if (indicator === 0 || indicator === 1 || indicator === 10) {
    // An initialised analysis has no forecast time; 10 has one of two bytes.
    const steps = indicator === 10 ? view.getUint16(18) : indicator === 1 ? 0 : byte(18);
    const endMs = runMs + (steps === 0 ? 0 : steps * toUnitMs(byte(17), 1));
    return { runMs, startMs: null, endMs, method: 'instant', periodMs };
  }
  const method = RANGE_METHODS.get(indicator);
  if (method === undefined)
    throw unread(
      'time-range',
      `Fields of the GRIB file have time range indicator ${indicator}, such as means of many runs; only moments, and periods of one run, are read.`,
    );
  const unitMs = toUnitMs(byte(17), 1);
  return { runMs, startMs: runMs + byte(18) * unitMs, endMs: runMs + byte(19) * unitMs, method, periodMs };
}

/** Sums and extremes of ERA5 are over one hour, or three, also where the header says a moment (ECMWF, ERA5 data documentation). */
function toPeriodMs(view: DataView): number | null {
  // Class and stream are bytes 42, and 44 and 45, of every local definition.
  if (view.getUint8(4) !== ECMWF || view.byteLength < 45 || view.getUint8(41) !== ERA5_CLASS) return null;
  return ERA5_PERIODS_MS.get(view.getUint16(43)) ?? null;
}

/** Levels of table 3, as edition 2 counts them: type, and units of the stored number in metres or pascals. */
const LEVEL_TYPES: ReadonlyMap<number, readonly [type: number, unit: number]> = new Map([
  [100, [100, 100]],
  [102, [101, 0]],
  [103, [102, 1]],
  [105, [103, 1]],
  [107, [104, 0.0001]],
  [109, [105, 1]],
  [111, [106, 0.01]],
  [160, [160, 1]],
  [200, [10, 0]],
]);

function toLevel(type: number, view: DataView): GribLevel {
  // A layer between two depths, in centimetres.
  if (type === 112) return { type: 106, value: view.getUint8(10) / 100, to: view.getUint8(11) / 100 };
  // Surfaces have no number.
  if (type < 100) return { type, value: null, to: null };
  const known = LEVEL_TYPES.get(type);
  if (known === undefined) return { type: 1000 + type, value: view.getUint16(10), to: null };
  const [typeOfEdition2, unit] = known;
  // A product with a whole number avoids 0.30000000000000004.
  const value =
    unit === 0 ? null : unit < 1 ? view.getUint16(10) / Math.round(1 / unit) : view.getUint16(10) * unit;
  return { type: typeOfEdition2, value, to: null };
}

/** Grids of table 6 by the names that programs have for them. */
const GRID_NAMES: ReadonlyMap<number, string> = new Map([
  [1, 'Mercator'],
  [3, 'Lambert conformal'],
  [4, 'Gaussian'],
  [5, 'polar stereographic'],
  [10, 'rotated latitude and longitude'],
  [14, 'rotated Gaussian'],
  [50, 'spherical harmonics'],
]);

const UNKNOWN_STEP = 0xffff;
const UNKNOWN_COUNT = 0xffff;

function toGrid(section: Uint8Array): GribGrid {
  const view = toView(section);
  const type = view.getUint8(5);
  if (type !== 0) throw refuseGrid(GRID_NAMES.get(type) ?? `type ${type}`);
  const [width, height] = [view.getUint16(6), view.getUint16(8)];
  if (width === UNKNOWN_COUNT || height === UNKNOWN_COUNT) throw refuseGrid('reduced latitude and longitude');
  const hasSteps = (view.getUint8(16) & 0x80) !== 0;
  const toStep = (at: number): number | null => {
    const step = view.getUint16(at);
    return hasSteps && step !== UNKNOWN_STEP && step !== 0 ? step / 1000 : null;
  };
  return toGribGrid({
    width,
    height,
    firstLat: getSigned24(view, 10) / 1000,
    firstLon: getSigned24(view, 13) / 1000,
    lastLat: getSigned24(view, 17) / 1000,
    lastLon: getSigned24(view, 20) / 1000,
    lonStep: toStep(23),
    latStep: toStep(25),
    unit: 0.001,
    // The fourth bit means nothing in edition 1.
    scan: view.getUint8(27) & 0xe0,
  });
}

function toPacking(view: DataView, decimalScale: number, rowLength: number | null): Packing {
  const flags = view.getUint8(3);
  if ((flags & 0x80) !== 0) throw refuseGrid('spherical harmonics');
  const bits = view.getUint8(10);
  if (bits > MAX_BITS) throw damaged(`its numbers have ${bits} bits`);
  const scaling = {
    reference: getIbmFloat(view, 6),
    binary: 2 ** getSigned16(view, 4),
    decimal: 10 ** -decimalScale,
  };
  checkScaling(scaling);
  return (flags & 0x40) === 0
    ? { kind: 'simple', count: null, bits, scaling }
    : { kind: 'second-order', count: null, bits, scaling, rowLength };
}
