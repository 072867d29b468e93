/** The parameters and fields of a search of items: queries and bodies say the same in two ways. */
import { badInput } from '../errors.ts';
import { defineFields, toObjectSchema } from '../kit/fields.ts';
import type { JsonSchema } from '../kit/json-schema.ts';
import { json } from '../kit/json-schema.ts';
import { custom, defineParameters, parseDecimal } from '../kit/parameters.ts';
import { readQuery } from './filter/read-cql2-json.ts';
import { parseFieldsBody, parseFieldsText } from './item-fields.ts';
import { MAX_TOKEN_CHARS } from './item-position.ts';
import { parseBox } from './item-shapes.ts';
import {
  checkCrs,
  DEFAULT_ITEMS,
  MAX_ITEMS,
  MAX_WORDS,
  parseJson,
  readDatetime,
  readGeometry,
  readLimit,
  readNames,
  readSortList,
  readSortText,
  readToken,
  readWords,
} from './search-values.ts';

/** Ids of one search: each is looked up. */
export const MAX_IDS = 100;
const MAX_COLLECTIONS = 100;

const LIMIT = `Items of a page; ${DEFAULT_ITEMS} by default. A page has at most ${MAX_ITEMS}, whatever is asked for.`;
const BBOX = 'West, south, east and north in degrees; six numbers have heights, which are ignored.';
const DATETIME = 'A time by RFC 3339, or an interval of two with a slash between them; .. is an open end.';
const COLLECTIONS = 'Datasets; all by default. Unknown ones have no items.';
const IDS = `Ids of items, at most ${MAX_IDS}.`;
const TOKEN = 'Of a next link: where its page begins.';
const SORT = 'One property; newest first by default.';
const FIELDS = 'Parts of items; all by default.';
const FILTER = 'A condition in CQL2.';
const WORDS =
  'Words with commas between them: items that have one of them in their names, or in the texts of their collection.';

const readText = (text: string): string => text;

/** A box as text: four or six numbers with commas between them. */
export const boxParameter = (doc: { readonly description: string; readonly example?: string }) =>
  custom({
    ...doc,
    schema: json.string(),
    fallback: null,
    read: (text, name) =>
      parseBox(
        text.split(',').map((one) => parseDecimal(one.trim())),
        name,
      ),
  });

/** The parameters of `GET …/items`. */
export const itemsParameters = defineParameters({
  limit: custom({ description: LIMIT, schema: json.integer({ min: 1 }), fallback: null, read: readLimit }),
  bbox: boxParameter({ description: BBOX, example: '-123,48,-122,49' }),
  datetime: custom({
    description: DATETIME,
    example: '2026-06-01T00:00:00Z/..',
    schema: json.string(),
    fallback: null,
    read: readDatetime,
  }),
  token: custom({ description: TOKEN, schema: json.string(), fallback: null, read: readToken }),
  sortby: custom({
    description: `${SORT} A minus before it sorts downwards.`,
    schema: json.string(),
    fallback: null,
    read: readSortText,
  }),
  fields: custom({
    description: `${FIELDS} A minus before a name leaves it out.`,
    schema: json.string(),
    fallback: null,
    read: parseFieldsText,
  }),
  query: custom({
    description: 'Conditions of the query extension, as JSON.',
    schema: json.string(),
    fallback: null,
    read: (text, name) => readQuery(parseJson(text, name)),
  }),
  q: custom({
    description: WORDS,
    example: 'sentinel-2',
    schema: json.string(),
    fallback: null,
    read: readWords,
  }),
  filter: custom({
    description: FILTER,
    example: 'eo:cloud_cover < 20',
    schema: json.string(),
    fallback: null,
    read: readText,
  }),
  'filter-lang': custom({
    description: 'cql2-text by default.',
    schema: json.choice(['cql2-text', 'cql2-json']),
    fallback: null,
    read: (text) => {
      if (text === 'cql2-text' || text === 'cql2-json') return text;
      throw badInput('bad-filter-lang', 'filter-lang must be cql2-text or cql2-json.');
    },
  }),
  'filter-crs': custom({
    description: 'The reference system of geometries in the filter: CRS84.',
    schema: json.string(),
    fallback: null,
    read: (text) => {
      checkCrs(text);
      return text;
    },
  }),
});

/** The parameters of `GET /stac/search`. */
export const searchOnly = defineParameters({
  collections: custom({
    description: COLLECTIONS,
    example: 'sentinel2l2a',
    schema: json.string(),
    fallback: null,
    read: (text, name) => readNames(text, name, MAX_COLLECTIONS),
  }),
  ids: custom({
    description: IDS,
    schema: json.string(),
    fallback: null,
    read: (text, name) => readNames(text, name, MAX_IDS),
  }),
  intersects: custom({
    description: 'A GeoJSON geometry of any type.',
    schema: json.string(),
    fallback: null,
    read: (text, name) => readGeometry(parseJson(text, name)),
  }),
});

export const searchParameters = { ...itemsParameters, ...searchOnly };

/** A field that may be left out, or be null. */
const optional = <Value>(schema: JsonSchema, read: (value: unknown, name: string) => Value) => ({
  schema,
  parse: (value: unknown, name: string): Value | null => (value == null ? null : read(value, name)),
});

export const bodyFields = defineFields({
  collections: optional(
    json.list(json.string(), { max: MAX_COLLECTIONS, description: COLLECTIONS }),
    (value, name) => readNames(value, name, MAX_COLLECTIONS),
  ),
  ids: optional(json.list(json.string(), { max: MAX_IDS, description: IDS }), (value, name) =>
    readNames(value, name, MAX_IDS),
  ),
  bbox: optional(json.list(json.number(), { min: 4, max: 6, description: BBOX }), parseBox),
  intersects: optional(
    json.map(json.any(), { description: 'A GeoJSON geometry of any type.' }),
    readGeometry,
  ),
  datetime: optional(json.string({ description: DATETIME }), readDatetime),
  limit: optional(json.integer({ min: 1, description: LIMIT }), readLimit),
  token: optional(json.string({ max: MAX_TOKEN_CHARS, description: TOKEN }), readToken),
  sortby: optional(
    json.list(json.object({ field: json.string(), 'direction?': json.choice(['asc', 'desc']) }), {
      max: 1,
      description: SORT,
    }),
    readSortList,
  ),
  fields: {
    schema: json.object(
      { 'include?': json.list(json.string()), 'exclude?': json.list(json.string()) },
      { description: FIELDS },
    ),
    parse: (value: unknown) => (value === undefined ? null : parseFieldsBody(value)),
  },
  query: optional(
    json.map(json.map(json.any()), { description: 'Conditions of the query extension.' }),
    readQuery,
  ),
  q: optional(json.list(json.string(), { max: MAX_WORDS, description: WORDS }), readWords),
  filter: optional(
    json.union([json.map(json.any()), json.string()], { description: FILTER }),
    (value) => value,
  ),
  'filter-lang': optional(
    json.choice(['cql2-json', 'cql2-text'], { description: 'cql2-json by default.' }),
    (value) => value,
  ),
  'filter-crs': optional(json.string({ description: 'CRS84.' }), checkCrs),
});

/** The body of `POST /stac/search`. */
export const searchBodySchema = toObjectSchema(bodyFields);
