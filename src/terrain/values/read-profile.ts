import { makePause } from '../../async/index.ts';
import type { LonLat } from '../../geo/index.ts';
import type { Ticket } from '../../pool/index.ts';
import type { LineSample } from './profile-line.ts';
import { sampleLine } from './profile-line.ts';
import type { ReadElevation } from './read-elevation.ts';

/** One sample of a profile. */
export interface ProfilePoint extends LineSample {
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
export type ReadProfile = (
  request: { readonly line: readonly LonLat[]; readonly samples: number },
  ticket: Ticket,
) => Promise<Profile>;

/** Builds the reading of profiles: every height is that of a point. */
export const makeReadProfile =
  (readElevation: ReadElevation): ReadProfile =>
  async ({ line, samples }, ticket) => {
    const positions = sampleLine(line, samples);
    const points: ProfilePoint[] = [];
    // One after the other: a request has one slot of the pool, as it has one at the front door.
    const pause = makePause();
    for (const position of positions) {
      // Heights that are remembered come without a wait: two thousand of them would hold up everyone else.
      await pause();
      const location = { lat: position.lat, lon: position.lon - 360 * Math.round(position.lon / 360) };
      points.push({ ...position, heightM: await readElevation(location, ticket) });
    }
    return { lengthM: positions.at(-1)?.distanceM ?? 0, points, ...summarize(points) };
  };

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
