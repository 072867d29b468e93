import type { MtlFacts, MtlGroup } from './mtl-fields.ts';
import {
  bare,
  toBandFiles,
  toCorners,
  toJson,
  toMap,
  toOdl,
  toSaturation,
  toScene,
  toSensorMode,
  toSizes,
  toSky,
  toSun,
  toXml,
  word,
} from './mtl-fields.ts';

/** The demo must not be mistaken for a picture of the real Earth. */
const ORIGIN = 'Made by Swath from its demo world, not measured';
const SOFTWARE = 'SWATH_DEMO_1';
const resampling = word('RESAMPLING_OPTION', 'CUBIC_CONVOLUTION');

/** The metadata files of a product by their names: one of collection 1, three of collection 2. */
export function toMtlFiles(facts: MtlFacts): ReadonlyMap<string, string> {
  const { productId } = facts.name;
  if (facts.collection === 1) {
    return new Map([[`${productId}_MTL.txt`, toOdl('L1_METADATA_FILE', toCollection1(facts))]]);
  }
  const root = 'LANDSAT_METADATA_FILE';
  const groups = toCollection2(facts);
  return new Map([
    [`${productId}_MTL.txt`, toOdl(root, groups)],
    [`${productId}_MTL.json`, toJson(root, groups)],
    [`${productId}_MTL.xml`, toXml(root, groups)],
  ]);
}

function toCollection2(facts: MtlFacts): readonly MtlGroup[] {
  const { mission, name } = facts;
  const origin = [word('ORIGIN', ORIGIN), word('DIGITAL_OBJECT_IDENTIFIER', mission.doi)];
  const level = [word('PROCESSING_LEVEL', 'L1TP')];
  const category = [word('COLLECTION_CATEGORY', name.tier), word('OUTPUT_FORMAT', 'GEOTIFF')];
  const files = [
    ...toBandFiles(facts),
    word('FILE_NAME_QUALITY_L1_PIXEL', `${name.productId}_QA_PIXEL.TIF`),
    word('FILE_NAME_QUALITY_L1_RADIOMETRIC_SATURATION', `${name.productId}_QA_RADSAT.TIF`),
    word('FILE_NAME_METADATA_ODL', `${name.productId}_MTL.txt`),
    word('FILE_NAME_METADATA_XML', `${name.productId}_MTL.xml`),
  ];
  const id = word('LANDSAT_PRODUCT_ID', name.productId);
  return [
    {
      name: 'PRODUCT_CONTENTS',
      fields: [
        ...[...origin, id, ...level, bare('COLLECTION_NUMBER', '02'), ...category, ...files],
        ...facts.scales.map(({ key, band }) => word(`DATA_TYPE_BAND_${key}`, band.type.toUpperCase())),
        word('DATA_TYPE_QUALITY_L1_PIXEL', 'UINT16'),
        word('DATA_TYPE_QUALITY_L1_RADIOMETRIC_SATURATION', 'UINT16'),
      ],
    },
    {
      name: 'IMAGE_ATTRIBUTES',
      fields: [
        ...toScene(facts),
        word('STATION_ID', mission.station),
        ...toSky(facts),
        ...toSaturation(facts),
        ...toSun(facts),
        ...toSensorMode(facts),
      ],
    },
    { name: 'PROJECTION_ATTRIBUTES', fields: [...toMap(facts), ...toSizes(facts), ...toCorners(facts)] },
    {
      name: 'LEVEL1_PROCESSING_RECORD',
      fields: [
        ...origin,
        word('REQUEST_ID', 'L2'),
        word('LANDSAT_SCENE_ID', name.sceneId),
        ...[id, ...level, ...category],
        bare('DATE_PRODUCT_GENERATED', name.processedAt),
        word('PROCESSING_SOFTWARE_VERSION', SOFTWARE),
        ...files,
      ],
    },
    ...toRadiometry(facts).map(({ name: group, fields }) => ({ name: `LEVEL1_${group}`, fields })),
    { name: 'LEVEL1_PROJECTION_PARAMETERS', fields: [...toMap(facts), resampling] },
    ...toGains(facts),
  ];
}

function toCollection1(facts: MtlFacts): readonly MtlGroup[] {
  const { mission, name } = facts;
  return [
    {
      name: 'METADATA_FILE_INFO',
      fields: [
        word('ORIGIN', ORIGIN),
        word('REQUEST_ID', 'L1'),
        word('LANDSAT_SCENE_ID', name.sceneId),
        word('LANDSAT_PRODUCT_ID', name.productId),
        bare('COLLECTION_NUMBER', '01'),
        bare('FILE_DATE', name.processedAt),
        word('STATION_ID', mission.station),
        word('PROCESSING_SOFTWARE_VERSION', SOFTWARE),
      ],
    },
    {
      name: 'PRODUCT_METADATA',
      fields: [
        word('DATA_TYPE', 'L1TP'),
        word('COLLECTION_CATEGORY', name.tier),
        word('OUTPUT_FORMAT', 'GEOTIFF'),
        ...[...toScene(facts), ...toCorners(facts), ...toSizes(facts), ...toBandFiles(facts)],
        word('FILE_NAME_BAND_QUALITY', `${name.productId}_BQA.TIF`),
        word('METADATA_FILE_NAME', `${name.productId}_MTL.txt`),
      ],
    },
    {
      name: 'IMAGE_ATTRIBUTES',
      fields: [...toSky(facts), ...toSun(facts), ...toSaturation(facts), ...toSensorMode(facts)],
    },
    ...toRadiometry(facts).map((group) =>
      group.name === 'THERMAL_CONSTANTS' && mission.quality === 'oli'
        ? { ...group, name: 'TIRS_THERMAL_CONSTANTS' }
        : group,
    ),
    { name: 'PROJECTION_PARAMETERS', fields: [...toMap(facts), resampling] },
    ...toGains(facts),
  ];
}

/** Ends and steps of the scales; the groups of collection 1, before which collection 2 writes the level. */
function toRadiometry({ scales }: MtlFacts): MtlGroup[] {
  const sunlit = scales.flatMap((scale) =>
    scale.reflectance === null ? [] : [{ ...scale, reflectance: scale.reflectance }],
  );
  const warm = scales.flatMap(({ key, thermal }) => (thermal === null ? [] : [{ key, ...thermal }]));
  const thermal: MtlGroup = {
    name: 'THERMAL_CONSTANTS',
    fields: warm.flatMap(({ key, k1, k2 }) => [
      bare(`K1_CONSTANT_BAND_${key}`, k1),
      bare(`K2_CONSTANT_BAND_${key}`, k2),
    ]),
  };
  return [
    {
      name: 'MIN_MAX_RADIANCE',
      fields: scales.flatMap(({ key, radiance: { mult, add }, maxStored }) => [
        bare(`RADIANCE_MAXIMUM_BAND_${key}`, (mult * maxStored + add).toFixed(5)),
        bare(`RADIANCE_MINIMUM_BAND_${key}`, (mult + add).toFixed(5)),
      ]),
    },
    {
      name: 'MIN_MAX_REFLECTANCE',
      fields: sunlit.flatMap(({ key, reflectance: { mult, add }, maxStored }) => [
        bare(`REFLECTANCE_MAXIMUM_BAND_${key}`, (mult * maxStored + add).toFixed(6)),
        bare(`REFLECTANCE_MINIMUM_BAND_${key}`, (mult + add).toFixed(6)),
      ]),
    },
    {
      name: 'MIN_MAX_PIXEL_VALUE',
      fields: scales.flatMap(({ key, maxStored }) => [
        bare(`QUANTIZE_CAL_MAX_BAND_${key}`, maxStored),
        bare(`QUANTIZE_CAL_MIN_BAND_${key}`, 1),
      ]),
    },
    {
      name: 'RADIOMETRIC_RESCALING',
      fields: [
        ...scales.map(({ key, texts }) => bare(`RADIANCE_MULT_BAND_${key}`, texts.radianceMult)),
        ...scales.map(({ key, texts }) => bare(`RADIANCE_ADD_BAND_${key}`, texts.radianceAdd)),
        ...sunlit.map(({ key, texts }) => bare(`REFLECTANCE_MULT_BAND_${key}`, texts.reflectanceMult)),
        ...sunlit.map(({ key, texts }) => bare(`REFLECTANCE_ADD_BAND_${key}`, texts.reflectanceAdd)),
      ],
    },
    ...(warm.length === 0 ? [] : [thermal]),
  ];
}

/** How the instrument was set, where it could be. */
function toGains({ mission: { lowGain }, scales }: MtlFacts): MtlGroup[] {
  if (lowGain === null) return [];
  const fields = scales.map(({ key }) => word(`GAIN_BAND_${key}`, lowGain.includes(key) ? 'L' : 'H'));
  return [{ name: 'PRODUCT_PARAMETERS', fields }];
}
