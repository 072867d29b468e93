import { badInput } from '../../errors.ts';
import type { StacFilters } from '../../ingest/index.ts';
import type { HelpCommand } from './options.ts';
import { help, parseAmount, parseBbox, parseDay, parseOptions } from './options.ts';
import type { IngestDemCommand } from './parse-dem.ts';
import { parseIngestDem } from './parse-dem.ts';
import type { IngestSoilMoistureCommand } from './parse-soil-moisture.ts';
import { parseIngestSoilMoisture } from './parse-soil-moisture.ts';
import type { IngestWeatherCommand } from './parse-weather.ts';
import { parseIngestWeather } from './parse-weather.ts';

/** `swath ingest …` of scenes. */
export type IngestCommand =
  | {
      readonly name: 'ingest folder';
      readonly path: string;
      readonly convert: boolean;
      readonly report: string | null;
      readonly json: boolean;
    }
  | {
      readonly name: 'ingest stac';
      /** A URL, a file or a directory. */
      readonly from: string;
      readonly filters: StacFilters;
      readonly convert: boolean;
      readonly report: string | null;
      readonly json: boolean;
    };

const ingestHelp: HelpCommand = { name: 'help', topic: 'ingest' };

const common = {
  ...help,
  convert: { type: 'boolean' },
  report: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** Reads what follows `swath ingest`. */
export function parseIngest([kind, ...rest]: readonly string[]):
  | IngestCommand
  | IngestDemCommand
  | IngestSoilMoistureCommand
  | IngestWeatherCommand
  | HelpCommand {
  switch (kind) {
    case undefined:
    case '--help':
    case '-h':
      return ingestHelp;
    case 'folder': {
      const { values, positionals } = parseOptions(rest, common, 1);
      if (values.help) return ingestHelp;
      const [path] = positionals;
      if (path === undefined) throw badInput('usage', 'Which folder? "swath ingest folder <path>".');
      return { name: 'ingest folder', path, ...toCommon(values) };
    }
    case 'stac':
      return parseStac(rest);
    case 'dem':
      return parseIngestDem(rest);
    case 'soilmoisture':
      return parseIngestSoilMoisture(rest);
    case 'weather':
      return parseIngestWeather(rest);
    default:
      throw badInput(
        'unknown-command',
        `There is no command "ingest ${kind}". Possible: folder, stac, dem, soilmoisture, weather.`,
      );
  }
}

function parseStac(rest: readonly string[]): IngestCommand | HelpCommand {
  const options = {
    ...common,
    bbox: { type: 'string' },
    date: { type: 'string' },
    cloud: { type: 'string' },
    limit: { type: 'string' },
    collection: { type: 'string', multiple: true },
  } as const;
  const { values, positionals } = parseOptions(rest, options, 1);
  if (values.help) return ingestHelp;
  const [from] = positionals;
  if (from === undefined)
    throw badInput('usage', 'From where? "swath ingest stac <url, file or directory>".');
  const filters: StacFilters = {
    bbox: values.bbox === undefined ? null : parseBbox(values.bbox),
    date: values.date === undefined ? null : parseDays(values.date),
    maxCloudPercent: values.cloud === undefined ? null : parsePercent(values.cloud),
    limit: values.limit === undefined ? null : parseAmount(values.limit, '--limit'),
    collections: values.collection ?? [],
  };
  return { name: 'ingest stac', from, filters, ...toCommon(values) };
}

const toCommon = (values: { convert?: boolean; report?: string; json?: boolean }) => ({
  convert: values.convert ?? false,
  report: values.report ?? null,
  json: values.json ?? false,
});

/** One day, or two with a slash between them, of which one may be missing (`2026-01-01/`). */
function parseDays(text: string): NonNullable<StacFilters['date']> {
  const [from = '', to = from, ...more] = text.split('/');
  if (more.length > 0 || (from === '' && to === ''))
    throw badInput('usage', '--date takes a day, or two with a slash between them.');
  const date = {
    from: from === '' ? null : parseDay(from, '--date'),
    to: to === '' ? null : parseDay(to, '--date'),
  };
  if (date.from !== null && date.to !== null && date.from > date.to)
    throw badInput('usage', '--date runs backwards: its first day is after its second.');
  return date;
}

function parsePercent(text: string): number {
  const value = /^\d{1,3}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= 100)) throw badInput('usage', '--cloud takes a percentage from 0 to 100.');
  return value;
}
