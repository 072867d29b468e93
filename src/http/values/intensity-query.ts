/** The query of an intensity range: how it is found, and in which part of a scene. */
import { badInput } from '../../errors.ts';
import type { IntensityRequest } from '../../render/index.ts';
import { sensors } from '../../sensors/index.ts';
import { AREA_REF } from '../areas/area.ts';
import { stretchName } from '../colors/contrast.ts';
import { json } from '../kit/json-schema.ts';
import { choice, decimal, defineParameters, flag, text } from '../kit/parameters.ts';
import type { Query } from '../kit/query.ts';
import { bboxParameter } from './bbox.ts';

/** The ways to find a range. */
export const INTENSITY_METHODS = ['cc', 'mean', 'minmax', 'histogram'] as const;

/** Far more standard deviations than any sample spreads over. */
const MAX_MULTIPLIER = 1_000;

const opaqueByDefault = sensors
  .flatMap(({ title, cloud }) => ('onlyOpaqueByDefault' in cloud && cloud.onlyOpaqueByDefault ? [title] : []))
  .toSorted()
  .join(', ');

/** The rule that `min` is below `max` leaves one end of each out. */
const percentage = { min: 0, max: 100, rule: 'must be a percentage from 0 to 100.' } as const;

/** The parameters. */
export const intensityParameters = defineParameters({
  method: choice({
    description:
      'cc cuts at two percentiles, mean goes some standard deviations to both sides of the mean, minmax takes all, histogram leaves thin tails out.',
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
