import type { Affine } from '../../../geo/index.ts';
import type { IfdEntry } from '../directories/ifd-writer.ts';
import { FIELD, TAG } from '../directories/tags.ts';
import type { GeoKeys } from './geo-keys.ts';
import { GEO_KEY as KEY, toGeoKeyMap } from './geo-keys.ts';
import { isGeographicCode } from './geographic-codes.ts';
import { toUserProjection } from './user-projection.ts';

/** Values of GeoTIFF keys that we use. */
const MODEL = { projected: 1, geographic: 2 } as const;
const RASTER = { pixelIsArea: 1, pixelIsPoint: 2 } as const;
/** Codes outside are reserved, or "user defined" (32767), which names no system. */
const CODES = { min: 1_024, max: 32_766 } as const;

/** True when a GeoTIFF key can hold the code. */
export const isStorableCode = (epsg: number): boolean =>
  Number.isInteger(epsg) && epsg >= CODES.min && epsg <= CODES.max;

/** GeoKeyDirectory of a file whose pixels are areas. */
export function toGeoKeys(epsg: number): number[] {
  const geographic = isGeographicCode(epsg);
  return [
    // version 1, revision 1.0, three keys; each: id, 0 = the value stands here, count, value
    ...[1, 1, 0, 3],
    ...[KEY.modelType, 0, 1, geographic ? MODEL.geographic : MODEL.projected],
    ...[KEY.rasterType, 0, 1, RASTER.pixelIsArea],
    ...[geographic ? KEY.geographicType : KEY.projectedType, 0, 1, epsg],
  ];
}

/** The model tags of a transform: scale and tie point for north-up images, the matrix for all others. */
export function toModelTags(
  transform: Affine,
): { readonly scale: number[]; readonly tiepoint: number[] } | { readonly matrix: number[] } {
  const [originX, pixelWidth, rowShear, originY, colShear, pixelHeight] = transform;
  if (rowShear === 0 && colShear === 0 && pixelWidth > 0 && pixelHeight < 0) {
    return { scale: [pixelWidth, -pixelHeight, 0], tiepoint: [0, 0, 0, originX, originY, 0] };
  }
  const rows = [
    [pixelWidth, rowShear, 0, originX],
    [colShear, pixelHeight, 0, originY],
    [0, 0, 0, 0],
    [0, 0, 0, 1],
  ];
  return { matrix: rows.flat() };
}

/** The tags of a transform. */
export function toModelEntries(transform: Affine): readonly IfdEntry[] {
  const double = (tag: number, values: number[]): IfdEntry => ({ tag, type: FIELD.double, values });
  const model = toModelTags(transform);
  return 'matrix' in model
    ? [double(TAG.modelTransformation, model.matrix)]
    : [double(TAG.modelPixelScale, model.scale), double(TAG.modelTiepoint, model.tiepoint)];
}

/** The tags of a georeference. */
export const toGeoEntries = (epsg: number, transform: Affine): readonly IfdEntry[] => [
  ...toModelEntries(transform),
  { tag: TAG.geoKeyDirectory, type: FIELD.short, values: toGeoKeys(epsg) },
];

/** True when the transform is finite and maps pixels to an area. */
export function isUsableTransform(transform: Affine): boolean {
  const [, pixelWidth, rowShear, , colShear, pixelHeight] = transform;
  return transform.every(Number.isFinite) && pixelWidth * pixelHeight - rowShear * colShear !== 0;
}

/** Tag values as they stand in a file; an absent tag is an empty list. */
export interface GeoTags {
  readonly geoKeys: readonly number[];
  readonly geoDoubles: readonly number[];
  readonly scale: readonly number[];
  readonly tiepoint: readonly number[];
  readonly matrix: readonly number[];
}

/** A pixel position with known coordinates; (0, 0) is the corner of the upper left pixel. */
export interface ControlPoint {
  readonly column: number;
  readonly row: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Where an image lies, as far as its file says it. */
export interface Georeference {
  /** Null when the file names no EPSG code. */
  readonly epsg: number | null;
  /** The reference system as a PROJ string when parameters define it; null when a code does, or nothing we know. */
  readonly proj: string | null;
  /** Of the full resolution; null when the file has none that can be used. */
  readonly transform: Affine | null;
  /** Points of images without transform, as radar in the geometry of its sensor has. */
  readonly gcps: readonly ControlPoint[];
}

function toEpsg(keys: GeoKeys): number | null {
  const projected = keys.get(KEY.projectedType);
  // a projected system made by hand has only its base system's code, which is not the image's
  const code =
    keys.get(KEY.modelType) === MODEL.projected ? projected : (projected ?? keys.get(KEY.geographicType));
  return code !== undefined && isStorableCode(code) ? code : null;
}

function toTransform({ scale, tiepoint, matrix }: GeoTags): Affine | null {
  const [pixelWidth = 0, rowScale = 0] = scale;
  // of a scale and a matrix the scale counts, as in GDAL
  if (pixelWidth !== 0 && rowScale !== 0) {
    if (tiepoint.length < 6) return null;
    // GDAL, too, takes the scale of rows as a length and lets them run southwards
    const pixelHeight = -Math.abs(rowScale);
    const originX = tiepoint[3]! - tiepoint[0]! * pixelWidth;
    const originY = tiepoint[4]! - tiepoint[1]! * pixelHeight;
    return [originX, pixelWidth, 0, originY, 0, pixelHeight];
  }
  if (matrix.length !== 16) return null;
  return [matrix[3]!, matrix[0]!, matrix[1]!, matrix[7]!, matrix[4]!, matrix[5]!];
}

/** Tie points, six numbers each, from the centre of pixels to their corner where they name centres. */
function toControlPoints({ tiepoint }: GeoTags, isPoint: boolean): ControlPoint[] {
  const shift = isPoint ? 0.5 : 0;
  return Array.from({ length: Math.floor(tiepoint.length / 6) }, (_, i) => {
    const [column, row, , x, y, z] = tiepoint.slice(i * 6, i * 6 + 6);
    return { column: column! + shift, row: row! + shift, x: x!, y: y!, z: z! };
  });
}

/** From the centre of the upper left pixel to its upper left corner. */
function shiftHalfPixel(transform: Affine): Affine {
  const [originX, pixelWidth, rowShear, originY, colShear, pixelHeight] = transform;
  return [
    originX - (pixelWidth + rowShear) / 2,
    pixelWidth,
    rowShear,
    originY - (colShear + pixelHeight) / 2,
    colShear,
    pixelHeight,
  ];
}

/** Reference system and transform of a file; null where it states none that can be used. */
export function toGeoreference(tags: GeoTags): Georeference {
  const keys = toGeoKeyMap(tags.geoKeys, tags.geoDoubles);
  const isPoint = keys.get(KEY.rasterType) === RASTER.pixelIsPoint;
  const stated = toTransform(tags);
  const shifted = stated !== null && isPoint ? shiftHalfPixel(stated) : stated;
  const epsg = toEpsg(keys);
  return {
    epsg,
    proj: epsg === null ? toUserProjection(keys) : null,
    transform: shifted !== null && isUsableTransform(shifted) ? shifted : null,
    gcps: stated === null ? toControlPoints(tags, isPoint) : [],
  };
}
