import { badInput } from '../../errors.ts';
import type { LonLatBounds } from '../../geo/index.ts';
import type { Dem, HeightUnit } from '../../terrain/index.ts';
import { parseDemName } from '../../terrain/index.ts';
import type { HelpCommand } from './options.ts';
import { help, parseAmount, parseBbox, parseChoice, parseOptions } from './options.ts';

/** `swath ingest dem …`. */
export interface IngestDemCommand {
  readonly name: 'ingest dem';
  /** A folder, a file or an address. */
  readonly from: string;
  /** Name of the model. */
  readonly model: string | null;
  readonly order: number | null;
  readonly unit: HeightUnit | null;
  /** Counted from 0. */
  readonly bandIndex: number | null;
  readonly nodata: number | null;
  readonly gaps: Dem['gaps'] | null;
  /** Undefined when nothing is said, null for no one. */
  readonly attribution: string | null | undefined;
  readonly bounds: LonLatBounds | null;
  readonly prune: boolean;
  /** Whether all pixels of new and changed local files are read before they are taken. */
  readonly check: boolean;
  readonly report: string | null;
  readonly json: boolean;
}

/** `swath dem …`. */
export type DemCommand =
  | { readonly name: 'dem list'; readonly json: boolean }
  | { readonly name: 'dem remove'; readonly model: string }
  | { readonly name: 'dem order'; readonly model: string; readonly order: number };

const demHelp: HelpCommand = { name: 'help', topic: 'dem' };

/** Reads what follows `swath ingest dem`. */
export function parseIngestDem(rest: readonly string[]): IngestDemCommand | HelpCommand {
  const text = { type: 'string' } as const;
  const options = {
    ...help,
    name: text,
    order: text,
    unit: text,
    band: text,
    nodata: text,
    gaps: text,
    attribution: text,
    bbox: text,
    prune: { type: 'boolean' },
    'no-check': { type: 'boolean' },
    report: text,
    json: { type: 'boolean' },
  } as const;
  const { values, positionals } = parseOptions(rest, options, 1);
  if (values.help) return demHelp;
  const [from] = positionals;
  if (from === undefined)
    throw badInput('usage', 'From where? "swath ingest dem <folder, file or address>".');
  const given = <T>(value: string | undefined, parse: (text: string) => T): T | null =>
    value === undefined ? null : parse(value);
  const { attribution } = values;
  return {
    name: 'ingest dem',
    from,
    model: given(values.name, parseDemName),
    order: given(values.order, (value) => parseOrder(value, '--order')),
    unit: given(values.unit, (value) => parseChoice(value, '--unit', ['m', 'ft', 'us-ft'])),
    bandIndex: given(values.band, (value) => parseAmount(value, '--band') - 1),
    nodata: given(values.nodata, parseNodata),
    gaps: given(values.gaps, (value) => parseChoice(value, '--gaps', ['sea', 'unknown'])),
    attribution: attribution === undefined ? undefined : parseAttribution(attribution),
    bounds: given(values.bbox, (value) => toBounds(parseBbox(value))),
    prune: values.prune ?? false,
    check: values['no-check'] !== true,
    report: values.report ?? null,
    json: values.json ?? false,
  };
}

/** Reads what follows `swath dem`. */
export function parseDem([action, ...rest]: readonly string[]): DemCommand | HelpCommand {
  switch (action) {
    case undefined:
    case '--help':
    case '-h':
      return demHelp;
    case 'list': {
      const { values } = parseOptions(rest, { ...help, json: { type: 'boolean' } } as const, 0);
      return values.help ? demHelp : { name: 'dem list', json: values.json ?? false };
    }
    case 'remove': {
      const { values, positionals } = parseOptions(rest, help, 1);
      return values.help ? demHelp : { name: 'dem remove', model: readModel(positionals, 'remove NAME') };
    }
    case 'order': {
      // A negative number is a value, not an option.
      const last = rest.at(-1) ?? '';
      const number = /^-\d/.test(last) ? [last] : [];
      const { values, positionals } = parseOptions(rest.slice(0, rest.length - number.length), help, 2);
      if (values.help) return demHelp;
      const [, order] = [...positionals, ...number];
      const model = readModel(positionals, 'order NAME N');
      if (order === undefined) throw badInput('usage', 'Which number? "swath dem order NAME N".');
      return { name: 'dem order', model, order: parseOrder(order, 'The order') };
    }
    default:
      throw badInput(
        'unknown-command',
        `There is no command "dem ${action}". "swath dem --help" lists them.`,
      );
  }
}

function readModel([model]: readonly string[], usage: string): string {
  if (model !== undefined) return parseDemName(model);
  throw badInput('usage', `Which model? "swath dem ${usage}"; "swath dem list" shows them.`);
}

function parseOrder(text: string, what: string): number {
  if (!/^-?\d{1,6}$/.test(text)) throw badInput('usage', `${what} takes a whole number, such as 0, 5 or -1.`);
  return Number(text) + 0;
}

function parseNodata(text: string): number {
  if (!/^-?\d{1,30}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,2})?$/.test(text))
    throw badInput('usage', '--nodata takes a number, such as -9999.');
  return Number(text);
}

/** A line below a map. */
const MAX_ATTRIBUTION = 500;

/** An empty text means no one. */
function parseAttribution(text: string): string | null {
  const line = text.trim();
  if (line.length > MAX_ATTRIBUTION || /\p{Cc}/u.test(line))
    throw badInput('usage', `--attribution takes one line of at most ${MAX_ATTRIBUTION} characters.`);
  return line === '' ? null : line;
}

/** A box with west above east crosses the antimeridian. */
const toBounds = ([west, south, east, north]: readonly [number, number, number, number]): LonLatBounds => ({
  west,
  south,
  east: east < west ? east + 360 : east,
  north,
});
