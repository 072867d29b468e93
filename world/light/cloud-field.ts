import type { Noise } from '../numbers/noise.ts';
import { makeNoise, random } from '../numbers/noise.ts';
import { cos, sin } from '../numbers/steady-math.ts';
import { frame } from '../setting/frame.ts';
import type { SkyPlan } from './exposure.ts';

/** The clouds of a moment as functions of the location, so that all pictures of the moment agree. */
export interface CloudField {
  /** Above 0 inside opaque clouds, growing with their thickness; `finestM` says how fine a structure is wanted. */
  opaqueAt(x: number, y: number, finestM: number): number;
  /** Above 0 inside cirrus, growing with its thickness. */
  cirrusAt(x: number, y: number): number;
  /** Height of the clouds' flat bases, and of their tops on average. */
  readonly baseM: number;
  readonly topM: number;
}

/** The finest lumps of clouds that are computed. */
const finestLumpM = 80;

/** Locations along each side of the world at which the share of the sky is measured. */
const probes = 150;

/** Makes the clouds of a plan; their shares of the whole world are those of the plan within a percent or two. */
export function makeCloudField(plan: SkyPlan): CloudField {
  const { seed, opaque } = plan;
  const noise = makeNoise(seed);
  const bulk = makeBulk(noise, opaque);
  const veil = makeVeil(noise, random(3, 0, seed) * Math.PI);
  const bulkFrom = thresholdOf((x, y) => bulk(x, y, finestLumpM, -Infinity), opaque);
  const veilFrom = thresholdOf(veil, plan.cirrus);
  // Fair-weather clouds float higher than the decks that bring rain.
  const baseM = 800 + 900 * random(1, 0, seed) + 500 * (1 - opaque);
  return {
    opaqueAt: (x, y, finestM) => bulk(x, y, Math.max(finestM, finestLumpM), bulkFrom) - bulkFrom,
    cirrusAt: (x, y) => veil(x, y) - veilFrom,
    baseM,
    topM: baseM + 500 + 1200 * opaque,
  };
}

/** Value that a share of the world lies above. */
function thresholdOf(field: (x: number, y: number) => number, share: number): number {
  if (share <= 0) return Infinity;
  if (share >= 1) return -9;
  const stepM = frame.sizeM / probes;
  const values = new Float64Array(probes * probes);
  for (let row = 0; row < probes; row++) {
    for (let col = 0; col < probes; col++) {
      values[row * probes + col] = field((col + 0.5) * stepM, (row + 0.5) * stepM);
    }
  }
  values.sort();
  return values[Math.round((1 - share) * (values.length - 1))]!;
}

/**
 * Opaque clouds: lumps upon lumps. Where few are planned they are small and gather in groups, as cumulus does; where
 * many are, they are banks as wide as weather fronts. Far below `from` the fine lumps, which could not lift a location
 * above it, are left out.
 */
function makeBulk({ gradient }: Noise, share: number) {
  const spread = Math.min(1, Math.max(0, (share - 0.1) / 0.5));
  const lumpM = 4200 + 16_000 * spread * spread;
  return (x: number, y: number, finestM: number, from: number): number => {
    let sum = 0.5 * gradient(x / 38_000, y / 38_000, 1);
    let strength = 0.5;
    let px = x / lumpM;
    let py = y / lumpM;
    let wavelengthM = lumpM;
    for (let octave = 0; wavelengthM >= finestM; octave++) {
      sum += strength * gradient(px, py, 11 + octave);
      strength *= 0.56;
      // All octaves to come together add at most about 1.3 times the next one.
      if (sum + 1.3 * strength < from) break;
      // Turning each octave by a 3-4-5 angle hides the lattice directions.
      const turned = (px * 0.8 - py * 0.6) * 2;
      py = (px * 0.6 + py * 0.8) * 2;
      px = turned;
      wavelengthM /= 2;
    }
    return sum;
  };
}

/** Cirrus: streaks along the high wind, frayed by coarser swirls. */
function makeVeil({ gradient }: Noise, direction: number) {
  const along = cos(direction);
  const across = sin(direction);
  return (x: number, y: number): number => {
    const swirl = gradient(x / 24_000, y / 24_000, 31);
    const u = (x * along + y * across) / 46_000 + 0.25 * swirl;
    const v = (y * along - x * across) / 9500 + 0.9 * swirl;
    // Ever finer fibres, each as long as the streak it belongs to.
    return (
      0.55 * gradient(u, v * 0.5, 32) +
      0.3 * gradient(u * 2.3, v * 1.4, 33) +
      0.2 * gradient(u * 3.1 + 0.3 * v, v * 3.6, 34) +
      0.13 * gradient(u * 4.7 - 0.4 * v, v * 8.3, 35)
    );
  };
}
