import { makePause } from '../../async/index.ts';
import type { LonLat } from '../../geo/index.ts';
import type { Ticket } from '../../pool/index.ts';
import type { Location, ReadElevation } from './read-elevation.ts';

/** One sample of a profile. */
interface ProfilePoint extends LineSample {
  /** In metres; null where it is not known. */
  readonly heightM: number | null;
}

/** Heights along a line. */
export interface Profile {
  readonly lengthM: number;
  readonly points: readonly ProfilePoint[];
  /** Of the known heights; null if there are none. */
  readonly minM: number | null;
  readonly maxM: number | null;
  /** Sums of all rises and of all falls from one known height to the next. */
  readonly ascentM: number;
  readonly descentM: number;
}

/** Reads the heights at so many samples of a line, at equal distances. */
export type ReadProfile = (request: ProfileRequest, ticket: Ticket) => Promise<Profile>;

/** A line, and at how many places its heights are read. */
export interface ProfileRequest {
  readonly line: readonly LonLat[];
  readonly samples: number;
}

/** Builds the reading of profiles: every height is that of a point. */
export const makeReadProfile =
  (readElevation: ReadElevation): ReadProfile =>
  async ({ line, samples }, ticket) => {
    const positions = sampleLine(line, samples);
    const points: ProfilePoint[] = [];
    // One after the other: a request has one slot of the pool, as it has one at the front door.
    const pause = makePause();
    for (const position of positions) {
      // Cached heights resolve at once: two thousand of them in a row would block other requests.
      await pause();
      points.push({ ...position, heightM: await readElevation(toLocation(position), ticket) });
    }
    return { lengthM: positions.at(-1)?.distanceM ?? 0, points, ...summarize(points) };
  };

/** Where a sample lies, with its longitude within ±180. */
export const toLocation = ({ lat, lon }: LineSample): Location => ({
  lat,
  lon: lon - 360 * Math.round(lon / 360),
});

function summarize(points: readonly ProfilePoint[]): Omit<Profile, 'lengthM' | 'points'> {
  const known = points.flatMap(({ heightM }) => (heightM === null ? [] : [heightM]));
  let [ascentM, descentM] = [0, 0];
  for (let i = 1; i < known.length; i++) {
    const rise = (known[i] as number) - (known[i - 1] as number);
    if (rise > 0) ascentM += rise;
    else descentM -= rise;
  }
  if (known.length === 0) return { minM: null, maxM: null, ascentM, descentM };
  return { minM: Math.min(...known), maxM: Math.max(...known), ascentM, descentM };
}

/** Mean radius of the Earth (IUGG), in metres. */
const RADIUS_M = 6_371_008.8;
const RAD = Math.PI / 180;

/** The distance of two locations on a sphere, in metres. */
export function distanceM([lon1, lat1]: LonLat, [lon2, lat2]: LonLat): number {
  const half = (degrees: number): number => Math.sin((degrees * RAD) / 2) ** 2;
  const chord = half(lat2 - lat1) + Math.cos(lat1 * RAD) * Math.cos(lat2 * RAD) * half(lon2 - lon1);
  return 2 * RADIUS_M * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** A sample of a line. */
interface LineSample {
  /** Longitudes may exceed ±180 after the antimeridian was crossed. */
  readonly lon: number;
  readonly lat: number;
  /** From the start of the line, in metres. */
  readonly distanceM: number;
}

/** Legs are cut to this length: in between, distances grow evenly with degrees. */
const PIECE_DEG = 0.25;

/** Samples of a line at equal distances, both ends included; edges are straight in degrees and take the short way round. */
export function sampleLine(line: readonly LonLat[], count: number): readonly LineSample[] {
  const vertices = densify(unwrap(line));
  const starts = [0];
  for (let i = 1; i < vertices.length; i++) {
    starts.push((starts[i - 1] as number) + distanceM(vertices[i - 1] as LonLat, vertices[i] as LonLat));
  }
  const total = starts.at(-1) as number;
  let leg = 0;
  return Array.from({ length: count }, (_, i) => {
    const distance = count === 1 ? 0 : (total * i) / (count - 1);
    while (leg < vertices.length - 2 && (starts[leg + 1] as number) < distance) leg += 1;
    const [from, to] = [vertices[leg] as LonLat, vertices[leg + 1] as LonLat];
    const [start, end] = [starts[leg] as number, starts[leg + 1] as number];
    const part = end > start ? (distance - start) / (end - start) : 0;
    return {
      lon: from[0] + (to[0] - from[0]) * part,
      lat: from[1] + (to[1] - from[1]) * part,
      distanceM: distance,
    };
  });
}

/** The line without leaps: an edge that spans more than half the globe goes the other way round. */
function unwrap(line: readonly LonLat[]): readonly LonLat[] {
  let turn = 0;
  return line.map(([lon, lat], i): LonLat => {
    const before = line[i - 1];
    if (before !== undefined && Math.abs(lon - before[0]) > 180) turn += lon > before[0] ? -360 : 360;
    return [lon + turn, lat];
  });
}

function densify(line: readonly LonLat[]): readonly LonLat[] {
  const dense: LonLat[] = [line[0] as LonLat];
  for (let i = 1; i < line.length; i++) {
    const [from, to] = [line[i - 1] as LonLat, line[i] as LonLat];
    const pieces = Math.max(
      1,
      Math.ceil(Math.max(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1])) / PIECE_DEG),
    );
    for (let j = 1; j <= pieces; j++) {
      dense.push([from[0] + ((to[0] - from[0]) * j) / pieces, from[1] + ((to[1] - from[1]) * j) / pieces]);
    }
  }
  return dense;
}
