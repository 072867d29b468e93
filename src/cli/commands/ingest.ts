import { badInput } from '../../errors.ts';
import type { StacFilters } from '../../ingest/index.ts';
import { sensors } from '../../sensors/index.ts';
import type { CommandOf } from './command.ts';
import { argument, command, flag, option, repeatable, reshape, topic } from './command.ts';
import { parseAmount, parseBbox, parseDay } from './parse-values.ts';
import { reportOptions } from './reports.ts';

/** `swath ingest folder|stac`. */
export type IngestCommand = CommandOf<(typeof ingest.commands)[number]>;

const common = {
  convert: flag('--convert', 'afterwards write JPEG 2000 and untiled files as COGs into the data directory'),
  ...reportOptions,
};

const folder = command('ingest folder', {
  about: `Finds products below the path, as their providers ship them: ${sensors
    .map(({ title }) => title)
    .toSorted()
    .join(', ')}.`,
  arguments: { path: argument('<path>', 'Which folder?') },
  options: common,
});

const stac = command('ingest stac', {
  about:
    'Reads STAC items from an API or a static catalog (http or https), or from files and directories (.json, .ndjson).',
  arguments: { from: argument('<url, file or directory>', 'From where?') },
  options: {
    bbox: option('--bbox W,S,E,N', 'only scenes that touch the box, in degrees', parseBbox),
    date: option(
      '--date FROM/TO',
      'only scenes of these days (UTC); a single day, or one open end, works too',
      parseDays,
    ),
    maxCloudPercent: option('--cloud PERCENT', 'only scenes with at most this cloud cover', parsePercent),
    limit: option('--limit N', 'stop after N items', parseAmount),
    collections: repeatable('--collection NAME', 'only this collection; may be repeated'),
    ...common,
  },
});

/** `swath ingest`, as far as it is about scenes. */
export const ingest = topic({
  name: 'ingest',
  summary: 'add scenes from product folders or STAC; elevation models, soil moisture and weather',
  about: [
    'Image files stay where they are. Scenes may lie only in the data directory and where SWATH_SOURCES allows; "swath doctor" shows it. A running server sees new scenes at once.',
    'Scenes that have not changed are left alone, so a run that was stopped can simply be repeated. A product that cannot be read is reported and skipped; nothing of it is stored.',
  ],
  commands: [
    folder,
    reshape(stac, ({ name, from, convert, report, json, ...filters }) => ({
      name,
      from,
      filters: filters satisfies StacFilters,
      convert,
      report,
      json,
    })),
  ],
  elsewhere: { 'ingest dem': 'dem', 'ingest soilmoisture': 'soilmoisture', 'ingest weather': 'weather' },
  fails: 'a product was broken',
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

function parsePercent(text: string, name: string): number {
  const value = /^\d{1,3}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= 100)) throw badInput('usage', `${name} takes a percentage from 0 to 100.`);
  return value;
}
