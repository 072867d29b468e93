import type { Areas } from '../../areas/index.ts';
import type { SceneStore } from '../../catalog/index.ts';
import { chooseLevel } from '../../catalog/index.ts';
import { badInput } from '../../errors.ts';
import type { FindIntensity, IntensityAnswer } from '../../render/index.ts';
import { findCrop } from '../areas/find-area.ts';
import { curveSchema, toWireRange } from '../colors/contrast.ts';
import type { Answer } from '../kit/answer.ts';
import { answerCachedJson } from '../kit/answers.ts';
import type { ApiRequest } from '../kit/api-request.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { pixelFailures, sceneParameters } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import { parseSceneVerbPath } from '../kit/paths.ts';
import { nameScene, sceneHeaders } from '../kit/scene-notes.ts';
import { INTENSITY_METHODS, intensityParameters, parseIntensityQuery } from './intensity-query.ts';

/** What intensity ranges are found with. */
export interface IntensityDeps {
  readonly scenes: SceneStore;
  readonly areas: Areas;
  readonly findIntensity: FindIntensity;
  /** How long clients may cache a range: as long as a tile. */
  readonly maxAgeS: number;
}

const bandRange = json.object({
  band: json.string(),
  min: json.number(),
  max: json.number(),
  ...curveSchema,
});

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
      schema: json.string(),
      example: 'B04,B03,B02',
    },
  },
  query: intensityParameters,
  answers: {
    200: {
      description:
        'A range for each band, named as it was asked for; of one band also at the top level. `cloud` is a percentage, null where it is not known or not wanted; `cloud_correction` says whether the range was corrected by it.',
      headers: sceneHeaders,
      content: {
        'application/json': json.object({
          bands: json.list(bandRange),
          method: json.choice([...INTENSITY_METHODS, 'natural']),
          cloud: json.nullable(json.number()),
          cloud_correction: json.boolean(),
          'min?': json.number(),
          'max?': json.number(),
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
): Promise<Answer> {
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
