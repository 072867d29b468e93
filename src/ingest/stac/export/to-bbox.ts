import type { AreaGeometry } from '../../../geo/index.ts';
import { geometryBounds } from '../../../geo/index.ts';

/** The bounds of an area: west, south, east, north. Across the antimeridian west is larger than east (RFC 7946). */
export function toBbox(area: AreaGeometry): readonly [number, number, number, number] {
  const { west, south, east, north } = geometryBounds(area);
  if (area.type === 'Polygon' || west > -180 || east < 180) return [west, south, east, north];
  const parts = area.coordinates.map((coordinates) => geometryBounds({ type: 'Polygon', coordinates }));
  const [before, after] = [parts.filter((one) => one.west > 0), parts.filter((one) => one.east < 0)];
  if (before.length + after.length < parts.length) return [west, south, east, north];
  return [
    Math.min(...before.map((one) => one.west)),
    south,
    Math.max(...after.map((one) => one.east)),
    north,
  ];
}
