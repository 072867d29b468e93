import { badInput } from '../../src/errors.ts';
import { lapseCPerM } from '../climate/climate.ts';
import type { Cover, Painted } from '../ground/ground.ts';
import { covers } from '../ground/ground.ts';
import type { World } from '../ground/world.ts';
import { hash, makeNoise } from '../numbers/noise.ts';
import { cos, exp, ln, power, sin, toRadians } from '../numbers/steady-math.ts';
import { DAY_MS } from '../setting.ts';
import type { RadarRequest } from './exposure.ts';
import { toPalette } from './spectra.ts';

/** The instrument's own noise, as sigma nought: -25 dB, as of Sentinel-1. */
const noiseFloor = 0.0032;

/** Slopes that face the radar lie on top of each other in its image; brighter than this they do not get. */
const steepestTangent = 0.14;

const channels = { VV: 0, VH: 1, HH: 2, HV: 3 } as const;
const builtUp = covers.indexOf('built-up');
const grass = covers.indexOf('grass');
const road = covers.indexOf('road');
const sea = covers.indexOf('sea');
const cosReference = 0.7771; // of 39°

/** What a C-band radar sees: sigma nought on the ellipsoid, linear, with slopes, speckle and the noise floor. */
export function backscatter(world: World, request: RadarRequest): Float32Array {
  const { survey, atMs, polarisation, lookAzimuthDeg, incidenceDeg, looks, seed } = request;
  const day = Math.floor(atMs / DAY_MS);
  const today = world.climate.dayAt(day);
  const painted = world.ground.paint(survey, day, toPalette([]));
  const { cover, snow, water } = painted;
  const { heightM, slopeX, slopeY, locations } = survey;

  const isCross = polarisation === 'VH' || polarisation === 'HV';
  const echoes = echoesBy(polarisation);
  const openSea = seaEcho(polarisation, today.windMs);
  // Above this height the snow is dry; wet snow swallows the waves.
  const meltingBelowM = (today.minC + today.maxC) / 2 / lapseCPerM;
  const speckle = makeSpeckle(looks);
  const gusts = makeGusts(day);
  const angles = makeAngles();
  const toX = sin(toRadians(lookAzimuthDeg));
  const toY = -cos(toRadians(lookAzimuthDeg));

  const out = new Float32Array(heightM.length);
  for (let i = 0; i < out.length; i++) {
    const angle = angleIndex(incidenceDeg[i]!);
    const cosine = angles.cosines[angle]!;
    const sine = angles.sines[angle]!;
    const sx = slopeX[i]!;
    const sy = slopeY[i]!;
    // Towards the radar, along the slope's normal.
    const local = (cosine - sine * (toX * sx + toY * sy)) / Math.sqrt(1 + sx * sx + sy * sy);
    let echo = 0;
    if (local > 0.02) {
      const tangent = Math.max(steepestTangent, Math.sqrt(Math.max(0, 1 - local * local)) / local);
      // The same echo a square metre across the beam, from more ground a pixel where the slope faces the radar.
      const tilt = (cosine / cosReference) * (sine / cosine / tangent);
      const kind = cover[i]!;
      const built = kind === builtUp ? 1 : housesAmong(painted, i);
      echo = echoes[kind]! * landFactor(painted, i, isCross) * fieldTexture(survey.fieldId[i]!);
      if (built > 0)
        echo += (echoes[builtUp]! * roofTexture(locations.x[i]!, locations.y[i]!) - echo) * built;
      echo *= tilt;
    }
    const frozen = snow[i]!;
    if (frozen > 0) echo *= 1 - frozen * (heightM[i]! < meltingBelowM ? 0.6 : 0.15);
    const wet = water[i]!;
    if (wet > 0) {
      // Ripples fade fast towards grazing angles, 0.4 dB a degree.
      const steep = cosine / cosReference;
      const falls = steep * steep * steep * steep;
      const shelter = cover[i] === sea ? gusts(locations.x[i]!, locations.y[i]!) : 0.35;
      echo += (openSea * falls * falls * shelter - echo) * wet;
    }
    out[i] = (echo + noiseFloor) * speckle(i, channels[polarisation], seed);
  }
  return out;
}

/** What moisture, growth and roughness do to the echo of a cover. */
function landFactor({ cover, moisture, green, roughness }: Painted, i: number, isCross: boolean): number {
  const leaves = green[i]!;
  // Wet soil reflects more: about 1 dB for 0.06 of water, less below leaves.
  const bare = soakingBy[cover[i]!]! * (1 - 0.75 * leaves);
  const wetness = Math.min(2.4, Math.max(0.5, 1 + 3.6 * (moisture[i]! - 0.22) * bare));
  // Waves turn their plane between stems and leaves.
  const growth = isCross ? 0.62 + 0.55 * leaves : 1.04 - 0.12 * leaves;
  return wetness * growth * (0.8 + 0.35 * roughness[i]!);
}

/** Share of houses and walls in the gardens and streets of a town, told by how rough they are. */
function housesAmong({ cover, green, roughness }: Painted, i: number): number {
  const kind = cover[i]!;
  if (kind !== grass && kind !== road) return 0;
  return Math.min(0.3, Math.max(0, roughness[i]! - 0.42) * (1 - green[i]!));
}

/** Every pass sees the same roofs shine: a few face the radar and are ten times as bright; the mean is 1. */
function roofTexture(x: number, y: number): number {
  const draw = (hash(Math.floor(x / 20), Math.floor(y / 20), 71) & 1023) / 1023;
  const squared = draw * draw;
  return 0.42 + 5.2 * squared * squared * squared * squared;
}

/** Fields are ploughed this way or that, some 2 dB apart. */
const fieldTexture = (fieldId: number): number =>
  fieldId === 0 ? 1 : 0.74 + 0.52 * ((hash(fieldId, 0, 72) & 1023) / 1023);

/** Gusts and lulls of a day's wind over the sea, about 1. */
function makeGusts(day: number): (x: number, y: number) => number {
  const { gradient } = makeNoise(day);
  return (x, y) =>
    Math.max(0.25, 1 + 0.5 * gradient(x / 9000, y / 14_000, 1) + 0.18 * gradient(x / 1500, y / 2600, 2));
}

const angleSteps = 1800;
const angleIndex = (degrees: number): number => Math.min(angleSteps, Math.max(0, Math.round(degrees * 20)));

/** Sines and cosines from 0 to 90°, twenty a degree. */
function makeAngles() {
  const at = (step: number): number => toRadians(step / 20);
  return {
    sines: new Float64Array(angleSteps + 1).map((_, step) => sin(at(step))),
    cosines: new Float64Array(angleSteps + 1).map((_, step) => cos(at(step))),
  };
}

/**
 * Echoes of level ground in C band at 39° from the vertical, in decibels, like- and cross-polarised: the typical size in
 * Sentinel-1 images of temperate land. Forests and towns are bright, smooth ground is dark; open water has its own
 * model.
 */
const decibels: Readonly<Record<Cover, readonly [like: number, cross: number]>> = {
  sea: [-14, -24],
  lake: [-14, -24],
  river: [-14, -24],
  beach: [-15, -25],
  marsh: [-10.5, -17.5],
  grass: [-12, -19],
  shrub: [-10.5, -16.8],
  'broadleaf-forest': [-8.6, -14.4],
  'conifer-forest': [-8, -13.8],
  rock: [-8.5, -17],
  snow: [-11.5, -19],
  'built-up': [-3.5, -12],
  road: [-14, -22],
  'bare-soil': [-12.5, -22],
  crop: [-11.3, -18.5],
  stubble: [-12.5, -20.5],
  burnt: [-10.8, -18.5],
  flood: [-14, -24],
};

const soaking: Partial<Record<Cover, number>> = {
  rock: 0.2,
  'built-up': 0,
  road: 0,
  'broadleaf-forest': 0.3,
  'conifer-forest': 0.3,
};

const fromDecibels = (value: number): number => power(10, value / 10);

/** Echo by cover, linear. Town walls and the street below them send horizontal waves back best. */
function echoesBy(polarisation: RadarRequest['polarisation']): Float32Array {
  const isCross = polarisation === 'VH' || polarisation === 'HV';
  return Float32Array.from(covers, (cover) => {
    const bonus = polarisation === 'HH' && cover === 'built-up' ? 1.5 : 0;
    return fromDecibels(decibels[cover][isCross ? 1 : 0] + bonus);
  });
}

/** Share of a cover's echo that changes with the water of the soil: roofs do not soak, and crowns hide the ground. */
const soakingBy = Float32Array.from(covers, (cover) => soaking[cover] ?? 1);

/** Echo of open sea at 39° under a wind: calm water is a mirror, ripples throw more back the harder it blows. */
function seaEcho(polarisation: RadarRequest['polarisation'], windMs: number): number {
  const rippled = Math.min(-13, Math.max(-26, -23 + 1.35 * windMs));
  if (polarisation === 'VV') return fromDecibels(rippled);
  return fromDecibels(polarisation === 'HH' ? rippled - 3.5 : rippled - 10);
}

/** Entries of the table that draws are read from, straight lines between. */
const entries = 2048;
/** Steps along the distribution's axis when the table is made, and how far it is followed in units of the mean. */
const axisSteps = 6000;

/**
 * Makes the speckle of an image of so many looks: factors of mean 1 and variance 1/looks, gamma distributed as the
 * intensity of many small echoes is. A draw belongs to a pixel's number, a channel and a seed.
 */
export function makeSpeckle(looks: number): (pixel: number, channel: number, seed: number) => number {
  if (!(looks >= 1 && looks <= 1000)) {
    throw badInput('bad-looks', `The number of looks must be between 1 and 1000, not ${looks}.`);
  }
  const table = toQuantiles(looks);
  return (pixel, channel, seed) => {
    const position = (hash(pixel, channel, seed) / 4294967296) * (entries - 1);
    const entry = Math.floor(position);
    const low = table[entry]!;
    return low + (table[entry + 1]! - low) * (position - entry);
  };
}

/** The gamma distribution's values at equal steps of probability; scaled so that their mean is 1 in spite of steps. */
function toQuantiles(looks: number): Float64Array {
  const farthest = 1 + 12 / Math.sqrt(looks);
  const cumulated = new Float64Array(axisSteps + 1);
  // The density's top lies at 1 - 1/looks; dividing by it keeps the numbers small for many looks.
  const top = Math.max(1e-6, 1 - 1 / looks);
  const topLog = (looks - 1) * ln(top) - looks * top;
  for (let step = 1; step <= axisSteps; step++) {
    const x = ((step - 0.5) / axisSteps) * farthest;
    cumulated[step] = cumulated[step - 1]! + exp(Math.max(-600, (looks - 1) * ln(x) - looks * x - topLog));
  }
  const total = cumulated[axisSteps]!;
  const table = new Float64Array(entries);
  let step = 1;
  for (let entry = 0; entry < entries; entry++) {
    // The first and last entries stand for the tails beyond them, so they lie within and not at 0 and infinity.
    const wanted = total * Math.min(Math.max(entry / (entries - 1), 0.15 / entries), 1 - 0.15 / entries);
    while (step < axisSteps && cumulated[step]! < wanted) step++;
    const before = cumulated[step - 1]!;
    const share = (wanted - before) / Math.max(1e-300, cumulated[step]! - before);
    table[entry] = ((step - 1 + share) / axisSteps) * farthest;
  }
  let mean = 0;
  for (let entry = 0; entry + 1 < entries; entry++) {
    mean += (table[entry]! + table[entry + 1]!) / (2 * (entries - 1));
  }
  return table.map((value) => value / mean);
}
