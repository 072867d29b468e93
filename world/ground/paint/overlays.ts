import type { Climate } from '../../climate/climate.ts';
import { clamp, smoothStep } from '../../numbers/easing.ts';
import { fire, floodLevelM } from '../../setting/events.ts';
import type { Cover } from '../ground.ts';
import type { Material } from '../materials.ts';
import type { BakedSurvey } from '../survey/baked-survey.ts';
import type { PartTable } from './part-table.ts';
import type { Season } from './season.ts';

/** Something that lies over the ground for a while: at some pixels, a share of each, one mixture of materials. */
export interface Overlay {
  readonly pixels: Int32Array;
  readonly shares: Float32Array;
  readonly weights: Partial<Record<Material, number>>;
  /** Name of pixels that it covers more than half of (burnt ones: a third). */
  readonly cover: Cover;
  readonly namedFrom: number;
}

/** Ground values that decide how much an overlay shows, by pixel. */
interface Underlay {
  readonly rough: Float32Array;
  /** Sum over a pixel's parts of a trait. */
  traitAt(pixel: number, trait: keyof PartTable['traits']): number;
}

/** What overlays are planned from. */
interface OverlayInput {
  readonly survey: BakedSurvey;
  readonly season: Season;
  readonly climate: Climate;
  readonly under: Underlay;
}

/** All that lies over the ground on a day, the lowest first. */
export function planOverlays(input: OverlayInput): readonly Overlay[] {
  return [planRim(input), planFire(input), planFlood(input), ...planSnow(input)].filter(
    (overlay): overlay is Overlay => overlay !== null && overlay.pixels.length > 0,
  );
}

/** Collects pixels with a share. */
function makeCollector(capacity: number): {
  add(pixel: number, share: number): void;
  done(): Pick<Overlay, 'pixels' | 'shares'>;
} {
  const pixels = new Int32Array(capacity);
  const shares = new Float32Array(capacity);
  let count = 0;
  return {
    add(pixel, share) {
      if (share < 0.004) return;
      pixels[count] = pixel;
      shares[count] = share;
      count++;
    },
    done: () => ({ pixels: pixels.subarray(0, count), shares: shares.subarray(0, count) }),
  };
}

/** Metres that the reservoir stands below its full level: drawn down from July, lowest in October, full in May. */
function drawdownM({ yearDay, drought }: Season): number {
  const drawn = smoothStep(185, 275, yearDay) + smoothStep(140, 20, yearDay) * 0.55;
  const refilled = smoothStep(290, 365, yearDay) * 0.45;
  return clamp(drawn - refilled, 0, 1) * (5.5 + 2 * drought);
}

/** Shores of the lake fall about one metre in eleven. */
const rimPerM = 11;

function planRim({ survey, season }: OverlayInput): Overlay | null {
  const { rimM } = survey;
  const widthM = drawdownM(season) * rimPerM;
  if (rimM.length === 0 || widthM < 1) return null;
  const out = makeCollector(rimM.length);
  const halfM = survey.locations.sideM / 2;
  for (let i = 0; i < rimM.length; i++) {
    if (rimM[i] !== 0) out.add(i, clamp((widthM - rimM[i]! + halfM) / (2 * halfM), 0, 1));
  }
  const dry = 0.5 * season.drought;
  return {
    ...out.done(),
    weights: { mudflat: 0.7 - dry * 0.4, 'pale-soil': 0.18 + dry * 0.4, scree: 0.12 },
    cover: 'beach',
    namedFrom: 0.5,
  };
}

function planFire({ survey, season, under }: OverlayInput): Overlay | null {
  const { burn } = survey;
  const progress = clamp((season.day - fire.fromDay + 1) / (fire.burntDay - fire.fromDay + 1), 0, 1);
  if (burn.length === 0 || progress <= 0) return null;
  const years = (season.day - fire.burntDay) / 365;
  const out = makeCollector(burn.length);
  for (let i = 0; i < burn.length; i++) {
    const severity = burn[i]! / 255;
    // The fire starts where it burns hottest, and its edge burns last.
    if (severity > 0 && severity >= 0.9 - progress * 0.9)
      out.add(i, severity * under.traitAt(i, 'fuel') * 0.95);
  }
  // Ash blows and washes away in the first winter; grass and fireweed come from the second spring on.
  const ash = 0.09 * smoothStep(0.35, 0, years);
  const green = 0.1 * smoothStep(0.55, 0.9, years) + 0.45 * smoothStep(0.8, 8, years);
  const dead = 1 - ash - green;
  return {
    ...out.done(),
    weights: { ash, shrub: green, char: dead * 0.86, 'dark-soil': dead * 0.08, 'dry-grass': dead * 0.06 },
    cover: 'burnt',
    namedFrom: 0.3,
  };
}

function planFlood({ survey, season, under }: OverlayInput): Overlay | null {
  const { floodCm } = survey;
  const levelM = floodLevelM(season.day);
  if (floodCm.length === 0 || levelM <= 0) return null;
  const out = makeCollector(floodCm.length);
  for (let i = 0; i < floodCm.length; i++) {
    if (floodCm[i] === 32767) continue;
    // Trees and houses stand out of the water.
    const wet = smoothStep(-0.04, 0.3, levelM - floodCm[i]! / 100);
    if (wet > 0) out.add(i, wet * (1 - 0.72 * smoothStep(0.5, 1, under.rough[i]!)));
  }
  return { ...out.done(), weights: { 'flood-water': 1 }, cover: 'flood', namedFrom: 0.5 };
}

const stepM = 25;
const lowestM = -500;
const steps = 160;

/** Fresh and old snow by the water that lies as snow at each pixel's height. */
function planSnow({ survey, season, climate, under }: OverlayInput): readonly Overlay[] {
  const shares = new Float32Array(steps);
  const fresh = new Float32Array(steps);
  for (let i = 0; i < steps; i++) {
    const heightM = Math.max(0, lowestM + i * stepM);
    const water = climate.snowWaterMmAt(season.day, heightM);
    shares[i] = smoothStep(0.5, 34, water);
    // A centimetre of water fallen within five days is a new white cover.
    fresh[i] = water <= 0 ? 0 : clamp((water - climate.snowWaterMmAt(season.day - 5, heightM)) / 10, 0, 1);
  }
  if (shares.every((share) => share === 0)) return [];
  const { snowHeightM, heightM } = survey;
  const newSnow = makeCollector(snowHeightM.length);
  const oldSnow = makeCollector(snowHeightM.length);
  for (let i = 0; i < snowHeightM.length; i++) {
    if (heightM[i] === 0) continue;
    const position = clamp((snowHeightM[i]! - lowestM) / stepM, 0, steps - 2);
    const step = Math.floor(position);
    const t = position - step;
    const lying = shares[step]! + (shares[step + 1]! - shares[step]!) * t;
    if (lying <= 0) continue;
    const newness = fresh[step]! + (fresh[step + 1]! - fresh[step]!) * t;
    // New snow hangs on trees for some days.
    const hold = under.traitAt(i, 'hold');
    oldSnow.add(i, lying * hold);
    newSnow.add(i, lying * newness * Math.min(1, hold * 1.6));
  }
  return [
    { ...oldSnow.done(), weights: { 'old-snow': 0.6, 'fresh-snow': 0.4 }, cover: 'snow', namedFrom: 0.5 },
    { ...newSnow.done(), weights: { 'fresh-snow': 1 }, cover: 'snow', namedFrom: 0.5 },
  ];
}
