import type { SwathError } from '../errors.ts';
import { unsupported } from '../errors.ts';
import type { LonLat } from '../geo/index.ts';
import type { AreaFault, AreaRule } from './polygon-faults.ts';

/**
 * The kind of fault, in `details.kind` of the error: not a geometry, a type that is not an area, not valid, or over a
 * limit. Tasks have a code for each.
 */
export type AreaErrorKind = 'malformed' | 'type' | 'invalid' | 'too-large';

/** The error for an unusable area: its `code` is `area-` and the name of the rule. */
export const refuseArea = (kind: AreaErrorKind, rule: string, message: string): SwathError =>
  unsupported(`area-${rule}`, message, { details: { kind } });

/** "polygon 2, ring 1, position 5", counted from 1; the polygon is named where there are several. */
export function describePath(path: {
  readonly polygon?: number | null | undefined;
  readonly ring?: number | undefined;
  readonly position?: number | undefined;
}): string {
  const names = [
    path.polygon == null ? '' : `polygon ${path.polygon + 1}`,
    path.ring === undefined ? '' : `ring ${path.ring + 1}`,
    path.position === undefined ? '' : `position ${path.position + 1}`,
  ];
  return names.filter((name) => name !== '').join(', ');
}

const SENTENCES: Readonly<Record<AreaRule, string>> = {
  'no-area': 'encloses nothing',
  spike: 'turns back onto itself',
  'self-crossing': 'crosses itself',
  'self-touching': 'touches itself',
  'rings-cross': 'crosses another ring of its polygon',
  'rings-share-edge': 'shares an edge with another ring of its polygon',
  'rings-part-area': 'touches other rings so that the area falls into pieces',
  'hole-outside': 'is a hole outside of its polygon; the first ring must be the outer one',
  'hole-in-hole': 'is a hole inside of another hole',
  'polygons-overlap': 'covers ground of another polygon',
  'too-intricate': 'has too many long edges side by side to be checked',
};

/** Describes a broken rule: what, which ring, and near which position. */
export function refuseFault({ rule, polygon, ring, at }: AreaFault, isOnly: boolean): SwathError {
  const isOfPolygon = rule === 'polygons-overlap';
  const where = describePath({ polygon: isOnly ? null : polygon, ring: isOfPolygon ? undefined : ring });
  const kind = rule === 'too-intricate' ? 'too-large' : 'invalid';
  const sentence = `The area is not valid: ${where} ${SENTENCES[rule]}, near ${toText(at)}.`;
  return refuseArea(kind, rule, sentence);
}

const toText = ([lon, lat]: LonLat): string => `[${round(lon)}, ${round(lat)}]`;
const round = (degrees: number): number => Math.round(degrees * 1e7) / 1e7;
