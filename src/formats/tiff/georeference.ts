import type { Affine } from '../../geo/index.ts';
import { isGeographicCode } from './geographic-codes.ts';

/** GeoTIFF keys (OGC 19-008r4) and the values of theirs that we use. */
const KEY = { modelType: 1024, rasterType: 1025, geographicType: 2048, projectedType: 3072 } as const;
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

/** True when the transform is finite and maps pixels to an area. */
export function isUsableTransform(transform: Affine): boolean {
  const [, pixelWidth, rowShear, , colShear, pixelHeight] = transform;
  return transform.every(Number.isFinite) && pixelWidth * pixelHeight - rowShear * colShear !== 0;
}

/** Tag values as they stand in a file; an absent tag is an empty list. */
export interface GeoTags {
  readonly geoKeys: readonly number[];
  readonly scale: readonly number[];
  readonly tiepoint: readonly number[];
  readonly matrix: readonly number[];
}

/** Keys whose value stands in the directory itself, as all that we need do. */
function toKeyMap(geoKeys: readonly number[]): ReadonlyMap<number, number> {
  const keys = new Map<number, number>();
  const count = Math.min(geoKeys[3] ?? 0, Math.floor((geoKeys.length - 4) / 4));
  for (let at = 4; at < 4 + count * 4; at += 4) {
    if (geoKeys[at + 1] === 0) keys.set(geoKeys[at]!, geoKeys[at + 3]!);
  }
  return keys;
}

function toEpsg(keys: ReadonlyMap<number, number>): number | null {
  const projected = keys.get(KEY.projectedType);
  // a projected system made by hand has only its base system's code, which is not the image's
  const code =
    keys.get(KEY.modelType) === MODEL.projected ? projected : (projected ?? keys.get(KEY.geographicType));
  return code !== undefined && isStorableCode(code) ? code : null;
}

function toTransform({ scale, tiepoint, matrix }: GeoTags): Affine | null {
  if (matrix.length === 16) return [matrix[3]!, matrix[0]!, matrix[1]!, matrix[7]!, matrix[4]!, matrix[5]!];
  if (scale.length < 2 || tiepoint.length < 6) return null;
  const pixelWidth = scale[0]!;
  // GDAL, too, takes the scale of rows as a length and lets them run southwards
  const pixelHeight = -Math.abs(scale[1]!);
  const originX = tiepoint[3]! - tiepoint[0]! * pixelWidth;
  const originY = tiepoint[4]! - tiepoint[1]! * pixelHeight;
  return [originX, pixelWidth, 0, originY, 0, pixelHeight];
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

/** EPSG code and transform of a file; null where it states none that can be used. */
export function toGeoreference(tags: GeoTags): {
  readonly epsg: number | null;
  readonly transform: Affine | null;
} {
  const keys = toKeyMap(tags.geoKeys);
  const stated = toTransform(tags);
  const shifted =
    stated !== null && keys.get(KEY.rasterType) === RASTER.pixelIsPoint ? shiftHalfPixel(stated) : stated;
  return {
    epsg: toEpsg(keys),
    transform: shifted !== null && isUsableTransform(shifted) ? shifted : null,
  };
}
