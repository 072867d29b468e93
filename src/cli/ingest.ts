/** `swath ingest` of scenes: its command, its progress and its report. */

import type { ConversionReport, IngestReport, ProductReport, StacFilters } from '../ingest/index.ts';
import { sensors } from '../sensors/index.ts';
import type { CommandOf } from './command.ts';
import { argument, command, flag, option, repeatable, reshape, topic } from './command.ts';
import { badInput } from './errors.ts';
import { parseAmount, parseBbox, parseDay, parsePercent } from './parse-values.ts';
import { reportOptions, writeReport } from './report.ts';
import type { Terminal } from './terminal.ts';

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
    'Reads STAC items from an API or a static catalog (http or https), or from files and directories (.json, .ndjson, .parquet).',
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

/** How far an ingest has come; the total is null if it is not known. */
interface IngestProgress {
  readonly done: number;
  readonly total: number | null;
}

interface IngestDeps {
  readonly terminal: Terminal;
  /** Mode of the report's file. */
  readonly outputMode: number;
  readonly ingest: (onProgress: (progress: IngestProgress) => void) => Promise<IngestReport>;
  readonly convert: (
    viewIds: readonly string[],
    onProgress: (fraction: number) => void,
  ) => Promise<ConversionReport>;
}

/** Products named in the summary; the report has all. */
const MAX_NAMED = 20;
/** Products between two lines of progress if the total is not known. */
const COUNT_STEP = 250;

/** `swath ingest folder|stac`; true when nothing was broken. */
export async function runIngest(
  command: IngestCommand,
  { terminal, outputMode, ingest, convert }: IngestDeps,
): Promise<boolean> {
  const progress = command.json ? null : terminal.progress('Ingesting');
  const report = await ingest(({ done, total }) => {
    if (total !== null) progress?.update(total === 0 ? 1 : done / total);
    else if (progress !== null && done % COUNT_STEP === 0) terminal.note(`Ingesting: ${done} so far`);
  });
  progress?.done(toSentence(report));
  // After a stop the user does not want to wait for hours of converting.
  const conversion: ConversionReport =
    command.convert && !report.stopped
      ? await convertAll(report, { terminal, convert }, command.json)
      : { scenes: [], stopped: false };
  const stopped = report.stopped || conversion.stopped;
  const whole = { ...report, stopped, ...(command.convert ? { conversions: conversion.scenes } : {}) };
  if (command.report !== null) await writeReport(command.report, whole, outputMode);
  if (command.json) terminal.line(JSON.stringify(whole, null, 2));
  else {
    printProblems(report, conversion.scenes, terminal);
    if (report.products.length === 0 && !stopped) terminal.note(whyNothing(command, report));
  }
  const isDamaged = conversion.scenes.some(({ unconverted }) => unconverted.some((band) => band.isDamaged));
  return report.totals.broken === 0 && !stopped && !isDamaged;
}

function toSentence({ totals, products, stopped }: IngestReport): string {
  const added = products.filter(({ change }) => change === 'added').length;
  const parts = [
    `${added} added`,
    `${totals.ingested - added} replaced`,
    `${totals.unchanged} unchanged`,
    ...(totals.skipped > 0 ? [`${totals.skipped} skipped`] : []),
    ...(totals.broken > 0 ? [`${totals.broken} broken`] : []),
  ];
  return `${stopped ? 'Stopped before the end' : 'Done'}: ${parts.join(', ')}.`;
}

/** Why an ingest has found nothing to do, and what to do about it. */
function whyNothing(command: IngestCommand, { filteredOut = 0 }: IngestReport): string {
  if (command.name === 'ingest folder') {
    return `No product of a known sensor was found below ${command.path}. "swath ingest --help" lists the sensors; archives must be unpacked, with the names that providers give to folders and files.`;
  }
  const { from, filters } = command;
  const names = [
    ...(filters.bbox === null ? [] : ['--bbox']),
    ...(filters.date === null ? [] : ['--date']),
    ...(filters.maxCloudPercent === null ? [] : ['--cloud']),
    ...(filters.collections.length === 0 ? [] : ['--collection']),
  ].join(', ');
  if (filteredOut > 0) return `None of the ${filteredOut} items of ${from} matches the filters (${names}).`;
  return names === ''
    ? `There are no items in ${from}.`
    : `There are no items in ${from} that match the filters (${names}); try without them, and with --limit.`;
}

async function convertAll(
  report: IngestReport,
  { terminal, convert }: Pick<IngestDeps, 'terminal' | 'convert'>,
  isQuiet: boolean,
): Promise<ConversionReport> {
  const known = report.products.flatMap(({ outcome, viewId }) =>
    (outcome === 'ingested' || outcome === 'unchanged') && viewId !== undefined ? [viewId] : [],
  );
  const progress = isQuiet ? null : terminal.progress('Converting');
  const conversion = await convert([...new Set(known)], (fraction) => progress?.update(fraction));
  const files = conversion.scenes.reduce((sum, { converted }) => sum + converted.length, 0);
  const sentence = files === 0 ? 'Nothing to convert.' : `Converted ${files} files to COGs.`;
  progress?.done(conversion.stopped ? `Stopped before the end: ${files} files converted to COGs.` : sentence);
  return conversion;
}

function printProblems(
  { products }: IngestReport,
  conversions: ConversionReport['scenes'],
  { note, style }: Terminal,
): void {
  const lines = [
    ...products
      .filter(({ outcome }) => outcome === 'broken')
      .map((line) => toProblem(line, style.red('broken'))),
    ...products
      .filter(({ outcome }) => outcome === 'skipped')
      .map((line) => toProblem(line, style.yellow('skipped'))),
    ...conversions.flatMap(({ viewId, unconverted }) =>
      unconverted.map(
        ({ band, reason, isDamaged }) =>
          `${isDamaged ? style.red('broken') : style.yellow('kept')} ${viewId} ${band}: ${reason}`,
      ),
    ),
  ];
  for (const line of lines.slice(0, MAX_NAMED)) note(line);
  if (lines.length > MAX_NAMED)
    note(`… and ${lines.length - MAX_NAMED} more; --report FILE writes them all.`);
}

const toProblem = ({ product, reason, files }: ProductReport, word: string): string =>
  `${word} ${product}${files === undefined ? '' : ` (${files} files)`}: ${reason ?? ''}`;
