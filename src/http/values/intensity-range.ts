import { z } from 'zod';
import type { Areas } from '../../areas/index.ts';
import type { SceneStore } from '../../catalog/index.ts';
import { chooseLevel } from '../../catalog/index.ts';
import { badInput } from '../../errors.ts';
import type { FindIntensity, IntensityAnswer } from '../../render/index.ts';
import { sensors } from '../../sensors/index.ts';
import { answerCachedJson } from '../answer/cached-answer.ts';
import { nameScene, sceneHeaders } from '../answer/scene-used.ts';
import { findCrop } from '../areas/find-area.ts';
import { curveSchema, toWireRange } from '../colors/range-wire.ts';
import { STRETCH_NAMES } from '../colors/stretch-query.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { pixelFailures, sceneParameters } from '../endpoint/shared-docs.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { parseSceneVerbPath } from '../request/scene-path.ts';
import { SWITCH_NAMES } from '../request/switch.ts';
import { bboxSchema } from './bbox.ts';
import { INTENSITY_METHODS, MAX_MULTIPLIER, parseIntensityQuery } from './intensity-query.ts';

/** What intensity ranges are found with. */
export interface IntensityDeps {
  readonly scenes: SceneStore;
  readonly areas: Areas;
  readonly findIntensity: FindIntensity;
  /** How long clients may cache a range: as long as a tile. */
  readonly maxAgeS: number;
}

const opaqueByDefault = sensors
  .flatMap(({ title, cloud }) => ('onlyOpaqueByDefault' in cloud && cloud.onlyOpaqueByDefault ? [title] : []))
  .toSorted()
  .join(', ');

const bandRange = z.object({ band: z.string(), min: z.number(), max: z.number(), ...curveSchema });

/** `GET /api/render/{sensor}/ir/{scene_id}/{bands}`. */
export const intensityRange = (deps: IntensityDeps): Endpoint => ({
  summary: 'Minimum and maximum intensities of bands, and the cloud cover',
  description:
    'What a picture is best stretched between: of the whole scene, of a rectangle, of an area, or of what both have in common. Found on a sample of about 1024 pixels a side, once, and remembered.',
  tag: 'Render',
  params: {
    ...sceneParameters,
    bands: {
      description: 'Bands, indices or band math, up to ten, separated by commas.',
      schema: z.string(),
      example: 'B04,B03,B02',
    },
  },
  query: {
    method: {
      description:
        'cc cuts at two percentiles, mean goes some standard deviations to both sides of the mean, minmax takes all, histogram leaves thin tails out.',
      schema: z.enum(INTENSITY_METHODS).default('cc'),
    },
    min: {
      description: 'Lower percentile of cc; below max.',
      schema: z.number().min(0).lt(100).default(2),
    },
    max: { description: 'Upper percentile of cc.', schema: z.number().gt(0).max(100).default(98) },
    multi: {
      description: 'Standard deviations of mean.',
      schema: z.number().min(0).max(MAX_MULTIPLIER).default(0),
    },
    cloud: {
      description:
        'Counts clouds, and lowers the upper percentile of cc by 0.75 times their percentage. On by default.',
      schema: z.enum(SWITCH_NAMES),
    },
    only_opaque_cloud: {
      description: `Cirrus does not count. On by default for ${opaqueByDefault}, off elsewhere.`,
      schema: z.enum(SWITCH_NAMES),
    },
    BBOX: {
      description: 'Only data inside "west,south,east,north", in degrees.',
      schema: bboxSchema,
      example: '-122.42,48.21,-122.39,48.23',
    },
    cropper_ref: {
      description: 'Only data inside a stored area.',
      schema: z.string().regex(/^[0-9a-f]{32}$/),
    },
    STRETCH: {
      description:
        'natural: the fixed ranges of natural colour, with their gamma, in place of those of method; MIN_MAX, GAMMA and CALIBRATE=1 draw the same. auto by default.',
      schema: z.enum(STRETCH_NAMES),
    },
    CALIBRATE: {
      description: 'Physical values before band math. Off by default.',
      schema: z.enum(SWITCH_NAMES),
    },
  },
  answers: {
    200: {
      description:
        'A range for each band, named as it was asked for; of one band also at the top level. `cloud` is a percentage, null where it is not known or not wanted; `cloud_correction` says whether the range was corrected by it.',
      headers: sceneHeaders,
      content: {
        'application/json': z.object({
          bands: z.array(bandRange),
          method: z.enum([...INTENSITY_METHODS, 'natural']),
          cloud: z.number().nullable(),
          cloud_correction: z.boolean(),
          min: z.number().optional(),
          max: z.number().optional(),
        }),
      },
    },
    304: { description: 'The range you have (If-None-Match) is still right.' },
    400: { description: 'The path or query is malformed.' },
    404: { description: 'No such scene or area; or the BBOX or the area lies outside of the scene.' },
    422: { description: 'An unsupported band or operation, or no data to find a range in.' },
    ...pixelFailures,
  },
  handle: (request) => answer(request, deps),
});

async function answer(
  request: ApiRequest,
  { scenes, findIntensity, areas, maxAgeS }: IntensityDeps,
): Promise<Response> {
  const { rest, ...named } = parseSceneVerbPath(request.rawPath);
  const bands = rest.join('/');
  if (bands === '') {
    throw badInput('bad-path', 'The address of an intensity range ends in {scene_id}/{bands}.');
  }
  const { areaRef, ...options } = parseIntensityQuery(request.query);
  const area = await findCrop(areaRef, areas);
  const scene = await chooseLevel(scenes, named);
  const found = await findIntensity({ ...scene, ...options, bands, area }, request.ticket);
  return nameScene(
    await answerCachedJson(request, toWire(found, options.isNatural ? 'natural' : options.rule.method), {
      maxAgeS,
    }),
    scene,
  );
}

function toWire({ ranges, cloudPercent, isCorrected }: IntensityAnswer, method: string) {
  const [first] = ranges;
  return {
    bands: ranges.map(({ band, ...range }) => ({ band, ...toWireRange(range) })),
    method,
    cloud: cloudPercent,
    cloud_correction: isCorrected,
    ...(ranges.length === 1 && first !== undefined ? { min: first.min, max: first.max } : {}),
  };
}
