import type { Climate } from '../../climate/climate.ts';
import type { FarmPlan } from '../base/farm-plan.ts';
import type { Painted, Palette } from '../ground.ts';
import { covers } from '../ground.ts';
import type { Material } from '../materials.ts';
import type { BakedSurvey } from '../survey/baked-survey.ts';
import { storedParts } from '../survey/mixer.ts';
import type { MaterialTraits } from './material-traits.ts';
import { materialTraits } from './material-traits.ts';
import type { Overlay } from './overlays.ts';
import { planOverlays } from './overlays.ts';
import { makePartTable } from './part-table.ts';
import { planSeason } from './season.ts';

/** What a painter works with. */
export interface PaintTools {
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
