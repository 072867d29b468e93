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

/** Numbers of a file's keys, wherever they stand. */
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
