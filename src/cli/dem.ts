/** Elevation models on the command line: `swath ingest dem` and `swath dem`. */

import type { LonLatBounds } from '../geo/index.ts';
import type { DemProgress, DemReport, DemStore, ListedDem } from '../terrain/index.ts';
import { parseDemName } from '../terrain/index.ts';
import type { CommandOf } from './command.ts';
import { argument, command, flag, option, topic, withDefault } from './command.ts';
import { badInput } from './errors.ts';
import { parseAmount, parseBbox, parseChoice } from './parse-values.ts';
import { jsonList, printProblems, reportOptions, writeReport } from './report.ts';
import type { Progress, Terminal } from './terminal.ts';
import { printTable } from './terminal.ts';

/** `swath ingest dem`. */
export type IngestDemCommand = CommandOf<typeof ingestDem>;

/** `swath dem list|remove|order`. */
export type DemCommand = Exclude<CommandOf<(typeof dem.commands)[number]>, IngestDemCommand>;

const ingestDem = command('ingest dem', {
  about:
    'Adds files to an elevation model, or creates the model: a folder of GeoTIFFs (.tif, .tiff) or of terrarium tiles {z}/{x}/{y}.png; one GeoTIFF; a list of names or addresses (.txt), such as tileList.txt of the Copernicus DEM; a template such as https://host/terrarium/{z}/{x}/{y}.png; or s3://bucket/prefix with GeoTIFFs. Files and lists may be http(s) or s3 addresses.',
  arguments: { from: argument('<folder, file or address>', 'From where?') },
  options: {
    model: option(
      '--name NAME',
      'name of the model; by default that of the folder, file or Copernicus DEM',
      (text) => parseDemName(text),
    ),
    order: option(
      '--order N',
      'models with lower numbers are used first, whatever their resolution (0)',
      parseOrder,
    ),
    unit: option(
      '--unit m|ft|us-ft',
      'unit of the heights, if the files do not state it or state it wrongly',
      parseChoice('m', 'ft', 'us-ft'),
    ),
    bandIndex: option('--band N', 'band with the heights (1)', (text, name) => parseAmount(text, name) - 1),
    nodata: option('--nodata V', 'value of voids, for files that state none', parseNodata),
    gaps: option(
      '--gaps sea|unknown',
      'what lies where the model has no file; unknown, unless the set itself shows that it is sea',
      parseChoice('sea', 'unknown'),
    ),
    attribution: withDefault(
      option(
        '--attribution TEXT',
        'who must be named with a map of it; known for the Copernicus DEM',
        parseAttribution,
      ),
      undefined,
    ),
    bounds: option(
      '--bbox W,S,E,N',
      'the area that a template covers, in degrees; the whole world by default',
      (text, name) => toBounds(parseBbox(text, name)),
    ),
    prune: flag('--prune', 'remove files from the catalog that are gone from the folder, list or bucket'),
    check: not(flag('--no-check', 'accept local files without reading their pixels first')),
    ...reportOptions,
  },
});

const hint = '"swath dem list" shows them';
const model = argument('NAME', 'Which model?', (text) => parseDemName(text));

/** `swath dem` and `swath ingest dem`. */
export const dem = topic({
  name: 'dem',
  summary: 'list, remove and order elevation models',
  about: [
    'A second ingest reads only what has changed. All pixels of new and changed local files are read first. A file that cannot be read is reported and left out; the others are ingested.',
    'Files may lie only in the data directory and where SWATH_SOURCES allows; "swath doctor" shows it.',
  ],
  commands: [
    ingestDem,
    command('dem list', {
      about: 'Shows the models in the order in which they are used.',
      options: jsonList,
    }),
    command('dem remove', {
      about: 'Removes a model from the catalog; its files stay.',
      arguments: { model },
      hint,
    }),
    command('dem order', {
      about: 'Changes the order of a model.',
      arguments: {
        model,
        order: argument('N', 'Which number?', (text) => parseOrder(text, 'The order'), 'number'),
      },
      hint,
    }),
  ],
  fails: 'a file was broken, or a model does not exist',
});

/** A switch that turns something off. */
function not({ read, ...shown }: ReturnType<typeof flag>): ReturnType<typeof flag> {
  return { ...shown, read: (given) => !read(given) };
}

function parseOrder(text: string, what: string): number {
  if (!/^-?\d{1,6}$/.test(text)) throw badInput('usage', `${what} takes a whole number, such as 0, 5 or -1.`);
  // Without the sign of -0.
  return Number(text) + 0;
}

function parseNodata(text: string, name: string): number {
  if (!/^-?\d{1,30}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,2})?$/.test(text))
    throw badInput('usage', `${name} takes a number, such as -9999.`);
  return Number(text);
}

/** A line below a map. */
const MAX_ATTRIBUTION = 500;

/** An empty text means no one. */
function parseAttribution(text: string, name: string): string | null {
  const line = text.trim();
  if (line.length > MAX_ATTRIBUTION || /\p{Cc}/u.test(line))
    throw badInput('usage', `${name} takes one line of at most ${MAX_ATTRIBUTION} characters.`);
  return line === '' ? null : line;
}

/** If west is greater than east, the box crosses the antimeridian. */
const toBounds = ([west, south, east, north]: readonly [number, number, number, number]): LonLatBounds => ({
  west,
  south,
  east: east < west ? east + 360 : east,
  north,
});

interface DemDeps {
  readonly dems: DemStore;
  /** Deletes the overview mosaics that Swath has made of a model. */
  readonly removeOverviews: (dem: string) => Promise<void>;
  readonly terminal: Terminal;
}

/** `swath dem list|remove|order`; false when a model was not there. */
export async function runDem(
  command: DemCommand,
  { dems, removeOverviews, terminal }: DemDeps,
): Promise<boolean> {
  switch (command.name) {
    case 'dem list': {
      printDems(await dems.list(), command.json, terminal);
      return true;
    }
    case 'dem remove': {
      const count = await dems.removeDem(command.model);
      if (count === null) return sayUnknown(command.model, terminal);
      await removeOverviews(command.model);
      const files = count === 1 ? '1 file' : `${count} files`;
      terminal.line(`Removed the model ${command.model} of ${files} from the catalog; its files stay.`);
      return true;
    }
    case 'dem order': {
      const dem = await dems.find(command.model);
      if (dem === null) return sayUnknown(command.model, terminal);
      if (dem.order !== command.order) await dems.putDem({ ...dem, order: command.order });
      terminal.line(`The model ${command.model} has the order ${command.order}.`);
      return true;
    }
  }
}

function sayUnknown(name: string, { note }: Terminal): false {
  note(`There is no model ${name}; "swath dem list" shows them.`);
  return false;
}

function printDems(listed: readonly ListedDem[], json: boolean, terminal: Terminal): void {
  const { line, note } = terminal;
  if (json) {
    line(JSON.stringify(listed, null, 2));
    return;
  }
  if (listed.length === 0) {
    line('There is no elevation model. "swath ingest dem <folder, file or address>" adds one.');
    return;
  }
  const rows: string[][] = [];
  for (const dem of listed) {
    const { west, south, east, north } = dem.bounds;
    rows.push([
      dem.name,
      String(dem.order),
      String(dem.fileCount),
      toResolution(dem),
      [west, south, east, north].map(toDegrees).join(', '),
      dem.gaps,
      dem.overviews.length === 0 ? 'none' : String(dem.overviews.length),
    ]);
  }
  printTable(terminal, {
    header: ['name', 'order', 'files', 'resolution', 'west, south, east, north', 'gaps', 'overviews'],
    rows,
  });
  const attributed = listed.flatMap(({ name, attribution }) =>
    attribution === null ? [] : [`${name}: ${attribution}`],
  );
  for (const text of attributed) note(text);
}

/** To two digits; a range where the files of a model differ. */
function toResolution({ finestM, coarsestM }: ListedDem): string {
  const toText = (metres: number): string => String(Number(metres.toPrecision(2)));
  const [finest, coarsest] = [toText(finestM), toText(coarsestM)];
  return finest === coarsest ? `${finest} m` : `${finest} to ${coarsest} m`;
}

const toDegrees = (value: number): string => String(Number(value.toFixed(3)));

interface IngestDemDeps {
  readonly terminal: Terminal;
  /** Mode of the report's file. */
  readonly outputMode: number;
  readonly ingest: (
    onProgress: (progress: DemProgress) => void,
    onOverviewProgress: (fraction: number) => void,
  ) => Promise<DemReport>;
}

/** `swath ingest dem`; true when nothing was broken. */
export async function runIngestDem(
  command: IngestDemCommand,
  { terminal, outputMode, ingest }: IngestDemDeps,
): Promise<boolean> {
  const progress = command.json ? null : terminal.progress('Ingesting');
  let overviews: Progress | null = null;
  const report = await ingest(
    ({ done, total }) => progress?.update(total === 0 ? 1 : done / total),
    (fraction) => {
      if (command.json) return;
      overviews ??= terminal.progress('Making overview mosaics');
      overviews.update(fraction);
    },
  );
  progress?.done(toSentence(report));
  if (command.report !== null) await writeReport(command.report, report, outputMode);
  if (command.json) terminal.line(JSON.stringify(report, null, 2));
  else printDemReport(report, terminal);
  return report.totals.broken === 0 && !report.stopped && report.failure === null;
}

function toSentence({ dem, totals, files, stopped }: DemReport): string {
  const added = files.filter(({ change }) => change === 'added').length;
  const more = (['skipped', 'broken', 'gone', 'pruned'] as const).filter((name) => totals[name] > 0);
  const parts = [
    `${added} added`,
    `${totals.ingested - added} replaced`,
    `${totals.unchanged} unchanged`,
    ...more.map((name) => `${totals[name]} ${name}`),
  ];
  const start = stopped ? 'Stopped before the end' : 'Done';
  return `${start}${dem === null ? '' : `, model ${dem}`}: ${parts.join(', ')}.`;
}

function printDemReport({ files, notes, failure }: DemReport, terminal: Terminal): void {
  const { note, style } = terminal;
  const of = (outcome: DemReport['files'][number]['outcome']) =>
    files.filter((line) => line.outcome === outcome);
  const lines = [
    ...of('broken').map((line) => toProblem(line, style.red('broken'))),
    ...of('skipped').map((line) => toProblem(line, style.yellow('skipped'))),
    ...of('gone').map(({ file }) => `${style.yellow('gone')} ${file}`),
  ];
  printProblems(lines, terminal);
  for (const line of notes) note(line);
  if (failure !== null)
    note(
      `${style.red('No overview mosaics were made')}: ${failure.reason} The files are in the catalog; run the command again to make the mosaics.`,
    );
}

const toProblem = ({ file, reason, files }: DemReport['files'][number], word: string): string =>
  `${word} ${file}${files === undefined ? '' : ` and ${files - 1} more`}: ${reason ?? ''}`;
