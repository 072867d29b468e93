/** Areas of classes: how much ground of an area is burnt, flooded, under snow, greener than before. */
import type {
  ClassesMade,
  ClassesOrder,
  ClassMeasurer,
  ClassPreset,
  ClassSource,
} from '../../classes/index.ts';
import { classPresets, findClassPreset } from '../../classes/index.ts';
import { isObject } from '../../json.ts';
import { parsePeriod } from '../../mosaic/index.ts';
import type { AreaDeps } from '../areas.ts';
import { areaFields, EXAMPLE_AREA, readAreaBody } from '../areas.ts';
import { Answer, toCacheHeaders } from '../kit/answers.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { pixelFailures } from '../kit/endpoint.ts';
import type { Field, Params } from '../kit/fields.ts';
import { choice, defineFields, flag, number, refuseField, text, toObjectSchema } from '../kit/fields.ts';
import { json } from '../kit/json-schema.ts';
import type { Query } from '../kit/parameters.ts';
import { parseSensors, toMosaic } from '../mosaic/mosaic-request.ts';

/** What classes are measured with. */
export interface ClassesDeps extends AreaDeps {
  readonly classes: ClassMeasurer;
}

const MAX_THRESHOLDS = 19;
const MAX_BINS = 512;
const PRESETS = classPresets.map(({ id }) => id);

const thresholds: Field<readonly number[] | 'otsu' | null> = {
  schema: json.nullable(
    json.union([json.literal('otsu'), json.list(json.number(), { min: 1, max: MAX_THRESHOLDS })]),
    {
      description:
        'Ascending: a class from each to the next; or otsu, one threshold that separates the values best. Those of the preset by default.',
    },
  ),
  parse(value, name) {
    if (value == null || value === '') return null;
    if (value === 'otsu') return value;
    const isList =
      Array.isArray(value) &&
      value.length >= 1 &&
      value.length <= MAX_THRESHOLDS &&
      value.every((one, i) => Number.isFinite(one) && (i === 0 || one > value[i - 1]));
    if (!isList)
      throw refuseField(name, `must be otsu, or a list of 1 to ${MAX_THRESHOLDS} ascending numbers.`);
    return value as readonly number[];
  },
};

const range: Field<ClassesOrder['range']> = {
  schema: json.nullable(json.list(json.number(), { min: 2, max: 2 }), {
    description: 'From where to where the histogram goes; nearly all values by default.',
  }),
  parse(value, name) {
    if (value == null) return null;
    const [min, max, ...more] = Array.isArray(value) ? (value as readonly unknown[]) : [];
    if (typeof min !== 'number' || typeof max !== 'number' || !(min < max) || more.length > 0)
      throw refuseField(name, 'must be a list of two numbers, the lower one first.');
    return { min, max };
  },
};

const mosaicSchema = json.nullable(
  json.object({ sensors: json.string(), period: json.string() }, { isOpen: true }),
  {
    description:
      'A mosaic in place of a scene: {"sensors": "S2L2A", "period": "2026-07"}, with the query parameters of mosaics such as selection and max_cloud.',
  },
);
/** Read with the areas that it may name, so not here. */
const mosaic: Field<Params | null> = {
  schema: mosaicSchema,
  parse(value, name) {
    if (value == null) return null;
    if (!isObject(value) || typeof value.sensors !== 'string' || typeof value.period !== 'string')
      throw refuseField(name, 'must be an object such as {"sensors": "S2L2A", "period": "2026-07"}.');
    return value;
  },
};

const fields = defineFields({
  preset: {
    schema: json.nullable(json.choice(PRESETS), {
      description: 'Gives expression, difference, thresholds and names of classes; GET /api/classes/presets.',
    }),
    parse(value: unknown, name: string): ClassPreset | null {
      if (value == null || value === '') return null;
      const found = typeof value === 'string' ? findClassPreset(value) : null;
      if (found === null) throw refuseField(name, `must be one of ${PRESETS.join(', ')}.`);
      return found;
    },
  },
  expression: text({ max: 2_048, description: 'An index, band or band math with one value a pixel.' }),
  view_id: text({ max: 200, description: 'The scene.' }),
  mosaic,
  before_view_id: text({ max: 200, description: 'The scene that it is compared with.' }),
  before_mosaic: mosaic,
  difference: choice({
    names: ['before-after', 'after-before'],
    fallback: null,
    description: 'What is subtracted from what; after-before by default.',
  }),
  thresholds,
  mask_clouds: flag({
    description: 'Leaves pixels under the clouds of a scene out; true by default.',
    fallback: true,
  }),
  speckle: choice({
    names: ['lee', 'none'],
    fallback: null,
    description: 'lee filters the speckle of radar; that of the preset, or none.',
  }),
  pixel_m: number({
    description: 'Larger pixels for larger areas, in metres: values are means over them.',
    min: 1,
    max: 10_000,
    fallback: null,
  }),
  min_area_ha: number({
    description: 'Smaller patches become part of their largest neighbour; that of the preset, or 0.',
    min: 0,
    max: 1_000,
    fallback: null,
  }),
  bins: number({
    description: 'Bins of the histogram; 100 by default.',
    min: 2,
    max: MAX_BINS,
    isWhole: true,
    fallback: 100,
  }),
  range,
  format: choice({
    names: ['json', 'geojson', 'geotiff'],
    fallback: 'json' as const,
    description: 'json: the table; geojson: also polygons; geotiff: numbers of classes. json by default.',
  }),
});

const value = json.nullable(json.number());
const members = {
  preset: json.nullable(json.string()),
  expression: json.string(),
  unit: json.nullable(json.string()),
  difference: json.nullable(json.string()),
  scenes: json.list(json.object({ view_id: json.string(), date: json.string(), before: json.boolean() })),
  epsg: json.nullable(json.integer()),
  pixel_m: json.number(),
  thresholds: json.list(json.number()),
  separability: value,
  area: json.object({
    pixels: json.integer(),
    hectares: json.number(),
    km2: json.number(),
    clear_percent: json.number(),
  }),
  histogram: json.object({
    min: json.number(),
    max: json.number(),
    counts: json.list(json.integer()),
    below: json.integer(),
    above: json.integer(),
  }),
};
const classSchema = {
  class: json.integer(),
  'label?': json.string(),
  'color?': json.string(),
  from: value,
  to: value,
  pixels: json.integer(),
  hectares: json.number(),
  km2: json.number(),
  percent: json.number(),
  mean: value,
};

/** `POST /api/classes`. */
export const measureClasses = (deps: ClassesDeps): Endpoint => ({
  summary: 'How much ground of an area has which values',
  description:
    'Divides the values of an expression, in a scene, between two scenes or in a mosaic, by thresholds into classes, and answers with their areas and a histogram; also as polygons and as an image of class numbers.',
  tag: 'Render',
  body: {
    description: 'An area, scenes, and a preset or an expression with thresholds.',
    schema: toObjectSchema({ ...areaFields, ...fields }),
    example: {
      geometry: EXAMPLE_AREA,
      preset: 'vegetation-change',
      view_id: 'S2L2A/10/U/EU/2026/6/21/1',
      before_view_id: 'S2L2A/10/U/EU/2026/4/17/1',
    },
  },
  answers: {
    200: {
      description: 'The classes, from the lowest values to the highest.',
      content: {
        'application/json': json.object({ ...members, classes: json.list(json.object(classSchema)) }),
        'application/geo+json': json.object({
          type: json.literal('FeatureCollection'),
          ...members,
          features: json.list(
            json.object(
              { properties: json.object({ ...classSchema, patches: json.integer() }) },
              { isOpen: true },
            ),
          ),
        }),
        'image/tiff': null,
      },
    },
    400: { description: 'The body is malformed.' },
    404: { description: 'No such area, field, group or scene.' },
    413: { description: 'The body is too large.' },
    422: { description: 'The scenes have no such classes there; the message says why.' },
    ...pixelFailures,
  },
  async handle(request) {
    const { body, outline } = await readAreaBody(request, deps);
    const preset = fields.preset.read(body);
    const expressions = readExpressions(body, preset);
    const order: ClassesOrder = {
      outline,
      source: await readSource(body, 'view_id', 'mosaic', deps),
      before: await readBefore(body, preset, deps),
      expressions,
      thresholds: readThresholds(body, preset),
      masksClouds: fields.mask_clouds.read(body),
      filtersSpeckle: (fields.speckle.read(body) ?? (preset?.filtersSpeckle ? 'lee' : 'none')) === 'lee',
      pixelM: fields.pixel_m.read(body),
      minHectares: fields.min_area_ha.read(body) ?? preset?.minHectares ?? 0,
      bins: fields.bins.read(body),
      range: fields.range.read(body),
    };
    const kind = fields.format.read(body);
    const bytes = await deps.classes.measure(
      order,
      (made) => ({ kind, about: toAbout(made, order, preset), legend: toLegend(preset) }),
      request.ticket,
    );
    return new Answer(bytes, { headers: { ...HEADERS[kind], 'cache-control': 'no-store' } });
  },
});

const HEADERS = {
  json: { 'content-type': 'application/json' },
  geojson: { 'content-type': 'application/geo+json' },
  geotiff: {
    'content-type': 'image/tiff; application=geotiff; profile=cloud-optimized',
    'content-disposition': 'attachment; filename="classes.tif"',
  },
} as const;

/** What an answer says beside the numbers. */
const toAbout = (
  { expression, scenes, grid }: ClassesMade,
  { before }: ClassesOrder,
  preset: ClassPreset | null,
) => ({
  preset: preset?.id ?? null,
  expression,
  unit: preset?.unit ?? null,
  difference: before?.difference ?? null,
  scenes: scenes.map(({ viewId, date, isBefore }) => ({ view_id: viewId, date, before: isBefore })),
  epsg: grid.proj == null ? grid.epsg : null,
  pixel_m: grid.transform[1],
});

const toLegend = (preset: ClassPreset | null) =>
  preset?.classes.map(({ label, color }) => ({ label, color })) ?? null;

function readExpressions(body: Params, preset: ClassPreset | null): readonly string[] {
  const given = (fields.expression.read(body) ?? '').trim();
  if (given !== '') return [given];
  if (preset === null) throw refuseField('expression', 'or a preset is required.');
  return preset.expressions;
}

function readThresholds(body: Params, preset: ClassPreset | null): ClassesOrder['thresholds'] {
  const given = fields.thresholds.read(body) ?? preset?.thresholds;
  if (given === undefined) throw refuseField('thresholds', 'or a preset are required.');
  return given;
}

async function readBefore(
  body: Params,
  preset: ClassPreset | null,
  deps: ClassesDeps,
): Promise<ClassesOrder['before']> {
  const hasBefore = Boolean(fields.before_view_id.read(body)) || fields.before_mosaic.read(body) !== null;
  const given = fields.difference.read(body);
  if (!hasBefore) {
    if (preset?.difference == null && given === null) return null;
    throw refuseField('before_view_id', 'or before_mosaic is required for a difference.');
  }
  if (preset !== null && preset.difference === null && given === null)
    throw refuseField('before_view_id', `is not used by ${preset.id}, which measures one scene.`);
  return {
    source: await readSource(body, 'before_view_id', 'before_mosaic', deps),
    difference: given ?? preset?.difference ?? 'after-before',
  };
}

/** A scene, or a mosaic. */
async function readSource(
  body: Params,
  sceneName: 'view_id' | 'before_view_id',
  mosaicName: 'mosaic' | 'before_mosaic',
  { areas }: ClassesDeps,
): Promise<ClassSource> {
  const viewId = (fields[sceneName].read(body) ?? '').trim();
  const given = fields[mosaicName].read(body);
  if ((viewId === '') === (given === null)) {
    throw refuseField(sceneName, `or ${mosaicName} is required, and not both.`);
  }
  if (given === null) return { kind: 'scene', viewId };
  const { sensors, period, ...query } = given;
  const texts: Query = new Map(
    Object.entries(query).map(([name, one]): [string, string] => [name, String(one)]),
  );
  const path = { datasets: parseSensors(String(sensors)), period: parsePeriod(String(period)), bands: '' };
  return { kind: 'mosaic', mosaic: await toMosaic(path, texts, areas) };
}

/** `GET /api/classes/presets`. */
export const listClassPresets = (maxAgeS: number): Endpoint => ({
  summary: 'Presets of classes: what people measure most, with thresholds and references',
  tag: 'Render',
  answers: {
    200: {
      description: 'All presets.',
      content: {
        'application/json': json.object({
          presets: json.list(
            json.object({
              id: json.string(),
              title: json.string(),
              about: json.string(),
              reference: json.string(),
              kind: json.choice(['optical', 'radar']),
              expressions: json.list(json.string()),
              difference: json.nullable(json.string()),
              thresholds: json.union([json.literal('otsu'), json.list(json.number())]),
              unit: json.nullable(json.string()),
              speckle: json.choice(['lee', 'none']),
              min_area_ha: json.number(),
              classes: json.list(
                json.object({ label: json.string(), color: json.string(), sought: json.boolean() }),
              ),
            }),
          ),
        }),
      },
    },
  },
  handle: async () => Answer.json({ presets: toWirePresets() }, { headers: toCacheHeaders(maxAgeS) }),
});

/** The presets as clients read them. */
export const toWirePresets = () =>
  classPresets.map(({ classes, minHectares, filtersSpeckle, ...preset }) => ({
    ...preset,
    speckle: filtersSpeckle ? 'lee' : 'none',
    min_area_ha: minHectares,
    classes: classes.map(({ label, color, isSought }) => ({ label, color, sought: isSought })),
  }));
