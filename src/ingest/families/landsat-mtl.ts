import type { BandCalibration, LinearScale } from '../../catalog/index.ts';
import type { LonLat } from '../../geo/index.ts';
import { isObject } from '../../json.ts';
import type { QualityLayout } from '../../sensors/index.ts';
import type { XmlElement } from '../../xml/index.ts';
import { localName, MAX_METADATA_BYTES, parseXml } from '../../xml/index.ts';
import { sourceBroken } from '../errors.ts';
import {
  parseJsonObject,
  required,
  toNumber,
  toNumberWithin,
  toText,
  toUtcTime,
} from '../metadata-values.ts';

/** The metadata of a Landsat product, of any collection and format. */
export interface LandsatMetadata {
  /** 1 to 9. */
  readonly spacecraft: number;
  /** `OLI_TIRS`, `ETM`, `TM`, `MSS`, …; `ETM+` without the plus. */
  readonly sensor: string;
  readonly sceneId: string;
  /** Null before the collections. */
  readonly productId: string | null;
  /** `L1TP`, `L1T`, `L2SP`, … */
  readonly level: string;
  readonly collection: QualityLayout;
  /** `T1`, `T2`, `RT`; null before the collections. */
  readonly category: string | null;
  readonly path: number;
  readonly row: number;
  readonly acquiredAt: string;
  /** Processing time; null if unknown. */
  readonly processedAt: string | null;
  readonly station: string | null;
  readonly cloudPercent: number | null;
  readonly sunElevationDeg: number | null;
  readonly sunAzimuthDeg: number | null;
  readonly earthSunDistanceAu: number | null;
  /** Corners of the image, from the upper left clockwise; null if one is missing. */
  readonly corners: readonly LonLat[] | null;
  /** Names of the band files by the band's key in the metadata: `1`, `6_VCID_1`, `ST_B10`, `QUALITY`. */
  readonly files: Readonly<Record<string, string>>;
  /** Calibration by the same keys; of Level 1. */
  readonly bands: Readonly<Record<string, BandCalibration>>;
  /** Scale to surface reflectance, or to kelvin, by the same keys; of Level 2. */
  readonly surface: Readonly<Record<string, LinearScale>>;
}

/** Groups in which a field is searched: the same name has different meanings in different groups. */
const GROUPS = {
  contents: ['PRODUCT_CONTENTS', 'METADATA_FILE_INFO', 'PRODUCT_METADATA'],
  record: ['LEVEL1_PROCESSING_RECORD', 'METADATA_FILE_INFO'],
  made: ['LEVEL2_PROCESSING_RECORD', 'LEVEL1_PROCESSING_RECORD', 'METADATA_FILE_INFO'],
  image: ['IMAGE_ATTRIBUTES', 'PRODUCT_METADATA', 'METADATA_FILE_INFO'],
  location: ['PROJECTION_ATTRIBUTES', 'PRODUCT_METADATA'],
  rescaling: ['LEVEL1_RADIOMETRIC_RESCALING', 'RADIOMETRIC_RESCALING'],
  thermal: ['LEVEL1_THERMAL_CONSTANTS', 'TIRS_THERMAL_CONSTANTS', 'THERMAL_CONSTANTS'],
  surface: ['LEVEL2_SURFACE_REFLECTANCE_PARAMETERS', 'LEVEL2_SURFACE_TEMPERATURE_PARAMETERS'],
} as const;

/** Reads an MTL file (.txt, .json or .xml) of the pre-collection, Collection 1 or Collection 2. */
export function parseLandsatMtl(text: string, what: string): LandsatMetadata {
  const fields = parseLandsatFields(text, what);
  const find = (groups: readonly string[], key: string): string | null => {
    for (const group of groups) {
      const value = fields.get(group)?.get(key);
      if (value !== undefined && value !== '') return value;
    }
    return null;
  };
  const image = (key: string) => find(GROUPS.image, key);
  const day = image('DATE_ACQUIRED');
  const time = image('SCENE_CENTER_TIME');
  const spacecraft = /^LANDSAT_([1-9])$/.exec(image('SPACECRAFT_ID') ?? '')?.[1];
  const level = find(GROUPS.contents, 'PROCESSING_LEVEL') ?? find(GROUPS.contents, 'DATA_TYPE');
  return {
    spacecraft: Number(required(spacecraft, 'SPACECRAFT_ID', what)),
    sensor: required(image('SENSOR_ID'), 'SENSOR_ID', what).replace('+', ''),
    sceneId: required(toId(find(GROUPS.record, 'LANDSAT_SCENE_ID')), 'LANDSAT_SCENE_ID', what),
    productId: toId(find(GROUPS.contents, 'LANDSAT_PRODUCT_ID')),
    level: required(level, 'PROCESSING_LEVEL', what),
    collection: toCollection(find(GROUPS.contents, 'COLLECTION_NUMBER'), what),
    category: find(GROUPS.contents, 'COLLECTION_CATEGORY'),
    path: required(toNumberWithin(image('WRS_PATH'), [1, 251]), 'WRS_PATH', what),
    row: required(toNumberWithin(image('WRS_ROW'), [1, 248]), 'WRS_ROW', what),
    acquiredAt: required(toUtcTime(`${day}T${time}`), 'DATE_ACQUIRED and SCENE_CENTER_TIME', what),
    processedAt: toUtcTime(find(GROUPS.made, 'DATE_PRODUCT_GENERATED') ?? find(GROUPS.made, 'FILE_DATE')),
    station: image('STATION_ID'),
    // -1 means not computed.
    cloudPercent: toNumberWithin(image('CLOUD_COVER'), [0, 100]),
    sunElevationDeg: toNumberWithin(image('SUN_ELEVATION'), [-90, 90]),
    sunAzimuthDeg: toNumberWithin(image('SUN_AZIMUTH'), [-360, 360]),
    earthSunDistanceAu: toNumberWithin(image('EARTH_SUN_DISTANCE'), [0.9, 1.1]),
    corners: toCorners((key) => find(GROUPS.location, key)),
    files: toFiles(fields),
    bands: toBands(fields),
    surface: toSurface(fields),
  };
}

const toId = (text: string | null): string | null =>
  text !== null && /^[A-Z0-9_]{1,64}$/.test(text) ? text : null;

function toCollection(text: string | null, what: string): QualityLayout {
  const number = text === null ? 0 : toNumber(text);
  if (number === 0) return 'pre-collection';
  if (number === 1) return 'collection-1';
  if (number === 2) return 'collection-2';
  throw sourceBroken('metadata-unknown-collection', `The file ${what} is of an unknown collection.`);
}

function toCorners(find: (key: string) => string | null): readonly LonLat[] | null {
  const corners = ['UL', 'UR', 'LR', 'LL'].map((corner) => ({
    lon: toNumberWithin(find(`CORNER_${corner}_LON_PRODUCT`), [-360, 360]),
    lat: toNumberWithin(find(`CORNER_${corner}_LAT_PRODUCT`), [-90, 90]),
  }));
  const known = corners.flatMap(({ lon, lat }): LonLat[] =>
    lon === null || lat === null ? [] : [[lon, lat]],
  );
  return known.length === 4 ? known : null;
}

/** Fields of some groups with a prefix, by the rest of their names. */
function withPrefix(fields: LandsatFields, groups: readonly string[], prefix: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const group of groups) {
    for (const [key, value] of fields.get(group) ?? []) {
      if (key.startsWith(prefix)) found.set(key.slice(prefix.length), value);
    }
  }
  return found;
}

/** Plain file names only: a path could lead out of the product's folder. */
function toFiles(fields: LandsatFields): Record<string, string> {
  const groups = ['PRODUCT_METADATA', 'PRODUCT_CONTENTS'];
  const files = withPrefix(fields, groups, 'FILE_NAME_BAND_');
  for (const [key, value] of withPrefix(fields, groups, 'FILE_NAME_QUALITY_L1_PIXEL')) {
    if (key === '') files.set('QUALITY', value);
  }
  return Object.fromEntries([...files].filter(([, name]) => /^[A-Za-z0-9_.-]{1,128}$/.test(name)));
}

function toScales(
  fields: LandsatFields,
  groups: readonly string[],
  quantity: string,
): Map<string, LinearScale> {
  const adds = withPrefix(fields, groups, `${quantity}_ADD_BAND_`);
  const scales = new Map<string, LinearScale>();
  for (const [band, text] of withPrefix(fields, groups, `${quantity}_MULT_BAND_`)) {
    const mult = toNumber(text);
    const add = toNumber(adds.get(band));
    if (mult !== null && add !== null) scales.set(band, { mult, add });
  }
  return scales;
}

function toBands(fields: LandsatFields): Record<string, BandCalibration> {
  const radiances = toScales(fields, GROUPS.rescaling, 'RADIANCE');
  const reflectances = toScales(fields, GROUPS.rescaling, 'REFLECTANCE');
  const k1s = withPrefix(fields, GROUPS.thermal, 'K1_CONSTANT_BAND_');
  const k2s = withPrefix(fields, GROUPS.thermal, 'K2_CONSTANT_BAND_');
  const names = new Set([...radiances.keys(), ...reflectances.keys(), ...k1s.keys()]);
  return Object.fromEntries(
    [...names].map((name) => {
      const radiance = radiances.get(name);
      const reflectance = reflectances.get(name);
      const k1 = toNumber(k1s.get(name));
      const k2 = toNumber(k2s.get(name));
      return [
        name,
        {
          ...(radiance ? { radiance } : {}),
          ...(reflectance ? { reflectance } : {}),
          ...(k1 === null || k2 === null ? {} : { thermal: { k1, k2 } }),
        },
      ];
    }),
  );
}

const toSurface = (fields: LandsatFields): Record<string, LinearScale> =>
  Object.fromEntries([
    ...toScales(fields, GROUPS.surface, 'REFLECTANCE'),
    ...toScales(fields, GROUPS.surface, 'TEMPERATURE'),
  ]);

/** Fields of a metadata file by group; all values are text without quotes. */
type LandsatFields = ReadonlyMap<string, ReadonlyMap<string, string>>;

type Groups = Map<string, Map<string, string>>;

/** Names of the outermost group: until Collection 1, and since Collection 2. */
const ROOTS = ['L1_METADATA_FILE', 'LANDSAT_METADATA_FILE'];

/** Parses a Landsat MTL file in any of its three formats, recognised by content: ODL (.txt), JSON and XML. */
function parseLandsatFields(text: string, what: string): LandsatFields {
  if (text.length > MAX_METADATA_BYTES) throw bad(what, `is longer than ${MAX_METADATA_BYTES} characters`);
  const start = text.trimStart();
  if (start.startsWith('<')) return fromXml(parseXml(text, what), what);
  if (start.startsWith('{')) return fromJson(parseJsonObject(text, what), what);
  return fromOdl(text, what);
}

const bad = (what: string, why: string) => sourceBroken('metadata-bad-mtl', `The file ${what} ${why}.`);

/** The value includes the white space before it: a pattern for both would backtrack. */
const LINE = /^([A-Z][A-Z0-9_]*)\s*=(.*)$/;

/** Files of some years are padded with NUL characters after `END`; the rest is ignored. */
function fromOdl(text: string, what: string): LandsatFields {
  const groups: Groups = new Map();
  const open: string[] = [];
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (line === 'END') break;
    if (line === '') continue;
    const [, key, behind] = LINE.exec(line) ?? [];
    if (key === undefined || behind === undefined)
      throw bad(what, 'has a line that is neither a field nor a group');
    const value = behind.trimStart();
    if (key === 'GROUP') open.push(unquote(value));
    else if (key === 'END_GROUP') {
      if (open.pop() !== unquote(value)) throw bad(what, 'closes a group that is not open');
    } else put(groups, { group: open.at(-1) ?? '', key, value: unquote(value) });
    if (open.length === 1 && !ROOTS.includes(open[0] ?? ''))
      throw bad(what, 'is not a Landsat metadata file');
  }
  if (open.length > 0 || groups.size === 0) throw bad(what, 'is truncated or empty');
  return groups;
}

const unquote = (text: string): string => /^"(.*)"$/.exec(text)?.[1] ?? text;

function put(groups: Groups, { group, key, value }: { group: string; key: string; value: string }): void {
  const fields = groups.get(group) ?? new Map<string, string>();
  groups.set(group, fields);
  fields.set(key, value);
}

function fromJson(document: Readonly<Record<string, unknown>>, what: string): LandsatFields {
  const root = ROOTS.map((name) => document[name]).find(isObject);
  if (root === undefined) throw bad(what, 'is not a Landsat metadata file');
  const groups: Groups = new Map();
  for (const [group, fields] of Object.entries(root)) {
    if (!isObject(fields)) continue;
    for (const [key, given] of Object.entries(fields)) {
      const value = toText(given);
      if (value !== null) put(groups, { group, key, value });
    }
  }
  return groups;
}

function fromXml(root: XmlElement, what: string): LandsatFields {
  if (!ROOTS.includes(localName(root))) throw bad(what, 'is not a Landsat metadata file');
  const groups: Groups = new Map();
  for (const group of elementsOf(root)) {
    for (const field of elementsOf(group)) {
      put(groups, { group: localName(group), key: localName(field), value: field.text.trim() });
    }
  }
  return groups;
}

const elementsOf = (element: XmlElement): XmlElement[] =>
  element.children.filter((child): child is XmlElement => child.type === 'element');
