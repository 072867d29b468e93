/**
 * The base map's land and borders: from the shared-arc topology of the `world-atlas` package (Natural Earth, public
 * domain) to plain GeoJSON. Runs at build time only, so the page neither carries a topology reader nor spends time on it.
 */

/** A position in degrees. */
export type LonLat = readonly [lon: number, lat: number];

/** A geometry of a TopoJSON file. */
export interface TopologyGeometry {
  readonly type: string;
  /** Indices into `arcs`, nested by geometry type; `~i` means arc `i` walked backwards. */
  readonly arcs?: unknown;
  readonly geometries?: readonly TopologyGeometry[];
}

/** The parts of a TopoJSON file that are read here. */
export interface Topology {
  /** Quantised points; every point but the first of an arc is a difference from the one before. */
  readonly arcs: readonly (readonly (readonly [number, number])[])[];
  readonly transform: { readonly scale: readonly number[]; readonly translate: readonly number[] };
  readonly objects: Readonly<Record<string, TopologyGeometry>>;
}

interface WorldFeature {
  readonly type: 'Feature';
  /** Land and borders have none. */
  readonly properties: { readonly isWater: true } | null;
  readonly geometry:
    | { readonly type: 'Polygon'; readonly coordinates: readonly (readonly LonLat[])[] }
    | { readonly type: 'LineString'; readonly coordinates: readonly LonLat[] };
}

/** What the base map draws: land as polygons, borders as lines, told apart by their geometry type alone. */
export interface WorldGeoJson {
  readonly type: 'FeatureCollection';
  readonly attribution: string;
  readonly features: readonly WorldFeature[];
}

/** The arcs of a topology in degrees. */
export const decodeArcs = ({ arcs, transform }: Topology): LonLat[][] => {
  const [scaleX = 1, scaleY = 1] = transform.scale;
  const [originX = 0, originY = 0] = transform.translate;
  return arcs.map((arc) => {
    let x = 0;
    let y = 0;
    return arc.map(([dx, dy]): LonLat => {
      x += dx;
      y += dy;
      return [x * scaleX + originX, y * scaleY + originY];
    });
  });
};

/** Distance in degrees of latitude from `point` to the segment `from`–`to`, longitudes shrunk as they are on the ground. */
const distanceToSegment = (point: LonLat, from: LonLat, to: LonLat): number => {
  const shrink = Math.cos((((from[1] + to[1]) / 2) * Math.PI) / 180);
  const ux = (to[0] - from[0]) * shrink;
  const uy = to[1] - from[1];
  const vx = (point[0] - from[0]) * shrink;
  const vy = point[1] - from[1];
  const lengthSquared = ux * ux + uy * uy;
  const along = lengthSquared === 0 ? 0 : Math.max(0, Math.min(1, (vx * ux + vy * uy) / lengthSquared));
  return Math.hypot(vx - along * ux, vy - along * uy);
};

/** Douglas–Peucker on one line; both ends always stay, so arcs that met before still meet. */
export const simplifyLine = (line: readonly LonLat[], toleranceDeg: number): LonLat[] => {
  const isRetained = new Uint8Array(line.length);
  isRetained[0] = 1;
  isRetained[line.length - 1] = 1;
  const spans: [number, number][] = [[0, line.length - 1]];
  for (let span = spans.pop(); span !== undefined; span = spans.pop()) {
    const [first, last] = span;
    let farthest = first;
    let farthestDeg = toleranceDeg;
    for (let i = first + 1; i < last; i++) {
      const distanceDeg = distanceToSegment(line[i]!, line[first]!, line[last]!);
      if (distanceDeg > farthestDeg) {
        farthest = i;
        farthestDeg = distanceDeg;
      }
    }
    if (farthest !== first) {
      isRetained[farthest] = 1;
      spans.push([first, farthest], [farthest, last]);
    }
  }
  return line.filter((_, i) => isRetained[i] === 1);
};

/** An arc, or the same one backwards: negative numbers name those. */
export const arcLine = (arcs: readonly LonLat[][], index: number): readonly LonLat[] =>
  index < 0 ? (arcs[~index] ?? []).toReversed() : (arcs[index] ?? []);

/**
 * Lets longitudes run past ±180° instead of jumping, because the map reads them as a plane; a ring that goes once
 * around the earth (Antarctica) is closed along its pole.
 */
export const unwrapRing = (ring: readonly LonLat[]): LonLat[] => {
  let turnDeg = 0;
  const unwrapped = ring.map(([lon, lat], i): LonLat => {
    const stepDeg = i === 0 ? 0 : lon - ring[i - 1]![0];
    if (stepDeg > 180) turnDeg -= 360;
    if (stepDeg < -180) turnDeg += 360;
    return [lon + turnDeg, lat];
  });
  const first = unwrapped[0];
  const last = unwrapped.at(-1);
  if (first === undefined || last === undefined || Math.abs(last[0] - first[0]) < 180) return unwrapped;
  const poleLat = first[1] < 0 ? -90 : 90;
  return [...unwrapped, [last[0], poleLat], [first[0], poleLat], first];
};

const lonRange = (ring: readonly LonLat[]): [west: number, east: number] =>
  ring.reduce<[number, number]>(
    ([west, east], [lon]) => [Math.min(west, lon), Math.max(east, lon)],
    [999, -999],
  );

/** Moves a hole by a whole turn when its unwrapped ring ended up next to the ring that encloses it. */
const alignHole = (hole: readonly LonLat[], outer: readonly LonLat[]): LonLat[] => {
  const [west, east] = lonRange(outer);
  const [holeWest, holeEast] = lonRange(hole);
  const turnDeg = [0, 360, -360].find((turn) => holeWest + turn >= west && holeEast + turn <= east) ?? 0;
  return hole.map(([lon, lat]): LonLat => [lon + turnDeg, lat]);
};

/** The polygons of a geometry, as numbers of arcs. */
export const polygonsOf = (geometry: TopologyGeometry): number[][][] => {
  if (geometry.type === 'GeometryCollection') return (geometry.geometries ?? []).flatMap(polygonsOf);
  if (geometry.type === 'Polygon') return [geometry.arcs as number[][]];
  if (geometry.type === 'MultiPolygon') return geometry.arcs as number[][][];
  return [];
};

/** Arcs that two different countries share: a border, not a coast. */
const borderArcs = (countries: TopologyGeometry): number[] => {
  const owners = new Map<number, number>();
  const shared = new Set<number>();
  (countries.geometries ?? []).forEach((country, owner) => {
    for (const index of polygonsOf(country).flat(2)) {
      const arc = index < 0 ? ~index : index;
      const other = owners.get(arc);
      if (other !== undefined && other !== owner) shared.add(arc);
      owners.set(arc, owner);
    }
  });
  return [...shared];
};

/** Natural Earth asks for nothing; the package that carries it is under the ISC licence, which asks to be named. */
const ATTRIBUTION =
  'Made with Natural Earth (public domain), from world-atlas (ISC licence, Copyright 2013-2019 Michael Bostock)';

/** 0.001° is about 110 m: finer digits would only make the file larger than what the tolerance leaves. */
export const round = ([lon, lat]: LonLat): LonLat => [
  Math.round(lon * 1000) / 1000,
  Math.round(lat * 1000) / 1000,
];

/** Land polygons and country borders of a `world-atlas` topology, simplified to `toleranceDeg`. */
export const toWorldGeoJson = (topology: Topology, toleranceDeg: number): WorldGeoJson => {
  const { land, countries } = topology.objects;
  if (land === undefined || countries === undefined) {
    throw new Error('The topology has no "land" and "countries": is it a countries file of world-atlas 2?');
  }
  const arcs = decodeArcs(topology).map((arc) => simplifyLine(arc, toleranceDeg));
  const toRing = (indices: readonly number[]): LonLat[] =>
    unwrapRing(indices.flatMap((index, i) => arcLine(arcs, index).slice(i === 0 ? 0 : 1)));

  const features: WorldFeature[] = [];
  for (const polygon of polygonsOf(land)) {
    // An islet smaller than the tolerance collapses to fewer than three corners: there is nothing left to fill.
    const [outer, ...holes] = polygon.map(toRing).filter((ring) => ring.length >= 4);
    if (outer === undefined) continue;
    const coordinates = [outer, ...holes.map((hole) => alignHole(hole, outer))].map((ring) =>
      ring.map(round),
    );
    features.push({ type: 'Feature', properties: null, geometry: { type: 'Polygon', coordinates } });
  }
  for (const index of borderArcs(countries)) {
    const coordinates = arcLine(arcs, index).map(round);
    features.push({ type: 'Feature', properties: null, geometry: { type: 'LineString', coordinates } });
  }
  return { type: 'FeatureCollection', attribution: ATTRIBUTION, features };
};
