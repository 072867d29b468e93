import proj4 from 'proj4';
import { unsupported } from '../errors.ts';
import { WGS84_RADIUS_M } from '../geo/index.ts';
import { makeLru } from '../lru.ts';
import type { CrsId } from './crs.ts';
import { projDefinition } from './crs.ts';
import { isKnownProjection } from './parse-definition.ts';
import { fromMercator, toMercator, UNBOUNDED_MERCATOR } from './unbounded-mercator.ts';

/**
 * A position in a reference system: x to the east (longitude), y to the north (latitude), whatever axis order EPSG
 * defines.
 */
export type Position = [x: number, y: number];

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
