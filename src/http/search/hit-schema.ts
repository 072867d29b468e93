import { z } from 'zod';
import type { HitField } from '../../sensors/index.ts';
import { sensors } from '../../sensors/index.ts';

const geometry = z
  .looseObject({
    type: z.enum(['Point', 'Polygon', 'MultiPolygon']),
    coordinates: z.array(z.unknown()),
  })
  .meta({ id: 'HitGeometry' });

const valueSchemas: Readonly<Record<HitField['type'], z.ZodType>> = {
  string: z.string(),
  date: z.iso.date(),
  number: z.number(),
  boolean: z.boolean(),
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
    name,
    valueSchemas[field.type]
      .nullish()
      .describe(datasets.length === sensors.length ? 'Of all datasets.' : `Of ${datasets.join(', ')}.`),
  ]),
);

const hitSchema = z
  .looseObject({
    ...optionalFields,
    sceneID: z.string().describe('The name of the scene.'),
    view_id: z.string().describe('The address of the scene in paths of pictures.'),
    tms: z.string().describe('Template of map tiles; add your key as ?api_key=… .'),
    date: z.iso.date().describe('The day of the acquisition, UTC.'),
    satellite: z.string().optional().describe('The dataset, where several are searched.'),
  })
  .meta({ id: 'Hit' });

/** A page of search results, for the documentation. */
export const searchAnswerSchema = z
  .object({
    meta: z.object({
      name: z.string(),
      page: z.int().min(1),
      found: z.int().min(0).describe('Scenes that match, on all pages.'),
      limit: z.int().min(1),
    }),
    results: z.array(hitSchema),
  })
  .meta({ id: 'SearchAnswer' });
