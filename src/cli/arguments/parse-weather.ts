import type { CubeKind } from '../../cubes/index.ts';
import { parseCubeName } from '../../cubes/index.ts';
import { badInput } from '../../errors.ts';
import type { Accumulation } from '../../weather/index.ts';
import { DEFAULT_RUNS } from '../../weather/index.ts';
import type { HelpCommand } from './options.ts';
import { help, parseAmount, parseChoice, parseOptions } from './options.ts';
import { parseCubesAction } from './parse-cubes.ts';

/** `swath ingest weather …`. */
export interface IngestWeatherCommand {
  readonly name: 'ingest weather';
  /** A file, a folder or an address. */
  readonly from: string;
  /** Name of the data cube, of the forecast whose runs are data cubes, or of the stations. */
  readonly data: string;
  readonly kind: CubeKind | null;
  /** When the model run began, for files that do not say it. */
  readonly runMs: number | null;
  readonly accumulated: Accumulation | null;
  readonly runs: number;
  /** Where the one station of a table is, if it does not say it. */
  readonly station: {
    readonly longitude: number | null;
    readonly latitude: number | null;
    readonly elevationM: number | null;
  };
  readonly report: string | null;
  readonly json: boolean;
}

/** `swath weather …`. */
export type WeatherCommand =
  | { readonly name: 'weather list'; readonly json: boolean }
  | { readonly name: 'weather remove'; readonly data: string };

const DEFAULT_NAME = 'default';
/** The name of a run adds up to 14 characters to that of its forecast. */
const MAX_NAME = 50;

const weatherHelp: HelpCommand = { name: 'help', topic: 'weather' };

/** Reads what follows `swath ingest weather`. */
export function parseIngestWeather(rest: readonly string[]): IngestWeatherCommand | HelpCommand {
  const text = { type: 'string' } as const;
  const options = {
    ...help,
    name: text,
    kind: text,
    run: text,
    accumulated: text,
    runs: text,
    latitude: text,
    longitude: text,
    elevation: text,
    report: text,
    json: { type: 'boolean' },
  } as const;
  const { values, positionals } = parseOptions(rest, options, 1);
  if (values.help) return weatherHelp;
  const [from] = positionals;
  if (from === undefined)
    throw badInput('usage', 'From where? "swath ingest weather <file, folder or address>".');
  const given = <T>(value: string | undefined, parse: (text: string) => T): T | null =>
    value === undefined ? null : parse(value);
  return {
    name: 'ingest weather',
    from,
    data: parseName(values.name ?? DEFAULT_NAME),
    kind: given(values.kind, (value) => parseChoice(value, '--kind', ['history', 'forecast'])),
    runMs: given(values.run, parseRun),
    accumulated: given(values.accumulated, (value) =>
      parseChoice(value, '--accumulated', ['hour', 'day', 'run']),
    ),
    runs: given(values.runs, (value) => parseAmount(value, '--runs')) ?? DEFAULT_RUNS,
    station: {
      longitude: given(values.longitude, (value) => parseNumber(value, '--longitude', 180)),
      latitude: given(values.latitude, (value) => parseNumber(value, '--latitude', 90)),
      elevationM: given(values.elevation, (value) => parseNumber(value, '--elevation', 9000)),
    },
    report: values.report ?? null,
    json: values.json ?? false,
  };
}

/** Reads what follows `swath weather`. */
export function parseWeather(rest: readonly string[]): WeatherCommand | HelpCommand {
  const parsed = parseCubesAction('weather', rest);
  switch (parsed.action) {
    case 'help':
      return weatherHelp;
    case 'list':
      return { name: 'weather list', json: parsed.json };
    case 'remove':
      return { name: 'weather remove', data: parsed.cube };
  }
}

function parseName(text: string): string {
  const name = parseCubeName(text);
  if (name.length > MAX_NAME)
    throw badInput('usage', `--name takes at most ${MAX_NAME} characters: runs of forecasts add their time.`);
  return name;
}

/** An hour of UTC, as 2026-11-16T06. */
function parseRun(text: string): number {
  const isHour = /^\d{4}-\d{2}-\d{2}T\d{2}(:\d{2})?Z?$/.test(text);
  const iso = `${text.replace(/Z$/, '')}${text.includes(':') ? '' : ':00'}Z`;
  const ms = isHour ? Date.parse(iso) : Number.NaN;
  // A Date rolls 30 February over into March.
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(text.slice(0, 13)))
    throw badInput('usage', '--run takes an hour of UTC, such as 2026-11-16T06.');
  return ms;
}

function parseNumber(text: string, option: string, limit: number): number {
  const value = /^-?\d{1,4}(\.\d{1,12})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(Math.abs(value) <= limit))
    throw badInput('usage', `${option} takes a number from -${limit} to ${limit}.`);
  return value;
}
