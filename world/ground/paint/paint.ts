import type { Climate } from '../../climate/climate.ts';
import { clamp, smoothStep } from '../../numbers/easing.ts';
import { fire, floodLevelM } from '../../setting.ts';
import type { FarmPlan } from '../base/farm-plan.ts';
import type { Cover, Painted, Palette } from '../ground.ts';
import { covers } from '../ground.ts';
import type { Material, MaterialTraits } from '../materials.ts';
import { materialTraits } from '../materials.ts';
import type { BakedSurvey } from '../survey/baked-survey.ts';
import { storedParts } from '../survey/mixer.ts';
import type { PartTable } from './part-table.ts';
import { makePartTable } from './part-table.ts';
import type { Season } from './season.ts';
import { planSeason } from './season.ts';

/** What a painter works with. */
interface PaintTools {
  readonly climate: Climate;
  readonly farm: FarmPlan;
  readonly cropSeed: number;
}

/** Water of ground that can hold no more. */
const fullMoisture = 0.55;

/** Paints a survey's ground as it is on a day. */
export function paintDay(
  { climate, farm, cropSeed }: PaintTools,
  survey: BakedSurvey,
  { day, palette }: { readonly day: number; readonly palette: Palette },
): Painted {
  const count = survey.mainPart.length;
  const season = planSeason(day, climate);
  const table = makePartTable({ farm, seed: cropSeed, fields: survey.fields, season, palette });
  const blend = (column: Float32Array): Float32Array => blendParts(survey, column);
  const reflectance = table.bands.map((column) => shadeByTone(blend(column), survey.tone));
  const green = blend(table.traits.green);
  const water = blend(table.traits.water);
  const snow = blend(table.traits.snow);
  const rough = blend(table.traits.rough);
  const moist = blend(table.traits.moist);
  const cover = new Uint8Array(count);
  for (let i = 0; i < count; i++) cover[i] = table.cover[survey.mainPart[i]!]!;
  const overlays = planOverlays({
    survey,
    season,
    climate,
    under: {
      rough,
      traitAt(pixel, trait) {
        const column = table.traits[trait];
        let sum = 0;
        for (let at = pixel; at < survey.parts.length; at += count)
          sum += survey.shares[at]! * column[survey.parts[at]!]!;
        return sum / 255;
      },
    },
  });
  const traitPlanes = { green, water, snow, rough, moist };
  for (const overlay of overlays) {
    for (const [band, plane] of reflectance.entries()) {
      coverWith(
        plane,
        overlay,
        weigh(overlay, (material) => palette.of[material][band]!),
      );
    }
    for (const [name, plane] of Object.entries(traitPlanes) as [keyof typeof traitPlanes, Float32Array][]) {
      coverWith(
        plane,
        overlay,
        weigh(overlay, (material) => materialTraits[material][name as keyof MaterialTraits]),
      );
    }
    const named = covers.indexOf(overlay.cover);
    for (let k = 0; k < overlay.pixels.length; k++) {
      if (overlay.shares[k]! > overlay.namedFrom) cover[overlay.pixels[k]!] = named;
    }
  }
  // `moist` counts in the plain's open soil; water is far above what any soil holds.
  for (let i = 0; i < count; i++) {
    const wet = moist[i]! * season.soilWater * (1.6 - survey.tone[i]! * (0.6 / 128));
    moist[i] = wet > fullMoisture ? fullMoisture : wet < 0.02 ? 0.02 : wet;
  }
  return { reflectance, cover, green, snow, water, moisture: moist, roughness: rough };
}

/** Sums a column over the parts of each pixel. */
function blendParts({ parts, shares }: BakedSurvey, column: Float32Array): Float32Array {
  const count = parts.length / storedParts;
  const out = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    let sum = shares[i]! * column[parts[i]!]!;
    // Largest first: where one is nothing, so are those behind it. Most pixels have one or two parts.
    for (let at = i + count; at < parts.length && shares[at] !== 0; at += count)
      sum += shares[at]! * column[parts[at]!]!;
    out[i] = sum * (1 / 255);
  }
  return out;
}

function shadeByTone(plane: Float32Array, tone: Uint8Array): Float32Array {
  for (let i = 0; i < plane.length; i++) plane[i] = plane[i]! * tone[i]! * (1 / 128);
  return plane;
}

const weigh = ({ weights }: Overlay, valueFor: (material: Material) => number): number => {
  let sum = 0;
  for (const [material, weight] of Object.entries(weights)) sum += weight * valueFor(material as Material);
  return sum;
};

/** Covers an overlay's share of each of its pixels with one value. */
function coverWith(plane: Float32Array, { pixels, shares }: Overlay, value: number): void {
  for (let k = 0; k < pixels.length; k++) {
    const i = pixels[k]!;
    plane[i] = plane[i]! + (value - plane[i]!) * shares[k]!;
  }
}

/** Something that lies over the ground for a while: at some pixels, a share of each, one mixture of materials. */
interface Overlay {
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
function planOverlays(input: OverlayInput): readonly Overlay[] {
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
