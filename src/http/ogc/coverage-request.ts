/** Requests of OGC API - Coverages: the ground, time and pixels that their parameters ask for. */
import { toMapSize } from '../../exports/index.ts';
import type { Bounds, Grid } from '../../geo/index.ts';
import { makeProjection, projectBounds } from '../../proj/index.ts';
import { badInput } from '../errors.ts';
import type { Query } from '../kit/parameters.ts';
import { defineParameters, parseDecimal, parseWhole, text } from '../kit/parameters.ts';
import type { WmsCrs } from './wms-crs.ts';
import { readBbox, readCrsUri } from './wms-crs.ts';

const optional = (description: string) => text({ description, fallback: null });

/** The parameters. */
export const coverageParameters = defineParameters({
  properties: optional('Bands or indices, separated by commas; all bands of measures by default.'),
  datetime: optional('Of datasets: a day, or two days with a slash between them.'),
  bbox: optional('West, south, east, north; or in the order of the axes of bbox-crs.'),
  'bbox-crs': optional('The reference system of bbox; CRS84 by default.'),
  subset: optional('In place of bbox: Lat(48.2:48.24),Lon(-122.44:-122.37), or E(…),N(…) with a subset-crs.'),
  'subset-crs': optional('The reference system of subset; CRS84 by default.'),
  crs: optional('The reference system of the coverage; that of bbox or subset by default.'),
  'scale-factor': optional('How many times larger than those of the files pixels are.'),
  'scale-axes': optional('The same for each axis: Lat(2),Lon(4).'),
  'scale-size': optional('Pixels of each axis: Lat(400),Lon(600).'),
  scaleSize: optional('As GDAL writes scale-size.'),
  f: optional('geotiff.'),
});

type Axis = 'x' | 'y' | 'time';

const AXES: Readonly<Record<string, Axis>> = {
  lon: 'x',
  long: 'x',
  e: 'x',
  x: 'x',
  easting: 'x',
  lat: 'y',
  n: 'y',
  y: 'y',
  northing: 'y',
  time: 'time',
};

/** Reads `Lat(1:2),Lon(3:4)`: what stands in the brackets, by axes. */
function readAxes(list: string, refuse: (why: string) => Error): Partial<Record<Axis, string>> {
  const found: Partial<Record<Axis, string>> = {};
  if (list.length > 400) throw refuse('it is too long');
  const parts = list.match(/[^,()]+\([^()]*\)/g) ?? [];
  if (parts.join() !== list) throw refuse('it is a list such as Lat(…),Lon(…)');
  for (const part of parts) {
    const [name = '', inside = ''] = part.slice(0, -1).split('(');
    const axis = Object.hasOwn(AXES, name.toLowerCase()) ? AXES[name.toLowerCase()] : undefined;
    if (axis === undefined) throw refuse('its axes are Lat, Lon, E, N, x, y and time');
    if (found[axis] !== undefined) throw refuse(`it has the axis ${name} twice`);
    found[axis] = inside;
  }
  return found;
}

/** Where a coverage lies, and when. */
export interface CoveragePlace {
  readonly bounds: Bounds;
  readonly crs: WmsCrs;
  readonly time: string | null;
}

/** The ground of a query; without one that of the layer, in degrees. */
export function readPlace(query: Query, whole: Bounds): CoveragePlace {
  const [bbox, subset] = [query.get('bbox'), query.get('subset')];
  const refuse = (why: string): Error => badInput('bad-subset', `subset cannot be read: ${why}.`);
  const axes = subset === undefined ? {} : readAxes(subset, refuse);
  const time =
    query.get('datetime') ?? axes.time?.replaceAll('"', '').replace(/(?<=\d)(?:Z)?:(?=\d{4}-)/, '/') ?? null;
  const isBox = bbox !== undefined;
  if (isBox && (axes.x !== undefined || axes.y !== undefined))
    throw badInput('bad-subset', 'Pass bbox or subset, not both.');
  const crs = readCrsUri(query.get(isBox ? 'bbox-crs' : 'subset-crs') ?? 'CRS:84');
  if (bbox !== undefined) return { bounds: readBounds(bbox, crs), crs, time };
  const project = (): Bounds => projectBounds(whole, 4326, crs.epsg) ?? whole;
  const [x, y] = [readSpan(axes.x, refuse), readSpan(axes.y, refuse)];
  const rest = x === null || y === null ? project() : whole;
  const [minX, maxX] = x ?? [rest.minX, rest.maxX];
  const [minY, maxY] = y ?? [rest.minY, rest.maxY];
  return { bounds: readBounds([minX, minY, maxX, maxY].join(), { ...crs, isNorthFirst: false }), crs, time };
}

/** Four numbers, checked as those of a map are. */
function readBounds(box: string, crs: WmsCrs): Bounds {
  const ground = readBbox(box, crs);
  if (ground.kind === 'bounds') return ground.bounds;
  throw badInput('bad-bbox', 'bbox must be four numbers.');
}

function readSpan(
  inside: string | undefined,
  refuse: (why: string) => Error,
): readonly [number, number] | null {
  if (inside === undefined) return null;
  const [low, high, ...more] = inside.split(':').map((part) => parseDecimal(part.trim()));
  if (low == null || high == null || more.length > 0)
    throw refuse('each axis has two numbers, such as Lat(48.2:48.3)');
  return [low, high];
}

/** The pixels that a query asks for on some ground. */
export function readGrid(
  query: Query,
  { bounds: given, crs }: CoveragePlace,
  { pixelM, maxPixels }: { readonly pixelM: number; readonly maxPixels: number },
): Grid {
  const wanted = query.get('crs');
  const epsg = wanted === undefined ? crs.epsg : readCrsUri(wanted).epsg;
  const bounds = epsg === crs.epsg ? given : projectBounds(given, crs.epsg, epsg);
  if (bounds === null || !Object.values(bounds).every(Number.isFinite))
    throw badInput('bad-bbox', `The ground reaches where EPSG:${epsg} is not defined.`);
  const { minX, minY, maxX, maxY } = bounds;
  const [, lat] = makeProjection(epsg, 4326).forward((minX + maxX) / 2, (minY + maxY) / 2);
  const size = toMapSize(epsg, pixelM, lat);
  const native = { x: (maxX - minX) / size, y: (maxY - minY) / size };
  const { x, y } = readScale(query, native, maxPixels);
  const [width, height] = [toPixels(x), toPixels(y)];
  return {
    epsg,
    transform: [minX, (maxX - minX) / width, 0, maxY, 0, -(maxY - minY) / height],
    width,
    height,
  };
}

const toPixels = (pixels: number): number => Math.max(1, Math.min(MAX_SIDE, Math.round(pixels)));

/** A side that no answer has: the limit of numbers refuses it, in words. */
const MAX_SIDE = 2 ** 30;

interface Sides {
  readonly x: number;
  readonly y: number;
}

/** Without a scale pixels are those of the files, or as much larger as an answer can hold. */
function readScale(query: Query, native: Sides, maxPixels: number): Sides {
  const refuse = (why: string): Error => badInput('bad-scale', `The scale cannot be read: ${why}.`);
  const [factor, axes, size] = [
    query.get('scale-factor'),
    query.get('scale-axes'),
    query.get('scale-size') ?? query.get('scaleSize'),
  ];
  if ([factor, axes, size].filter((one) => one !== undefined).length > 1)
    throw refuse('pass one of scale-factor, scale-axes and scale-size');
  const readFactor = (one: string | undefined): number => {
    const number = one === undefined ? 1 : parseDecimal(one);
    if (number !== null && number > 0) return number;
    throw refuse('a factor is a number above 0');
  };
  if (factor !== undefined) {
    const by = readFactor(factor);
    return { x: native.x / by, y: native.y / by };
  }
  if (axes !== undefined) {
    const { x, y } = readAxes(axes, refuse);
    return { x: native.x / readFactor(x), y: native.y / readFactor(y) };
  }
  if (size !== undefined) {
    const { x, y } = readAxes(size, refuse);
    const read = (one: string | undefined): number | null => {
      const pixels = one === undefined ? null : parseWhole(one);
      if (one === undefined || (pixels !== null && pixels >= 1)) return pixels;
      throw refuse('sizes are whole numbers of pixels');
    };
    const [width, height] = [read(x), read(y)];
    if (width === null && height === null) throw refuse('scale-size names an axis');
    return {
      x: width ?? ((height ?? 1) * native.x) / native.y,
      y: height ?? ((width ?? 1) * native.y) / native.x,
    };
  }
  // A little less, because sides are rounded.
  const excess = Math.max(1, Math.sqrt((native.x * native.y) / (maxPixels * 0.99)));
  return { x: native.x / excess, y: native.y / excess };
}
