import type { ArrayAttribute, ArrayFile, ArrayVariable } from '../formats/array-file.ts';
import { DAY_MS } from '../units.ts';
import type { CubeGrid } from './cube-grid.ts';
import { MAX_CELLS } from './cube-grid.ts';
import { sourceBroken, tooLarge, unsupported } from './errors.ts';

/** What a value means for its time: the state at that moment, or a sum, mean, minimum or maximum over the period that ends then. */
export type TimeMethod = 'instant' | 'sum' | 'mean' | 'min' | 'max';

/** When the periods of an axis of time begin and end. */
export interface TimePeriods {
  readonly startsMs: readonly number[];
  readonly endsMs: readonly number[];
}

/** What a dimension counts. */
export type AxisKind = 'latitude' | 'longitude' | 'time';

/** Attributes of a variable. */
type Attributes = ReadonlyMap<string, ArrayAttribute>;

/** The text of an attribute; empty if it has none. */
export function textOf(attributes: Attributes, name: string): string {
  const value = attributes.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

const numbersOf = (attributes: Attributes, name: string): readonly number[] => {
  const value = attributes.get(name);
  if (value === undefined) return [];
  if (typeof value !== 'string') return value;
  // Some writers store numbers as texts.
  const number = Number(value);
  return value.trim() === '' || Number.isNaN(number) ? [] : [number];
};

/** Builds the conversion of stored numbers into values; NaN for what the file declares missing or invalid (CF, 2.5 and 8.1). */
export function makeToValue(attributes: Attributes): (stored: number) => number {
  const fills = new Set([...numbersOf(attributes, '_FillValue'), ...numbersOf(attributes, 'missing_value')]);
  const [scale = 1] = numbersOf(attributes, 'scale_factor');
  const [offset = 0] = numbersOf(attributes, 'add_offset');
  const range = numbersOf(attributes, 'valid_range');
  const [low = range[0] ?? Number.NEGATIVE_INFINITY] = numbersOf(attributes, 'valid_min');
  const [high = range[1] ?? Number.POSITIVE_INFINITY] = numbersOf(attributes, 'valid_max');
  return (stored) => {
    // Compared as they are stored, before the scale; a fill value that was written as a float may be a double here.
    if (fills.has(stored) || !(stored >= low && stored <= high)) return Number.NaN;
    const value = stored * scale + offset;
    return Number.isFinite(value) ? value : Number.NaN;
  };
}

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ...['day', 'days', 'd'].map((word): [string, number] => [word, DAY_MS]),
  ...['hour', 'hours', 'hr', 'hrs', 'h'].map((word): [string, number] => [word, 3_600_000]),
  ...['minute', 'minutes', 'min', 'mins'].map((word): [string, number] => [word, 60_000]),
  ...['second', 'seconds', 'sec', 'secs', 's'].map((word): [string, number] => [word, 1000]),
  ...['millisecond', 'milliseconds', 'msec', 'ms'].map((word): [string, number] => [word, 1]),
]);

/** Calendars in which the days since 1582 are ours; others (360 days, no leap years) are of climate models. */
const CALENDARS: ReadonlySet<string> = new Set(['', 'standard', 'gregorian', 'proleptic_gregorian']);

const UNITS = /^\s*([a-z]+)\s+since\s+(.{1,60}?)\s*$/i;
const DATE =
  /^(\d{1,4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(?:\.(\d+))?)?)?)?\s*(Z|UTC|GMT|[+-]\d{1,2}(?::?\d{2})?)?$/i;

/** Years in which measurements lie. */
const [FIRST_MS, LAST_MS] = [Date.UTC(1800, 0, 1), Date.UTC(2200, 0, 1)];

/** Whether units are those of a time: "days since 1970-01-01". */
const isTimeUnits = (units: string): boolean => UNITS.test(units);

/** Builds the conversion of the numbers of a time axis into milliseconds from 1970 (CF conventions, 4.4). */
export function makeToMs(units: string, calendar: string): (value: number) => number {
  const [, word, date] = UNITS.exec(units) ?? [];
  const unitMs = UNIT_MS.get(word?.toLowerCase() ?? '');
  const originMs = toOriginMs(date ?? '');
  if (unitMs === undefined || originMs === null)
    throw unsupported(
      'time-units',
      `Times in "${units.slice(0, 60)}" are not known; days, hours, minutes and seconds since a date are.`,
    );
  if (!CALENDARS.has(calendar.toLowerCase()))
    throw unsupported(
      'time-calendar',
      `The calendar "${calendar.slice(0, 40)}" is that of a climate model, not of measurements.`,
    );
  return (value) => {
    const ms = originMs + value * unitMs;
    if (!(ms >= FIRST_MS && ms <= LAST_MS))
      throw sourceBroken(
        'bad-time',
        `The time ${value} (${units.slice(0, 60)}) lies outside of 1800 to 2200.`,
      );
    // Days as float32 and hours as float64 round to a fraction of a second.
    return Math.round(ms / 1000) * 1000;
  };
}

function toOriginMs(text: string): number | null {
  const match = DATE.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 24 || minute > 59 || second > 60) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  return date.getTime() - toZoneMs(match[8] ?? '');
}

function toZoneMs(zone: string): number {
  const match = /^([+-])(\d{1,2}):?(\d{2})?$/.exec(zone);
  if (match === null) return 0;
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 3_600_000 + Number(match[3] ?? 0) * 60_000);
}

/** Cells of an axis; 0.005 degrees around the world are 72,000. */
const MAX_AXIS = 100_000;
/** Steps of regular axes differ by rounding: degrees as float32 are off by up to 2e-5. */
const ROUNDING_DEG = 4e-5;

/** What an axis counts by its attributes, or by its name where it has none (CF conventions, 4); null for anything else. */
export function toAxisKind({ name, attributes }: ArrayVariable): AxisKind | null {
  const [standard, units, axis] = [
    textOf(attributes, 'standard_name').toLowerCase(),
    textOf(attributes, 'units').toLowerCase(),
    textOf(attributes, 'axis').toUpperCase(),
  ];
  const short = name.split('/').at(-1)!.toLowerCase();
  if (standard === 'forecast_reference_time') return null;
  if (standard === 'latitude' || /^degrees?_?n(orth)?$/.test(units)) return 'latitude';
  if (standard === 'longitude' || /^degrees?_?e(ast)?$/.test(units)) return 'longitude';
  if (standard === 'time' || isTimeUnits(units)) return 'time';
  if (short === 'lat' || short === 'latitude' || (axis === 'Y' && units.startsWith('degree')))
    return 'latitude';
  if (short === 'lon' || short === 'longitude' || (axis === 'X' && units.startsWith('degree')))
    return 'longitude';
  return null;
}

/** The variable that gives the values along a dimension; null without one. */
export function findAxis(
  { variables }: Pick<ArrayFile, 'variables'>,
  of: ArrayVariable,
  dimension: number,
): ArrayVariable | null {
  const [name, size] = [of.dimensions[dimension]!, of.sizes[dimension]!];
  const lines = variables.filter(({ sizes }) => sizes.length === 1 && sizes[0] === size);
  return (
    lines.find((line) => line.name === name && toAxisKind(line) !== null) ??
    lines.find((line) => line.dimensions[0] === name && toAxisKind(line) !== null) ??
    // Files of plain HDF5 do not name their dimensions: of two lines of the same length neither is sure.
    (name.startsWith('size ') ? onlyOne(lines.filter((line) => toAxisKind(line) !== null)) : null)
  );
}

const onlyOne = <T>(items: readonly T[]): T | null => (items.length === 1 ? items[0]! : null);

/** All numbers of an axis. */
export async function readAxis(file: ArrayFile, axis: ArrayVariable): Promise<readonly number[]> {
  const size = axis.sizes[0] ?? 1;
  if (size > MAX_AXIS)
    throw tooLarge('axis-too-long', `"${axis.name}" has ${size} numbers; at most ${MAX_AXIS} are read.`);
  return Array.from(await file.read(axis, { start: axis.sizes.map(() => 0), count: axis.sizes }));
}

/** A grid of the numbers of two axes, and whether the rows of the file go from south to north. */
export function toGrid(
  latitudes: readonly number[],
  longitudes: readonly number[],
): { readonly grid: CubeGrid; readonly isSouthFirst: boolean } {
  const unwrapped = unwrap(longitudes);
  const [latStep, lonStep] = [toRegularStep(latitudes, 'latitudes'), toRegularStep(unwrapped, 'longitudes')];
  const [width, height] = [longitudes.length, latitudes.length];
  if (lonStep < 0) throw unsupported('grid-columns', 'The longitudes of the file go from east to west.');
  if (lonStep * width > 360 * (1 + 1e-6))
    throw unsupported('grid-turn', 'The columns of the file go around the world more than once.');
  if (
    latitudes.some((lat) => Math.abs(lat) > 90 + ROUNDING_DEG) ||
    unwrapped.some((lon) => Math.abs(lon) > 720)
  )
    throw sourceBroken('grid-degrees', 'The file has latitudes or longitudes that do not exist.');
  if (width * height > MAX_CELLS)
    throw tooLarge('grid-too-large', `The grid has ${width * height} cells; at most ${MAX_CELLS} are read.`);
  const isSouthFirst = latStep > 0;
  const north = isSouthFirst ? latitudes.at(-1)! : latitudes[0]!;
  return {
    grid: { west: unwrapped[0]!, north, lonStep, latStep: Math.abs(latStep), width, height },
    isSouthFirst,
  };
}

/** Longitudes that step back from 180 to -180, or from 360 to 0, go on instead. */
function unwrap(longitudes: readonly number[]): readonly number[] {
  let turn = 0;
  return longitudes.map((lon, i) => {
    if (i > 0 && lon < longitudes[i - 1]! - 180) turn += 360;
    return lon + turn;
  });
}

function toRegularStep(values: readonly number[], what: string): number {
  if (values.length < 2)
    throw unsupported(
      'grid-single',
      `The file has fewer than two ${what}, so that the size of a cell is unknown.`,
    );
  const step = (values.at(-1)! - values[0]!) / (values.length - 1);
  const isRegular = values.every(
    (value, i) => Math.abs(value - (values[0]! + i * step)) < ROUNDING_DEG + 0.005 * Math.abs(step),
  );
  if (!isRegular || step === 0 || !Number.isFinite(step))
    throw unsupported(
      'grid-irregular',
      `The ${what} of the file are not at equal steps; warp it to a regular grid first.`,
    );
  return step;
}

const METHODS: ReadonlyMap<string, TimeMethod> = new Map([
  ['point', 'instant'],
  ['sum', 'sum'],
  ['mean', 'mean'],
  ['minimum', 'min'],
  ['maximum', 'max'],
]);

/** The method over time of the attribute `cell_methods`, such as "area: mean time: sum" (CF conventions, 7.3); null without. */
export function parseTimeMethod(cellMethods: string): TimeMethod | null {
  // Several may follow each other: "time: maximum within days time: mean over days"; the first is nearest to the data.
  const word = /(?:^|\s)(?:time|t|valid_time):\s*(?:\w+:\s*)*(\w+)/.exec(cellMethods)?.[1];
  return METHODS.get(word ?? '') ?? null;
}

/** Periods of the variable that the attribute `bounds` of the axis names (CF conventions, 7.1); null without. */
export async function readTimePeriods(file: ArrayFile, axis: ArrayVariable): Promise<TimePeriods | null> {
  const name = textOf(axis.attributes, 'bounds');
  const bounds = name === '' ? undefined : file.variables.find((one) => one.name === name);
  const [count = 1] = axis.sizes;
  if (bounds === undefined || bounds.sizes.at(-1) !== 2 || bounds.sizes.at(-2) !== count) return null;
  // They have the units of their axis; where they repeat them, those are theirs.
  const of = (attribute: string): string =>
    textOf(bounds.attributes, attribute) || textOf(axis.attributes, attribute);
  const toMs = makeToMs(of('units'), of('calendar'));
  const all = Array.from(
    await file.read(bounds, { start: bounds.sizes.map(() => 0), count: bounds.sizes }),
    toMs,
  );
  const startsMs = all.filter((_, i) => i % 2 === 0);
  const endsMs = all.filter((_, i) => i % 2 === 1);
  return startsMs.every((ms, i) => ms < endsMs[i]!) ? { startsMs, endsMs } : null;
}

/** What cfgrib writes about the time of a run, which has the standard name of any time. */
const INITIAL_TIME = 'initial time of forecast';

/** Whether a single number is the time of a run and not that of the fields. */
export const isRunTime = ({ name, attributes }: ArrayVariable): boolean =>
  textOf(attributes, 'standard_name') === 'forecast_reference_time' ||
  name.split('/').at(-1) === 'forecast_reference_time' ||
  textOf(attributes, 'long_name') === INITIAL_TIME;

/** When the model run of a file began, if one number states it; null otherwise. */
export async function readRunMs(file: ArrayFile): Promise<number | null> {
  const found = file.variables.find((one) => one.sizes.every((size) => size === 1) && isRunTime(one));
  const units = found === undefined ? '' : textOf(found.attributes, 'units');
  if (found === undefined || !isTimeUnits(units)) return null;
  return makeToMs(units, textOf(found.attributes, 'calendar'))((await readAxis(file, found))[0]!);
}
