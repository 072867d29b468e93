/** The body of a recipe, its terms for the public, and how a recipe is answered. */

import { isObject } from '../../json.ts';
import type { Recipe, ShareTerms } from '../../library/index.ts';
import { badInput } from '../errors.ts';
import type { Field, Params } from '../kit/fields.ts';
import { defineFields, number, refuseField, titleField } from '../kit/fields.ts';
import type { JsonSchema } from '../kit/json-schema.ts';
import { json } from '../kit/json-schema.ts';
import { parseDay } from '../kit/parameters.ts';
import { contentFields, contentSchemas, toWireContent } from './recipe-content.ts';

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
export function readExpiry(value: unknown): string | null {
  if (value == null || value === '') return null;
  const isInstant = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value);
  const day = parseDay(value);
  const time = isInstant ? Date.parse(value) : day === null ? Number.NaN : Date.parse(`${day}T23:59:59.999Z`);
  if (Number.isNaN(time)) throw refuseField('expires', 'must be a day such as 2027-01-01, or a time in UTC.');
  return new Date(time).toISOString();
}

/** The body of a recipe. */
export const recipeFields = defineFields({ name: titleField, ...contentFields, public: publicField });

/** What can be changed later. */
export const changeFields = defineFields({
  name: { ...titleField, isRequired: false },
  public: publicField,
});

/** The terms of a public recipe, from a body; refuses an end that is over. */
export function readTerms(body: Params, now: Date): ShareTerms | null {
  const terms = changeFields.public.read(body);
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
    ...contentSchemas,
    tiles: json.string({ description: 'The address of its tiles, which needs a key.' }),
    tilejson: json.string({ description: 'The address of its TileJSON, which needs a key.' }),
    public: json.nullable(
      json.object({
        token: json.string({ description: 'Anyone with it can see the recipe.' }),
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
    ...toWireContent(content),
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
