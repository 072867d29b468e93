import { badInput, unsupported } from '../errors.ts';

/** The longest definition we read; the longest in the EPSG database has 9 kB as WKT. */
const MAX_LENGTH = 16_384;

/** Projections whose results test/oracle/proj has compared with those of PROJ. */
const projections = new Set(
  'longlat latlong utm tmerc merc lcc aea laea stere sterea sinu eqc eqdc cea aeqd'.split(' '),
);

/** Whether a projection, by one of its proj4 names, is one that we support. */
export const isKnownProjection = (name: string): boolean => projections.has(name);

/** Parameters for position and scale; none of them names a file or an address. */
const numbers = new Set('zone lat_0 lat_1 lat_2 lat_ts lon_0 x_0 y_0 k k_0 a b rf R to_meter pm'.split(' '));
const words = new Set('ellps units'.split(' '));
/** Others need datum shift grids, or more than one set of numbers for their continent. */
const datums = new Set(['WGS84', 'NAD83']);
const flags = new Set('no_defs south wktext over'.split(' '));

/** Keywords that a WKT text of version 1 or 2 can begin with. */
const WKT_ROOT =
  /^(PROJCS|GEOGCS|PROJCRS|PROJECTEDCRS|GEOGCRS|GEOGRAPHICCRS|GEODCRS|GEODETICCRS|BOUNDCRS)\s*\[/;
/** How older software embeds a PROJ string in WKT; it overrides the rest. */
const WKT_PROJ4 = /EXTENSION\s*\[\s*"PROJ4"\s*,\s*"([^"]*)"\s*\]/i;

/**
 * Checks the text of a reference system from a file or a user, PROJ string or WKT, and returns it ready for proj4.
 * Datum shift grids are refused: they would be files.
 */
export function parseDefinition(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length > MAX_LENGTH) {
    throw badInput('bad-crs', `The reference system has more than ${MAX_LENGTH} characters.`);
  }
  if (trimmed.startsWith('+')) return parseProjString(trimmed);
  if (!WKT_ROOT.test(trimmed)) {
    throw badInput('bad-crs', 'The reference system is neither an EPSG code nor a PROJ string nor WKT.');
  }
  const hidden = WKT_PROJ4.exec(trimmed)?.[1];
  if (hidden !== undefined) return parseProjString(hidden.trim());
  // Any remaining extension would reach proj4 unchecked.
  if (/EXTENSION/i.test(trimmed)) throw badInput('bad-crs', 'The WKT has an unknown extension.');
  return trimmed;
}

function parseProjString(text: string): string {
  const seen = new Set<string>();
  for (const part of text.split(/\s+/)) {
    const [key = '', value, ...more] = part.slice(1).split('=');
    if (!part.startsWith('+') || more.length > 0 || seen.has(key) || !isAllowed(key, value)) {
      const shown = part.length > 40 ? `${part.slice(0, 40)}…` : part;
      throw badInput('bad-crs', `The PROJ string has the part "${shown}", which is not allowed.`);
    }
    seen.add(key);
    if (key === 'proj' && !isKnownProjection(value ?? '')) {
      throw unsupported('unknown-crs', `The projection "${value}" is unknown.`);
    }
  }
  if (!seen.has('proj')) throw badInput('bad-crs', 'The PROJ string names no projection.');
  return withDefaults(text, seen);
}

/** Writes out the zeros that PROJ assumes and proj4, in some projections, does not. */
function withDefaults(text: string, seen: ReadonlySet<string>): string {
  const missing = ['lat_0', 'lon_0', 'x_0', 'y_0'].filter((key) => !seen.has(key));
  return [text, ...missing.map((key) => `+${key}=0`)].join(' ');
}

function isAllowed(key: string, value: string | undefined): boolean {
  if (flags.has(key)) return value === undefined;
  if (value === undefined) return false;
  if (key === 'proj' || words.has(key)) return /^[\w-]{1,32}$/.test(value);
  if (key === 'datum') return datums.has(value);
  if (key === 'nadgrids') return value === '@null';
  if (key === 'type') return value === 'crs';
  if (key === 'towgs84') return /^[-\d.eE,]{5,200}$/.test(value) && value.split(',').every(isNumber);
  return numbers.has(key) && isNumber(value);
}

/** Without any plus sign: proj4 takes each one for the beginning of a part, and reads 1e+5 as 1. */
const isNumber = (value: string): boolean =>
  /^-?[\d.][\d.eE-]*$/.test(value) && Number.isFinite(Number(value));
