import { createHash } from 'node:crypto';
import type { AreaFeature } from './parse-area.ts';

/**
 * A digest of a feature, as it was sent, and of its owner. Names inside properties may be in any order; the coordinates
 * are as sent, so that each way to write an area is read back as it was written.
 */
export const digestArea = ({ properties, geometry }: AreaFeature, owner: string): string =>
  createHash('sha256')
    .update(JSON.stringify([owner, withSortedNames(properties), geometry.type, geometry.coordinates]))
    .digest('hex');

/** Objects as lists of their names and values: no name, not even `__proto__`, can affect the comparison. */
function withSortedNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedNames);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return { object: entries.map(([name, inner]) => [name, withSortedNames(inner)]) };
}
