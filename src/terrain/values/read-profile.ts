import type { LonLat } from '../../geo/index.ts';
import type { Ticket } from '../../pool/index.ts';
import type { LineSample } from './profile-line.ts';
import { sampleLine, toRuns } from './profile-line.ts';
import type { ReadGrid } from './read-grid.ts';

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

/** Samples that are read in one window: a diagonal of so many pixels covers a quarter of a million. */
const MAX_RUN = 512;

/** Builds the reading of profiles. Heights are as fine as the distance between two samples. */
export const makeReadProfile =
  (readGrid: ReadGrid): ReadProfile =>
  async ({ line, samples }, ticket) => {
    const positions = sampleLine(line, samples);
    const heights = new Float32Array(samples);
    for (const { first, grid } of toRuns(positions, MAX_RUN)) {
      heights.set(await readGrid({ grid, method: 'bilinear', isFiltered: false }, ticket), first);
    }
    const points = positions.map((position, i) => ({ ...position, heightM: toHeight(heights[i] as number) }));
    return { lengthM: positions.at(-1)?.distanceM ?? 0, points, ...summarize(points) };
  };

const toHeight = (value: number): number | null => (Number.isNaN(value) ? null : value);

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
