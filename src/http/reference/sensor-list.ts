import { z } from 'zod';
import type { Alias, Band, Sensor } from '../../sensors/index.ts';
import { aliasNames, describeAlias, findAlias, listCompositions, sensors } from '../../sensors/index.ts';
import { answerCachedJson } from '../answer/cached-answer.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';

const bandSchema = z.object({
  name: z.string(),
  role: z.string().nullable().describe('Generic name, which expressions may use on every sensor: NIR.'),
  kind: z.enum(['reflective', 'thermal', 'radar', 'quality']),
  centre_nm: z.number().nullable(),
  width_nm: z.number().nullable(),
  resolution: z.number().describe('Pixel size in metres.'),
});

const indexSchema = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  kind: z.enum(['index', 'composite', 'change']),
  expression: z
    .string()
    .describe('Band math in the names of the sensor; of a change, that of the index that changes.'),
});

const sensorSchema = z.object({
  dataset: z.string(),
  abbreviation: z.string(),
  title: z.string(),
  bands: z.array(bandSchema),
  compositions: z.array(
    z.object({
      name: z
        .string()
        .nullable()
        .describe('Means the same on every sensor; null for one of this sensor only.'),
      bands: z.array(z.string()),
    }),
  ),
  indices: z.array(indexSchema),
  pansharpening: z.boolean(),
  cloud_mask: z.boolean().describe('Whether pictures can have their clouds painted over.'),
  cloud_cover: z.boolean().describe('Whether hits of a search say how cloudy they are.'),
  fields: z
    .record(z.string(), z.enum(['string', 'number', 'boolean', 'date', 'geometry']))
    .describe('Names and types of the fields of search hits.'),
});

/** `GET /api/sensors`: what sensors there are, what can be drawn of them, and what search knows of their scenes. */
export const sensorList: Endpoint = {
  summary: 'All sensors: bands, compositions, indices and search fields',
  description:
    'What a program has to know to offer choices: bands with their wavelengths, compositions, the indices whose bands the sensor has, with their formulas, and the fields of search hits.',
  tag: 'Service',
  answers: {
    200: {
      description: 'The sensors, in the order of the documentation.',
      content: { 'application/json': z.object({ sensors: z.array(sensorSchema) }) },
    },
    304: { description: 'The list you have (If-None-Match) is still right.' },
  },
  handle: (request) => answerCachedJson(request, { sensors: sensors.map(toWireSensor) }),
};

/** A sensor as the answer has it. */
export const toWireSensor = (sensor: Sensor) => ({
  dataset: sensor.dataset,
  abbreviation: sensor.abbreviation,
  title: sensor.title,
  bands: sensor.bands.map(toWireBand),
  compositions: listCompositions(sensor),
  indices: aliasNames.flatMap((name) => {
    const alias = findAlias(sensor, name);
    const words = describeAlias(name);
    // A change needs an earlier scene, which only some sensors define.
    if (alias === null || words === null || (alias.kind === 'change' && sensor.earlierScene === null))
      return [];
    return [{ name, ...words, kind: alias.kind, expression: toExpression(alias) }];
  }),
  pansharpening: sensor.pansharpening !== null,
  cloud_mask: ['bits', 'mask-file', 'classes'].includes(sensor.cloud.kind),
  cloud_cover: Object.hasOwn(sensor.hitFields, 'cloudCoverage'),
  fields: Object.fromEntries(sensor.hit.map(({ name, type }) => [name, type])),
});

const toWireBand = ({ name, role, kind, centreNm, widthNm, resolutionM }: Band) => ({
  name,
  role,
  kind,
  centre_nm: centreNm,
  width_nm: widthNm,
  resolution: resolutionM,
});

function toExpression(alias: Alias): string {
  if (alias.kind === 'index') return alias.expression;
  return alias.kind === 'change' ? alias.of.expression : alias.of.map(({ expression }) => expression).join();
}
