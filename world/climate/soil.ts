import type { Weather } from './weather.ts';

/** Volumetric water of a loam: what plants cannot draw, what it holds against gravity, what fits in. */
const wilting = 0.11;
const fieldCapacity = 0.33;
const full = 0.48;

/** The layer that crops and radar know of. */
const layerMm = 300;

/** Water of the upper soil day by day: a bucket filled by rain, emptied by the sun, plants and drainage. */
export function makeSoilWater(weather: Weather): Float32Array {
  const water = new Float32Array(weather.dayCount);
  let held = fieldCapacity;
  for (let i = 0; i < weather.dayCount; i++) {
    const meanC = (weather.minC[i]! + weather.maxC[i]!) / 2;
    const rangeC = Math.max(0, weather.maxC[i]! - weather.minC[i]!);
    // Hargreaves' estimate of what could evaporate; the sun's strength goes with the season.
    const sunMm = 7.6 + 6.4 * weather.warmth[i]!;
    const thirstMm = Math.max(0, 0.0023 * sunMm * (meanC + 17.8) * Math.sqrt(rangeC));
    // Dry soil gives its last water slowly.
    const ease = Math.min(1, Math.max(0, (held - wilting) / (0.75 * (fieldCapacity - wilting))));
    held += (weather.rainMm[i]! - thirstMm * (0.06 + 0.94 * ease)) / layerMm;
    if (held > fieldCapacity) held -= (held - fieldCapacity) * 0.35;
    held = Math.min(full, Math.max(0.07, held));
    water[i] = held;
  }
  return water;
}
