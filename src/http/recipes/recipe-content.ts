/** What a recipe draws, as its body says it: scenes, bands, style, and how scenes become one picture. */

import { isObject } from '../../json.ts';
import type { RecipeContent, RecipeScenes } from '../../library/index.ts';
import { AREA_REF } from '../areas.ts';
import type { Field, Params } from '../kit/fields.ts';
import { defineFields, refuseField, texts, textsSchema } from '../kit/fields.ts';
import { json } from '../kit/json-schema.ts';
import { limits } from '../kit/limits.ts';
import type { KnownNames, ParameterDoc } from '../kit/parameters.ts';
import { makeKnownNames } from '../kit/parameters.ts';
import { MAX_SENSORS, mosaicParameters, mosaicPathParameters } from '../mosaic/mosaic-request.ts';
import { parsePictureQuery, pictureParameters } from '../pictures/picture.ts';
import { indexFields, readScene, sceneFields } from '../tasks/download-params.ts';

/** A scene, or a search and the parameters of a mosaic that belong to it. */
interface ReadScenes {
  readonly scenes: RecipeScenes;
  readonly query: RecipeContent['query'];
}

const SCENES_RULE =
  'must be {"view_id": "S2L2A/…"} for one scene, or {"search": {"sensors": ["S2L2A"], "period": "2026-07"}} for a mosaic.';

const scenesSchema = json.union(
  [
    json.object({ view_id: sceneFields.view_id.schema }),
    json.object({
      search: json.object({
        sensors: { ...textsSchema(MAX_SENSORS), description: mosaicPathParameters.sensors.description },
        period: {
          ...mosaicPathParameters.period.schema,
          description: mosaicPathParameters.period.description,
        },
        'max_cloud?': json.nullable(json.number({ min: 0, max: 100 }), {
          description: mosaicParameters.max_cloud.description,
        }),
        'within?': json.nullable(json.string({ pattern: AREA_REF }), {
          description: mosaicParameters.within.description,
        }),
      }),
    }),
  ],
  { description: 'One scene by its view id, or those of a search, which become a mosaic.' },
);

const sensorNames = texts({ max: MAX_SENSORS });

const scenesField: Field<ReadScenes> = {
  isRequired: true,
  schema: scenesSchema,
  parse(value, name) {
    if (!isObject(value)) throw refuseField(name, SCENES_RULE);
    const { search } = value;
    if (search === undefined)
      return { scenes: { kind: 'scene', viewId: readScene(value).viewId }, query: {} };
    if (!isObject(search) || value.view_id !== undefined) throw refuseField(name, SCENES_RULE);
    const { sensors: _, period, ...conditions } = search;
    const sensors = sensorNames.parse(search.sensors, 'sensors') ?? [];
    if (sensors.length === 0 || typeof period !== 'string') throw refuseField(name, SCENES_RULE);
    return { scenes: { kind: 'search', sensors, period }, query: readTexts(conditions, name, searchNames) };
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
const searchNames = makeKnownNames(['max_cloud', 'within']);
/** Parameters of a mosaic that stand beside `scenes`. */
const mosaicNames = makeKnownNames(
  Object.keys(mosaicParameters).filter((name) => searchNames.find(name) === undefined),
);

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
  const style = readTexts(value, field, styleNames);
  // Refused here rather than by every tile.
  parsePictureQuery(new Map(Object.entries(style)));
  return style;
}

/** The values of an object as the texts of a query, by their documented names. */
function readTexts(value: Params, field: string, names: KnownNames): RecipeContent['query'] {
  const query = new Map<string, string>();
  for (const [written, given] of Object.entries(value)) {
    const name = names.find(written);
    if (name === undefined) {
      throw refuseField(
        field,
        `has the unknown parameter ${JSON.stringify(written.slice(0, 40))}; known are ${names.all.join(', ')}.`,
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

/** How the scenes of a search become one picture: the parameters of a mosaic, one field each. */
const mosaicFields: Readonly<Record<string, Field<string | null>>> = Object.fromEntries(
  mosaicNames.all.map((name) => {
    const { description } = (mosaicParameters as Readonly<Record<string, ParameterDoc>>)[
      name
    ] as ParameterDoc;
    const field: Field<string | null> = {
      schema: json.nullable(
        json.union([json.string(), json.number(), json.list(json.string(), { max: 8 })]),
        { description: `Of a search: ${description}` },
      ),
      parse(value, given) {
        const text = value === undefined ? null : toText(value);
        if (text === undefined) throw refuseField(given, 'must be a text or a number.');
        return text;
      },
    };
    return [name, field];
  }),
);

/** The fields of a content. */
export const contentFields = defineFields({
  scenes: scenesField,
  bands: bandsField,
  style: styleField,
  ...mosaicFields,
});

/** What a recipe draws, from its body. */
export function readContent(body: Params): RecipeContent {
  const { scenes, query } = scenesField.parse(body.scenes, 'scenes');
  const bands = bandsField.parse(body.bands, 'bands').trim();
  const style = styleField.parse(body.style, 'style');
  const composition = Object.entries(mosaicFields).flatMap(([name, field]) => {
    const text = field.parse(body[name], name);
    if (text === null) return [];
    if (scenes.kind === 'search') return [[name, text] as const];
    throw refuseField(name, 'is for recipes of a search: one scene has nothing to select from.');
  });
  return { scenes, bands, query: { ...style, ...query, ...Object.fromEntries(composition) } };
}

/** The schema of a content as it is answered. */
export const contentSchemas = {
  scenes: scenesSchema,
  bands: json.string(),
  style: json.map(json.string(), { description: 'Query parameters, as texts.' }),
  'selection?': json.string({
    description: 'Of a search, as are by, date, percent, mask, dilate and feather.',
  }),
};

/** The content as it was sent: parameters of the search, of the mosaic and of the style apart from each other. */
export function toWireContent({ scenes, bands, query }: RecipeContent): object {
  const choose = (names: KnownNames) =>
    Object.fromEntries(Object.entries(query).filter(([name]) => names.all.includes(name)));
  const style = choose(styleNames);
  if (scenes.kind === 'scene') return { scenes: { view_id: scenes.viewId }, bands, style };
  const { max_cloud, ...within } = choose(searchNames);
  const { sensors, period } = scenes;
  const clouds = max_cloud === undefined ? {} : { max_cloud: Number(max_cloud) };
  return {
    scenes: { search: { sensors, period, ...clouds, ...within } },
    bands,
    style,
    ...choose(mosaicNames),
  };
}
