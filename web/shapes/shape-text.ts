/**
 * Areas and lines in the address: `lon,lat;lon,lat;…`, the rings of a polygon separated by `/`, polygons by `~`. The
 * first position of a ring is not repeated at its end.
 */
import type { Outline } from '../scenes/footprint.ts';
import type { Position } from './shape.ts';
import { polygonsOf, toTidyLine, toTidyOutline } from './shape.ts';

/** Programs that people share addresses with cut them off from about 4,000 characters on; the rest needs room too. */
export const MAX_TEXT = 3000;
const NUMBER = /^-?\d{1,3}(\.\d{1,6})?$/;
/** Longitudes run on by up to a turn where a shape crosses the antimeridian. */
const MAX_LON = 540;

const toText = (positions: readonly Position[]): string =>
  positions.map((position) => position.join()).join(';');

/** A text of an outline is asked for with each change of the state; the outline itself changes rarely. */
const texts = new WeakMap<Outline, string | null>();

/** The text of a tidy outline; `null` when it is too long for an address. */
export const toOutlineText = (outline: Outline): string | null => {
  const known = texts.get(outline);
  if (known !== undefined) return known;
  const polygons = polygonsOf(outline).map((rings) =>
    rings.map((ring) => toText(ring.slice(0, -1))).join('/'),
  );
  const text = polygons.join('~');
  const answer = text.length > MAX_TEXT ? null : text;
  texts.set(outline, answer);
  return answer;
};

/** The text of a tidy line; `null` when it is too long for an address. */
export const toLineText = (positions: readonly Position[]): string | null => {
  const text = toText(positions);
  return text.length > MAX_TEXT ? null : text;
};

const parsePositions = (text: string): readonly Position[] | null => {
  const positions = text.split(';').map((pair) => pair.split(','));
  if (!positions.every((pair) => pair.length === 2 && pair.every((part) => NUMBER.test(part)))) return null;
  const numbers = positions.map(([lon, lat]): Position => [Number(lon), Number(lat)]);
  return numbers.every(([lon, lat]) => Math.abs(lon) <= MAX_LON && Math.abs(lat) <= 90) ? numbers : null;
};

/** Reads an area of an address; `null` for any other text. */
export const parseOutlineText = (text: string): Outline | null => {
  if (text.length > MAX_TEXT) return null;
  const polygons = text.split('~').map((rings) => rings.split('/').map(parsePositions));
  const coordinates: (readonly Position[])[][] = [];
  for (const rings of polygons) {
    const good = rings.filter((ring) => ring !== null);
    if (good.length < rings.length) return null;
    coordinates.push(good);
  }
  return toTidyOutline({ type: 'MultiPolygon', coordinates });
};

/** Reads a line of an address; `null` for any other text. */
export const parseLineText = (text: string): readonly Position[] | null => {
  const positions = text.length > MAX_TEXT ? null : parsePositions(text);
  return positions === null ? null : toTidyLine(positions);
};
