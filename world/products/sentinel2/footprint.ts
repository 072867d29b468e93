import { badInput } from '../../../src/errors.ts';
import { makeProjection } from '../../../src/proj/index.ts';
import { epsg, frame } from '../../setting.ts';
import type { BandGroup } from './band-groups.ts';
import type { Sentinel2Plan, SwathEdge } from './plan.ts';

/** Points of a closed ring: eastings and northings, or longitudes and latitudes. */
export type PointRing = readonly (readonly [x: number, y: number])[];

/** Local x of the swath's edge at a local y. */
const edgeXAt = ({ topX, bottomX }: SwathEdge, y: number): number =>
  topX + ((bottomX - topX) * y) / frame.sizeM;

/** How far inside of the swath a location is, in metres along x. */
const insideM = (edge: SwathEdge, x: number, y: number): number =>
  (x - edgeXAt(edge, y)) * (edge.keeps === 'east' ? 1 : -1);

/** What was measured of the window, as a closed ring in eastings and northings, clockwise from the upper left. */
export function toDataRing({ window, swathEdge }: Sentinel2Plan): PointRing {
  const { x, y, width, height } = window;
  const corners = [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ] as const;
  const inside = swathEdge === undefined ? corners : cutOff(corners, swathEdge);
  if (inside.length < 3) throw badInput('bad-window', 'Nothing of the window lies inside of the swath.');
  return [...inside, inside[0]!].map(([px, py]) => [frame.west + px, frame.north - py] as const);
}

/** A convex ring without what lies outside the swath: Sutherland and Hodgman's way. */
function cutOff(
  ring: readonly (readonly [number, number])[],
  edge: SwathEdge,
): (readonly [number, number])[] {
  return ring.flatMap((to, i) => {
    const from = ring.at(i - 1)!;
    const [before, after] = [insideM(edge, ...from), insideM(edge, ...to)];
    const inside = after >= 0 ? [to] : [];
    if (before >= 0 === after >= 0) return inside;
    const share = before / (before - after);
    const crossing = [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share] as const;
    return [crossing, ...inside];
  });
}

/** Sides that are longer bend by metres between the two reference systems. */
const MAX_SIDE_M = 10_000;

/** The same ring in longitudes and latitudes, in points close enough to be joined by straight lines there. */
export function toLonLatRing(ring: PointRing): PointRing {
  const { forward } = makeProjection(epsg, 4326);
  const dense = ring.slice(1).flatMap(([x, y], i) => {
    const [fromX, fromY] = ring[i]!;
    const steps = Math.max(1, Math.ceil(Math.max(Math.abs(x - fromX), Math.abs(y - fromY)) / MAX_SIDE_M));
    return Array.from({ length: steps }, (_, step): [number, number] => [
      fromX + ((x - fromX) * step) / steps,
      fromY + ((y - fromY) * step) / steps,
    ]);
  });
  // a centimetre, so that the last bits of a sine make no difference
  const rounded = dense.map(([x, y]) => {
    const [lon, lat] = forward(x, y);
    return [Number(lon.toFixed(7)), Number(lat.toFixed(7))] as const;
  });
  return [...rounded, rounded[0]!];
}

/** 1 where the middle of a pixel lies outside the swath, for some rows of a group; null when none of them does. */
export function findOutside(
  { window, swathEdge }: Sentinel2Plan,
  { pixelM, width }: BandGroup,
  rows: { readonly row: number; readonly rowCount: number },
): Uint8Array | null {
  if (swathEdge === undefined) return null;
  const outside = new Uint8Array(width * rows.rowCount);
  for (let i = 0; i < rows.rowCount; i++) {
    const y = window.y + (rows.row + i + 0.5) * pixelM;
    for (let column = 0; column < width; column++) {
      const x = window.x + (column + 0.5) * pixelM;
      if (insideM(swathEdge, x, y) < 0) outside[i * width + column] = 1;
    }
  }
  return outside;
}
