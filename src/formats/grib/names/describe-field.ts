import type { GribField, GribLevel, GribMethod } from '../headers/grib-field.ts';
import type { NamedLevel, ParameterName } from './parameter-table.ts';
import { parameterNames } from './parameter-table.ts';

/** What a field is, in words and times. */
export interface GribDescription {
  /** The short name of ecCodes, with the level where the name does not say it; numbers if it is unknown. */
  readonly name: string;
  readonly longName: string;
  /** As ecCodes writes them; empty if unknown. */
  readonly units: string;
  /** Null where neither header nor parameter say it. */
  readonly method: GribMethod | null;
  /** When the period begins; null for a moment, and where it is unknown. */
  readonly startMs: number | null;
}

/** Says what a field is, by the numbers of its header. */
export function describeField(field: GribField): GribDescription {
  const known = parameterNames.get(toKey(field))?.find((one) => isFor(one, field));
  const level = toLevelText(field.level);
  const { method, startMs } = toPeriod(field, known?.over ?? null);
  if (known === undefined)
    return { name: `${toNumbers(field)}_${level}`, longName: '', units: '', method, startMs };
  const { at, name, longName, units } = known;
  return { name: at === undefined ? `${name}_${level}` : name, longName, units, method, startMs };
}

const LOCAL = 192;

function toKey({ edition, centre, parameter }: GribField): string {
  if (edition === 1) {
    const [version, number] = parameter as readonly [number, number];
    return version <= 3 && number < 128 ? `1/wmo/${number}` : `1/${centre}/${version}/${number}`;
  }
  const isLocal = parameter.some((number) => number >= LOCAL);
  return isLocal ? `2/${centre}/${parameter.join('/')}` : `2/${parameter.join('/')}`;
}

function toNumbers({ edition, parameter }: GribField): string {
  const letters = edition === 1 ? ['t', 'n'] : ['d', 'c', 'n'];
  return parameter.map((number, i) => `${letters[i]}${number}`).join('');
}

const toLevelText = ({ type, value, to }: GribLevel): string =>
  [`l${type}`, value, to].filter((part) => part !== null).join('_');

function isFor({ at, when }: ParameterName, { level, method }: GribField): boolean {
  if (when !== undefined && (method === null || !when.includes(method))) return false;
  return at === undefined || isAt(at, level);
}

/** Code table 4.5: 1 surface, 10 and 200 (of NCEP) the whole atmosphere, 101 the sea, 103 metres above ground, 106 below. */
function isAt(at: NamedLevel, { type, value }: GribLevel): boolean {
  if (at === 'any') return true;
  if (at === 'surface') return type === 1;
  if (at === 'sea') return type === 101;
  if (at === 'column') return type === 10 || type === 200;
  // Soil layers are numbered from 1 where they have no depths (type 151).
  if (at === 'top-soil')
    return (type === 106 && value === 0) || (type === 151 && (value === 0 || value === 1));
  return type === 103 && value === HEIGHTS_M[at];
}

const HEIGHTS_M = { '2m': 2, '10m': 10, '100m': 100 } as const;

/** Sums and extremes of ECMWF often have the header of a moment: their period is known otherwise, or begins with the run. */
function toPeriod(
  { method, startMs, endMs, runMs, periodMs }: GribField,
  over: GribMethod | null,
): Pick<GribDescription, 'method' | 'startMs'> {
  if (over === null || (method !== 'instant' && method !== null)) return { method, startMs };
  if (startMs !== null) return { method: over, startMs };
  if (periodMs !== null) return { method: over, startMs: endMs - periodMs };
  return { method: over, startMs: over === 'sum' && endMs > runMs ? runMs : null };
}
