/** An item as it is in a file. */
export interface RawItem {
  readonly id: string;
  readonly collection?: string | null;
  readonly geometry: { readonly type: string; readonly coordinates: never } | null;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly assets: Readonly<Record<string, { readonly href?: string }>>;
}

/** What is looked for; days and percentages, both ends included. */
export interface Wanted {
  readonly point: readonly [number, number] | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly maxCloud: number | null;
}

/** Whether an item's JSON matches; null when a point is too near to an edge to tell. */
export function matchesItem(item: RawItem, { point, from, to, maxCloud }: Wanted): boolean | null {
  const day = String(item.properties.datetime).slice(0, 10);
  if ((from !== null && day < from) || (to !== null && day > to)) return false;
  const cloud = item.properties['eo:cloud_cover'];
  if (maxCloud !== null && (typeof cloud !== 'number' || cloud > maxCloud)) return false;
  return point === null ? true : holds(item.geometry, point);
}

/** Ours are tidied: points that lie within 3e-5 degrees of the rest of an outline are left out. */
const UNSURE_DEG = 1e-4;

function holds(geometry: RawItem['geometry'], point: readonly [number, number]): boolean | null {
  if (geometry === null) return false;
  const polygons = (
    geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  ) as number[][][][];
  let inside = false;
  for (const [ring = []] of polygons) {
    if (ring.some((from, i) => i > 0 && distance(point, ring[i - 1]!, from) < UNSURE_DEG)) return null;
    if (isInRing(point, ring)) inside = true;
  }
  return inside;
}

function isInRing([x, y]: readonly [number, number], ring: readonly number[][]): boolean {
  let inside = false;
  for (let i = 1; i < ring.length; i++) {
    const [x0, y0, x1, y1] = [ring[i - 1]![0]!, ring[i - 1]![1]!, ring[i]![0]!, ring[i]![1]!];
    if (y0 > y !== y1 > y && x < x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)) inside = !inside;
  }
  return inside;
}

function distance([x, y]: readonly [number, number], from: readonly number[], to: readonly number[]): number {
  const [dx, dy] = [to[0]! - from[0]!, to[1]! - from[1]!];
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - from[0]!) * dx + (y - from[1]!) * dy) / length));
  return Math.hypot(x - from[0]! - t * dx, y - from[1]! - t * dy);
}
