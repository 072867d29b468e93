import proj4 from 'proj4';
import type { Affine, Bounds, Grid, Lattice } from '../geo/index.ts';
import { applyAffine, invertAffine, MERCATOR_HALF_SIDE_M, WGS84_RADIUS_M } from '../geo/index.ts';
import { makeLru } from '../lru.ts';
import type { CrsId, Position } from './crs.ts';
import { isKnownProjection, projDefinition } from './crs.ts';
import { unsupported } from './errors.ts';
import { makeLatticeMapping } from './lattice-mapping.ts';

/**
 * The transformation between two reference systems; a position without a counterpart gives [NaN, NaN], never an
 * exception.
 */
export interface Projection {
  forward(x: number, y: number): Position;
  inverse(x: number, y: number): Position;
  /** True when the target system uses longitudes and latitudes. */
  readonly toDegrees: boolean;
  /** Set for closed formulas: computing a position again costs less than remembering it. */
  readonly isDirect?: true;
}

/**
 * Cached transformations: parsing a definition costs more than projecting all nodes of a tile. Far more pairs than a
 * service sees; bounded because users can send definitions as text.
 */
const made = makeLru<Projection>({ max: 512 });

/**
 * The transformation between two reference systems, given by EPSG code or as text (see `CrsId`); an unknown one throws
 * `unknown-crs`, a malformed text `bad-crs`.
 */
export const makeProjection = (from: CrsId, to: CrsId): Projection =>
  made.remember(JSON.stringify([from, to]), () => buildProjection(from, to));

/** The fields we use of a system parsed by proj4. */
interface System {
  readonly names: readonly string[];
  readonly a: number;
  readonly es: number;
  readonly datum: { datum_type: number };
  forward: Step;
  inverse: Step;
}

/** One direction of a projection between radians and metres; proj4 writes the result into its argument. */
type Step = (position: { x: number; y: number }) => { x: number; y: number };

function buildProjection(fromId: CrsId, toId: CrsId): Projection {
  // Many times faster than proj4, and low zoom levels project a hundred thousand positions a tile.
  if (fromId === UNBOUNDED_MERCATOR && toId === 4326)
    return { forward: fromMercator, inverse: toMercator, toDegrees: true, isDirect: true };
  const from = readSystem(fromId);
  const to = readSystem(toId);
  const converter = fromId === toId ? identity : proj4(from as never, to as never);
  return {
    forward: (x, y) => convert(converter.forward, isDegrees(from), x, y),
    inverse: (x, y) => convert(converter.inverse, isDegrees(to), x, y),
    toDegrees: isDegrees(to),
  };
}

const isDegrees = ({ names }: System): boolean => names.includes('longlat');

/** proj4's numbers for the kinds of datums. */
const DATUM = { wgs84: 4, none: 5 } as const;

function readSystem(crs: CrsId): System {
  const definition = projDefinition(crs);
  let system: System;
  try {
    system = new proj4.Proj(definition) as unknown as System;
  } catch (cause) {
    throw unsupported('unknown-crs', 'The reference system cannot be read.', { cause });
  }
  // proj4 copies every word of a WKT into the system, and treats a system with an x as a position.
  if ('x' in system) throw unsupported('unknown-crs', 'The reference system has a part that is unknown: x.');
  if (!system.names.some(isKnownProjection)) {
    throw unsupported('unknown-crs', `The projection "${system.names[0]}" is unknown.`);
  }
  if (!(system.a > 0 && system.a < 1e9 && system.es >= 0 && system.es < 1)) {
    throw unsupported('unknown-crs', 'The reference system has no usable ellipsoid.');
  }
  // For another ellipsoid (e.g. a sphere) without a datum, proj4 treats latitudes as geocentric ones of WGS 84 and
  // moves them by up to 20 km. PROJ leaves them unchanged, and so do we.
  const isLikeWgs84 = Math.abs(system.a - WGS84_RADIUS_M) < 1 && Math.abs(system.es - 0.00669438) < 1e-8;
  if (system.datum.datum_type === DATUM.wgs84 && !isLikeWgs84) system.datum.datum_type = DATUM.none;
  system.forward = withNowhere(system.forward);
  system.inverse = withNowhere(system.inverse);
  if (system.names.includes('laea')) system.inverse = refine(system);
  return system;
}

/** proj4's steps return null where a position has no counterpart, and then fail on it themselves. */
function withNowhere(step: (...position: Parameters<Step>) => ReturnType<Step> | null): Step {
  return function (this: System, position) {
    return step.call(this, position) ?? { x: Number.NaN, y: Number.NaN };
  };
}

/**
 * The inverse, corrected by the error of the round trip: proj4's series for this projection is accurate only to two
 * millimetres.
 */
function refine({ forward, inverse }: System): Step {
  return function (this: System, { x, y }) {
    const again = forward.call(this, inverse.call(this, { x, y }));
    return inverse.call(this, { x: 2 * x - again.x, y: 2 * y - again.y });
  };
}

type Conversion = (position: number[]) => number[];
const identity: { forward: Conversion; inverse: Conversion } = { forward: (p) => p, inverse: (p) => p };

// Four positional parameters: this runs for every node of every grid.
function convert(conversion: Conversion, isDegrees: boolean, x: number, y: number): Position {
  // proj4 throws on numbers that are not finite, and computes nonsense beyond the poles.
  if (!Number.isFinite(x) || !Number.isFinite(y) || (isDegrees && Math.abs(y) > 90))
    return [Number.NaN, Number.NaN];
  const [toX = Number.NaN, toY = Number.NaN] = conversion([x, y]);
  return Number.isFinite(toX) && Number.isFinite(toY) ? [toX, toY] : [Number.NaN, Number.NaN];
}

/** Segments per side: curved sides bulge between corners, and 32 segments leave a thousandth of the bulge. */
const PIECES = 32;

/** Systems that span the globe, and its circumference in their units. */
const turns: ReadonlyMap<number, number> = new Map([
  [3857, 2 * MERCATOR_HALF_SIDE_M],
  [4326, 360],
]);

/**
 * The bounding rectangle of a rectangle of another system, both by EPSG code; null where a part of its edge has no
 * counterpart. It stays in one piece across the antimeridian, and may then extend beyond ±180°.
 */
export function projectBounds(bounds: Bounds, from: number, to: number): Bounds | null {
  if (from === to) return bounds;
  const { minX, minY, maxX, maxY } = bounds;
  const { forward } = makeProjection(from, to);
  const [fromTurn, toTurn] = [turns.get(from), turns.get(to)];
  const [middleX] = forward((minX + maxX) / 2, (minY + maxY) / 2);
  const toX = (x: number, projected: number): number => {
    if (toTurn === undefined) return projected;
    // Between two systems that span the globe, x only changes its scale.
    if (fromTurn !== undefined) return (x / fromTurn) * toTurn;
    return projected - toTurn * Math.round((projected - middleX) / toTurn);
  };
  // Between such systems sides stay straight, so that corners are enough.
  const pieces = fromTurn === undefined || toTurn === undefined ? PIECES : 1;
  const [xs, ys]: [number[], number[]] = [[], []];
  for (const [x, y] of edgesOf(bounds, pieces)) {
    const [projectedX, projectedY] = forward(x, y);
    if (Number.isNaN(projectedX) || Number.isNaN(projectedY)) return null;
    xs.push(toX(x, projectedX));
    ys.push(projectedY);
  }
  return { minX: Math.min(...xs), minY: Math.min(...ys), maxX: Math.max(...xs), maxY: Math.max(...ys) };
}

function* edgesOf(
  { minX, minY, maxX, maxY }: Bounds,
  pieces: number,
): Generator<readonly [x: number, y: number]> {
  for (let i = 0; i <= pieces; i++) {
    const x = minX + ((maxX - minX) * i) / pieces;
    const y = minY + ((maxY - minY) * i) / pieces;
    yield* [
      [x, minY],
      [x, maxY],
      [minX, y],
      [maxX, y],
    ] as const;
  }
}

/**
 * Web Mercator without the jump at the antimeridian: x goes on beyond the edge of the map, and so do longitudes. The
 * pixel next to the edge of a tile of the first column lies there.
 */
export const UNBOUNDED_MERCATOR = `+proj=merc +a=${WGS84_RADIUS_M} +b=${WGS84_RADIUS_M} +units=m +over +no_defs`;

const DEG = 180 / Math.PI;

/** From metres on the map to degrees; longitudes beyond the map exceed ±180. */
export function fromMercator(x: number, y: number): [lon: number, lat: number] {
  if (!Number.isFinite(x) || !Number.isFinite(y)) return [Number.NaN, Number.NaN];
  return [(x / WGS84_RADIUS_M) * DEG, Math.atan(Math.sinh(y / WGS84_RADIUS_M)) * DEG];
}

/** From degrees to metres on the map; the poles have no position on it. */
export function toMercator(lon: number, lat: number): [x: number, y: number] {
  if (!Number.isFinite(lon) || !(Math.abs(lat) < 90)) return [Number.NaN, Number.NaN];
  return [(lon / DEG) * WGS84_RADIUS_M, Math.asinh(Math.tan(lat / DEG)) * WGS84_RADIUS_M];
}

/**
 * A grid that may be irregular on the ground: a lattice of control points overrides `transform`, which is then only the
 * affine nearest to it. Plain JSON, like the grid itself.
 */
export interface GeoreferencedGrid extends Grid {
  readonly lattice?: Lattice | null;
}

/** The exact mapping between the pixels of two grids. */
export interface PixelMapping {
  /** From a pixel position of the target to one of the source; [NaN, NaN] where there is none. */
  toSource(col: number, row: number): Position;
  /** The inverse. */
  toTarget(col: number, row: number): Position;
  /** How many pixels column 0 and row 0 of the target lie from the origin of its reference system. */
  readonly targetOffset: Position;
  /** Whether positions are cheap to compute again. */
  readonly isDirect: boolean;
}

/** Builds the mapping between two grids; an unknown reference system or a singular affine throws. */
export function makePixelMapping(target: Grid, source: GeoreferencedGrid): PixelMapping {
  const projection = makeProjection(target.proj ?? target.epsg, source.proj ?? source.epsg);
  const { toImage, toGround } = makeSourceMapping(source, projection);
  const fromWorldOfTarget = makeWorldToPixel(target.transform);
  const { toWorld, offset } = anchor(target.transform);
  return {
    toSource: (col, row) => toImage(...projection.forward(...toWorld(col, row))),
    toTarget: (col, row) => fromWorldOfTarget(...projection.inverse(...toGround(col, row))),
    targetOffset: offset,
    isDirect: projection.isDirect === true && source.lattice == null,
  };
}

/** Between the pixels of the source and its own reference system, the target of `projection`. */
function makeSourceMapping(source: GeoreferencedGrid, projection: Projection) {
  if (source.lattice != null) return makeLatticeMapping(source.lattice, source, projection.toDegrees);
  return {
    toImage: makeWorldToPixel(source.transform),
    toGround: (col: number, row: number) => applyAffine(source.transform, col, row),
  };
}

function makeWorldToPixel(affine: Affine): (x: number, y: number) => Position {
  const inverse = invertAffine(affine);
  const [originX, , , originY] = affine;
  // The origin is subtracted first: in `inverse` it is rounded to too few digits for a pixel.
  return (x, y) => [
    (x - originX) * inverse[1] + (y - originY) * inverse[2],
    (x - originX) * inverse[4] + (y - originY) * inverse[5],
  ];
}

/** A grid counts as aligned with the origin of its reference system up to this fraction of a pixel. */
const ALIGNED_PX = 1e-6;

/**
 * Counts pixels from the origin of the reference system instead of from the image's own corner. Tiles of one zoom level
 * lie on one such lattice, so a position on their common edge is the same number to the last bit in both, and so is
 * everything computed from it. Rotated grids have no common lattice and count from their own corner.
 */
function anchor(affine: Affine): { toWorld: (col: number, row: number) => Position; offset: Position } {
  const [originX, pixelWidth, rowShear, originY, colShear, pixelHeight] = affine;
  if (rowShear !== 0 || colShear !== 0) {
    return { toWorld: (col, row) => applyAffine(affine, col, row), offset: [0, 0] };
  }
  const offsetX = snap(originX / pixelWidth);
  const offsetY = snap(originY / pixelHeight);
  return {
    toWorld: (col, row) => [(offsetX + col) * pixelWidth, (offsetY + row) * pixelHeight],
    offset: [offsetX, offsetY],
  };
}

function snap(value: number): number {
  const whole = Math.round(value);
  return Math.abs(value - whole) <= ALIGNED_PX ? whole : value;
}
