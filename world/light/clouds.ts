import type { Survey } from '../ground/ground.ts';
import type { Noise } from '../numbers/noise.ts';
import { makeNoise, random } from '../numbers/noise.ts';
import { cos, sin } from '../numbers/steady-math.ts';
import { frame } from '../setting.ts';
import type { SkyPlan } from './exposure.ts';
import type { Box, Lattice } from './lattice.ts';
import { makeLattice, readLattice } from './lattice.ts';
import type { SunRay } from './sun.ts';

/** The clouds as they meet a grid of locations; a plane that would be all 0 is left out. */
export interface CloudPlanes {
  /** Share of the ground that opaque clouds hide, and how bright their tops are there, about 1. */
  readonly opacity?: Float32Array;
  readonly brightness?: Float32Array;
  /** Share of the straight sunlight that opaque clouds keep off. */
  readonly shade?: Float32Array;
  /** Share of the ground that cirrus hides. */
  readonly veil?: Float32Array;
  readonly opaque: Uint8Array;
  readonly cirrus: Uint8Array;
  readonly shadow: Uint8Array;
}

/** Corners of the cloud lattices: fine enough for lumps, and cirrus is smooth. Coarser for coarse pixels. */
const bulkStepM = 40;
const veilStepM = 240;

/** Lumps shade each other over this far. */
const reliefM = 120;

/** Clouds fade from clear to opaque over this much of the field's value. */
const fade = 0.075;

/** Hangs the clouds above a grid. */
export function hangClouds(request: {
  survey: Survey;
  /** The survey's bounds. */
  box: Box;
  plan: SkyPlan;
  field: CloudField;
  ray: SunRay;
}): CloudPlanes {
  const { survey, box, plan, field, ray } = request;
  const count = survey.heightM.length;
  const opaque = new Uint8Array(count);
  const cirrus = new Uint8Array(count);
  const shadow = new Uint8Array(count);
  return {
    opaque,
    cirrus,
    shadow,
    ...(plan.opaque > 0 ? hangBulk({ survey, field, ray, box, opaque, shadow }) : {}),
    ...(plan.cirrus > 0 ? { veil: hangVeil({ survey, field, box, opaque, cirrus }) } : {}),
  };
}

interface BulkRequest {
  readonly survey: Survey;
  readonly field: CloudField;
  readonly ray: SunRay;
  readonly box: Box;
  readonly opaque: Uint8Array;
  readonly shadow: Uint8Array;
}

function hangBulk({ survey, field, ray, box, opaque, shadow }: BulkRequest) {
  const { locations, heightM } = survey;
  const { toX, toY, tanZenith } = ray;
  const farthestM = field.baseM * tanZenith;
  const stepM = stepFor(locations.sideM);
  const wide = stretch(stretch(box, toX * farthestM, toY * farthestM), toX * reliefM, toY * reliefM);
  const bulk = makeLattice(wide, stepM, (x, y) => field.opaqueAt(x, y, stepM * 2));
  const relief = makeRelief(bulk, ray);

  const opacity = new Float32Array(heightM.length);
  const brightness = new Float32Array(heightM.length);
  const shade = new Float32Array(heightM.length);
  for (let i = 0; i < heightM.length; i++) {
    const x = locations.x[i]!;
    const y = locations.y[i]!;
    const hides = smoothShare(readLattice(bulk, x, y) / fade + 0.5);
    if (hides > 0) {
      opacity[i] = hides;
      brightness[i] = readLattice(relief, x, y);
      if (hides >= 0.5) opaque[i] = 1;
    }
    // The cloud that throws the shadow here floats towards the sun; summits stick into the clouds, not above them.
    const awayM = Math.max(150, field.baseM - heightM[i]!) * tanZenith;
    const keepsOff = smoothShare(readLattice(bulk, x + toX * awayM, y + toY * awayM) / (1.5 * fade) + 0.5);
    if (keepsOff > 0) {
      shade[i] = keepsOff * 0.88;
      if (keepsOff >= 0.5 && hides < 0.5) shadow[i] = 1;
    }
  }
  return { opacity, brightness, shade };
}

/** Brightness of the clouds' tops: thick ones are white, and their lumps have a sunny and a shady side. */
function makeRelief(bulk: Lattice, { toX, toY }: SunRay): Lattice {
  const { stepM, firstCol, firstRow } = bulk;
  const values = new Float32Array(bulk.values.length);
  for (let i = 0; i < values.length; i++) {
    const here = bulk.values[i]!;
    if (here < -fade) continue;
    const x = (firstCol + (i % bulk.cols)) * stepM;
    const y = (firstRow + Math.floor(i / bulk.cols)) * stepM;
    const sunward = readLattice(bulk, x + toX * reliefM, y + toY * reliefM);
    const thick = Math.min(1, Math.max(0, here / 0.4));
    values[i] = Math.min(1.25, Math.max(0.5, 0.78 + 0.3 * thick + 0.9 * (here - sunward)));
  }
  return { ...bulk, values };
}

interface VeilRequest {
  readonly survey: Survey;
  readonly field: CloudField;
  readonly box: Box;
  readonly opaque: Uint8Array;
  readonly cirrus: Uint8Array;
}

function hangVeil({ survey, field, box, opaque, cirrus }: VeilRequest): Float32Array {
  const { x, y } = survey.locations;
  const lattice = makeLattice(box, veilStepM, field.cirrusAt);
  const veil = new Float32Array(x.length);
  for (let i = 0; i < veil.length; i++) {
    const value = readLattice(lattice, x[i]!, y[i]!);
    if (value <= -0.1) continue;
    // A thin rim below the threshold, then up to a quarter of the ground hidden.
    veil[i] = value < 0 ? (value + 0.1) * 0.4 : Math.min(0.3, 0.04 + value * 0.5);
    if (value > 0 && opaque[i] === 0) cirrus[i] = 1;
  }
  return veil;
}

/** Powers of two times the finest step, so that instruments alike share a lattice. */
function stepFor(sideM: number): number {
  let stepM = bulkStepM;
  while (stepM * 2 <= sideM) stepM *= 2;
  return stepM;
}

function smoothShare(t: number): number {
  if (t <= 0) return 0;
  return t >= 1 ? 1 : t * t * (3 - 2 * t);
}

/** The box, made longer towards a direction. */
const stretch = ({ minX, minY, maxX, maxY }: Box, dx: number, dy: number): Box => ({
  minX: minX + Math.min(0, dx),
  minY: minY + Math.min(0, dy),
  maxX: maxX + Math.max(0, dx),
  maxY: maxY + Math.max(0, dy),
});

/** The clouds of a moment as functions of the location, so that all pictures of the moment agree. */
interface CloudField {
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
