import { air, pathAboveClouds } from './atmosphere.ts';
import { clamp } from './easing.ts';
import { sun } from './frame.ts';
import type { Surface } from './land-cover.ts';
import { hash } from './noise.ts';
import type { Spectrum } from './spectra.ts';
import { bandCount, spectra } from './spectra.ts';

/** Reflectance at the top of the atmosphere of a surface, as an ideal sensor would see it, into `out`. */
export function toTopOfAtmosphere(surface: Surface, out: Spectrum): void {
  const { slopeX, slopeY } = surface.ground;
  const { cloud, reflectance, haze } = surface;
  const { path, passing, skylight, backscatter, hazePath, passingAboveClouds } = air;
  // Cosine between the slope's normal and the sun, relative to flat ground.
  const toSun = 1 - (sun.toX * slopeX + sun.toY * slopeY) * sun.tanZenith;
  const lit = Math.max(0, toSun / Math.sqrt(1 + slopeX * slopeX + slopeY * slopeY)) * (1 - cloud.shadow);
  for (let band = 0; band < bandCount; band++) {
    const sky = skylight[band]!;
    const ground = reflectance[band]! * (sky + (1 - sky) * lit);
    const scattered = path[band]! + haze * hazePath[band]!;
    let toa = scattered + passing[band]! * ground * (1 + backscatter[band]! * ground);
    if (cloud.opacity > 0) {
      const top =
        path[band]! * pathAboveClouds + passingAboveClouds[band]! * spectra.cloud[band]! * cloud.brightness;
      toa += (top - toa) * cloud.opacity;
    }
    out[band] = toa;
  }
}

/** Stored value = reflectance * 10000 + 1000 since processing baseline 04.00 (RADIO_ADD_OFFSET -1000). */
export const quantification = 10000;
/** The offset that keeps negative reflectances out of unsigned numbers. */
export const radiometricOffset = 1000;
/** Stored value where nothing was measured. */
export const nodataDn = 0;

/** A stored value from a reflectance; data is never 0, because 0 means nodata. */
export function toDigitalNumber(reflectance: number): number {
  return clamp(Math.round(reflectance * quantification) + radiometricOffset, 1, 65534);
}

/**
 * Noise of the detectors in the dark, as reflectance, and its growth with light: a signal-to-noise ratio of 100 to 250
 * over land, as the instrument has.
 */
const darkNoise = 0.0006;
const shotNoise = 2.2e-6;

/** Adds the detector's noise to a reflectance; `normal` is drawn from `makeNormalNoise`. */
export function addNoise(reflectance: number, normal: number): number {
  return reflectance + normal * Math.sqrt(darkNoise * darkNoise + shotNoise * Math.max(0, reflectance));
}

/** How many draws `makeNormalNoise` makes: a power of two. */
export const noiseLength = 65536;

/** Draws from a nearly normal distribution of mean 0 and deviation 1. */
export function makeNormalNoise(): Float32Array {
  return Float32Array.from({ length: noiseLength }, (_, i) => {
    const draw = hash(i, 0, 151);
    // The sum of four random bytes: mean 510, standard deviation 147.8.
    const sum = (draw & 0xff) + ((draw >>> 8) & 0xff) + ((draw >>> 16) & 0xff) + (draw >>> 24);
    return (sum - 510) / 147.8;
  });
}
