import { clamp, smoothStep } from './easing.ts';
import { makeField } from './field.ts';
import { sun } from './frame.ts';
import { fractalNoise, random } from './noise.ts';
import { distanceM } from './polyline.ts';
import { settlements } from './settlements.ts';

/** The clouds above a place. Reused by callers. */
export interface CloudSample {
  /** Share of the ground hidden from the satellite, 0 to 1. */
  opacity: number;
  /** Brightness of the cloud's top: about 1, more on the side of the sun, less on the other. */
  brightness: number;
  /** Share of the direct sunlight that clouds keep from the ground here, 0 to 1. */
  shadow: number;
}

/** Fair-weather cumulus: their flat bases lie at one height, so shadows of all fall equally far. */
const cloudHeightM = 1350;

/** A pixel counts as cloud from this opacity on. */
export const cloudyFrom = 0.5;

interface Cloud {
  readonly x: number;
  readonly y: number;
  readonly radiusM: number;
  readonly reach2: number;
  readonly seed: number;
}

/** The newcomer should see the town: no cloud over it. */
const isOverTown = (x: number, y: number): boolean => distanceM({ x, y }, settlements.town) < 2100;

/** Makes the sky: cumulus over the hills and the plain's warm ground, few near the coast, none over the cool sea. */
export function makeClouds(): { sample(x: number, y: number, groundM: number, out: CloudSample): void } {
  const sky = sortIntoBuckets(planClouds());
  /** Optical thickness above a place, 0 where clear; about 1 in the middle of a large cloud. */
  const thickness = (x: number, y: number): number => {
    const bucket = sky[bucketOf(x, y)]!;
    let total = 0;
    for (const cloud of bucket) {
      const dx = x - cloud.x;
      const dy = y - cloud.y;
      const distance2 = dx * dx + dy * dy;
      if (distance2 > cloud.reach2) continue;
      const distance = Math.sqrt(distance2) / cloud.radiusM;
      // Cauliflower edges: rough noise eats into a dome. The fine lumps are dear, and cannot save what is far below.
      const lumpM = 120 + cloud.radiusM * 0.75;
      const u = x / lumpM + cloud.seed * 9.7;
      const v = y / lumpM;
      const dome = 0.55 - distance * 0.7 + 1.15 * fractalNoise(u, v, 2, 95);
      if (dome > -fineLumps) total += Math.max(0, dome + fineLumps * fractalNoise(v * 4, -u * 4, 3, 97));
    }
    return total;
  };

  // Shadows are softer than the clouds that throw them, so coarse samples are enough.
  const softened = makeField(30, thickness);

  return {
    sample(x, y, groundM, out) {
      const here = thickness(x, y);
      out.opacity = here <= 0 ? 0 : smoothStep(0.02, 0.3, here) * 0.97;
      out.brightness = 1;
      if (here > 0) {
        const sunward = thickness(x + sun.toX * 70, y + sun.toY * 70);
        out.brightness = clamp(0.86 + (here - sunward) * 0.75 + Math.min(here, 0.6) * 0.2, 0.55, 1.12);
      }
      // The shadow here is thrown by the cloud towards the sun.
      const awayM = (cloudHeightM - groundM) * sun.tanZenith;
      const thrown = softened(x + sun.toX * awayM, y + sun.toY * awayM);
      out.shadow = thrown <= 0 ? 0 : smoothStep(0, 0.35, thrown) * 0.8;
    },
  };
}

/** Height of the fine lumps at most, as thickness. */
const fineLumps = 0.29;

/** No lump is high enough to show beyond this many radii. */
const reachRadii = 2;

function planClouds(): readonly Cloud[] {
  const clouds: Cloud[] = [];
  for (let i = 0; i < 235; i++) {
    const x = random(i, 1, 91) * 16500 - 1200;
    const y = random(i, 2, 92) * 22500 - 1000;
    const inland = clamp((13200 - x) / 11000, 0, 1);
    if (random(i, 3, 93) > 0.05 + 0.75 * inland || isOverTown(x, y)) continue;
    // Many small ones, few large.
    const size = random(i, 4, 94);
    const radiusM = 150 + 560 * size * size * size;
    clouds.push({ x, y, radiusM, reach2: radiusM * radiusM * reachRadii * reachRadii, seed: i });
  }
  return clouds;
}

const bucketM = 250;
const bucketsPerSide = 96;
const originM = -1500;

/** Number of the bucket a place is in; places beyond the crop's surroundings share the outermost ones. */
function bucketOf(x: number, y: number): number {
  const col = clamp(Math.floor((x - originM) / bucketM), 0, bucketsPerSide - 1);
  const row = clamp(Math.floor((y - originM) / bucketM), 0, bucketsPerSide - 1);
  return row * bucketsPerSide + col;
}

function sortIntoBuckets(clouds: readonly Cloud[]): readonly (readonly Cloud[])[] {
  const buckets: Cloud[][] = Array.from({ length: bucketsPerSide * bucketsPerSide }, () => []);
  for (const cloud of clouds) {
    const reachM = cloud.radiusM * reachRadii;
    for (let y = cloud.y - reachM; y < cloud.y + reachM + bucketM; y += bucketM) {
      for (let x = cloud.x - reachM; x < cloud.x + reachM + bucketM; x += bucketM) {
        const bucket = buckets[bucketOf(x, y)]!;
        if (!bucket.includes(cloud)) bucket.push(cloud);
      }
    }
  }
  return buckets;
}
