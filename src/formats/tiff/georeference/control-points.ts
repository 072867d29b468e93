import { badInput } from '../../../errors.ts';
import type { Affine } from '../../../geo/index.ts';
import type { ControlPoint } from './georeference.ts';

/** Sentinel-1 has 210 points; readers of ours take no more than this either. */
const MAX_POINTS = 4_096;

/** Refuses points that are not finite, and points together with a transform: readers would take only one of them. */
export function checkControlPoints(points: readonly ControlPoint[], transform: Affine | null): void {
  if (points.length === 0) return;
  if (transform !== null) {
    throw badInput('bad-control-points', 'An image has a transform or control points, not both.');
  }
  // one tie point alone means a corner of a scaled image
  if (points.length < 4 || points.length > MAX_POINTS) {
    throw badInput(
      'bad-control-points',
      `An image has 4 to ${MAX_POINTS} control points, not ${points.length}.`,
    );
  }
  if (points.some(({ column, row, x, y, z }) => ![column, row, x, y, z].every(Number.isFinite))) {
    throw badInput('bad-control-points', 'Control points are finite numbers.');
  }
}

/** The tie points of images whose pixels are areas: column, row, 0 and the coordinates, six numbers each. */
export const toTiepoints = (points: readonly ControlPoint[]): number[] =>
  points.flatMap(({ column, row, x, y, z }) => [column, row, 0, x, y, z]);
