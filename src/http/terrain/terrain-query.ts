import { badInput } from '../../errors.ts';
import type { Query } from '../request/query.ts';
import { parseDecimal } from '../request/strict-number.ts';
import { toBadCode } from '../request/switch.ts';

/** Names of parameters as the documentation writes them. */
const NAMES = [
  ...['format', 'mimetype', 'FILTERING', 'COLORMAP', 'MIN_SLOPE', 'SLOPE_RANGE', 'AZIMUTH', 'ALTITUDE'],
  ...['THRESHOLDS', 'COLORS', 'INTERVAL', 'UNKNOWN', 'SCALE', 'LINE', 'SAMPLES'],
] as const;

/** A parameter of terrain. */
export type TerrainParameter = (typeof NAMES)[number];

const BY_FOLDED: ReadonlyMap<string, TerrainParameter> = new Map(NAMES.map((name) => [fold(name), name]));

/** Case and underscores do not count: programs send `slopeRange` for SLOPE_RANGE. */
function fold(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

/** The query with the names of the documentation; parameters of others, such as the key, are left out. */
export function parseTerrainQuery(query: Query): Query {
  const known = new Map<string, string>();
  for (const [written, value] of query) {
    const name = BY_FOLDED.get(fold(written));
    if (name === undefined) continue;
    if (known.has(name)) {
      throw badInput('repeated-parameter', `The query parameter ${name} is given more than once.`);
    }
    known.set(name, value);
  }
  return known;
}

interface NumberRange {
  readonly min: number;
  readonly max: number;
  readonly fallback: number;
}

/** A number within bounds; `fallback` when it is not there. */
export function parseNumber(
  query: Query,
  name: TerrainParameter,
  { min, max, fallback }: NumberRange,
): number {
  const text = query.get(name);
  if (text === undefined) return fallback;
  const value = parseDecimal(text);
  if (value === null || value < min || value > max) {
    throw badInput(toBadCode(name), `${name} must be a number from ${min} to ${max}.`);
  }
  return value;
}
