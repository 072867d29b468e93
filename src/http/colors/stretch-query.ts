import { badInput, unsupported } from '../../errors.ts';
import type { RenderOptions } from '../../render/index.ts';
import type { Query } from '../request/query.ts';
import { parseDecimal } from '../request/strict-number.ts';

/** What STRETCH may say. */
export const STRETCH_NAMES = ['auto', 'natural'] as const;

/** Beyond these a picture is black and white. */
export const MIN_GAMMA = 0.1;
export const MAX_GAMMA = 10;

/** The part of a picture's contrast that STRETCH and GAMMA decide. */
export type StretchOptions = Pick<RenderOptions, 'isNatural' | 'gamma'>;

/** Reads `STRETCH` and `GAMMA`. Natural colour has a range of its own: MIN_MAX is refused with it. */
export function parseStretch(query: Query): StretchOptions {
  const isNatural = parseStretchName(query.get('STRETCH'));
  if (isNatural && query.has('MIN_MAX')) throw naturalWithRange('STRETCH=natural', 'MIN_MAX');
  const gamma = parseGamma(query.get('GAMMA'));
  return { ...(isNatural ? { isNatural } : {}), ...(gamma === null ? {} : { gamma }) };
}

/** Whether natural colour is asked for. */
export function parseStretchName(text: string | undefined): boolean {
  const name = text?.toLowerCase();
  if (name !== undefined && !STRETCH_NAMES.some((known) => known === name))
    throw badInput('bad-stretch', `STRETCH must be ${STRETCH_NAMES.join(' or ')}.`);
  return name === 'natural';
}

/** Reads `GAMMA`; null when it is not given. */
function parseGamma(text: string | undefined): number | null {
  if (text === undefined) return null;
  return checkGamma(parseDecimal(text), 'GAMMA');
}

/** A gamma within its limits. */
export function checkGamma(gamma: number | null, name: string): number {
  if (gamma === null || gamma < MIN_GAMMA || gamma > MAX_GAMMA)
    throw badInput('bad-gamma', `${name} must be a number from ${MIN_GAMMA} to ${MAX_GAMMA}.`);
  return gamma;
}

/** The refusal of two ranges for one picture. */
export const naturalWithRange = (stretch: string, range: string): Error =>
  unsupported(
    'range-of-natural',
    `${stretch} has fixed ranges, so ${range} cannot be combined with it: pass one of them.`,
  );
