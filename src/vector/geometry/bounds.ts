import type { Place, ShapeGeometry } from '../shapes.ts';

/** The smallest box around positions; all NaN-free, as `cleanGeometry` guarantees. */
export interface Box {
  xmin: number;
  ymin: number;
  xmax: number;
  ymax: number;
}

/** The box around a geometry; null if it is empty. */
export function boxOf(geometry: ShapeGeometry): Box | null {
  const box: Box = { xmin: Infinity, ymin: Infinity, xmax: -Infinity, ymax: -Infinity };
  growByGeometry(box, geometry);
  return box.xmin <= box.xmax ? box : null;
}

/** Grows a box by another. */
export function growBox(box: Box, other: Box): void {
  box.xmin = Math.min(box.xmin, other.xmin);
  box.ymin = Math.min(box.ymin, other.ymin);
  box.xmax = Math.max(box.xmax, other.xmax);
  box.ymax = Math.max(box.ymax, other.ymax);
}

function growByGeometry(box: Box, geometry: ShapeGeometry): void {
  if (geometry.type === 'GeometryCollection')
    for (const part of geometry.geometries) growByGeometry(box, part);
  else if (geometry.type !== 'Point') growByList(box, geometry.coordinates);
  else if (geometry.coordinates.length > 0) growByPlace(box, geometry.coordinates as Place);
}

type Nested = readonly (Place | Nested)[];

function growByList(box: Box, list: Nested): void {
  for (const item of list) {
    if (typeof item[0] === 'number') growByPlace(box, item as Place);
    else growByList(box, item as Nested);
  }
}

function growByPlace(box: Box, [x, y]: Place): void {
  if (x < box.xmin) box.xmin = x;
  if (x > box.xmax) box.xmax = x;
  if (y < box.ymin) box.ymin = y;
  if (y > box.ymax) box.ymax = y;
}
