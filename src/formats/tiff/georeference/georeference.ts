import type { Affine } from '../../../geo/index.ts';
import { badInput } from '../../errors.ts';
import type { IfdEntry } from '../directories/tags.ts';
import { FIELD, TAG } from '../directories/tags.ts';
import type { GeoKeys } from './geo-keys.ts';
import { GEO_KEY as KEY, toGeoKeyMap } from './geo-keys.ts';
import { toUserProjection } from './user-projection.ts';

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

/** Tag values of a file; an absent tag is an empty list. */
interface GeoTags {
  readonly geoKeys: readonly number[];
  readonly geoDoubles: readonly number[];
  readonly scale: readonly number[];
  readonly tiepoint: readonly number[];
  readonly matrix: readonly number[];
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

/**
 * GeoTIFF stores a code under one of two keys: latitude/longitude systems under one, projected ones under the other.
 * These ranges hold the geographic codes below 32767 of the EPSG dataset 10 (with PROJ 9.1); between the ends of a
 * range lies no projected code. `npm run node -- test/oracle/tiff/check-writer.ts` compares them with GDAL, code by code.
 */
const GEOGRAPHIC_RANGES = `
3819-3824 3889 3906 4001-4025 4027-4036 4041-4047 4052-4055 4075-4081 4120-4216 4218-4326 4463 4470 4475-4483 4490
4555-4558 4600-4646 4657-4765 4801-4811 4813-4821 4823-4824 4901-5013 5132 5228-5233 5246 5252 5264 5324 5340 5354
5360 5365 5371-5381 5393 5451 5464 5467 5489 5524-5527 5546 5561 5593 5681 5886 6135 6207 6311 6318-6325 6365 6668
6706 6783 6881-6883 6892-6894 6980-6983 6987-6990 7035-7041 7073 7084-7088 7133-7139 7373 7683-7686 7798 7844 7881
7886 8042-8043 8086 8232-8255 8351 8427-8431 8449 8545 8685 8694-8818 8860-8902 8907 8949 8972-9019 9053-9140 9148
9153 9184 9248 9251 9253 9294 9299 9309 9333 9364 9372 9380-9384 9403 9453 9470 9474-9475 9547 9696 9702 9739
9755-9758 9763 9777-9784 9866 9871 9939 9964 9969 9974 9990 20033-20041`
  .trim()
  .split(/\s+/)
  .map((range) => {
    const [first, last] = range.split('-').map(Number);
    return { first: first!, last: last ?? first! };
  });

/** True when the EPSG code is a latitude/longitude system. */
export function isGeographicCode(epsg: number): boolean {
  return GEOGRAPHIC_RANGES.some(({ first, last }) => epsg >= first && epsg <= last);
}

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
    // version 1, revision 1.0, three keys; each: id, 0 = the value is here, count, value
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

/** Sentinel-1 has 210 points; readers of ours take no more than this either. */
const MAX_POINTS = 4_096;

/** Refuses points that are not finite, and points together with a transform: readers would take only one of them. */
export function checkControlPoints(points: readonly ControlPoint[], transform: Affine | null): void {
  if (points.length === 0) return;
  if (transform !== null) {
    throw badInput('bad-control-points', 'An image has a transform or control points, not both.');
  }
  // one tie point alone means a corner of a scaled image
  if (points.length < 4 || points.length > MAX_POINTS) {
    throw badInput(
      'bad-control-points',
      `An image has 4 to ${MAX_POINTS} control points, not ${points.length}.`,
    );
  }
  if (points.some(({ column, row, x, y, z }) => ![column, row, x, y, z].every(Number.isFinite))) {
    throw badInput('bad-control-points', 'Control points are finite numbers.');
  }
}

/** The tie points of images whose pixels are areas: column, row, 0 and the coordinates, six numbers each. */
export const toTiepoints = (points: readonly ControlPoint[]): number[] =>
  points.flatMap(({ column, row, x, y, z }) => [column, row, 0, x, y, z]);

const FOOT = 9_002;
const US_SURVEY_FOOT = 9_003;
/** "User defined" names no unit. */
const USER_DEFINED = 32_767;

/** Vertical systems in feet, by EPSG code: NGVD29 and NAVD88. All others that files name are in metres. */
const SYSTEMS_IN_FEET: ReadonlyMap<number, number> = new Map([
  [5_702, US_SURVEY_FOOT],
  [6_360, US_SURVEY_FOOT],
  [8_228, FOOT],
]);

/** The EPSG code of the unit of heights; null when the keys do not say it. */
export function toVerticalUnit(keys: GeoKeys): number | null {
  const unit = keys.get(KEY.verticalUnits);
  if (unit !== undefined && unit > 0 && unit !== USER_DEFINED) return unit;
  return SYSTEMS_IN_FEET.get(keys.get(KEY.verticalSystem) ?? 0) ?? null;
}
