import { badInput, unsupported } from './errors.ts';

/** A reference system: its EPSG code, or its definition as a PROJ string or WKT. */
export type CrsId = number | string;

/**
 * A position in a reference system: x to the east (longitude), y to the north (latitude), whatever axis order EPSG
 * defines.
 */
export type Position = [x: number, y: number];

/** No shift against WGS 84. PROJ assumes the same of two systems that agree to a metre and drift apart. */
const ETRS89 = '+ellps=GRS80 +towgs84=0,0,0,0,0,0,0';

/** Systems with single codes: those of satellite products and their users. */
const definitions: Readonly<Record<number, string>> = {
  4326: '+proj=longlat +datum=WGS84',
  4258: `+proj=longlat ${ETRS89}`,
  4269: '+proj=longlat +datum=NAD83',
  // A sphere of the ellipsoid's semi-major axis; "@null" stops proj4 from shifting datums between the two.
  3857: '+proj=merc +a=6378137 +b=6378137 +units=m +nadgrids=@null',
  // Equal areas: Europe (3035), the USA (5070), Australia (3577), the world (6933, EASE-Grid 2.0).
  3035: `+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 ${ETRS89} +units=m`,
  5070: '+proj=aea +lat_0=23 +lon_0=-96 +lat_1=29.5 +lat_2=45.5 +datum=NAD83 +units=m',
  3577: `+proj=aea +lat_0=0 +lon_0=132 +lat_1=-18 +lat_2=-36 ${ETRS89} +units=m`,
  6933: '+proj=cea +lat_ts=30 +lon_0=0 +datum=WGS84 +units=m',
  // Around the poles: Antarctica, sea ice, the Arctic, and the two systems beyond the UTM zones.
  3031: '+proj=stere +lat_0=-90 +lat_ts=-71 +lon_0=0 +datum=WGS84 +units=m',
  3413: '+proj=stere +lat_0=90 +lat_ts=70 +lon_0=-45 +datum=WGS84 +units=m',
  3976: '+proj=stere +lat_0=-90 +lat_ts=-70 +lon_0=0 +datum=WGS84 +units=m',
  3995: '+proj=stere +lat_0=90 +lat_ts=71 +lon_0=0 +datum=WGS84 +units=m',
  32661: '+proj=stere +lat_0=90 +lon_0=0 +k=0.994 +x_0=2000000 +y_0=2000000 +datum=WGS84 +units=m',
  32761: '+proj=stere +lat_0=-90 +lon_0=0 +k=0.994 +x_0=2000000 +y_0=2000000 +datum=WGS84 +units=m',
};

/** UTM: the code is a base plus the zone number. */
const utmFamilies = [
  { base: 32600, first: 1, last: 60, rest: '+datum=WGS84' },
  { base: 32700, first: 1, last: 60, rest: '+south +datum=WGS84' },
  { base: 26900, first: 1, last: 23, rest: '+datum=NAD83' },
  { base: 25800, first: 28, last: 38, rest: ETRS89 },
  // SIRGAS 2000 of Latin America, GDA94 and GDA2020 of Australia: all use GRS 80, and agree with WGS 84 to a metre or
  // two where they apply.
  { base: 31954, first: 11, last: 22, rest: ETRS89 },
  { base: 31960, first: 17, last: 25, rest: `+south ${ETRS89}` },
  { base: 28300, first: 48, last: 58, rest: `+south ${ETRS89}` },
  { base: 7800, first: 46, last: 59, rest: `+south ${ETRS89}` },
] as const;

/**
 * The definition of a reference system for proj4, without a database or a network. An unknown code, or a text with
 * parts that are not allowed, throws `unknown-crs` or `bad-crs`.
 */
export function projDefinition(crs: CrsId): string {
  if (typeof crs === 'string') return parseDefinition(crs);
  const single = Object.hasOwn(definitions, crs) ? definitions[crs] : undefined;
  if (single !== undefined) return parseDefinition(`${single} +no_defs`);
  const family = utmFamilies.find(({ base, first, last }) => crs >= base + first && crs <= base + last);
  if (family !== undefined && Number.isInteger(crs)) {
    return `+proj=utm +zone=${crs - family.base} ${family.rest} +units=m +no_defs`;
  }
  throw unsupported(
    'unknown-crs',
    `The reference system EPSG:${crs} is unknown; known are the UTM zones of WGS 84, NAD83, ETRS89, SIRGAS 2000, GDA94 and GDA2020 and ${Object.keys(definitions).join(', ')}.`,
    { details: { epsg: crs } },
  );
}

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
function parseDefinition(text: string): string {
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
