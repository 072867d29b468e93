import type { Affine, AreaGeometry } from '../../geo/index.ts';
import { isObject } from '../../json.ts';
import type { CrsId } from '../../proj/index.ts';
import { sourceBroken } from '../errors.ts';
import { toArea, toOpenAddress } from '../metadata-values.ts';

/** One file of an item. */
export interface StacAsset {
  /** Its name in the item. */
  readonly key: string;
  /** Its addresses, best first: its own, then others (alternate-assets extension). */
  readonly hrefs: readonly string[];
  /** Media type in lower case, without parameters; empty if unknown. */
  readonly type: string;
  readonly roles: readonly string[];
  readonly bands: readonly StacBand[];
  /** The whole asset, for extensions. */
  readonly all: Json;
}

/** A STAC item of any version from 0.7 to 1.1. */
export interface StacItem {
  readonly id: string;
  readonly collection: string | null;
  readonly properties: Json;
  readonly geometry: unknown;
  readonly assets: readonly StacAsset[];
  /** Its own address, the base of relative ones. */
  readonly self: string | null;
}

/** Items of supported products have up to 60 files. */
const MAX_ASSETS = 500;
const MAX_LINKS = 1_000;
const MAX_ID = 300;
/** Definitions of reference systems are the deepest part of items, with some ten levels. */
const MAX_LEVELS = 50;

/** Parses an item; throws `stac-no-item` for any other JSON. */
export function parseItem(value: unknown): StacItem {
  if (!isObject(value) || value.type !== 'Feature' || !isObject(value.assets)) {
    throw noItem('It is not a STAC item, which is a Feature with assets.');
  }
  if (isDeeperThan(value, MAX_LEVELS)) throw noItem(`It is more than ${MAX_LEVELS} levels deep.`);
  const id = toText(value.id);
  if (id === null || id.length > MAX_ID) throw noItem(`It has no id, or one above ${MAX_ID} characters.`);
  const entries = Object.entries(value.assets);
  if (entries.length > MAX_ASSETS) throw noItem(`It has more than ${MAX_ASSETS} assets.`);
  const properties = isObject(value.properties) ? value.properties : {};
  const self = toObjects(value.links, MAX_LINKS).find(({ rel }) => rel === 'self');
  return {
    id,
    collection: toText(value.collection) ?? toText(properties.collection),
    properties,
    geometry: value.geometry,
    assets: entries.flatMap(([key, asset]) => (isObject(asset) ? toAsset(key, asset, properties) : [])),
    self: toText(self?.href),
  };
}

const noItem = (why: string) => sourceBroken('stac-no-item', why);

function toAsset(key: string, asset: Json, properties: Json): StacAsset[] {
  const alternates = isObject(asset.alternate) ? Object.values(asset.alternate) : [];
  const hrefs = [asset, ...toObjects(alternates, 10)].flatMap(({ href }) => toText(href) ?? []);
  if (hrefs.length === 0) return [];
  const roles = Array.isArray(asset.roles) ? asset.roles.filter((role) => typeof role === 'string') : [];
  const type = (toText(asset.type) ?? '').split(';')[0]!.trim().toLowerCase();
  return [{ key, hrefs, type, roles, bands: toBands(asset, properties), all: asset }];
}

/** A band of a file by its item; null where the item says nothing. */
export interface StacBand {
  readonly name: string | null;
  readonly commonName: string | null;
  readonly wavelengthNm: number | null;
  readonly gsd: number | null;
  readonly dataType: string | null;
  readonly nodata: number | null;
  readonly scale: number | null;
  readonly offset: number | null;
  /** Of the scaled values. */
  readonly unit: string | null;
}

/** Bands of a file that are read; the rest is ignored. */
const MAX_BANDS = 64;

/**
 * The bands of a file: `bands` since STAC 1.1, with defaults on the asset itself; `eo:bands` and `raster:bands` before;
 * in the oldest items `eo:bands` holds indices of the item's own list.
 */
export function toBands(asset: Json, properties: Json): readonly StacBand[] {
  const rasters = toObjects(asset['raster:bands'], MAX_BANDS);
  const listed = toObjects(asset.bands, MAX_BANDS);
  const bands = listed.length > 0 ? listed : toEoBands(asset['eo:bands'], properties);
  const count = Math.max(bands.length, rasters.length);
  return Array.from({ length: count }, (_, i) => toBand({ ...asset, ...rasters[i], ...bands[i] }, bands[i]));
}

function toEoBands(value: unknown, properties: Json): readonly Json[] {
  if (!Array.isArray(value)) return [];
  const all = toObjects(properties['eo:bands'], MAX_BANDS);
  return value
    .slice(0, MAX_BANDS)
    .map((band) => (isObject(band) ? band : all[typeof band === 'number' ? band : -1]) ?? {});
}

function toBand(given: Json, own: Json | undefined): StacBand {
  const micrometres = toNumber(given['eo:center_wavelength'] ?? given.center_wavelength, [0.1, 1_000]);
  return {
    name: toText(own?.name),
    commonName: toText(given['eo:common_name'] ?? own?.common_name)?.toLowerCase() ?? null,
    wavelengthNm: micrometres === null ? null : micrometres * 1_000,
    gsd: toNumber(given['raster:spatial_resolution'] ?? given.spatial_resolution ?? given.gsd, [0.001, 1e6]),
    dataType: toText(given.data_type),
    nodata: toNodata(given.nodata),
    scale: toNumber(given['raster:scale'] ?? given.scale),
    offset: toNumber(given['raster:offset'] ?? given.offset),
    unit: toText(given.unit),
  };
}

/** JSON cannot express some numbers: items write them as text. */
function toNodata(value: unknown): number | null {
  if (value === 'nan') return Number.NaN;
  if (value === 'inf' || value === '-inf') return value === 'inf' ? Infinity : -Infinity;
  return toNumber(value);
}

/** The fields that items of all families share, from the newest to the oldest STAC version. */
export function toCommonFacts({ properties, geometry }: StacItem) {
  const first = (names: readonly string[], bounds: [number, number]) =>
    names.map((name) => toNumber(properties[name], bounds)).find((value) => value !== null) ?? null;
  const zenith = first(['s2:mean_solar_zenith'], [0, 180]);
  const area = toItemArea(geometry);
  return {
    cloudPercent: first(['eo:cloud_cover'], [0, 100]),
    sunElevationDeg:
      first(['view:sun_elevation', 'eo:sun_elevation'], [-90, 90]) ?? (zenith === null ? null : 90 - zenith),
    sunAzimuthDeg: first(['view:sun_azimuth', 'eo:sun_azimuth', 's2:mean_solar_azimuth'], [-180, 360]),
    stated: area === null ? null : { area, epsg: 4326 },
  };
}

/** Outlines of products have tens of points; the check for crossing edges takes quadratic time. */
const MAX_POINTS = 5_000;

/** The polygons of an item's geometry; null if there are none, or more points than any product has. */
export function toItemArea(geometry: unknown): AreaGeometry | null {
  const area = toArea(geometry);
  if (area === null) return null;
  const rings = area.type === 'Polygon' ? area.coordinates : area.coordinates.flat();
  return rings.reduce((sum, ring) => sum + ring.length, 0) <= MAX_POINTS ? area : null;
}

/** Acquisition time of an item's scene, of a span its beginning; null if the item does not say. */
export const toItemTime = ({ properties }: StacItem): string | null =>
  toTime(properties.datetime) ?? toTime(properties.start_datetime);

/** The time of an item if it is on the day of its name; otherwise the beginning of that day. */
export function timeOnDay(item: StacItem, day: string): string {
  const time = toItemTime(item);
  return time?.slice(0, 10) === day ? time : `${day}T00:00:00.000Z`;
}

/** The first match of a pattern in the id of an item, and then in its addresses. */
export function findInNames({ id, assets }: StacItem, pattern: RegExp): RegExpExecArray | null {
  for (const text of [id, ...assets.flatMap(({ hrefs }) => hrefs)]) {
    const found = pattern.exec(text);
    if (found !== null) return found;
  }
  return null;
}

/** Formats that browsers show; they do not show TIFF and JPEG 2000. */
const PICTURE = /^image\/(?:jpeg|jpg|png|webp|gif)$/;
const PICTURE_NAME = /\.(?:jpe?g|png|webp|gif)$/i;

/** The public address of the provider's thumbnail, or of an overview if there is no thumbnail. */
export function thumbnailOf({ assets, self }: StacItem): string | null {
  const small = assets.filter(({ key, roles }) => key === 'thumbnail' || roles.includes('thumbnail'));
  const larger = assets.filter(({ roles }) => roles.includes('overview'));
  const found = [...small, ...larger]
    .filter(isPicture)
    .flatMap(({ hrefs }) => hrefs)
    .map((href) => toOpenAddress(href, self));
  return found.find((href) => href !== null) ?? null;
}

const isPicture = ({ type, hrefs }: StacAsset): boolean =>
  type === '' ? PICTURE_NAME.test(hrefs[0] ?? '') : PICTURE.test(type);

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

/** An object of a JSON document. */
export type Json = Readonly<Record<string, unknown>>;

/** A finite number within bounds; null for anything else, including a number written as text. */
export function toNumber(value: unknown, [min, max] = [-Infinity, Infinity]): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= min && value <= max ? value : null;
}

/** Longer texts are ignored; real names and addresses stay well below. */
const MAX_TEXT = 4096;

/** A text that is not empty; null for anything else. */
export const toText = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= MAX_TEXT ? value : null;

/** A whole number, also one written as text: `landsat:wrs_path` is "010". */
export function toWhole(value: unknown): number | null {
  const text = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(text) ? (text as number) : null;
}

/** A list of objects without anything else in it, cut after `max` entries. */
export const toObjects = (value: unknown, max: number): readonly Json[] =>
  Array.isArray(value) ? value.slice(0, max).filter(isObject) : [];

const TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}:\d{2})(\.\d{1,12})?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** A time as ISO 8601 in UTC with milliseconds, from a day or a time with or without zone; null for anything else. */
export function toTime(value: unknown): string | null {
  const [, day, time = '00:00:00', fraction = '', zone = 'Z'] = TIME.exec(toText(value) ?? '') ?? [];
  if (day === undefined) return null;
  const exact = `${day}T${time}.${fraction.slice(1, 4).padEnd(3, '0')}Z`;
  const local = new Date(exact);
  // 30 February becomes 2 March.
  if (Number.isNaN(local.getTime()) || local.toISOString() !== exact) return null;
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  const shiftMs = (sign === '-' ? 1 : -1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  return new Date(local.getTime() + shiftMs).toISOString();
}

/** Whether objects and lists are nested deeper than this; the recursion goes no deeper either. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  for (const one of Array.isArray(value) ? value : Object.values(value)) {
    if (levels === 0) return true;
    if (one !== null && typeof one === 'object' && isDeeperThan(one, levels - 1)) return true;
  }
  return false;
}
