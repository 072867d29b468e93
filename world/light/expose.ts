import type { Survey } from '../ground/ground.ts';
import type { World } from '../ground/world.ts';
import { normalDraw } from '../numbers/noise.ts';
import { exp } from '../numbers/steady-math.ts';
import { DAY_MS } from '../setting.ts';
import type { Air } from './air.ts';
import { heightStepM, heightSteps, makeAir, withoutAir } from './air.ts';
import { castShadows } from './cast-shadows.ts';
import type { CloudPlanes } from './clouds.ts';
import { hangClouds, makeCloudField } from './clouds.ts';
import type { Exposure, ExposureRequest, SpectralBand } from './exposure.ts';
import { boxOf } from './lattice.ts';
import type { Spectrum } from './spectra.ts';
import { bandMean, toPalette } from './spectra.ts';
import type { SunRay } from './sun.ts';
import { solarHourAt, sunAt, toSunRay } from './sun.ts';
import type { ThermalScene } from './thermal.ts';
import { toBrightness, toSurfaceTemperature } from './thermal.ts';

/** Droplets are white up to 1300 nm; ice and water in them absorb beyond. Reflectance of a middling thick cloud. */
const cloudSpectrum: Spectrum = [
  [400, 0.79],
  [700, 0.79],
  [900, 0.78],
  [1000, 0.76],
  [1250, 0.72],
  [1380, 0.6],
  [1450, 0.42],
  [1610, 0.55],
  [1750, 0.5],
  [1940, 0.24],
  [2200, 0.42],
  [2400, 0.3],
];

/** Ice crystals of cirrus absorb more in the short-wave infrared than droplets. As bright as if it were opaque. */
const cirrusSpectrum: Spectrum = [
  [400, 0.52],
  [900, 0.5],
  [1250, 0.44],
  [1380, 0.4],
  [1450, 0.2],
  [1610, 0.27],
  [1940, 0.1],
  [2200, 0.22],
  [2400, 0.12],
];

/** Level-2 processors correct about half of what slopes do to light, and of what cirrus adds. */
const levelTwoRest = 0.5;

/** Takes a picture of the world. `painted` of the answer holds the reflective bands alone, in their order. */
export function expose(world: World, request: ExposureRequest): Exposure {
  const { survey, atMs, bands, sky, level } = request;
  const day = Math.floor(atMs / DAY_MS);
  const today = world.climate.dayAt(day);
  const sun = sunAt(atMs);
  const ray = toSunRay(sun);
  const field = makeCloudField(sky);
  const box = boxOf(survey.locations);
  const clouds = hangClouds({ survey, box, plan: sky, field, ray });
  const painted = world.ground.paint(
    survey,
    day,
    toPalette(bands.filter(({ kind }) => kind === 'reflective')),
  );
  const shades = [clouds.shade, castShadows(world.ground, { survey, box, ray })];
  const lit = shineOn({ survey, ray, shades, relief: level === 'top' ? 1 : levelTwoRest });

  const vapour = vapourOf((today.minC + today.maxC) / 2, today.humidity);
  const state = { cosZenith: ray.cosZenith, haze: sky.haze, vapour, cloudTopM: field.topM };
  const heightStep = toHeightSteps(survey.heightM);
  let thermal: { scene: ThermalScene; surfaceK: Float32Array } | undefined;
  let reflective = 0;
  const planes = bands.map((band) => {
    if (band.kind === 'reflective') {
      const ground = painted.reflectance[reflective++]!;
      const air = makeAir(band, state);
      const seen = level === 'top' ? air : withoutAir(air);
      return lightUp({ band, ground, lit, heightStep, clouds, air: seen, level });
    }
    if (thermal === undefined) {
      const sunStrength = sun.elevationDeg > 0 ? ray.cosZenith : 0;
      const solarHour = solarHourAt(atMs);
      const cloudTopM = field.topM;
      const scene = { request, painted, clouds, today, lit, sunStrength, solarHour, cloudTopM, vapour };
      thermal = { scene, surfaceK: toSurfaceTemperature(scene) };
    }
    const { scene, surfaceK } = thermal;
    return level === 'top' ? toBrightness(surfaceK, band, scene) : surfaceK.slice();
  });
  const { opaque, cirrus, shadow } = clouds;
  return { planes, opaque, cirrus, shadow, sun, painted };
}

/** Vapour of the air column, 1 for 15 mm: warm air holds 6 % more a degree; 12 °C at 75 % stand for 15 mm. */
const vapourOf = (meanC: number, humidity: number): number => (humidity / 0.75) * exp(0.06 * (meanC - 12));

function toHeightSteps(heightM: Float32Array): Uint8Array {
  const steps = new Uint8Array(heightM.length);
  for (let i = 0; i < steps.length; i++) {
    steps[i] = Math.min(heightSteps - 1, Math.max(0, (heightM[i]! / heightStepM) | 0));
  }
  return steps;
}

interface LightRequest {
  readonly band: SpectralBand;
  readonly ground: Float32Array;
  readonly lit: Float32Array;
  readonly heightStep: Uint8Array;
  readonly clouds: CloudPlanes;
  readonly air: Air;
  readonly level: ExposureRequest['level'];
}

/** One band of the picture: ground under sun and sky, seen through the air, and clouds above it. */
function lightUp({ band, ground, lit, heightStep, clouds, air, level }: LightRequest): Float32Array {
  const { path, passing, skylight, backscatter } = air;
  const straight = 1 - skylight;
  const out = new Float32Array(ground.length);
  for (let i = 0; i < out.length; i++) {
    const albedo = ground[i]!;
    const step = heightStep[i]!;
    const light = skylight + straight * lit[i]!;
    out[i] = path[step]! + (passing[step]! * albedo * light) / (1 - backscatter * albedo);
  }
  const { opacity, brightness, veil } = clouds;
  if (opacity !== undefined && brightness !== undefined) {
    const cloud = bandMean(cloudSpectrum, band);
    const white = (cloud * air.cloudPassing) / (1 - air.cloudBackscatter * cloud);
    for (let i = 0; i < out.length; i++) {
      const hides = opacity[i]!;
      if (hides > 0) out[i] = out[i]! + (air.cloudPath + white * brightness[i]! - out[i]!) * hides;
    }
  }
  if (veil !== undefined) {
    const strength = level === 'top' ? 1 : levelTwoRest;
    const white = bandMean(cirrusSpectrum, band) * air.cirrusPassing;
    for (let i = 0; i < out.length; i++) {
      const hides = veil[i]! * strength;
      if (hides > 0) out[i] = out[i]! * (1 - 0.6 * hides) + white * hides;
    }
  }
  return out;
}

/**
 * Adds a detector's noise to a plane, in place: `dark` is its standard deviation in the dark and `shot` the growth of
 * its variance with the signal. The same for the same seed.
 */
export function addNoise(
  plane: Float32Array,
  { dark, shot, seed }: { dark: number; shot: number; seed: number },
): void {
  const dark2 = dark * dark;
  for (let i = 0; i < plane.length; i++) {
    const value = plane[i]!;
    plane[i] = value + normalDraw(i, 0, seed) * Math.sqrt(dark2 + shot * (value > 0 ? value : 0));
  }
}

/** Straight sun by pixel, relative to level ground under a clear sky: more on slopes that face it, none behind. */
function shineOn(request: {
  survey: Survey;
  ray: SunRay;
  /** Shares of the sun that clouds and mountains keep off. */
  shades: readonly (Float32Array | undefined)[];
  /** How much of what slopes do to the light is left, 0..1. */
  relief: number;
}): Float32Array {
  const { survey, ray, shades, relief } = request;
  const { slopeX, slopeY } = survey;
  const { toX, toY, tanZenith } = ray;
  const lit = new Float32Array(slopeX.length);
  for (let i = 0; i < lit.length; i++) {
    const sx = slopeX[i]!;
    const sy = slopeY[i]!;
    let facing = 1;
    if (sx !== 0 || sy !== 0) {
      // Cosine between the slope's normal and the sun, divided by that of level ground.
      const towards = (1 - (toX * sx + toY * sy) * tanZenith) / Math.sqrt(1 + sx * sx + sy * sy);
      facing = 1 + (Math.max(0, towards) - 1) * relief;
    }
    lit[i] = facing;
  }
  for (const shade of shades) {
    if (shade === undefined) continue;
    for (let i = 0; i < lit.length; i++) lit[i] = lit[i]! * (1 - shade[i]!);
  }
  return lit;
}
