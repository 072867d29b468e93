import type { SwathError } from '../errors.ts';
import { unsupported } from '../errors.ts';
import type { AreaFault, AreaRule, LonLat } from '../geo/index.ts';

/**
 * What kind of trouble an area has, in `details.kind` of its error: it is no geometry, of a type that is no area, not
 * valid, or over a limit. The interface has a task code for each.
 */
export type AreaTrouble = 'malformed' | 'type' | 'invalid' | 'too-large';

/** An area that cannot be used: `code` is `area-` and the name of the rule. */
export const refuseArea = (kind: AreaTrouble, rule: string, message: string): SwathError =>
  unsupported(`area-${rule}`, message, { details: { kind } });

/** "polygon 2, ring 1, position 5", counted from 1; the polygon is named where there are several. */
export function toPlace(place: {
  readonly polygon?: number | null;
  readonly ring?: number;
  readonly position?: number;
}): string {
  const names = [
    place.polygon == null ? '' : `polygon ${place.polygon + 1}`,
    place.ring === undefined ? '' : `ring ${place.ring + 1}`,
    place.position === undefined ? '' : `position ${place.position + 1}`,
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

/** Puts a broken rule into words: what, which ring, and near which position. */
export function refuseFault({ rule, polygon, ring, at }: AreaFault, isOnly: boolean): SwathError {
  const isOfPolygon = rule === 'polygons-overlap';
  const place = toPlace({ polygon: isOnly ? null : polygon, ...(isOfPolygon ? {} : { ring }) });
  const kind = rule === 'too-intricate' ? 'too-large' : 'invalid';
  const sentence = `The area is not valid: ${place} ${SENTENCES[rule]}, near ${toText(at)}.`;
  return refuseArea(kind, rule, sentence);
}

const toText = ([lon, lat]: LonLat): string => `[${round(lon)}, ${round(lat)}]`;
const round = (degrees: number): number => Math.round(degrees * 1e7) / 1e7;
