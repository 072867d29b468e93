/** Management zones of an area, and prescription maps of them. */
import { sensorsByName } from '../../sensors/index.ts';
import type { Prescription, RateUnit, ZoneMaker, ZonesOrder } from '../../zones/index.ts';
import { MAX_TOLERANCE_PX, MAX_ZONE_SCENES, RATE_UNITS, refuseOtherCount } from '../../zones/index.ts';
import type { AreaDeps } from '../areas.ts';
import { areaFields, EXAMPLE_FIELD, readAreaBody } from '../areas.ts';
import { badInput } from '../errors.ts';
import { Answer } from '../kit/answers.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { pixelFailures } from '../kit/endpoint.ts';
import type { Field, Params } from '../kit/fields.ts';
import {
  choice,
  defineFields,
  number,
  refuseField,
  requiredText,
  text,
  texts,
  toObjectSchema,
} from '../kit/fields.ts';
import { json } from '../kit/json-schema.ts';
import { parseDay } from '../kit/parameters.ts';

/** What zones are made with. */
export interface ZonesDeps extends AreaDeps {
  readonly zones: ZoneMaker;
  /** Of this service; machines show it. */
  readonly version: string;
}

const MAX_ZONES = 7;
/** More than any sprayer or spreader applies, in any unit. */
const MAX_RATE = 1e7;
const UNITS = Object.keys(RATE_UNITS) as readonly RateUnit[];

const day = (description: string): Field<string | null> => ({
  schema: json.nullable(json.string(), { description }),
  parse(value, name) {
    if (value == null || value === '') return null;
    const date = parseDay(value);
    if (date === null) throw refuseField(name, 'must be a date such as 2026-06-21.');
    return date;
  },
});

const rates: Field<readonly number[] | null> = {
  schema: json.nullable(json.list(json.number({ min: 0, max: MAX_RATE }), { min: 1, max: MAX_ZONES }), {
    description: 'One for each zone, from the lowest values to the highest.',
  }),
  parse(value, name) {
    if (value == null) return null;
    const isList =
      Array.isArray(value) &&
      value.length >= 1 &&
      value.length <= MAX_ZONES &&
      value.every((rate) => typeof rate === 'number' && rate >= 0 && rate <= MAX_RATE);
    if (!isList)
      throw refuseField(name, `must be a list of 1 to ${MAX_ZONES} numbers from 0 to ${MAX_RATE}.`);
    return value as readonly number[];
  },
};

const fields = defineFields({
  expression: requiredText({ description: 'An index, band or band math with one value a pixel.' }),
  zones: number({
    description: 'How many zones; 3 by default.',
    min: 2,
    max: MAX_ZONES,
    isWhole: true,
    fallback: 3,
  }),
  method: choice({
    names: ['kmeans', 'quantiles'],
    fallback: 'kmeans' as const,
    description: 'kmeans groups similar values, quantiles makes zones of equal area; kmeans by default.',
  }),
  view_ids: texts({ max: MAX_ZONE_SCENES, description: 'The scenes; or pass date_start and date_end.' }),
  sensors: texts({ max: 20, description: 'Dataset ids or abbreviations; sentinel2l2a by default.' }),
  date_start: day('Such as 2026-05-01.'),
  date_end: day('Included.'),
  limit: number({
    description: 'The newest clear scenes that are used; 5 by default.',
    min: 1,
    max: MAX_ZONE_SCENES,
    isWhole: true,
    fallback: 5,
  }),
  min_clear: number({
    description: 'Percentage of the area that a scene must show; 95 by default.',
    min: 1,
    max: 100,
    fallback: 95,
  }),
  smoothing: number({
    description: 'Passes of a majority filter over 3 × 3 pixels; 1 by default.',
    min: 0,
    max: 5,
    isWhole: true,
    fallback: 1,
  }),
  min_area_ha: number({
    description: 'Smaller patches become part of their largest neighbour; 0.1 by default.',
    min: 0,
    max: 1_000,
    fallback: 0.1,
  }),
  simplify: number({
    description: 'Tolerance of simpler borders, in pixels; 0, the edges of the pixels, by default.',
    min: 0,
    max: MAX_TOLERANCE_PX,
    fallback: 0,
  }),
  format: choice({
    names: ['geojson', 'shapefile', 'isoxml'],
    fallback: 'geojson' as const,
    description: 'geojson by default; the others are zip archives.',
  }),
  rates,
  unit: {
    schema: json.nullable(json.choice(UNITS), { description: 'The unit of the rates.' }),
    parse(value: unknown, name: string): RateUnit | null {
      if (value == null || value === '') return null;
      const found = UNITS.find((unit) => unit === value);
      if (found === undefined) throw refuseField(name, `must be one of ${UNITS.join(', ')}.`);
      return found;
    },
  },
  product: text({ max: 200, description: 'What is applied.' }),
  field_name: text({ max: 200, description: 'For ISOXML; Field by default.' }),
  task_name: text({ max: 200, description: 'For ISOXML; the product by default.' }),
});

const value = json.nullable(json.number());

/** `POST /api/zones`. */
export const makeZones = (deps: ZonesDeps): Endpoint => ({
  summary: 'Management zones of an area, and prescription maps',
  description:
    'Divides an area into zones of similar values of an index, by one scene or the mean of several clear ones, each standardised. With rates it is a prescription map: GeoJSON, a zipped Shapefile, or an ISOXML task (ISO 11783-10) for machines.',
  tag: 'Render',
  body: {
    description: 'An area, an index, scenes or a time, and how zones are made.',
    schema: toObjectSchema({ ...areaFields, ...fields }),
    example: {
      geometry: EXAMPLE_FIELD,
      expression: 'NDVI',
      date_start: '2026-01-01',
      date_end: '2026-12-31',
      zones: 3,
      rates: [150, 120, 90],
      unit: 'kg/ha',
      product: 'Urea',
    },
  },
  answers: {
    200: {
      description: 'The zones, from the lowest values to the highest.',
      content: {
        'application/geo+json': json.object(
          {
            type: json.literal('FeatureCollection'),
            scenes: json.list(
              json.object({
                view_id: json.string(),
                scene_id: json.string(),
                date: json.string(),
                clear_percent: json.number(),
              }),
            ),
            features: json.list(
              json.object(
                {
                  properties: json.object(
                    {
                      zone: json.integer(),
                      hectares: json.number(),
                      percent: json.number(),
                      patches: json.integer(),
                      mean: value,
                      median: value,
                      min: value,
                      max: value,
                      std: value,
                      score: value,
                    },
                    { isOpen: true },
                  ),
                },
                { isOpen: true },
              ),
            ),
          },
          { isOpen: true },
        ),
        'application/zip': null,
      },
    },
    400: { description: 'The body is malformed.' },
    404: { description: 'No such area or scene.' },
    413: { description: 'The body is too large.' },
    422: { description: 'The area or the scenes give no zones; the message says why.' },
    ...pixelFailures,
  },
  async handle(request) {
    const { body, outline, geometry } = await readAreaBody(request, deps);
    const count = fields.zones.read(body);
    const prescription = readPrescription(body);
    if (prescription !== null) refuseOtherCount(prescription, count);
    const kind = fields.format.read(body);
    if (kind === 'isoxml' && prescription === null)
      throw badInput('bad-rates', 'rates, with unit and product, are required for an ISOXML task.');
    const order: ZonesOrder = {
      outline,
      geometry,
      expression: fields.expression.read(body).trim(),
      scenes: readScenes(body),
      count,
      method: fields.method.read(body),
      smoothing: fields.smoothing.read(body),
      minHectares: fields.min_area_ha.read(body),
      tolerancePx: fields.simplify.read(body),
    };
    const names = {
      fieldName: fields.field_name.read(body) || 'Field',
      taskName: fields.task_name.read(body) || (prescription?.product ?? 'Zones'),
    };
    const bytes = await deps.zones.make(
      order,
      (used, { epsg }) => {
        if (kind === 'shapefile') return { kind, prescription };
        if (kind === 'isoxml' && prescription !== null)
          return { kind, prescription, boundary: geometry, softwareVersion: deps.version, ...names };
        const scenes = used.map(({ viewId, sceneId, date, clearPercent }) => ({
          view_id: viewId,
          scene_id: sceneId,
          date,
          clear_percent: Number(clearPercent.toFixed(2)),
        }));
        return { kind: 'geojson', prescription, about: { expression: order.expression, epsg, scenes } };
      },
      request.ticket,
    );
    const headers =
      kind === 'geojson'
        ? { 'content-type': 'application/geo+json' }
        : {
            'content-type': 'application/zip',
            'content-disposition': `attachment; filename="${kind === 'isoxml' ? 'taskdata' : 'zones'}.zip"`,
          };
    return new Answer(bytes, { headers: { ...headers, 'cache-control': 'no-store' } });
  },
});

function readPrescription(body: Params): Prescription | null {
  const given = fields.rates.read(body);
  const [unit, product] = [fields.unit.read(body), fields.product.read(body)];
  if (given === null) return null;
  if (unit === null) throw refuseField('unit', `is required with rates: one of ${UNITS.join(', ')}.`);
  return { rates: given, unit, product: product || 'Product' };
}

const DEFAULT_SENSORS = ['sentinel2l2a'];

/** Scenes by name, or those of a time. */
function readScenes(body: Params): ZonesOrder['scenes'] {
  const viewIds = fields.view_ids.read(body)?.filter((one) => one !== '') ?? [];
  const [from, to] = [fields.date_start.read(body), fields.date_end.read(body)];
  if (viewIds.length > 0 && (from !== null || to !== null))
    throw refuseField('view_ids', 'and dates exclude each other.');
  if (viewIds.length > 0) return { kind: 'named', viewIds: [...new Set(viewIds)] };
  if (from === null || to === null)
    throw refuseField('view_ids', 'is required, or date_start and date_end, such as 2026-06-21.');
  if (from > to) throw badInput('dates-reversed', `date_start ${from} is later than date_end ${to}.`);
  const names = fields.sensors.read(body)?.filter((one) => one !== '') ?? [];
  const datasets = (names.length === 0 ? DEFAULT_SENSORS : names).flatMap((name) => {
    const found = sensorsByName(name);
    if (found.length === 0)
      throw badInput('unknown-sensor', `sensors: there is no sensor ${JSON.stringify(name.slice(0, 40))}.`);
    return found.map(({ dataset }) => dataset);
  });
  return {
    kind: 'found',
    datasets: [...new Set(datasets)],
    from,
    to,
    limit: fields.limit.read(body),
    minClearPercent: fields.min_clear.read(body),
  };
}
