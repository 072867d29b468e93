/** Facts of a Landsat product for the texts below. */
export interface LandsatText {
  readonly sceneId: string;
  /** Null before the collections. */
  readonly productId: string | null;
  readonly collection: 0 | 1 | 2;
  readonly level?: string;
  readonly spacecraft?: number;
  readonly sensor?: string;
  readonly cloud?: number;
  readonly processed?: string;
}

type Groups = Record<string, Record<string, string | number>>;

/** The fields of an MTL file in the groups of its collection; of two bands, one of them thermal. */
export function toLandsatGroups(facts: LandsatText): Groups {
  const { sceneId, productId, collection, level = 'L1TP', spacecraft = 8, sensor = 'OLI_TIRS' } = facts;
  const { cloud = 12.5, processed = '2020-09-08T01:33:50Z' } = facts;
  const ids =
    productId === null ? {} : { LANDSAT_PRODUCT_ID: productId, COLLECTION_NUMBER: `0${collection}` };
  const scene = {
    SPACECRAFT_ID: `LANDSAT_${spacecraft}`,
    SENSOR_ID: sensor,
    WRS_PATH: '016',
    WRS_ROW: '037',
    DATE_ACQUIRED: '2017-08-13',
    SCENE_CENTER_TIME: '15:54:15.7884640Z',
  };
  const sky = { CLOUD_COVER: cloud, SUN_AZIMUTH: 126.8, SUN_ELEVATION: 62.25, EARTH_SUN_DISTANCE: 1.013 };
  const files = { FILE_NAME_BAND_4: `${productId ?? sceneId}_B4.TIF` };
  const rescaling = {
    RADIANCE_MULT_BAND_4: '9.7350E-03',
    RADIANCE_ADD_BAND_4: -48.67504,
    REFLECTANCE_MULT_BAND_4: '2.0000E-05',
    REFLECTANCE_ADD_BAND_4: -0.1,
    RADIANCE_MULT_BAND_10: '3.3420E-04',
    RADIANCE_ADD_BAND_10: 0.1,
  };
  const thermal = { K1_CONSTANT_BAND_10: 774.8853, K2_CONSTANT_BAND_10: 1321.0789 };
  if (collection < 2) {
    return {
      METADATA_FILE_INFO: { LANDSAT_SCENE_ID: sceneId, ...ids, FILE_DATE: processed },
      PRODUCT_METADATA: { DATA_TYPE: level, ...scene, ...files },
      IMAGE_ATTRIBUTES: sky,
      RADIOMETRIC_RESCALING: rescaling,
      TIRS_THERMAL_CONSTANTS: thermal,
    };
  }
  const surface: Groups = level.startsWith('L2')
    ? {
        LEVEL2_SURFACE_REFLECTANCE_PARAMETERS: {
          REFLECTANCE_MULT_BAND_4: 2.75e-5,
          REFLECTANCE_ADD_BAND_4: -0.2,
        },
        LEVEL2_SURFACE_TEMPERATURE_PARAMETERS: {
          TEMPERATURE_MULT_BAND_ST_B10: 0.00341802,
          TEMPERATURE_ADD_BAND_ST_B10: 149,
        },
      }
    : {};
  return {
    PRODUCT_CONTENTS: { ...ids, PROCESSING_LEVEL: level, ...files },
    IMAGE_ATTRIBUTES: { ...scene, ...sky },
    ...surface,
    LEVEL1_PROCESSING_RECORD: {
      LANDSAT_SCENE_ID: sceneId,
      LANDSAT_PRODUCT_ID: 'ANOTHER_ID_OF_LEVEL_1',
      PROCESSING_LEVEL: 'L1TP',
      DATE_PRODUCT_GENERATED: processed,
    },
    LEVEL1_RADIOMETRIC_RESCALING: rescaling,
    LEVEL1_THERMAL_CONSTANTS: thermal,
  };
}

const rootOf = ({ collection }: LandsatText) =>
  collection < 2 ? 'L1_METADATA_FILE' : 'LANDSAT_METADATA_FILE';

/** The MTL file as ODL. */
export function toLandsatOdl(facts: LandsatText): string {
  const lines = Object.entries(toLandsatGroups(facts)).flatMap(([group, fields]) => [
    `  GROUP = ${group}`,
    ...Object.entries(fields).map(
      ([key, value]) => `    ${key} = ${/^[\d.+-]/.test(String(value)) ? value : `"${value}"`}`,
    ),
    `  END_GROUP = ${group}`,
  ]);
  const root = rootOf(facts);
  return [`GROUP = ${root}`, ...lines, `END_GROUP = ${root}`, 'END', ''].join('\n');
}

/** The MTL file as JSON: all values are text there. */
export function toLandsatJson(facts: LandsatText): string {
  const groups = Object.entries(toLandsatGroups(facts)).map(([group, fields]) => [
    group,
    Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, String(value)])),
  ]);
  return JSON.stringify({ [rootOf(facts)]: Object.fromEntries(groups) });
}

/** The MTL file as XML. */
export function toLandsatXml(facts: LandsatText): string {
  const groups = Object.entries(toLandsatGroups(facts)).map(([group, fields]) => {
    const inside = Object.entries(fields).map(([key, value]) => `<${key}>${value}</${key}>`);
    return `<${group}>${inside.join('')}</${group}>`;
  });
  const root = rootOf(facts);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}>${groups.join('\n')}</${root}>\n`;
}
