/** The reference system of a Shapefile: its `.prj`, a definition in well-known text (WKT 1). */
import { WGS84 } from '../shapes/geodesic.ts';
import type { Position } from '../shapes/shape.ts';
import { toLonLat } from '../shapes/transverse-mercator.ts';
import { Refusal } from './refusal.ts';

/** Converts a position of the file to longitude and latitude. */
export type ToLonLat = (position: Position) => Position;

/** Datums that agree with WGS 84 within about two metres; others are off by up to hundreds and would need a shift. */
const DATUMS =
  /^d?(wgs(1984|84)|worldgeodeticsystem1984|etrs(1989|89)|europeanterrestrialreferencesystem1989|northamerican(datum)?1983|nad83|gda(1994|2020|94)|geocentricdatumofaustralia(1994|2020)|nzgd2000|newzealandgeodeticdatum2000|sirgas2000|sistemadereferenciageocentrico.*2000)/;
/** Metres in a foot of a survey are close enough to 1 in 500,000; nothing that is longer than a mile is a unit here. */
const MAX_UNIT_M = 2000;

const nameIn = (keyword: string, wkt: string): string =>
  new RegExp(`\\b${keyword}\\s*\\[\\s*"([^"]{0,200})"`, 'i').exec(wkt)?.[1] ?? '';

const toPlain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const readParameters = (wkt: string): ReadonlyMap<string, number> => {
  const found = wkt.matchAll(/PARAMETER\s*\[\s*"([^"]{1,60})"\s*,\s*([-+\d.eE]+)/gi);
  return new Map([...found].map(([, name = '', value = '']) => [toPlain(name), Number(value)]));
};

/** The unit of a projected system stands after its projection; the one before that is of degrees. */
const readUnitM = (wkt: string): number => {
  const own = wkt.slice(wkt.search(/\bPROJECTION\b/i));
  return Number(/\bUNIT\s*\[\s*"[^"]{0,60}"\s*,\s*([-+\d.eE]+)/i.exec(own)?.[1] ?? Number.NaN);
};

const degrees = (radians: number): number => (radians * 180) / Math.PI;

/** Spherical Mercator, as web maps have it. */
const fromWebMercator: ToLonLat = ([x, y]) => [
  degrees(x / WGS84.a),
  degrees(2 * Math.atan(Math.exp(y / WGS84.a)) - Math.PI / 2),
];

/** Reads a `.prj`; throws a `Refusal` with the name of the system where it is none that can be converted here. */
export const parsePrj = (wkt: string): ToLonLat => {
  const title = nameIn('PROJCS', wkt) || nameIn('GEOGCS', wkt) || wkt.trim().slice(0, 80);
  const refuse = (): never => {
    throw new Refusal('projection', title);
  };
  if (!DATUMS.test(toPlain(nameIn('DATUM', wkt)))) return refuse();
  const meridian = Number(/PRIMEM\s*\[\s*"[^"]{0,60}"\s*,\s*([-+\d.eE]+)/i.exec(wkt)?.[1] ?? 0);
  if (meridian !== 0) return refuse();
  if (!/^\s*PROJCS/i.test(wkt)) return /^\s*GEOGCS/i.test(wkt) ? (position) => position : refuse();
  const method = toPlain(nameIn('PROJECTION', wkt));
  if (method.startsWith('mercatorauxiliarysphere') || /pseudo.?mercator/i.test(title)) return fromWebMercator;
  if (method !== 'transversemercator' && method !== 'gausskruger') return refuse();
  const parameters = readParameters(wkt);
  const unitM = readUnitM(wkt);
  const projection = {
    centralMeridian: parameters.get('centralmeridian') ?? Number.NaN,
    latitudeOfOrigin: parameters.get('latitudeoforigin') ?? 0,
    scale: parameters.get('scalefactor') ?? 1,
    falseEasting: (parameters.get('falseeasting') ?? 0) * unitM,
    falseNorthing: (parameters.get('falsenorthing') ?? 0) * unitM,
  };
  const isGood =
    Object.values(projection).every(Number.isFinite) &&
    projection.scale > 0 &&
    unitM > 0 &&
    unitM < MAX_UNIT_M;
  if (!isGood) return refuse();
  return ([x, y]) => toLonLat(projection, [x * unitM, y * unitM]);
};
