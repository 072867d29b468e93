import { badInput } from '../../errors.ts';
import { makeKnownNames, toKnownNames } from '../request/known-names.ts';
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

const KNOWN = makeKnownNames(NAMES);

/** The query with the names of the documentation; parameters of others, such as the key, are left out. */
export function parseTerrainQuery(query: Query): Query {
  const others = new Set<string>();
  const named = toKnownNames(query, KNOWN, (name) => void others.add(name));
  return new Map([...named].filter(([name]) => !others.has(name)));
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
