import type { AreaOutline } from '../geo/index.ts';
import type { Position } from '../proj/index.ts';

/** A rectangle in degrees. */
export interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** The edges (of all, or of some) whose box meets this one. */
export function edgesNear(outline: AreaOutline, some: readonly number[] | null, box: Box): number[] {
  const near: number[] = [];
  const count = some === null ? outline.length / 4 : some.length;
  for (let i = 0; i < count; i++) {
    const at = some === null ? i * 4 : some[i]!;
    const lon = outline[at]!;
    const otherLon = outline[at + 2]!;
    if (outline[at + 1]! > box.north || outline[at + 3]! < box.south) continue;
    if ((lon > box.east && otherLon > box.east) || (lon < box.west && otherLon < box.west)) continue;
    near.push(at);
  }
  return near;
}

/** 1 when the point is inside: a ray to the east crosses an odd number of edges. */
export function isInside(outline: AreaOutline, some: readonly number[] | null, [lon, lat]: Position): number {
  let state = 0;
  const count = some === null ? outline.length / 4 : some.length;
  for (let i = 0; i < count; i++) {
    const at = some === null ? i * 4 : some[i]!;
    if (outline[at + 1]! > lat || outline[at + 3]! <= lat) continue;
    if (lon < lonAt(outline, at, lat)) state ^= 1;
  }
  return state;
}

/** Where an edge crosses a parallel. */
export const lonAt = (outline: AreaOutline, at: number, lat: number): number =>
  outline[at]! +
  (lat - outline[at + 1]!) * ((outline[at + 2]! - outline[at]!) / (outline[at + 3]! - outline[at + 1]!));
