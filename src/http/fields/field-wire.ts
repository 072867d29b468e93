/** The body of a field, and how fields and groups are answered. */
import type { Field, FieldChanges, FieldGroup, GivenAttributes, ListedField } from '../../fields/index.ts';
import { fieldLimits, parseAttributes, toFieldOutline } from '../../fields/index.ts';
import type { LonLatBounds } from '../../geo/index.ts';
import type { AreaDeps } from '../areas.ts';
import { AREA_REF, EXAMPLE_AREA, geometrySchema } from '../areas.ts';
import { roundDegrees } from '../kit/answer-bodies.ts';
import { readGeometry } from '../kit/bodies.ts';
import type { ApiRequest } from '../kit/endpoint.ts';
import type { Params } from '../kit/fields.ts';
import type { JsonSchema } from '../kit/json-schema.ts';
import { json } from '../kit/json-schema.ts';

/** Ids of fields, as they are given out. */
export const FIELD_ID = /^[0-9a-f]{16}$/;

const text = (description: string): JsonSchema =>
  json.nullable(json.string({ max: fieldLimits.textChars }), { description });

const attributeSchemas = {
  'external_id?': text(
    'Your own id of the field; a key has no two fields with the same. Imports find by it what is stored already.',
  ),
  'group?': text('The group it belongs to, such as a farm.'),
  'crop?': text('What grows there.'),
  'sown_on?': json.nullable(json.string(), { description: 'The day of sowing, such as 2026-04-20.' }),
  'properties?': json.nullable(
    json.map(json.nullable(json.union([json.string(), json.number(), json.boolean()]))),
    { description: `Free values, up to ${fieldLimits.propertiesBytes} bytes.` },
  ),
};

/** The body of a new field. */
export const newFieldSchema: JsonSchema = json.object({
  'name?': json.string({
    max: fieldLimits.textChars,
    description: 'What people call it; by default its external id, or else its id.',
  }),
  ...attributeSchemas,
  geometry: geometrySchema,
});

/** The body of a change: what is left out stays as it is. */
export const changedFieldSchema: JsonSchema = json.object({
  'name?': json.string({ max: fieldLimits.textChars }),
  ...attributeSchemas,
  'geometry?': geometrySchema,
});

/** A body that works in the demo world. */
export const exampleField = {
  name: 'Long acre',
  external_id: 'A-17',
  group: 'North farm',
  crop: 'wheat',
  sown_on: '2026-04-20',
  properties: { irrigated: true },
  geometry: EXAMPLE_AREA,
} as const;

/** The names of a body that have values of their own. */
const ATTRIBUTES = {
  external_id: 'externalId',
  name: 'name',
  group: 'group',
  crop: 'crop',
  sown_on: 'sownOn',
  properties: 'properties',
} as const satisfies Readonly<Record<string, keyof GivenAttributes>>;

/** Reads what a body says of a field. */
export async function readFieldBody(
  body: Params,
  { ticket }: Pick<ApiRequest, 'ticket'>,
  { areaParser }: Pick<AreaDeps, 'areaParser'>,
): Promise<FieldChanges> {
  const given = Object.entries(ATTRIBUTES).map(([wire, name]) => [name, body[wire]] as const);
  const attributes = parseAttributes(Object.fromEntries(given));
  if (body.geometry === undefined) return attributes;
  const area = await readGeometry('geometry', body.geometry, { areaParser, ticket });
  return { ...attributes, outline: toFieldOutline(area) };
}

const bbox = json.list(json.number(), {
  min: 4,
  max: 4,
  description: 'West, south, east and north; a field across the antimeridian has its east beyond 180.',
});

const listedSchemas = {
  id: json.string({ pattern: FIELD_ID }),
  external_id: json.nullable(json.string()),
  name: json.string(),
  group: json.nullable(json.string()),
  crop: json.nullable(json.string()),
  sown_on: json.nullable(json.string()),
  properties: json.map(json.any()),
  hectares: json.number(),
  bbox,
  created_at: json.string(),
  updated_at: json.string(),
  version: json.integer({ description: 'Counts the changes; it is the ETag, too.' }),
  'cropper_ref?': json.string({
    pattern: AREA_REF,
    description:
      'Names the outline wherever a stored area can be named. Another one after a change of the outline.',
  }),
  last_values: json.list(
    json.object({
      expression: json.string(),
      value: json.nullable(json.number()),
      date: json.string(),
    }),
    {
      description: 'The last value of each expression that was measured for the key in many fields at once.',
    },
  ),
};

/** A field in a list. */
export const listedFieldSchema: JsonSchema = json.named('ListedField', json.object(listedSchemas));
/** A field with its geometry. */
export const fieldSchema: JsonSchema = json.named(
  'Field',
  json.object({ ...listedSchemas, geometry: geometrySchema }),
);

/** A field as its owner reads it in a list. */
export const toListedWire = (field: ListedField): object => ({
  ...toSharedWire(field),
  cropper_ref: field.areaRef,
});

/** A field as readers without a key see it. */
export const toSharedWire = (field: ListedField): object => ({
  id: field.id,
  external_id: field.externalId,
  name: field.name,
  group: field.group,
  crop: field.crop,
  sown_on: field.sownOn,
  properties: field.properties,
  hectares: roundHectares(field.hectares),
  bbox: toBbox(field.bounds),
  created_at: field.createdAt,
  updated_at: field.updatedAt,
  version: field.version,
  last_values: field.lastValues,
});

/** A field with its geometry, as JSON text: the geometry is text already. */
export function toFieldText(field: Field): string {
  const { geometry, ...listed } = field;
  return `${JSON.stringify(toListedWire(listed)).slice(0, -1)},"geometry":${geometry}}`;
}

/** Square decimetres. */
const roundHectares = (hectares: number): number => Math.round(hectares * 1e6) / 1e6;

const toBbox = ({ west, south, east, north }: LonLatBounds): readonly number[] =>
  [west, south, east, north].map(roundDegrees);

/** A group in a list. */
export const groupSchema: JsonSchema = json.object({
  group: json.string(),
  fields: json.integer(),
  public: json.nullable(
    json.object({
      token: json.string({ description: 'Anyone with it can read the fields of the group.' }),
      expires: json.nullable(json.string()),
      rate_per_minute: json.integer(),
      fields: json.string({ description: 'The address of its list, which needs no key.' }),
    }),
    { description: 'Null for a group that only its key can read.' },
  ),
});

/** A group, with the address at which others read it. */
export function toGroupWire(
  { group, fields, share }: FieldGroup,
  { publicUrl, toToken }: { readonly publicUrl: string; readonly toToken: (shareId: string) => string },
): object {
  if (share === null) return { group, fields, public: null };
  const token = toToken(share.id);
  const address = `${publicUrl}/api/public/${token}/fields`;
  return {
    group,
    fields,
    public: { token, expires: share.expiresAt, rate_per_minute: share.ratePerMinute, fields: address },
  };
}
