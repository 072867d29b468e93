import type { AreaOutline } from './area-outline.ts';
import type { LonLat, Ring } from './geometry.ts';
import { meetings, SAME_POSITION_DEG } from './segment.ts';

const TURNS_DEG = [0, 360, -360] as const;

/** True when an area and a ring without holes share at least a point; a turn to the east or west does not matter. */
export function outlineMeets(outline: AreaOutline, ring: Ring): boolean {
  return TURNS_DEG.some((turn) => {
    const moved = ring.map(([lon, lat]): LonLat => [lon + turn, lat]);
    const bounds = boundsOf(moved);
    for (let i = 0; i < outline.length; i += 4) {
      const edge = [toPosition(outline, i), toPosition(outline, i + 2)] as const;
      if (!boundsMeet(boundsOf(edge), bounds)) continue;
      if (isInRing(edge[0], moved)) return true;
      for (let k = 1; k < moved.length; k++) {
        if (meetings(edge, [moved[k - 1]!, moved[k]!]).length > 0) return true;
      }
    }
    // No edges meet and no end lies in the ring, so the ring lies wholly inside the area or wholly outside.
    return moved[0] !== undefined && isInOutline(moved[0], outline);
  });
}

const toPosition = (outline: AreaOutline, at: number): LonLat => [outline[at]!, outline[at + 1]!];

function boundsOf(positions: readonly LonLat[]) {
  const lons = positions.map(([lon]) => lon);
  const lats = positions.map(([, lat]) => lat);
  return {
    west: Math.min(...lons),
    east: Math.max(...lons),
    south: Math.min(...lats),
    north: Math.max(...lats),
  };
}

const boundsMeet = (a: ReturnType<typeof boundsOf>, b: ReturnType<typeof boundsOf>): boolean =>
  a.west <= b.east + SAME_POSITION_DEG &&
  b.west <= a.east + SAME_POSITION_DEG &&
  a.south <= b.north + SAME_POSITION_DEG &&
  b.south <= a.north + SAME_POSITION_DEG;

/** Whether a ray to the east crosses the edge from one position to another. */
function isCrossed([lon, lat]: LonLat, from: LonLat, to: LonLat): boolean {
  if (from[1] > lat === to[1] > lat) return false;
  return lon < from[0] + ((lat - from[1]) / (to[1] - from[1])) * (to[0] - from[0]);
}

function isInRing(point: LonLat, ring: Ring): boolean {
  let isInside = false;
  for (let i = 1; i < ring.length; i++) {
    if (isCrossed(point, ring[i - 1]!, ring[i]!)) isInside = !isInside;
  }
  return isInside;
}

function isInOutline(point: LonLat, outline: AreaOutline): boolean {
  let isInside = false;
  for (let i = 0; i < outline.length; i += 4) {
    if (isCrossed(point, toPosition(outline, i), toPosition(outline, i + 2))) isInside = !isInside;
  }
  return isInside;
}
