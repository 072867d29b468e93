import proj4 from 'proj4';
import { projDefinition } from './crs.ts';

/** A position of a reference system: x to the east (longitude), y to the north (latitude), whatever EPSG says. */
export type Position = [x: number, y: number];

/** The way between two reference systems; a position without a counterpart gives [NaN, NaN], never an exception. */
export interface Projection {
  forward(x: number, y: number): Position;
  inverse(x: number, y: number): Position;
}

/** Ways made so far: reading a definition costs more than projecting all nodes of a tile. */
const made = new Map<string, Projection>();

/** The way between two reference systems given by EPSG code; a code we do not know throws `unknown-crs`. */
export function makeProjection(fromEpsg: number, toEpsg: number): Projection {
  const key = `${fromEpsg} ${toEpsg}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const projection = buildProjection(fromEpsg, toEpsg);
  made.set(key, projection);
  return projection;
}

function buildProjection(fromEpsg: number, toEpsg: number): Projection {
  const from = projDefinition(fromEpsg);
  const to = projDefinition(toEpsg);
  const converter = fromEpsg === toEpsg ? identity : proj4(from, to);
  const isFromDegrees = fromEpsg === 4326;
  const isToDegrees = toEpsg === 4326;
  return {
    forward: (x, y) => convert(converter.forward, isFromDegrees, x, y),
    inverse: (x, y) => convert(converter.inverse, isToDegrees, x, y),
  };
}

type Conversion = (position: number[]) => number[];
const identity: { forward: Conversion; inverse: Conversion } = { forward: (p) => p, inverse: (p) => p };

// Four positional parameters: this runs for every node of every grid.
function convert(conversion: Conversion, isDegrees: boolean, x: number, y: number): Position {
  // proj4 throws on what is not finite, and computes on merrily beyond the poles.
  if (!Number.isFinite(x) || !Number.isFinite(y) || (isDegrees && Math.abs(y) > 90))
    return [Number.NaN, Number.NaN];
  const [toX = Number.NaN, toY = Number.NaN] = conversion([x, y]);
  return Number.isFinite(toX) && Number.isFinite(toY) ? [toX, toY] : [Number.NaN, Number.NaN];
}
