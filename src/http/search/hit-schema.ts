import type { HitField } from '../../sensors/index.ts';
import { sensors } from '../../sensors/index.ts';
import type { JsonSchema } from '../kit/json-schema.ts';
import { json } from '../kit/json-schema.ts';

const geometry = json.named(
  'HitGeometry',
  json.object(
    { type: json.choice(['Point', 'Polygon', 'MultiPolygon']), coordinates: json.list(json.any()) },
    { isOpen: true },
  ),
);

const valueSchemas: Readonly<Record<HitField['type'], JsonSchema>> = {
  string: json.string(),
  date: json.string({ format: 'date' }),
  number: json.number(),
  boolean: json.boolean(),
  geometry,
};

/** Fields of the hits of all sensors by name, with the datasets that have them, in the order of the sensors. */
function readFields(): ReadonlyMap<
  string,
  { readonly field: HitField; readonly datasets: readonly string[] }
> {
  const fields = new Map<string, { field: HitField; datasets: string[] }>();
  for (const { dataset, hit } of sensors) {
    for (const field of hit) {
      const known = fields.get(field.name);
      if (known === undefined) fields.set(field.name, { field, datasets: [dataset] });
      else known.datasets.push(dataset);
    }
  }
  return fields;
}

/** A field of a dataset that a scene may lack: its provider did not say it, or `fields` left it out. */
const optionalFields = Object.fromEntries(
  [...readFields()].map(([name, { field, datasets }]) => [
    `${name}?`,
    json.nullable(valueSchemas[field.type], {
      description: datasets.length === sensors.length ? 'Of all datasets.' : `Of ${datasets.join(', ')}.`,
    }),
  ]),
);

/** Those that every hit has. */
const ownFields: Readonly<Record<string, JsonSchema>> = {
  sceneID: json.string({ description: 'The name of the scene.' }),
  view_id: json.string({ description: 'The address of the scene in paths of pictures.' }),
  tms: json.string({ description: 'Template of map tiles; add your key as ?api_key=… .' }),
  date: json.string({ format: 'date', description: 'The day of the acquisition, UTC.' }),
};

const hitSchema = json.named(
  'Hit',
  json.object(
    {
      ...optionalFields,
      ...ownFields,
      'satellite?': json.string({ description: 'The dataset, where several are searched.' }),
    },
    { isOpen: true },
  ),
);

/** A page of search results, for the documentation. */
export const searchAnswerSchema = json.named(
  'SearchAnswer',
  json.object({
    meta: json.object({
      name: json.string(),
      page: json.integer({ min: 1 }),
      found: json.integer({ min: 0, description: 'Scenes that match, on all pages.' }),
      limit: json.integer({ min: 1 }),
    }),
    results: json.list(hitSchema),
  }),
);
