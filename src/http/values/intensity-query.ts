import { badInput } from '../../errors.ts';
import type { IntensityRequest } from '../../render/index.ts';
import { parseStretchName } from '../colors/stretch-query.ts';
import type { Query } from '../request/query.ts';
import { parseDecimal } from '../request/strict-number.ts';
import { parseSwitch } from '../request/switch.ts';
import { parseBbox } from './bbox.ts';

/** The ways to find a range. */
export const INTENSITY_METHODS = ['cc', 'mean', 'minmax', 'histogram'] as const;

type Options = Pick<
  IntensityRequest,
  'rule' | 'countsClouds' | 'onlyOpaque' | 'calibrated' | 'isNatural' | 'within'
>;

/** Reads the query of an intensity range; the area is still a name. All of it is checked, also what a method has no use for. */
export function parseIntensityQuery(query: Query): Options & { readonly areaRef: string | null } {
  return {
    rule: parseRule(query),
    countsClouds: query.has('cloud') ? parseSwitch(query, 'cloud') : true,
    onlyOpaque: query.has('only_opaque_cloud') ? parseSwitch(query, 'only_opaque_cloud') : null,
    calibrated: parseSwitch(query, 'CALIBRATE'),
    isNatural: parseStretchName(query.get('STRETCH')),
    within: parseBbox(query.get('BBOX')),
    areaRef: query.get('cropper_ref') ?? null,
  };
}

function parseRule(query: Query): Options['rule'] {
  const name = query.get('method') ?? 'cc';
  const method = INTENSITY_METHODS.find((known) => known === name);
  if (method === undefined) {
    throw badInput('bad-method', `method must be one of ${INTENSITY_METHODS.join(', ')}.`);
  }
  const [lowPercent, highPercent] = [parsePercent(query, 'min', 2), parsePercent(query, 'max', 98)];
  if (lowPercent >= highPercent) {
    throw badInput('bad-min-max', `min must be below max; ${lowPercent} and ${highPercent} are given.`);
  }
  const multiplier = parseMultiplier(query.get('multi'));
  if (method === 'cc') return { method, lowPercent, highPercent, cloudPercent: 0 };
  return method === 'mean' ? { method, multiplier } : { method };
}

function parsePercent(query: Query, name: string, fallback: number): number {
  const text = query.get(name);
  const value = text === undefined ? fallback : parseDecimal(text);
  if (value === null || value < 0 || value > 100) {
    throw badInput(`bad-${name}`, `${name} must be a percentage from 0 to 100.`);
  }
  return value;
}

/** Far more standard deviations than any sample spreads over. */
export const MAX_MULTIPLIER = 1_000;

function parseMultiplier(text: string | undefined): number {
  const value = text === undefined ? 0 : parseDecimal(text);
  if (value === null || value < 0 || value > MAX_MULTIPLIER) {
    throw badInput('bad-multi', `multi must be a number from 0 to ${MAX_MULTIPLIER}.`);
  }
  return value;
}
