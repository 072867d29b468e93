import { badInput } from '../../errors.ts';
import type { LonLatBounds } from '../../geo/index.ts';
import { parseDemName } from '../../terrain/index.ts';
import type { CommandOf } from './command.ts';
import { argument, command, flag, option, topic, withDefault } from './command.ts';
import { parseAmount, parseBbox, parseChoice } from './parse-values.ts';
import { jsonList, reportOptions } from './reports.ts';

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
      (text) => toBounds(parseBbox(text)),
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
