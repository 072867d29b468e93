/** What a scene shows: how much of a view, and whether a point. */
import type { Box, Outline } from './footprint.ts';
import { toBox } from './footprint.ts';

/** Points across and down at which the view is looked at: one in a hundred is finer than any choice made of it. */
const STEPS = 10;

type Position = readonly [lon: number, lat: number];

/** Even-odd rule over all rings, holes included. */
const isInside = (rings: readonly (readonly Position[])[], [lon, lat]: Position): boolean => {
  let isIn = false;
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [x1, y1] = ring[i] as Position;
      const [x2, y2] = ring[j] as Position;
      if (y1 > lat !== y2 > lat && lon < ((x2 - x1) * (lat - y1)) / (y2 - y1) + x1) isIn = !isIn;
    }
  }
  return isIn;
};

/** A scene that fills this part of the view is what the view is about. */
const FILLS = 0.5;
/** Below this part of the view a scene is a speck in it, though all of it may be seen. */
const SPECK = 0.1;

/** All rings of an outline; across the antimeridian the western hemisphere goes on behind 180, as in the outline's box. */
const unwrap = (outline: Outline): readonly (readonly Position[])[] => {
  const [, , east] = toBox(outline);
  const rings = outline.type === 'Polygon' ? outline.coordinates : outline.coordinates.flat();
  return east <= 180
    ? rings
    : rings.map((ring) => ring.map(([lon, lat]) => [lon < 0 ? lon + 360 : lon, lat] as const));
};

/** What is added to a longitude for that of the outline: a map that was dragged around the world has others. */
const toTurn = (outline: Outline, lon: number): number => {
  const [west, , east] = toBox(outline);
  return Math.round(((west + east) / 2 - lon) / 360) * 360;
};

/** Whether an outline covers a point. */
export const coversPoint = (
  outline: Outline,
  { lon, lat }: { readonly lon: number; readonly lat: number },
): boolean => isInside(unwrap(outline), [lon + toTurn(outline, lon), lat]);

/** The part of a box, 0 to 1, that an outline covers. */
export const coverageOf = (outline: Outline, [west, south, east, north]: Box): number => {
  const unwrapped = unwrap(outline);
  const turn = toTurn(outline, (west + east) / 2);
  let covered = 0;
  for (let row = 0; row < STEPS; row++) {
    for (let column = 0; column < STEPS; column++) {
      const lon = west + turn + ((column + 0.5) / STEPS) * (east - west);
      const lat = south + ((row + 0.5) / STEPS) * (north - south);
      if (isInside(unwrapped, [lon, lat])) covered++;
    }
  }
  return covered / (STEPS * STEPS);
};

/** The part of a box that another box covers. */
const sharedPart = (
  [west, south, east, north]: Box,
  [otherWest, otherSouth, otherEast, otherNorth]: Box,
): number => {
  const turn = Math.round(((west + east) / 2 - (otherWest + otherEast) / 2) / 360) * 360;
  const width = Math.min(east, otherEast + turn) - Math.max(west, otherWest + turn);
  const height = Math.min(north, otherNorth) - Math.max(south, otherSouth);
  return width > 0 && height > 0 ? (width * height) / areaOf([west, south, east, north]) : 0;
};
const areaOf = ([west, south, east, north]: Box): number => (east - west) * (north - south);

/**
 * True when the map need not move to show a scene. It has to fill a part of the view, and the view has to be about it: the
 * scene is larger than the view, fills half of it, or is half seen. A scene that begins at the edge of the view is elsewhere.
 */
export const isSceneInView = (outline: Outline, view: Box): boolean => {
  const [box, filled] = [toBox(outline), coverageOf(outline, view)];
  if (filled < SPECK) return false;
  return filled >= FILLS || areaOf(box) >= areaOf(view) || sharedPart(box, view) >= FILLS;
};
