import { outlineBounds } from '../../geo/index.ts';
import type { Ticket } from '../../pool/index.ts';
import type { ReadAreaStatistics } from '../../terrain/index.ts';
import type { AreaDeps } from '../areas.ts';
import { areaFields, EXAMPLE_AREA, readAreaBody } from '../areas.ts';
import type { TerrainExplainDeps } from '../explain/explain-terrain.ts';
import { explainHeights } from '../explain/explain-terrain.ts';
import { Answer } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { pixelFailures } from '../kit/endpoint.ts';
import { defineFields, refuseField, toObjectSchema } from '../kit/fields.ts';
import { json } from '../kit/json-schema.ts';
import { readExplainMode } from '../kit/parameters.ts';

/** What areas are measured with. */
export interface TerrainStatisticsDeps extends AreaDeps, TerrainExplainDeps {
  readonly readAreaStatistics: ReadAreaStatistics;
}

/** Bounds between classes of slopes, in degrees: level, gentle, moderate, steep and very steep ground (FAO, 2006). */
const DEFAULT_CLASSES = [2, 5, 10, 15, 30];
const MAX_CLASSES = 20;

const fields = defineFields({
  ...areaFields,
  slope_classes: {
    schema: json.list(json.number({ above: 0, below: 90 }), { max: MAX_CLASSES }),
    parse(value = DEFAULT_CLASSES, name): readonly number[] {
      if (isClasses(value)) return value;
      throw refuseField(name, `must be at most ${MAX_CLASSES} ascending numbers between 0 and 90 degrees.`);
    },
  },
  filtering: {
    schema: json.boolean(),
    parse(value = false, name): boolean {
      if (typeof value === 'boolean') return value;
      throw refuseField(name, 'must be true or false.');
    },
  },
});

const isClasses = (value: unknown): value is readonly number[] =>
  Array.isArray(value) &&
  value.length <= MAX_CLASSES &&
  value.every(
    (bound, i) => typeof bound === 'number' && bound > 0 && bound < 90 && (i === 0 || bound > value[i - 1]),
  );

const shares = json.list(json.object({ from: json.number(), to: json.number(), percent: json.number() }));

/** `POST /api/render/terrain/statistics`. */
export const terrainStatistics = (deps: TerrainStatisticsDeps): Endpoint => ({
  summary: 'Elevation and slope of an area',
  description:
    'Counted on the pixels of the deepest zoom level at which the area has at most 1024 a side; every pixel counts by its size on the ground.',
  tag: 'Terrain',
  body: {
    description: 'The area: a geometry, or the cropper_ref of a stored one.',
    schema: toObjectSchema(fields),
    example: { geometry: EXAMPLE_AREA },
  },
  answers: {
    200: {
      description: 'The statistics; null for what is not known anywhere in the area.',
      content: {
        'application/json': json.object({
          area_m2: json.number(),
          known_percent: json.number(),
          pixel_m: json.number(),
          elevation: json.nullable(
            json.object({
              min: json.number(),
              max: json.number(),
              mean: json.number(),
              std: json.number(),
            }),
          ),
          slope: json.nullable(json.object({ mean: json.number(), max: json.number(), classes: shares })),
        }),
      },
    },
    400: { description: 'The body is malformed.' },
    404: { description: 'No such area.' },
    413: { description: 'The body is too large.' },
    422: {
      description:
        'The area cannot be used; the code names the rule it breaks. It must lie within ±85.05° of latitude, and hold the centre of a pixel of zoom 16, some metres wide.',
    },
    ...pixelFailures,
    502: { description: 'A file of an elevation model is damaged or missing.' },
  },
  handle: (request) => answer(request, deps),
});

async function answer(request: ApiRequest, deps: TerrainStatisticsDeps): Promise<Answer> {
  const { body, outline } = await readAreaBody(request, deps);
  const wanted = {
    outline,
    bounds: outlineBounds(outline),
    slopeBounds: fields.slope_classes.read(body),
    isFiltered: fields.filtering.read(body),
  };
  const mode = readExplainMode(request.query);
  if (mode !== null) {
    const heights = await deps.terrainExplainer.area(wanted, request.ticket);
    const work = (ticket: Ticket) => deps.readAreaStatistics(wanted, ticket);
    return explainHeights(request, { explains: 'terrain-statistics', mode, heights, work });
  }
  const statistics = await deps.readAreaStatistics(wanted, request.ticket);
  return Answer.json(toAnswer(statistics), { headers: { 'cache-control': 'no-store' } });
}

const round = (value: number, digits = 3): number => Number(value.toFixed(digits));

function toAnswer({ areaM2, knownShare, pixelM, height, slope }: Awaited<ReturnType<ReadAreaStatistics>>) {
  return {
    area_m2: round(areaM2, 0),
    known_percent: round(100 * knownShare, 2),
    pixel_m: round(pixelM),
    elevation: height && {
      min: round(height.min),
      max: round(height.max),
      mean: round(height.mean),
      std: round(height.std),
    },
    slope: slope && {
      mean: round(slope.mean),
      max: round(slope.max),
      classes: slope.classes.map(({ fromDeg, toDeg, share }) => ({
        from: fromDeg,
        to: toDeg,
        percent: round(100 * share, 2),
      })),
    },
  };
}
