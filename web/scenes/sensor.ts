/** Sensors as the viewer knows them, read from the server's list. */
import { asNumber, asRecord, asText, isTexts } from './read-json.ts';

/** A band of a sensor. */
export interface Band {
  readonly name: string;
  /** Its generic name, `NIR`; `null` for a band without one. */
  readonly role: string | null;
  readonly kind: 'reflective' | 'thermal' | 'radar' | 'quality';
  readonly centreNm: number | null;
  readonly resolutionM: number;
}

/** One band shown as grey, or three joined by commas shown as red, green and blue. */
export interface Composition {
  /** Means the same on every sensor; `null` for one of this sensor only. */
  readonly name: string | null;
  readonly bands: string;
}

/** An index that the sensor's bands allow. */
export interface SensorIndex {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly kind: 'index' | 'composite' | 'change';
  readonly expression: string;
}

/** A sensor and what can be drawn of it. */
export interface ViewerSensor {
  readonly dataset: string;
  readonly abbreviation: string;
  readonly title: string;
  readonly bands: readonly Band[];
  /** The first is the default. */
  readonly compositions: readonly [Composition, ...Composition[]];
  readonly indices: readonly SensorIndex[];
  readonly hasPansharpening: boolean;
  readonly hasCloudMask: boolean;
  readonly hasCloudCover: boolean;
  /** Zoom at which tiles are finer than the sensor's pixels everywhere: deeper ones would show nothing new. */
  readonly maxZoom: number;
}

/** Width of a pixel of a 256 px tile at zoom 0 on the equator, in metres. */
const ZOOM_0_PIXEL_M = 156_543.034;
/** The map goes no deeper. */
const MAX_ZOOM = 18;
const BAND_KINDS = ['reflective', 'thermal', 'radar', 'quality'] as const;
const INDEX_KINDS = ['index', 'composite', 'change'] as const;

const parseBand = (value: unknown): Band | null => {
  const fields = asRecord(value);
  const name = asText(fields.name);
  const kind = BAND_KINDS.find((one) => one === fields.kind);
  const resolutionM = asNumber(fields.resolution);
  if (name === null || kind === undefined || resolutionM === null || resolutionM <= 0) return null;
  return { name, role: asText(fields.role), kind, centreNm: asNumber(fields.centre_nm), resolutionM };
};

const parseComposition = (value: unknown): Composition | null => {
  const { name, bands } = asRecord(value);
  return isTexts(bands) && bands.length > 0 ? { name: asText(name), bands: bands.join() } : null;
};

const parseIndex = (value: unknown): SensorIndex | null => {
  const fields = asRecord(value);
  const [name, expression] = [asText(fields.name), asText(fields.expression)];
  const kind = INDEX_KINDS.find((one) => one === fields.kind);
  if (name === null || expression === null || kind === undefined) return null;
  return {
    name,
    title: asText(fields.title) ?? name,
    description: asText(fields.description) ?? '',
    kind,
    expression,
  };
};

const parseList = <Item>(value: unknown, parse: (item: unknown) => Item | null): readonly Item[] =>
  Array.isArray(value) ? value.map(parse).filter((item) => item !== null) : [];

const parseSensor = (value: unknown): ViewerSensor | null => {
  const fields = asRecord(value);
  const [dataset, title, abbreviation] = [
    asText(fields.dataset),
    asText(fields.title),
    asText(fields.abbreviation),
  ];
  const bands = parseList(fields.bands, parseBand);
  const [first, ...others] = parseList(fields.compositions, parseComposition);
  if (dataset === null || title === null || abbreviation === null || first === undefined) return null;
  const finestM = Math.min(...bands.map(({ resolutionM }) => resolutionM));
  return {
    dataset,
    abbreviation,
    title,
    bands,
    compositions: [first, ...others],
    indices: parseList(fields.indices, parseIndex),
    hasPansharpening: fields.pansharpening === true,
    hasCloudMask: fields.cloud_mask === true,
    hasCloudCover: fields.cloud_cover === true,
    maxZoom: Math.min(MAX_ZOOM, Math.ceil(Math.log2(ZOOM_0_PIXEL_M / finestM))),
  };
};

/** Reads `{sensors: […]}`; a sensor that cannot be read is left out. */
export const parseSensors = (body: unknown): readonly ViewerSensor[] =>
  parseList(asRecord(body).sensors, parseSensor);
