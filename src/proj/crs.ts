import { unsupported } from '../errors.ts';
import { parseDefinition } from './parse-definition.ts';

/** A reference system: its EPSG code, or its definition as a PROJ string or WKT. */
export type CrsId = number | string;

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
