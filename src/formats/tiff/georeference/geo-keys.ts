import { isSwathError } from '../../../errors.ts';
import type { ByteSource } from '../../../sources/index.ts';
import { badInput } from '../../errors.ts';
import { makeHeadReader, makeTagReader, readDirectories } from '../directories/directory-reader.ts';
import { TAG } from '../directories/tags.ts';

/** GeoTIFF keys (OGC 19-008r4, annex B and C) that we use. */
export const GEO_KEY = {
  modelType: 1024,
  rasterType: 1025,
  geographicType: 2048,
  geodeticDatum: 2050,
  primeMeridian: 2051,
  angularUnit: 2054,
  angularUnitSize: 2055,
  ellipsoid: 2056,
  semiMajorAxis: 2057,
  semiMinorAxis: 2058,
  inverseFlattening: 2059,
  primeMeridianLongitude: 2061,
  projectedType: 3072,
  projection: 3074,
  method: 3075,
  linearUnit: 3076,
  linearUnitSize: 3077,
  standardParallel1: 3078,
  standardParallel2: 3079,
  naturalOriginLongitude: 3080,
  naturalOriginLatitude: 3081,
  falseEasting: 3082,
  falseNorthing: 3083,
  falseOriginLongitude: 3084,
  falseOriginLatitude: 3085,
  falseOriginEasting: 3086,
  falseOriginNorthing: 3087,
  centreLongitude: 3088,
  centreLatitude: 3089,
  centreEasting: 3090,
  centreNorthing: 3091,
  naturalOriginScale: 3092,
  centreScale: 3093,
  straightPoleLongitude: 3095,
  verticalSystem: 4096,
  verticalUnits: 4099,
} as const;

/** Numbers of a file's keys, from whichever tag holds them. */
export type GeoKeys = ReadonlyMap<number, number>;

/** Tag that holds a key's value when the directory itself does not. */
const IN_DOUBLES = 34_736;

/** Reads the key directory; keys of text and keys that point outside their tag are ignored. */
export function toGeoKeyMap(directory: readonly number[], doubles: readonly number[]): GeoKeys {
  const keys = new Map<number, number>();
  const count = Math.min(directory[3] ?? 0, Math.floor((directory.length - 4) / 4));
  for (let at = 4; at < 4 + count * 4; at += 4) {
    const [key, tag, , value] = directory.slice(at, at + 4);
    const number = tag === 0 ? value : tag === IN_DOUBLES ? doubles[value!] : undefined;
    if (number !== undefined) keys.set(key!, number);
  }
  return keys;
}

/** The tags of GeoTIFF keys in the form of a file; plain JSON. */
export interface GeoKeyTags {
  /** Four numbers that say how many keys follow, and four for each key. */
  readonly directory: readonly number[];
  readonly doubles: readonly number[];
  /** Names, each closed by `|`. */
  readonly ascii: string;
}

const PIXEL_IS_AREA = 1;

/**
 * The same keys for an image whose transform counts from the corner of its pixels, as ours do: files whose pixels are
 * points count from the centre.
 */
export function toAreaKeys({ directory, doubles, ascii }: GeoKeyTags): GeoKeyTags {
  const changed = directory.map((value, i) => {
    const isRasterType = i >= 7 && i % 4 === 3 && directory[i - 3] === GEO_KEY.rasterType;
    return isRasterType ? PIXEL_IS_AREA : value;
  });
  return { directory: changed, doubles, ascii };
}

/** Refuses keys that contradict another reference system, and numbers that a tag cannot hold. */
export function checkGeoKeys(keys: GeoKeyTags | null, isAlone: boolean): void {
  if (keys === null) return;
  const isShort = (value: number) => Number.isInteger(value) && value >= 0 && value <= 65_535;
  if (!isAlone || keys.directory.length < 4 || !keys.directory.every(isShort)) {
    throw badInput(
      'bad-geo-keys',
      'Keys of a reference system are whole numbers, and the only system named.',
    );
  }
}

/** "User defined": the system has no code, other keys say what it is. */
const USER_DEFINED = 32_767;
/** Values of GeoTIFF keys (OGC 19-008r4, annex C) that a sinusoidal system needs. */
const PROJECTED = 1;
const DEGREES = 9_102;
const METRES = 9_001;
const SINUSOIDAL = 24;

/** A radius is that of the Earth or a planet; and two systems of one file would contradict each other. */
export function checkSinusoidal(radiusM: number | null, epsg: number | null): void {
  if (radiusM === null) return;
  if (!(radiusM > 0 && radiusM < 1e9) || epsg !== null) {
    throw badInput(
      'bad-sinusoidal',
      'A sinusoidal image has a radius between 0 and a million kilometres and no EPSG code.',
    );
  }
}

/** The key directory and its numbers: the sinusoidal projection of a sphere around longitude 0, as MODIS uses it. */
export function toSinusoidalKeys(radiusM: number): {
  readonly directory: number[];
  readonly doubles: number[];
} {
  const doubles = [radiusM, 0];
  const [atRadius, atZero] = [0, 1];
  const entries = [
    [GEO_KEY.modelType, 0, 1, PROJECTED],
    [GEO_KEY.rasterType, 0, 1, PIXEL_IS_AREA],
    [GEO_KEY.geographicType, 0, 1, USER_DEFINED],
    [GEO_KEY.geodeticDatum, 0, 1, USER_DEFINED],
    [GEO_KEY.angularUnit, 0, 1, DEGREES],
    [GEO_KEY.ellipsoid, 0, 1, USER_DEFINED],
    // a sphere: both axes alike
    [GEO_KEY.semiMajorAxis, TAG.geoDoubles, 1, atRadius],
    [GEO_KEY.semiMinorAxis, TAG.geoDoubles, 1, atRadius],
    [GEO_KEY.projectedType, 0, 1, USER_DEFINED],
    [GEO_KEY.projection, 0, 1, USER_DEFINED],
    [GEO_KEY.method, 0, 1, SINUSOIDAL],
    [GEO_KEY.linearUnit, 0, 1, METRES],
    [GEO_KEY.falseEasting, TAG.geoDoubles, 1, atZero],
    [GEO_KEY.falseNorthing, TAG.geoDoubles, 1, atZero],
    [GEO_KEY.centreLongitude, TAG.geoDoubles, 1, atZero],
  ];
  return { directory: [1, 1, 0, entries.length, ...entries.flat()], doubles };
}

/** GDAL's own files have some dozens. */
const MAX_VALUES = 4_096;

/** The GeoTIFF keys of a file, unchanged; null when it has none, or none that can be read. */
export async function readGeoKeys(source: ByteSource, signal?: AbortSignal): Promise<GeoKeyTags | null> {
  const head = makeHeadReader(source, signal);
  const { littleEndian, directories } = await readDirectories(head);
  const read = makeTagReader(head, littleEndian);
  const first = directories[0]!;
  try {
    const directory = await read.counts(first, TAG.geoKeyDirectory, MAX_VALUES);
    if (directory === null || directory.length < 4) return null;
    const doubles = (await read.doubles(first, TAG.geoDoubles, MAX_VALUES)) ?? [];
    const ascii = (await read.text(first, TAG.geoAscii)) ?? '';
    return { directory: [...directory], doubles: [...doubles], ascii };
  } catch (error) {
    if (isSwathError(error) && error.code === 'tiff-bad-tag') return null;
    throw error;
  }
}
