/** What the body of a recipe says, and how a recipe is answered. */

import { isObject } from '../../json.ts';
import type { Recipe, RecipeContent, RecipeScenes, ShareTerms } from '../../library/index.ts';
import { badInput } from '../errors.ts';
import type { Field, Params } from '../kit/fields.ts';
import { defineFields, number, refuseField } from '../kit/fields.ts';
import type { JsonSchema } from '../kit/json-schema.ts';
import { json } from '../kit/json-schema.ts';
import { limits } from '../kit/limits.ts';
import { makeKnownNames, parseDay } from '../kit/parameters.ts';
import { parsePictureQuery, pictureParameters } from '../pictures/picture.ts';
import { indexFields, readScene, sceneFields } from '../tasks/download-params.ts';

const MAX_NAME = 200;

/** Letters of any language; nothing that breaks a line or cannot be stored. */
const NAME = /^(?=.*\S)[^\p{Cc}\p{Cs}]+$/u;

const nameField: Field<string> = {
  isRequired: true,
  schema: json.string({ max: MAX_NAME, pattern: /\S/, description: 'What people call it.' }),
  parse(value, name) {
    if (typeof value === 'string' && value.length <= MAX_NAME && NAME.test(value)) return value.trim();
    throw refuseField(name, `must be a text of 1 to ${MAX_NAME} characters, without line breaks.`);
  },
};

const scenesField: Field<RecipeScenes> = {
  isRequired: true,
  schema: json.object(
    { view_id: sceneFields.view_id.schema },
    { description: 'The scene that is shown, by its view id.' },
  ),
  parse(value, name) {
    if (!isObject(value)) throw refuseField(name, 'must be an object such as {"view_id": "S2L2A/…"}.');
    return { kind: 'scene', viewId: readScene(value).viewId };
  },
};

const bandsField: Field<string> = {
  isRequired: true,
  schema: {
    ...indexFields.bm_type.schema,
    description: 'Bands, an index or band math, as in the address of a picture; or a list of them.',
  },
  parse: indexFields.bm_type.parse,
};

const styleNames = makeKnownNames(Object.keys(pictureParameters));

const styleValue = json.union([
  json.string(),
  json.number(),
  json.boolean(),
  json.list(json.union([json.string(), json.number()])),
  json.map(json.any()),
]);

const styleField: Field<RecipeContent['query']> = {
  schema: json.nullable(
    json.object(
      Object.fromEntries(
        Object.entries(pictureParameters).map(([name, { description }]) => [
          `${name}?`,
          { ...styleValue, description },
        ]),
      ),
    ),
    {
      description:
        'The query parameters of a picture: contrast, colours, masks, sharpening, area. Format and size can still be chosen by each request.',
    },
  ),
  parse: readStyle,
};

/** The longest style: as much as the query of an address may have. */
const MAX_STYLE = limits.queryChars;

/** Reads a style. Unknown names are refused: a recipe with a misspelt one would be drawn wrongly for as long as it exists. */
function readStyle(value: unknown, field: string): RecipeContent['query'] {
  if (value == null) return {};
  if (!isObject(value)) throw refuseField(field, 'must be an object of query parameters of a picture.');
  const query = new Map<string, string>();
  for (const [written, given] of Object.entries(value)) {
    const name = styleNames.find(written);
    if (name === undefined) {
      throw refuseField(
        field,
        `has the unknown parameter ${JSON.stringify(written.slice(0, 40))}; known are ${styleNames.all.join(', ')}.`,
      );
    }
    if (query.has(name)) throw refuseField(field, `has ${name} more than once.`);
    const text = toText(given);
    if (text === undefined)
      throw refuseField(field, `has a value of ${name} that is not a text or a number.`);
    if (text !== null) query.set(name, text);
  }
  const chars = [...query].reduce((sum, [name, text]) => sum + name.length + text.length, 0);
  if (chars > MAX_STYLE) throw refuseField(field, `must have at most ${MAX_STYLE} characters.`);
  // Refused here rather than by every tile.
  parsePictureQuery(query);
  return Object.fromEntries(query);
}

/** A value as a query has it; null for one that is left out, undefined for what cannot be one. */
function toText(value: unknown): string | null | undefined {
  if (value === null) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (Array.isArray(value)) {
    const isList = value.every((item) => typeof item === 'string' || typeof item === 'number');
    return isList ? value.join() : undefined;
  }
  // A palette is an object.
  return isObject(value) ? JSON.stringify(value) : undefined;
}

const DEFAULT_RATE = 600;
const MAX_RATE = 60_000;

const rate = number({
  description: `Requests of all its readers together; ${DEFAULT_RATE} by default.`,
  min: 1,
  max: MAX_RATE,
  isWhole: true,
  fallback: DEFAULT_RATE,
});

const publicField: Field<ShareTerms | null> = {
  schema: json.nullable(
    json.union([
      json.boolean(),
      json.object({
        'expires?': json.nullable(json.string(), {
          description: 'The last day, such as 2027-01-01, or a time in UTC; no end by default.',
        }),
        'rate_per_minute?': rate.schema,
      }),
    ]),
    {
      description: 'Makes the recipe usable without a key, under these terms; false or null for no one else.',
    },
  ),
  parse(value, name) {
    if (value == null || value === false) return null;
    if (value === true) return { expiresAt: null, ratePerMinute: DEFAULT_RATE };
    if (!isObject(value)) throw refuseField(name, 'must be an object with expires and rate_per_minute.');
    return {
      expiresAt: readExpiry(value.expires),
      ratePerMinute: rate.parse(value.rate_per_minute, 'rate_per_minute'),
    };
  },
};

/** The end of a day, or an instant; null for no end. */
function readExpiry(value: unknown): string | null {
  if (value == null || value === '') return null;
  const isInstant = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value);
  const day = parseDay(value);
  const time = isInstant ? Date.parse(value) : day === null ? Number.NaN : Date.parse(`${day}T23:59:59.999Z`);
  if (Number.isNaN(time)) throw refuseField('expires', 'must be a day such as 2027-01-01, or a time in UTC.');
  return new Date(time).toISOString();
}

/** The body of a recipe. */
export const recipeFields = defineFields({
  name: nameField,
  scenes: scenesField,
  bands: bandsField,
  style: styleField,
  public: publicField,
});

/** What can be changed later. */
export const changeFields = defineFields({
  name: { ...nameField, isRequired: false },
  public: publicField,
});

/** What a recipe draws, from its body. */
export const readContent = (body: Params): RecipeContent => ({
  scenes: recipeFields.scenes.read(body),
  bands: recipeFields.bands.read(body).trim(),
  query: recipeFields.style.read(body),
});

/** The terms of a public recipe, from a body; refuses an end that is over. */
export function readTerms(body: Params, now: Date): ShareTerms | null {
  const terms = recipeFields.public.read(body);
  if (terms?.expiresAt != null && Date.parse(terms.expiresAt) <= now.getTime()) {
    throw badInput('bad-expires', 'expires must be in the future.');
  }
  return terms;
}

/** A recipe as it is answered. */
export const recipeSchema: JsonSchema = json.named(
  'Recipe',
  json.object({
    id: json.string({ pattern: /^[0-9a-f]{32}$/ }),
    name: json.string(),
    created_at: json.string(),
    scenes: scenesField.schema,
    bands: json.string(),
    style: json.map(json.string(), { description: 'Query parameters, as texts.' }),
    tiles: json.string({ description: 'The address of its tiles, which needs a key.' }),
    tilejson: json.string({ description: 'The address of its TileJSON, which needs a key.' }),
    public: json.nullable(
      json.object({
        token: json.string({ description: 'Whoever has it can see the recipe.' }),
        expires: json.nullable(json.string()),
        rate_per_minute: json.integer(),
        tiles: json.string({ description: 'The address of its tiles, for a web page.' }),
        tilejson: json.string(),
      }),
      { description: 'Null for a recipe that only its key can use.' },
    ),
  }),
);

interface Addresses {
  /** The address of the service. */
  readonly publicUrl: string;
  /** The token of a share. */
  readonly toToken: (shareId: string) => string;
}

/** The path below which a recipe is drawn for its owner. */
export const toOwnPath = ({ id }: Pick<Recipe, 'id'>): string => `/api/recipes/${id}`;
/** The path below which a recipe is drawn for everyone. */
export const toPublicPath = (token: string): string => `/api/public/${token}`;

/** Writes a recipe. */
export function toWireRecipe(recipe: Recipe, { publicUrl, toToken }: Addresses): object {
  const { id, name, createdAt, content, share } = recipe;
  const addressesOf = (path: string) => ({
    tiles: `${publicUrl}${path}/{z}/{x}/{y}`,
    tilejson: `${publicUrl}${path}/tilejson.json`,
  });
  const token = share === null ? null : toToken(share.id);
  return {
    id,
    name,
    created_at: createdAt,
    scenes: toWireScenes(content.scenes),
    bands: content.bands,
    style: content.query,
    ...addressesOf(toOwnPath(recipe)),
    public:
      share === null || token === null
        ? null
        : {
            token,
            expires: share.expiresAt,
            rate_per_minute: share.ratePerMinute,
            ...addressesOf(toPublicPath(token)),
          },
  };
}

const toWireScenes = (scenes: RecipeScenes): object =>
  scenes.kind === 'scene'
    ? { view_id: scenes.viewId }
    : { search: { sensors: scenes.sensors, period: scenes.period } };
