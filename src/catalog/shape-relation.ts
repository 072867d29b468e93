import type { AreaGeometry, PointGeometry } from '../geo/index.ts';
import { areaContains, areasIntersect, isPointInArea } from '../geo/index.ts';

/** How a scene's footprint must lie to the asked shape: touch it, cover it, or lie inside it. */
export type ShapeRelation = 'intersects' | 'contains' | 'within';

/** Whether the footprint stands in the relation to the shape; a point can hold no footprint. */
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
