import type { AreaGeometry, PointGeometry } from '../geo/index.ts';
import { areaContains, areasIntersect, isPointInArea } from '../geo/index.ts';

/** How a footprint must relate to the shape of a search: touch it, cover it, or lie inside it. */
export type ShapeRelation = 'intersects' | 'contains' | 'within';

/** Whether the footprint has this relation to the shape; no footprint is within a point. */
export function relates(
  footprint: AreaGeometry,
  shape: PointGeometry | AreaGeometry,
  relation: ShapeRelation,
): boolean {
  if (shape.type === 'Point') return relation !== 'within' && isPointInArea(shape.coordinates, footprint);
  switch (relation) {
    case 'intersects':
      return areasIntersect(footprint, shape);
    case 'contains':
      return areaContains(footprint, shape);
    case 'within':
      return areaContains(shape, footprint);
  }
}
