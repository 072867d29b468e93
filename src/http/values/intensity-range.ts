/** Intensity ranges: their parameters and the endpoint. */

import type { SceneStore } from '../../catalog/index.ts';
import { chooseLevel } from '../../catalog/index.ts';
import type { Areas } from '../../library/index.ts';
import type { Explainer, FindIntensity, IntensityAnswer, IntensityRequest } from '../../render/index.ts';
import { sensors } from '../../sensors/index.ts';
import { AREA_REF, bboxParameter, findCrop } from '../areas.ts';
import { badInput } from '../errors.ts';
import { toIntensityExplanation } from '../explain/explain-answers.ts';
import { answerExplained } from '../explain/explainable.ts';
import { fieldQuery, groupQuery } from '../fields/take-field.ts';
import type { Answer } from '../kit/answers.ts';
import { answerCachedJson, nameScene, sceneHeaders } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { pixelFailures, sceneParameters } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import type { ExplainMode, Query } from '../kit/parameters.ts';
import { choice, decimal, defineParameters, flag, readExplainMode, text } from '../kit/parameters.ts';
import { parseSceneVerbPath } from '../kit/paths.ts';
import { curveSchema, stretchName, toWireRange } from '../pictures/styling.ts';

/** The ways to find a range. */
const INTENSITY_METHODS = ['cc', 'mean', 'minmax', 'histogram'] as const;

/** More standard deviations than any sample spans. */
const MAX_MULTIPLIER = 1_000;

const opaqueByDefault = sensors
  .flatMap(({ title, cloud }) => ('onlyOpaqueByDefault' in cloud && cloud.onlyOpaqueByDefault ? [title] : []))
  .toSorted()
  .join(', ');

/** The rule that `min` is below `max` leaves one end of each out. */
const percentage = { min: 0, max: 100, rule: 'must be a percentage from 0 to 100.' } as const;

/** The parameters. */
const intensityParameters = defineParameters({
  method: choice({
    description:
      'cc cuts at two percentiles, mean extends some standard deviations to both sides of the mean, minmax uses all values, histogram drops thin tails.',
    names: INTENSITY_METHODS,
    fallback: 'cc',
  }),
  min: decimal({
    ...percentage,
    description: 'Lower percentile of cc; below max.',
    schema: { ...json.number({ min: 0, below: 100 }), default: 2 },
    fallback: 2,
  }),
  max: decimal({
    ...percentage,
    description: 'Upper percentile of cc.',
    schema: { ...json.number({ above: 0, max: 100 }), default: 98 },
    fallback: 98,
  }),
  multi: decimal({ description: 'Standard deviations of mean.', min: 0, max: MAX_MULTIPLIER, fallback: 0 }),
  cloud: flag({
    description:
      'Counts clouds, and lowers the upper percentile of cc by 0.75 times their percentage. On by default.',
    fallback: true,
  }),
  only_opaque_cloud: flag({
    description: `Cirrus does not count. On by default for ${opaqueByDefault}, off elsewhere.`,
    fallback: null,
  }),
  BBOX: bboxParameter,
  cropper_ref: text({ description: 'Only data inside a stored area.', pattern: AREA_REF, fallback: null }),
  field: fieldQuery,
  group: groupQuery,
  STRETCH: stretchName({
    description:
      'natural: the fixed ranges of natural colour, with their gamma, in place of those of method; MIN_MAX, GAMMA and CALIBRATE=1 draw the same. auto by default.',
  }),
  CALIBRATE: flag({ description: 'Physical values before band math. Off by default.', fallback: false }),
});

type Options = Pick<
  IntensityRequest,
  'rule' | 'countsClouds' | 'onlyOpaque' | 'calibrated' | 'isNatural' | 'within'
>;

/** Reads the query of an intensity range; the area is still a name. All of it is checked, also what a method has no use for. */
export function parseIntensityQuery(query: Query): Options & { readonly areaRef: string | null } {
  const { cloud, only_opaque_cloud, CALIBRATE, STRETCH, BBOX, cropper_ref } = intensityParameters;
  return {
    rule: parseRule(query),
    countsClouds: cloud.read(query),
    onlyOpaque: only_opaque_cloud.read(query),
    calibrated: CALIBRATE.read(query),
    isNatural: STRETCH.read(query) === 'natural',
    within: BBOX.read(query),
    areaRef: cropper_ref.read(query),
  };
}

function parseRule(query: Query): Options['rule'] {
  const { min, max, multi } = intensityParameters;
  const method = intensityParameters.method.read(query);
  const [lowPercent, highPercent] = [min.read(query), max.read(query)];
  if (lowPercent >= highPercent) {
    throw badInput('bad-min-max', `min must be below max; ${lowPercent} and ${highPercent} are given.`);
  }
  const multiplier = multi.read(query);
  if (method === 'cc') return { method, lowPercent, highPercent, cloudPercent: 0 };
  return method === 'mean' ? { method, multiplier } : { method };
}

/** What intensity ranges are found with. */
export interface IntensityDeps {
  readonly scenes: SceneStore;
  readonly areas: Areas;
  readonly findIntensity: FindIntensity;
  readonly explainer: Pick<Explainer, 'intensity'>;
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
    'The range to stretch a picture between: of the whole scene, a rectangle, an area, or their intersection. Measured once on a sample of about 1024 pixels a side, and stored.',
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
        'A range for each band, named as in the request; for a single band also at the top level. `cloud` is a percentage, null if it is unknown or was not requested; `cloud_correction` says whether clouds corrected the range.',
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
    304: { description: 'The range you have (If-None-Match) is still current.' },
    400: { description: 'The path or query is malformed.' },
    404: { description: 'No such scene or area; or the BBOX or the area lies outside of the scene.' },
    422: { description: 'An unsupported band or operation, or no data to find a range in.' },
    ...pixelFailures,
  },
  handle: (request) => answer(request, deps),
});

async function answer(request: ApiRequest, deps: IntensityDeps): Promise<Answer> {
  const { scenes, findIntensity, areas, maxAgeS } = deps;
  const { rest, ...named } = parseSceneVerbPath(request.rawPath);
  const bands = rest.join('/');
  if (bands === '') {
    throw badInput('bad-path', 'The address of an intensity range ends in {scene_id}/{bands}.');
  }
  const { areaRef, ...options } = parseIntensityQuery(request.query);
  const area = areaRef === null ? null : await findCrop(areaRef, areas);
  const scene = await chooseLevel(scenes, named);
  const wanted = { ...scene, ...options, bands, area };
  const mode = readExplainMode(request.query);
  if (mode !== null) return nameScene(await explainIntensity(request, wanted, { ...deps, mode }), scene);
  const found = await findIntensity(wanted, request.ticket);
  return nameScene(
    await answerCachedJson(request, toWire(found, options.isNatural ? 'natural' : options.rule.method), {
      maxAgeS,
    }),
    scene,
  );
}

/** Answers with what a range is measured on, and after measuring it with where the time went. */
async function explainIntensity(
  request: ApiRequest,
  wanted: IntensityRequest,
  { explainer, findIntensity, mode }: IntensityDeps & { readonly mode: ExplainMode },
): Promise<Answer> {
  const plan = toIntensityExplanation(wanted.bands, await explainer.intensity(wanted, request.ticket));
  return answerExplained(request, mode, { plan, work: (ticket) => findIntensity(wanted, ticket) });
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
