import { z } from 'zod';
import type { AreaParser, Areas } from '../../areas/index.ts';
import { badInput } from '../../errors.ts';
import type { AreaOutline } from '../../geo/index.ts';
import { outlineBounds } from '../../geo/index.ts';
import type { AreaStatistics, ReadAreaStatistics } from '../../terrain/index.ts';
import { geometrySchema } from '../areas/area.ts';
import { findArea } from '../areas/find-area.ts';
import { readGeometry } from '../areas/read-geometry.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { pixelFailures } from '../endpoint/shared-docs.ts';
import type { ApiRequest } from '../request/api-request.ts';

/** What areas are measured with. */
export interface TerrainStatisticsDeps {
  readonly areas: Areas;
  readonly areaParser: AreaParser;
  readonly readAreaStatistics: ReadAreaStatistics;
}

/** Bounds between classes of slopes, in degrees: level, gentle, moderate, steep and very steep ground (FAO, 2006). */
const DEFAULT_CLASSES = [2, 5, 10, 15, 30];
const MAX_CLASSES = 20;

const shares = z.array(z.object({ from: z.number(), to: z.number(), percent: z.number() }));

/** `POST /api/render/terrain/statistics`. */
export const terrainStatistics = (deps: TerrainStatisticsDeps): Endpoint => ({
  summary: 'Elevation and slope of an area',
  description:
    'Counted on the pixels of the deepest zoom level at which the area has at most 1024 a side; every pixel counts by its size on the ground.',
  tag: 'Terrain',
  body: {
    description: 'The area: a geometry, or the cropper_ref of a stored one.',
    schema: z.object({
      geometry: geometrySchema.optional(),
      cropper_ref: z
        .string()
        .regex(/^[0-9a-f]{32}$/)
        .optional(),
      slope_classes: z.array(z.number().gt(0).lt(90)).max(MAX_CLASSES).optional(),
      filtering: z.boolean().optional(),
    }),
    example: {
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [-122.45, 48.2],
            [-122.4, 48.2],
            [-122.4, 48.23],
            [-122.45, 48.23],
            [-122.45, 48.2],
          ],
        ],
      },
    },
  },
  answers: {
    200: {
      description: 'The statistics; null for what is not known anywhere in the area.',
      content: {
        'application/json': z.object({
          area_m2: z.number(),
          known_percent: z.number(),
          pixel_m: z.number(),
          elevation: z
            .object({ min: z.number(), max: z.number(), mean: z.number(), std: z.number() })
            .nullable(),
          slope: z.object({ mean: z.number(), max: z.number(), classes: shares }).nullable(),
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
    502: { description: 'A file of an elevation model is damaged or gone.' },
  },
  handle: (request) => answer(request, deps),
});

async function answer(request: ApiRequest, deps: TerrainStatisticsDeps): Promise<Response> {
  const body = parseBody(await request.readJson());
  const outline = await findOutline(body, request, deps);
  const statistics = await deps.readAreaStatistics(
    {
      outline,
      bounds: outlineBounds(outline),
      slopeBounds: parseClasses(body.slope_classes),
      isFiltered: parseFiltering(body.filtering),
    },
    request.ticket,
  );
  return Response.json(toAnswer(statistics), { headers: { 'cache-control': 'no-store' } });
}

type Body = Readonly<Record<string, unknown>>;

function parseBody(body: unknown): Body {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw badInput('bad-body', 'The body must be an object with a geometry or a cropper_ref.');
  return body as Body;
}

async function findOutline(
  { geometry, cropper_ref: ref }: Body,
  { ticket }: ApiRequest,
  { areas, areaParser }: TerrainStatisticsDeps,
): Promise<AreaOutline> {
  if ((geometry === undefined) === (ref === undefined))
    throw badInput('bad-area', 'The body must have either a geometry or a cropper_ref.');
  if (geometry !== undefined)
    return (await readGeometry('geometry', geometry, { areaParser, ticket })).outline;
  if (typeof ref !== 'string') throw badInput('bad-area', 'cropper_ref must be a text.');
  return (await findArea(ref, areas)).outline;
}

function parseClasses(classes: unknown): readonly number[] {
  if (classes === undefined) return DEFAULT_CLASSES;
  const isAscending =
    Array.isArray(classes) &&
    classes.length <= MAX_CLASSES &&
    classes.every(
      (value, i) =>
        typeof value === 'number' && value > 0 && value < 90 && (i === 0 || value > classes[i - 1]),
    );
  if (!isAscending) {
    throw badInput(
      'bad-slope-classes',
      `slope_classes must be at most ${MAX_CLASSES} ascending numbers between 0 and 90 degrees.`,
    );
  }
  return classes as readonly number[];
}

function parseFiltering(value: unknown): boolean {
  if (value === undefined || typeof value === 'boolean') return value === true;
  throw badInput('bad-filtering', 'filtering must be true or false.');
}

const round = (value: number, digits = 3): number => Number(value.toFixed(digits));

function toAnswer({ areaM2, knownShare, pixelM, height, slope }: AreaStatistics) {
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
