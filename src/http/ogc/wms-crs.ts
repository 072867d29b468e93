/** Reference systems of WMS: their names, the order of their axes, and the ground of a BBOX. */
import { makeProjection } from '../../proj/index.ts';
import type { PictureGround } from '../../render/index.ts';
import { badInput } from '../errors.ts';
import { parseDecimal } from '../kit/parameters.ts';
import { parseGround } from '../kit/paths.ts';

/** The versions of WMS that are served. */
export type WmsVersion = '1.1.1' | '1.3.0';

/** Systems whose first axis points north: WMS 1.3.0 writes their coordinates in that order. */
const NORTH_FIRST: ReadonlySet<number> = new Set([4326, 4258, 4269, 3035, 32661, 32761]);

const UTM = [32600, 32700].flatMap((base) => Array.from({ length: 60 }, (_, i) => base + i + 1));

/** The systems that capabilities list; GetMap takes every system that pictures can be warped to. */
export const listedSystems: readonly number[] = [
  ...[4326, 4258, 3035, 5070, 3577, 6933, 3031, 3413, 3976, 3995],
  ...UTM,
];

/** A reference system as requests name it. */
export interface WmsCrs {
  readonly epsg: number;
  readonly isNorthFirst: boolean;
}

/** Reads `EPSG:4326`, `CRS:84` and their likes; throws for systems that pictures cannot be warped to. */
export function readCrs(name: string, version: WmsVersion): WmsCrs {
  if (/^(?:CRS:84|OGC:CRS84)$/i.test(name)) return { epsg: 4326, isNorthFirst: false };
  const [, digits] = /^EPSG:(\d{4,5})$/i.exec(name) ?? [];
  if (digits === undefined) {
    throw badInput('bad-crs', 'A reference system is written as EPSG:3857, EPSG:4326, EPSG:32631 or CRS:84.');
  }
  const epsg = Number(digits);
  // Throws unknown-crs.
  makeProjection(epsg, 4326);
  return { epsg, isNorthFirst: version === '1.3.0' && NORTH_FIRST.has(epsg) };
}

/** Names of OGC API: addresses of the register, or short forms in brackets. */
export function readCrsUri(name: string): WmsCrs {
  const [, authority, code] =
    /^https?:\/\/www\.opengis\.net\/def\/crs\/(EPSG|OGC)\/[\d.]+\/(\w+)$/i.exec(name) ??
    /^\[?(EPSG|OGC|CRS):(\w+)\]?$/i.exec(name) ??
    [];
  return readCrs(/^(?:CRS)?84h?$/i.test(code ?? '') ? 'CRS:84' : `${authority}:${code}`, '1.3.0');
}

/** The ground of a BBOX, whose numbers are in the order of the system's axes. */
export function readBbox(text: string, { epsg, isNorthFirst }: WmsCrs): PictureGround {
  const numbers = text.split(',').map((part) => parseDecimal(part.trim()));
  const [a, b, c, d, ...more] = numbers;
  if (a == null || b == null || c == null || d == null || more.length > 0)
    throw badInput('bad-bbox', 'BBOX must be four numbers: minx,miny,maxx,maxy in the order of the axes.');
  const [minX, minY, maxX, maxY] = isNorthFirst ? [b, a, d, c] : [a, b, c, d];
  if (minX >= maxX || minY >= maxY)
    throw badInput('bad-bbox', 'BBOX encloses nothing: its minima must be below its maxima.');
  return parseGround('0', `${minX};${maxX};${epsg}`, `${maxY};${minY};${epsg}`);
}
