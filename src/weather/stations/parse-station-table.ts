import type { StepHours } from '../../cubes/index.ts';
import { HOUR_MS } from '../../units.ts';
import { badInput, tooLarge } from '../errors.ts';
import { isPlausible } from '../ingest/weather-units.ts';
import type { WeatherVariable } from '../weather-series.ts';
import type { KeyColumn, WeatherColumn } from './station-columns.ts';
import { parseHead } from './station-columns.ts';
import type { Station, StationSeries } from './station-store.ts';

/** Where the one station of a table is, for tables that do not say it. */
export interface StationDefaults {
  /** Name of the station. */
  readonly id: string;
  readonly longitude: number | null;
  readonly latitude: number | null;
  readonly elevationM: number | null;
}

/** What a table says. */
interface StationTable {
  readonly series: readonly StationSeries[];
  readonly rowCount: number;
}

/** A table of hours of 100 stations over 20 years has 17 million rows; it is split before that. */
const MAX_ROWS = 5_000_000;
const MAX_STATIONS = 10_000;
/** Numbers of all stations, gaps included: 256 MB. */
const MAX_VALUES = 2 ** 26;
/** Numbers that loggers write where there is none. */
const MISSING = /^(?:|-|--|na|n\/a|nan|null|none|m|-9{3,6}(?:\.[09]+)?)$/i;
/** Variables of which a number of an hour is that of the hour before its time. */
const SUMS: ReadonlySet<WeatherVariable> = new Set([
  ...(['precipitation', 'radiation', 'temperatureMin', 'temperatureMax'] as const),
]);

interface Columns {
  readonly keys: ReadonlyMap<KeyColumn, number>;
  readonly weather: readonly (WeatherColumn & { readonly index: number; readonly head: string })[];
}

interface Row {
  readonly number: number;
  readonly step: number;
  readonly values: readonly number[];
}

interface Draft {
  readonly location: Omit<Station, 'firstStep' | 'stepCount' | 'variables' | 'stepHours'>;
  readonly rows: Map<number, Row>;
}

/** Reads a table of stations, one row for a day or an hour. Whatever is odd in it is refused, with the number of its line. */
export function parseStationTable(text: string, defaults: StationDefaults): StationTable {
  const lines = parseCsvLines(text);
  const head = lines.next();
  if (head.done) throw badInput('bad-table', 'The table is empty.');
  const keys = findKeys(head.value);
  const drafts = new Map<string, Draft>();
  let columns: Columns | null = null;
  let stepHours: StepHours | null = null;
  let rowCount = 0;
  for (const line of lines) {
    rowCount += 1;
    if (rowCount > MAX_ROWS) throw tooLarge('table-too-long', `The table has more than ${MAX_ROWS} rows.`);
    const found = parseTime(line, keys);
    stepHours ??= found.stepHours;
    if (stepHours !== found.stepHours) throw refuse(line.number, 'some rows have an hour, and others do not');
    columns ??= parseColumns(head.value, stepHours);
    if (line.cells.length !== head.value.cells.length)
      throw refuse(line.number, `it has ${line.cells.length} cells, and the head ${head.value.cells.length}`);
    addRow(line, columns, { defaults, drafts, step: found.step });
  }
  if (columns === null || stepHours === null) throw badInput('bad-table', 'The table has no rows.');
  const { weather } = columns;
  const hours = stepHours;
  let total = 0;
  const series = [...drafts.values()].map((draft) => {
    const made = toSeries(draft, weather, hours);
    total += made.station.stepCount * made.station.variables.length;
    if (total > MAX_VALUES) throw tooLarge('table-too-large', 'The table covers too many years of hours.');
    return made;
  });
  return { series, rowCount };
}

/** Heads that say where and when; what they are does not depend on the steps. */
function findKeys({ cells, number }: CsvLine): ReadonlyMap<KeyColumn, number> {
  const keys = new Map<KeyColumn, number>();
  for (const [index, cell] of cells.entries()) {
    const found = parseHead(cell, 0);
    if (found === null || !('key' in found)) continue;
    // Of "station" and "name" the first is the key.
    if (found.key === 'station' && keys.has('station')) continue;
    if (keys.has(found.key)) throw refuse(number, `the column "${cell.slice(0, 40)}" is there twice`);
    keys.set(found.key, index);
  }
  if (!keys.has('date') && !keys.has('time')) throw refuse(number, 'no column is a date or a time');
  return keys;
}

function parseColumns(head: CsvLine, stepHours: StepHours): Columns {
  const weather: Columns['weather'][number][] = [];
  for (const [index, cell] of head.cells.entries()) {
    const found = parseHead(cell, stepHours * 3600);
    if (found === null || 'key' in found) continue;
    if ('badUnits' in found)
      throw refuse(head.number, `"${found.badUnits.slice(0, 40)}" is not a unit of "${cell.slice(0, 40)}"`);
    // The mean of a day is not the temperature at its beginning.
    if (found.weather.variable === 'temperature' && stepHours === 24) continue;
    if (weather.some(({ variable }) => variable === found.weather.variable))
      throw refuse(head.number, `two columns are ${found.weather.variable}`);
    weather.push({ ...found.weather, index, head: cell });
  }
  if (weather.length === 0) throw refuse(head.number, 'no column is known weather');
  return { keys: findKeys(head), weather };
}

const DATE = /^(\d{4})-?(\d{2})-?(\d{2})$/;
const TIME =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{1,2})(?::(\d{2})(?::\d{2}(?:\.\d+)?)?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/i;

function parseTime(
  line: CsvLine,
  keys: ReadonlyMap<KeyColumn, number>,
): { readonly step: number; readonly stepHours: StepHours } {
  const cell = (key: KeyColumn): string => {
    const index = keys.get(key);
    return index === undefined ? '' : (line.cells[index] ?? '');
  };
  const [date, time] = [cell('date'), cell('time')];
  const text = date === '' || time.length > 8 ? time || date : time === '' ? date : `${date}T${time}`;
  const day = DATE.exec(text);
  if (day !== null) return { step: toDay(day, line.number), stepHours: 24 };
  const match = TIME.exec(text);
  if (match === null) throw refuse(line.number, `"${text.slice(0, 40)}" is neither a day nor a time`);
  const [, of, hour, minute = '00', zone = 'Z'] = match;
  const dayMs = toDay(DATE.exec(of!)!, line.number) * 24 * HOUR_MS;
  const ms = dayMs + (Number(hour) * 60 + Number(minute)) * 60_000 - toZoneMs(zone);
  if (Number(hour) > 24 || ms % HOUR_MS !== 0)
    throw refuse(line.number, `"${text.slice(0, 40)}" is not a whole hour`);
  return { step: ms / HOUR_MS, stepHours: 1 };
}

function toDay(match: RegExpExecArray, number: number): number {
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCDate() !== day || date.getUTCMonth() !== month - 1 || year < 1800 || year > 2200)
    throw refuse(number, `"${match[0].slice(0, 40)}" is a day that does not exist`);
  return date.getTime() / (24 * HOUR_MS);
}

function toZoneMs(zone: string): number {
  const match = /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  if (match === null) return 0;
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) * 60_000;
}

interface RowContext {
  readonly defaults: StationDefaults;
  readonly drafts: Map<string, Draft>;
  readonly step: number;
}

function addRow(line: CsvLine, { keys, weather }: Columns, { defaults, drafts, step }: RowContext): void {
  const location = parseLocation(line, keys, defaults);
  let draft = drafts.get(location.id);
  if (draft === undefined) {
    if (drafts.size >= MAX_STATIONS)
      throw tooLarge('too-many-stations', `The table has more than ${MAX_STATIONS} stations.`);
    draft = { location, rows: new Map() };
    drafts.set(location.id, draft);
  }
  if (draft.location.longitude !== location.longitude || draft.location.latitude !== location.latitude)
    throw refuse(line.number, `the station ${location.id} is elsewhere in a line before`);
  const before = draft.rows.get(step);
  if (before !== undefined)
    throw refuse(line.number, `line ${before.number} has the same time of the station ${location.id}`);
  const values = weather.map((column) => parseValue(line, column));
  draft.rows.set(step, { number: line.number, step, values });
}

function parseLocation(
  line: CsvLine,
  keys: ReadonlyMap<KeyColumn, number>,
  defaults: StationDefaults,
): Draft['location'] {
  const text = (key: KeyColumn): string | null => {
    const index = keys.get(key);
    return index === undefined ? null : line.cells[index]!;
  };
  const degrees = (key: 'latitude' | 'longitude', limit: number): number => {
    const cell = text(key);
    const value = cell === null || cell === '' ? defaults[key] : parseNumber(cell);
    if (value === null) throw refuse(line.number, `its station has no ${key}; say it with --${key}`);
    if (!(Math.abs(value) <= limit)) throw refuse(line.number, `"${cell?.slice(0, 40)}" is not a ${key}`);
    return value;
  };
  const id = text('station') ?? defaults.id;
  // Spreadsheets run what begins so.
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._:/()',-]{0,63}$/u.test(id))
    throw refuse(line.number, `"${id.slice(0, 40)}" cannot be the name of a station`);
  const height = text('elevation');
  const elevationM = height === null || MISSING.test(height) ? defaults.elevationM : parseNumber(height);
  if (elevationM !== null && !(elevationM >= -500 && elevationM <= 9000))
    throw refuse(line.number, `"${height?.slice(0, 40)}" is not an elevation in metres`);
  return { id, longitude: degrees('longitude', 180), latitude: degrees('latitude', 90), elevationM };
}

/** A decimal comma is one where semicolons separate cells, or quotation marks surround them. */
const parseNumber = (cell: string): number =>
  /^[+-]?(?:\d{1,9}(?:[.,]\d{0,12})?|[.,]\d{1,12})(?:e[+-]?\d{1,2})?$/i.test(cell)
    ? Number(cell.replace(',', '.'))
    : Number.NaN;

function parseValue(
  line: CsvLine,
  { variable, scale, offset, index, head }: Columns['weather'][number],
): number {
  const cell = line.cells[index]!;
  if (MISSING.test(cell)) return Number.NaN;
  const value = parseNumber(cell);
  if (Number.isNaN(value))
    throw refuse(line.number, `"${cell.slice(0, 40)}" in the column "${head.slice(0, 40)}" is not a number`);
  const converted = value * scale + offset;
  if (!isPlausible(converted, variable))
    throw refuse(line.number, `${cell} in the column "${head.slice(0, 40)}" cannot be`);
  return converted;
}

function toSeries(
  { location, rows }: Draft,
  weather: Columns['weather'],
  stepHours: StepHours,
): StationSeries {
  // Sums of hours stand in the row of the time when they end.
  const shift = (variable: WeatherVariable): number => (stepHours === 1 && SUMS.has(variable) ? 1 : 0);
  const steps = [...rows.keys()];
  const shifts = weather.map(({ variable }) => shift(variable));
  const firstStep = steps.reduce((min, step) => Math.min(min, step), Infinity) - Math.max(...shifts);
  const lastStep = steps.reduce((max, step) => Math.max(max, step), -Infinity) - Math.min(...shifts);
  const stepCount = lastStep - firstStep + 1;
  if (stepCount * weather.length > MAX_VALUES)
    throw tooLarge('table-too-large', 'The table covers too many years of hours.');
  const values: Partial<Record<WeatherVariable, Float32Array>> = {};
  for (const [i, { variable }] of weather.entries()) {
    const series = new Float32Array(stepCount).fill(Number.NaN);
    for (const row of rows.values()) series[row.step - shifts[i]! - firstStep] = row.values[i]!;
    values[variable] = series;
  }
  const variables = weather.map(({ variable }) => variable);
  return { station: { ...location, stepHours, firstStep, stepCount, variables }, values };
}

/** A line of a table, with its number in the file. */
interface CsvLine {
  readonly number: number;
  readonly cells: readonly string[];
}

/** Characters of a line; a table of weather has a few hundred. */
const MAX_LINE = 65_536;

/** Reads the lines of a table with commas, semicolons or tabs between its cells (RFC 4180), without those that are empty. */
function* parseCsvLines(text: string): Generator<CsvLine> {
  let separator: string | null = null;
  let number = 0;
  let start = text.startsWith('\ufeff') ? 1 : 0;
  while (start < text.length) {
    number += 1;
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    if (end - start > MAX_LINE) throw refuse(number, `it has more than ${MAX_LINE} characters`);
    const line = text.slice(start, end).replace(/\r$/, '');
    start = end + 1;
    if (line.trim() === '') continue;
    separator ??= findSeparator(line);
    yield { number, cells: splitLine(line, separator, number) };
  }
}

/** The error of a line. */
const refuse = (number: number, why: string): Error =>
  badInput('bad-table', `Line ${number} of the table cannot be read: ${why}.`);

function findSeparator(head: string): string {
  const count = (separator: string): number => head.split(separator).length;
  return [',', ';', '\t'].toSorted((one, other) => count(other) - count(one))[0]!;
}

function splitLine(line: string, separator: string, number: number): readonly string[] {
  if (!line.includes('"')) return line.split(separator).map((cell) => cell.trim());
  const cells: string[] = [];
  let at = 0;
  while (at <= line.length) {
    if (line[at] === '"') {
      let cell = '';
      let from = at + 1;
      for (;;) {
        const quote = line.indexOf('"', from);
        if (quote === -1) throw refuse(number, 'a quotation mark is not closed');
        cell += line.slice(from, quote);
        at = quote + 1;
        if (line[at] !== '"') break;
        // Two of them stand for one.
        cell += '"';
        from = at + 1;
      }
      if (at < line.length && line[at] !== separator)
        throw refuse(number, 'text follows a quotation mark that was closed');
      cells.push(cell.trim());
      at += 1;
    } else {
      const next = line.indexOf(separator, at);
      const end = next === -1 ? line.length : next;
      const cell = line.slice(at, end);
      if (cell.includes('"')) throw refuse(number, 'a quotation mark stands inside of a cell');
      cells.push(cell.trim());
      at = end + 1;
    }
  }
  return cells;
}
