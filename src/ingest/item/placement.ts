import type { Affine } from '../../geo/index.ts';
import { isObject } from '../../json.ts';
import type { CrsId } from '../../proj/index.ts';
import type { StacAsset, StacItem } from './item.ts';
import { toNumber, toText } from './json.ts';

/** Where an image lies and how large it is, by the projection extension of an item. */
export interface StacPlacement {
  readonly crs: CrsId;
  readonly transform: Affine;
  readonly width: number;
  readonly height: number;
  /** False when it is a default of the item, whose files may have other pixel sizes. */
  readonly isOwn: boolean;
}

/** Larger than the image of any product. */
const MAX_SIDE = 1_000_000;

/** Reads the projection extension, 1.x and 2.x; fields of the item are defaults for its files. */
export function toPlacement(asset: StacAsset, item: StacItem): StacPlacement | null {
  const find = (name: string) => asset.all[`proj:${name}`] ?? item.properties[`proj:${name}`];
  const crs = toCrs(find);
  const size = find('shape');
  const [height, width] = Array.isArray(size) && size.length === 2 ? size.map(toSide) : [];
  if (crs === null || width == null || height == null) return null;
  const transform = toAffine(find('transform')) ?? fromBox(find('bbox'), width, height);
  if (transform === null) return null;
  return { crs, transform, width, height, isOwn: asset.all['proj:shape'] !== undefined };
}

const toSide = (value: unknown): number | null =>
  Number.isInteger(value) ? toNumber(value, [1, MAX_SIDE]) : null;

/** By its code where there is one: `proj:code` (2.x), `proj:epsg` (1.x), or the code inside a definition. */
function toCrs(find: (name: string) => unknown): CrsId | null {
  const code = /^EPSG:(\d{4,6})$/i.exec(toText(find('code')) ?? '')?.[1];
  const epsg = code === undefined ? toNumber(find('epsg'), [1_024, 999_999]) : Number(code);
  if (epsg !== null) return epsg;
  const json = find('projjson');
  const id = isObject(json) && isObject(json.id) ? json.id : {};
  const inside = id.authority === 'EPSG' ? toNumber(Number(id.code), [1_024, 999_999]) : null;
  if (inside !== null) return inside;
  const wkt = find('wkt2');
  return typeof wkt === 'string' && wkt !== '' ? wkt : null;
}

/** Items write matrices by rows, with or without the last row; ours have the order of GDAL, corner first. */
function toAffine(value: unknown): Affine | null {
  if (!Array.isArray(value) || (value.length !== 6 && value.length !== 9)) return null;
  const numbers = value.slice(0, 6).map((one) => toNumber(one));
  if (!numbers.every((one) => one !== null)) return null;
  const [a, b, c, d, e, f] = numbers as [number, number, number, number, number, number];
  return a * e === b * d ? null : [c, a, b, f, d, e];
}

function fromBox(value: unknown, width: number, height: number): Affine | null {
  if (!Array.isArray(value) || value.length !== 4) return null;
  const [west, south, east, north] = value.map((one) => toNumber(one));
  if (west == null || south == null || east == null || north == null) return null;
  if (west >= east || south >= north) return null;
  return [west, (east - west) / width, 0, north, 0, (south - north) / height];
}
