/** What orders of files say: the scene, the area that it is cropped to, and bands or expressions. */

import type { BandsOrder, ExportArea, IndexOrder } from '../../exports/index.ts';
import { isObject } from '../../json.ts';
import type { Ticket } from '../../pool/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { parseViewId } from '../../sensors/index.ts';
import type { AreaDeps } from '../areas.ts';
import { findArea, geometrySchema, toBboxArea } from '../areas.ts';
import { badInput } from '../errors.ts';
import { fieldOfBody, groupOfBody } from '../fields/take-field.ts';
import { readGeometry } from '../kit/bodies.ts';
import type { Params } from '../kit/fields.ts';
import {
  defineFields,
  flag,
  MAX_TEXT,
  refuseField,
  requiredText,
  text,
  texts,
  textsSchema,
  unread,
} from '../kit/fields.ts';
import { json } from '../kit/json-schema.ts';

/** The scene that a task is about. */
interface OrderedScene {
  readonly viewId: string;
  /** The view id without its sensor. */
  readonly sceneName: string;
  readonly sensor: Sensor;
}

/** The scene. */
export const sceneFields = defineFields({ view_id: requiredText({ description: 'As search gives it.' }) });

/** The scene of `view_id`; `%2F` is read as a slash; leading and trailing slashes are ignored. */
export function readScene(params: Params): OrderedScene {
  const written = sceneFields.view_id
    .read(params)
    .trim()
    .replaceAll(/%2f/gi, '/')
    .replace(/^\//, '')
    .replace(/\/$/, '');
  const { viewId, sceneName, sensor } = parseViewId(written);
  return { viewId, sceneName, sensor };
}

/** The area that a file is cropped to. */
export const areaFields = defineFields({
  bbox: unread(json.list(json.number(), { min: 4, max: 4 }), {
    description:
      'west, south, east, north in degrees. At most one of bbox, geometry and cropper_ref; none for the whole scene.',
  }),
  geometry: unread(geometrySchema, { description: 'A Polygon or MultiPolygon in longitude and latitude.' }),
  cropper_ref: text({ description: 'The reference of a stored area.' }),
  field: fieldOfBody,
  group: groupOfBody,
});

const AREA_NAMES = ['bbox', 'geometry', 'cropper_ref'] as const satisfies (keyof typeof areaFields)[];

/** The area, by one of `bbox`, `geometry` and `cropper_ref`; null for the whole scene. */
export async function readArea(
  params: Params,
  ticket: Ticket,
  { areas, areaParser }: AreaDeps,
): Promise<ExportArea | null> {
  const given = AREA_NAMES.filter((name) => {
    const value = params[name] ?? null;
    // Programs send an empty text for a reference that they do not have.
    return value !== null && !(name === 'cropper_ref' && value === '');
  });
  if (given.length > 1) {
    throw badInput(
      'several-areas',
      `Only one of bbox, geometry and cropper_ref may be given; ${given.join(' and ')} are.`,
    );
  }
  switch (given[0]) {
    case 'bbox':
      return readBbox(params.bbox);
    case 'geometry': {
      const { outline, geometry } = await readGeometry('geometry', params.geometry, { areaParser, ticket });
      return { kind: 'outline', outline, json: geometry };
    }
    case 'cropper_ref': {
      const { outline, geometry } = await findArea(areaFields.cropper_ref.read(params) ?? '', areas);
      return { kind: 'outline', outline, json: geometry };
    }
    default:
      return null;
  }
}

function readBbox(value: unknown): ExportArea {
  const isBbox =
    Array.isArray(value) &&
    value.length === 4 &&
    value.every((number) => typeof number === 'number' && Number.isFinite(number));
  if (!isBbox) {
    throw badInput('bad-bbox', 'bbox must be a list of four numbers: west, south, east, north in degrees.');
  }
  const [west, south, east, north] = value as [number, number, number, number];
  const { bounds, outline } = toBboxArea({ name: 'bbox', west, south, east, north });
  // A rectangle across the antimeridian is two.
  if (bounds.east > 180) return { kind: 'outline', outline };
  return {
    kind: 'bounds',
    bounds: { minX: bounds.west, minY: bounds.south, maxX: bounds.east, maxY: bounds.north },
  };
}

/** More than any sensor has; which of them exist is checked when the file is planned. */
const MAX_BANDS = 64;
const MAX_METADATA = 20;

const bandNames = texts({ max: MAX_BANDS });

/** Bands as they were delivered: type `lbe`. */
export const bandsFields = defineFields({
  bands: {
    isRequired: true,
    schema: {
      ...textsSchema(MAX_BANDS),
      description: 'Names of bands: a list, or a text with commas between them; at least one.',
    },
    parse(value, name): readonly string[] {
      const bands = bandNames.parse(value, name);
      // An empty text is a list of one empty name.
      if (bands?.some((band) => band !== '')) return bands;
      throw refuseField(
        name,
        'is required, and must be a list of band names, or a text with commas between them.',
      );
    },
  },
  merge: flag({ description: 'Bands of the same resolution in one file; on by default.', fallback: true }),
  metadata: {
    schema: json.nullable(
      json.list(json.object({ label: json.string({ max: 200 }), url: json.string({ max: MAX_TEXT }) }), {
        max: MAX_METADATA,
      }),
      { description: 'Metadata files of the scene to put into the zip archive, by path or address.' },
    ),
    parse: parseMetadata,
  },
});

/** Reads the params of type `lbe`, except for the area. */
export function readBandsParams(params: Params): Omit<BandsOrder, 'area'> {
  const { viewId, sceneName, sensor } = readScene(params);
  return {
    viewId,
    sceneName,
    sensor: sensor.abbreviation,
    bands: bandsFields.bands.read(params),
    merge: bandsFields.merge.read(params),
    metadata: bandsFields.metadata.read(params),
  };
}

function parseMetadata(value: unknown, name: string): BandsOrder['metadata'] {
  const items = value ?? [];
  if (!Array.isArray(items) || items.length > MAX_METADATA)
    throw refuseField(name, `must be a list of up to ${MAX_METADATA} objects with a label and a url.`);
  return items.map((item: unknown) => {
    const { label, url } = isObject(item) ? item : {};
    if (typeof label !== 'string' || typeof url !== 'string' || label.length > 200 || url.length > MAX_TEXT)
      throw badInput('bad-metadata', 'Each item of metadata must have a label and a url, both texts.');
    return { label, url };
  });
}

/** Expressions of one order; docs/operate/limits.md. */
const MAX_EXPRESSIONS = 10;

const expressionList = texts({ max: MAX_EXPRESSIONS });

/** Values of band math: type `bandmath`, and what pictures have of it. */
export const indexFields = defineFields({
  bm_type: {
    isRequired: true,
    schema: json.union(
      [
        json.string({ max: MAX_TEXT, pattern: /\S/ }),
        json.list(json.union([json.string({ pattern: /\S/ }), json.number()]), {
          min: 1,
          max: MAX_EXPRESSIONS,
        }),
      ],
      { description: 'Bands, indices or band math; several separated by commas, or as a list.' },
    ),
    parse(value, name): string {
      // Commas inside of an expression belong to it, so a text is not split here.
      const joined = typeof value === 'string' ? value : (expressionList.parse(value, name) ?? []).join();
      if (joined.trim() === '') throw refuseField(name, 'is required, and must be an expression.');
      if (joined.length > MAX_TEXT) throw refuseField(name, `must have at most ${MAX_TEXT} characters.`);
      return joined;
    },
  },
  calibrate: flag({
    description:
      'Physical values: reflectance or brightness temperature, comparable across sensors; off by default.',
    fallback: false,
  }),
  name_alias: text({
    max: 200,
    description: 'Used in the name of the file instead of the expression; spaces become underscores.',
  }),
});

/** Reads the params of type `bandmath`, except for the area. */
export function readIndexParams(params: Params): Omit<IndexOrder, 'area'> {
  const { viewId, sceneName, sensor } = readScene(params);
  return {
    viewId,
    sceneName,
    sensor: sensor.abbreviation,
    expressions: indexFields.bm_type.read(params),
    calibrated: indexFields.calibrate.read(params),
    nameAlias: indexFields.name_alias.read(params) || null,
  };
}
