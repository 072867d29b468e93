import { parseCubeName } from '../../cubes/index.ts';
import { badInput } from '../../errors.ts';
import type { HelpCommand } from './options.ts';
import { help, parseOptions } from './options.ts';
import { parseCubesAction } from './parse-cubes.ts';

/** `swath ingest soilmoisture …`. */
export interface IngestSoilMoistureCommand {
  readonly name: 'ingest soilmoisture';
  /** A file or a folder. */
  readonly from: string;
  /** Name of the data cube. */
  readonly cube: string;
  /** Name of the variable in the files; null to find it. */
  readonly variable: string | null;
  /** Share of the soil that is pores, for files in % of saturation. */
  readonly porosity: number | null;
  readonly report: string | null;
  readonly json: boolean;
}

/** `swath soilmoisture …`. */
export type SoilMoistureCommand =
  | { readonly name: 'soilmoisture list'; readonly json: boolean }
  | { readonly name: 'soilmoisture remove'; readonly cube: string };

/** One cube is enough for most; files of one data set have one grid. */
const DEFAULT_CUBE = 'default';

const soilHelp: HelpCommand = { name: 'help', topic: 'soilmoisture' };

/** Reads what follows `swath ingest soilmoisture`. */
export function parseIngestSoilMoisture(rest: readonly string[]): IngestSoilMoistureCommand | HelpCommand {
  const text = { type: 'string' } as const;
  const options = {
    ...help,
    name: text,
    variable: text,
    porosity: text,
    report: text,
    json: { type: 'boolean' },
  } as const;
  const { values, positionals } = parseOptions(rest, options, 1);
  if (values.help) return soilHelp;
  const [from] = positionals;
  if (from === undefined)
    throw badInput('usage', 'From where? "swath ingest soilmoisture <file or folder>".');
  return {
    name: 'ingest soilmoisture',
    from,
    cube: parseCubeName(values.name ?? DEFAULT_CUBE),
    variable: values.variable ?? null,
    porosity: values.porosity === undefined ? null : parsePorosity(values.porosity),
    report: values.report ?? null,
    json: values.json ?? false,
  };
}

/** Reads what follows `swath soilmoisture`. */
export function parseSoilMoisture(rest: readonly string[]): SoilMoistureCommand | HelpCommand {
  const parsed = parseCubesAction('soilmoisture', rest);
  switch (parsed.action) {
    case 'help':
      return soilHelp;
    case 'list':
      return { name: 'soilmoisture list', json: parsed.json };
    case 'remove':
      return { name: 'soilmoisture remove', cube: parsed.cube };
  }
}

function parsePorosity(text: string): number {
  const value = /^0?\.\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= 0.1 && value <= 0.9))
    throw badInput('usage', '--porosity takes a share from 0.1 to 0.9, such as 0.45.');
  return value;
}
