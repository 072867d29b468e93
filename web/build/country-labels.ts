/** Where the name of each country is written, and what part of the map shows it: from the countries of `world-atlas`. */
import type { Country } from '../places/places-file.ts';
import type { LonLat, Topology, TopologyGeometry } from './world-geojson.ts';
import { arcLine, decodeArcs, polygonsOf, simplifyLine, unwrapRing } from './world-geojson.ts';

interface CountryGeometry extends TopologyGeometry {
  /** ISO 3166 number; a few disputed areas have none. */
  readonly id?: string;
}

const shrinkAt = (lat: number): number => Math.cos((lat * Math.PI) / 180);

/** Lambert's cylinder keeps areas: latitudes become their sines. */
const toEqualArea = ([lon, lat]: LonLat): LonLat => [lon, (Math.sin((lat * Math.PI) / 180) * 180) / Math.PI];

/** The size of a ring in square degrees of the equator. */
const areaOf = (ring: readonly LonLat[]): number =>
  Math.abs(
    ring.map(toEqualArea).reduce((sum, [x, y], i, all) => {
      const [nextX, nextY] = all[(i + 1) % all.length] ?? [x, y];
      return sum + (x * nextY - nextX * y);
    }, 0) / 2,
  );

const isInside = ([lon, lat]: LonLat, ring: readonly LonLat[]): boolean => {
  let isIn = false;
  ring.forEach(([x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length] ?? [x, y];
    if (y > lat !== nextY > lat && lon < ((nextX - x) * (lat - y)) / (nextY - y) + x) isIn = !isIn;
  });
  return isIn;
};

/** Enough for a place to write a name. */
const TOLERANCE_DEG = 0.05;
/** Points of a grid over the ring that are tried. */
const STEPS = 24;

/** The inner point that is farthest from the outline, about: a centroid can lie outside, as Croatia's does. */
const toLabelPoint = (ring: readonly LonLat[]): LonLat => {
  const lons = ring.map(([lon]) => lon);
  const lats = ring.map(([, lat]) => lat);
  const [west, east, south, north] = [
    Math.min(...lons),
    Math.max(...lons),
    Math.min(...lats),
    Math.max(...lats),
  ];
  const shrink = shrinkAt((south + north) / 2);
  let best: LonLat = ring[0] ?? [0, 0];
  let bestDistance = -1;
  for (let row = 1; row < STEPS; row++) {
    for (let column = 1; column < STEPS; column++) {
      const point: LonLat = [
        west + ((east - west) * column) / STEPS,
        south + ((north - south) * row) / STEPS,
      ];
      if (!isInside(point, ring)) continue;
      const distance = ring.reduce(
        // A name is wide and low, so room to the sides counts less than room above and below.
        (least, [lon, lat]) => Math.min(least, Math.hypot(((lon - point[0]) * shrink) / 2, lat - point[1])),
        Infinity,
      );
      if (distance > bestDistance) [best, bestDistance] = [point, distance];
    }
  }
  return best;
};

const toDegrees = (value: number): number => Math.round(value * 100) / 100;

/** The code of two letters for a number: `276` is `DE`. */
const toCode = (number: string): string | null =>
  /^und-([A-Z]{2})$/.exec(Intl.getCanonicalLocales(`und-${number}`)[0] ?? '')?.[1] ?? null;

/** All countries that have a code, largest first. */
export const toCountries = (topology: Topology): readonly Country[] => {
  const { countries } = topology.objects;
  if (countries === undefined) throw new Error('The topology has no "countries".');
  const arcs = decodeArcs(topology).map((arc) => simplifyLine(arc, TOLERANCE_DEG));
  const found = (countries.geometries ?? []).flatMap((geometry): Country[] => {
    const { id } = geometry as CountryGeometry;
    const code = id === undefined ? null : toCode(id);
    if (code === null) return [];
    const rings = polygonsOf(geometry).map(([outer = []]) =>
      unwrapRing(outer.flatMap((index, i) => arcLine(arcs, index).slice(i === 0 ? 0 : 1))),
    );
    const [ring] = rings.toSorted((a, b) => areaOf(b) - areaOf(a));
    if (ring === undefined) return [];
    const [lon, lat] = toLabelPoint(ring);
    const lons = ring.map((position) => position[0]);
    const lats = ring.map((position) => position[1]);
    const box = [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)] as const;
    const [west, south, east, north] = box;
    return [
      {
        code,
        lon: toDegrees(lon),
        lat: toDegrees(lat),
        box: [toDegrees(west), toDegrees(south), toDegrees(east), toDegrees(north)],
        area: Number(areaOf(ring).toPrecision(3)),
      },
    ];
  });
  return found.toSorted((a, b) => b.area - a.area);
};
