/** Shapes from the coordinates of a file, which no one has checked yet. */
import { parseOutline } from '../scenes/footprint.ts';
import type { Position, Shape } from '../shapes/shape.ts';
import { polygonsOf, toTidyLine, toTidyOutline } from '../shapes/shape.ts';
import { Refusal } from './refusal.ts';

/** A turn more than the globe has: shapes across the antimeridian may run on. */
const MAX_LON = 540;

const requireDegrees = (positions: readonly Position[]): void => {
  const isOff = positions.some(([lon, lat]) => !(Math.abs(lon) <= MAX_LON && Math.abs(lat) <= 90));
  if (isOff) throw new Refusal('not-degrees');
};

/** An area of polygons; an empty list when it encloses nothing. */
export const makeArea = (polygons: readonly unknown[], name: string | null): readonly Shape[] => {
  const outline = parseOutline({ type: 'MultiPolygon', coordinates: polygons });
  if (outline === null) return [];
  requireDegrees(polygonsOf(outline).flat(2));
  const tidy = toTidyOutline(outline);
  return tidy === null ? [] : [{ kind: 'area', outline: tidy, name }];
};

const isPosition = (value: unknown): value is Position =>
  Array.isArray(value) && Number.isFinite(value[0]) && Number.isFinite(value[1]);

/** A line; an empty list when it has no length. */
export const makeLine = (positions: unknown, name: string | null): readonly Shape[] => {
  if (!Array.isArray(positions) || !positions.every(isPosition)) return [];
  requireDegrees(positions);
  const tidy = toTidyLine(positions);
  return tidy === null ? [] : [{ kind: 'line', positions: tidy, name }];
};
