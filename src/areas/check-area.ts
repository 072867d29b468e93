import { badInput } from '../errors.ts';
import type { AreaOutline, MultiPolygonGeometry } from '../geo/index.ts';
import { areaKm2, toOutline } from '../geo/index.ts';
import { parseArea } from './parse-area.ts';

/**
 * An area that was checked, in the forms that work is done with. None of them costs the thread anything that receives it
 * from another one: a text is copied at once, and an outline is in shared memory.
 */
export interface CheckedArea {
  /** The normal form as JSON: a MultiPolygon that is valid and within ±180 degrees. */
  readonly geometry: string;
  readonly outline: AreaOutline;
  readonly km2: number;
}

/** Checks an area from untrusted JSON text: 30 ms for the largest ones. */
export const checkArea = (text: string): CheckedArea => toChecked(parseArea(parseJson(text)).geometry);

/** The same of the normal form of a stored area, which was checked before. */
export const measureArea = (geometry: string): CheckedArea => ({
  ...toChecked(JSON.parse(geometry) as MultiPolygonGeometry),
  geometry,
});

const toChecked = (geometry: MultiPolygonGeometry): CheckedArea => ({
  geometry: JSON.stringify(geometry),
  outline: toOutline(geometry),
  km2: areaKm2(geometry),
});

/** Parses the JSON text of an area. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badInput('bad-json', 'The body is not valid JSON.', { cause: error });
  }
}
