import type { Cell, Interval, Turned } from './cells.ts';
import { findInterval, makeCellFinder, setTurn } from './cells.ts';
import { clamp } from './easing.ts';
import { makeField } from './field.ts';
import { gradientNoise, hash, random } from './noise.ts';
import { nearestSettlement, settledAt } from './settlements.ts';
import type { Spectrum } from './spectra.ts';
import { mixInto, spectra } from './spectra.ts';

/** What a built-up quarter is made of. */
type Quarter = 'none' | 'old' | 'blocks' | 'houses' | 'works';

/** Paints towns and villages. */
export interface Town {
  /** Paints the built-up surface over `target` and says which quarter it was; 'none' leaves `target` alone. */
  paint(x: number, y: number, target: Spectrum): Quarter;
}

/** Quarters are laid out at once, each with its own street grid. */
const quarters = { spacingM: 230, seed: 81 } as const;

/** Street grid by quarter: distance between streets along and across, half width, all in metres. */
const streets = {
  old: { alongM: 62, acrossM: 48, halfWidthM: 2.5 },
  blocks: { alongM: 105, acrossM: 80, halfWidthM: 6 },
  houses: { alongM: 120, acrossM: 58, halfWidthM: 3.5 },
  works: { alongM: 150, acrossM: 120, halfWidthM: 7 },
} as const;

/** Side of a lot by quarter: one roof, yard or garden. */
const lotM = { old: 14, blocks: 26, houses: 15, works: 55 } as const;

/** Makes a painter; the painter reuses its own working memory. */
export function makeTown(): Town {
  const settled = makeField(120, settledAt);
  const findQuarter = makeCellFinder(quarters);
  const frame: Turned = { u: 0, v: 0, cos: 1, sin: 0 };
  const along: Interval = { index: 0, edgeM: 0, middleM: 0 };
  const across: Interval = { index: 0, edgeM: 0, middleM: 0 };
  // Neighbouring pixels mostly share a quarter: its plan is kept until the next one.
  let plannedId = -1;
  let quarter: Quarter = 'none';
  return {
    paint(x, y, target) {
      // Quarters reach a spacing beyond their centre at most, in units of the smallest settlement's radius.
      if (settled(x, y) < -1.6) return 'none';
      const cell = findQuarter(x, y);
      if (cell.id !== plannedId) {
        plannedId = cell.id;
        quarter = planQuarter(cell);
        setTurn(frame, 0.03 + random(cell.id, 2, 82) * 0.11 + (cell.id & 1) * 0.25);
      }
      if (quarter === 'none') return 'none';
      const plan = streets[quarter];
      const dx = x - cell.centreX;
      const dy = y - cell.centreY;
      frame.u = dx * frame.cos + dy * frame.sin;
      frame.v = dy * frame.cos - dx * frame.sin;
      findInterval(frame.u, { stepM: plan.alongM, jitter: 0.35, seed: cell.id }, along);
      findInterval(frame.v, { stepM: plan.acrossM, jitter: 0.35, seed: cell.id + 1 }, across);
      const streetM = Math.min(along.edgeM, across.edgeM, cell.edgeM);
      const lot = hash(Math.floor(frame.u / lotM[quarter]), Math.floor(frame.v / lotM[quarter]), cell.id);
      paintLot(quarter, { lot, leafy: random(cell.id, 5, 85) }, target);
      // A pixel is 10 m wide: a street covers the share of it that lies within the street's edge.
      mixInto(target, spectra.asphalt, clamp((plan.halfWidthM + 5 - streetM) / 10, 0, 1) * 0.85);
      return quarter;
    },
  };
}

/** Decides for a whole quarter, so that settlements end at streets and not in a mist of houses. */
function planQuarter(cell: Cell): Quarter {
  const degree = settledAt(cell.centreX, cell.centreY);
  const by = nearestSettlement(cell.centreX, cell.centreY);
  const chance = random(cell.id, 3, 83);
  if (degree < (chance - 0.62) * 0.5) return 'none';
  if (by.kind === 'village') {
    if (degree > 0.6 + chance * 0.25) return 'old';
    return degree < 0.2 && chance > 0.86 ? 'works' : 'houses';
  }
  if (by.kind === 'resort') return chance > 0.5 || degree > 0.55 ? 'blocks' : 'houses';
  if (degree > 0.72 + chance * 0.2) return 'old';
  const dice = random(cell.id, 4, 84);
  // Works and shops gather in a few zones around the town.
  const zone = gradientNoise(cell.centreX / 1100, cell.centreY / 1100, 86);
  if (degree < 0.5 && dice < 0.03 + zone * 0.7) return 'works';
  return dice > 0.95 - degree * 0.75 ? 'blocks' : 'houses';
}

/** One lot: a roof, a yard, a garden or trees, by the quarter's own mixture. */
function paintLot(
  quarter: Exclude<Quarter, 'none'>,
  { lot, leafy }: { lot: number; leafy: number },
  target: Spectrum,
): void {
  const pick = (lot & 0xff) / 256;
  const tone = ((lot >>> 8) & 0xff) / 256;
  const other = ((lot >>> 16) & 0xff) / 256;
  switch (quarter) {
    case 'old':
      mixInto(target, spectra.concrete, 1);
      mixInto(target, spectra.asphalt, 0.6 + 0.4 * tone);
      mixInto(target, pick > 0.7 ? spectra.greyRoof : spectra.tile, 0.2 + 0.55 * other);
      if (pick < 0.05) mixInto(target, spectra.riparian, 0.6);
      return;
    case 'blocks':
      mixInto(target, spectra.asphalt, 1);
      mixInto(target, spectra.dryGrass, 0.5 * tone);
      mixInto(target, spectra.oak, leafy * 0.7 * other);
      if (pick > 0.5)
        mixInto(
          target,
          pick > 0.86 ? spectra.paleRoof : pick > 0.64 ? spectra.tile : spectra.greyRoof,
          0.3 + 0.5 * tone,
        );
      else mixInto(target, spectra.concrete, 0.5 * pick);
      return;
    case 'houses':
      mixInto(target, spectra.dryGrass, 1);
      mixInto(target, spectra.paleSoil, 0.5 * other);
      mixInto(target, spectra.greenCrop, leafy * 0.6 * tone);
      mixInto(target, spectra.oak, leafy * 0.75 * (1 - tone));
      mixInto(target, spectra.asphalt, 0.18);
      if (pick > 0.35) mixInto(target, pick > 0.97 ? spectra.paleRoof : spectra.tile, 0.22 + 0.42 * other);
      else if (pick < 0.03) mixInto(target, spectra.poolWater, 0.3);
      return;
    case 'works':
      mixInto(target, spectra.asphalt, 1);
      mixInto(target, pick < 0.2 ? spectra.dryGrass : spectra.concrete, 0.7 * tone);
      if (pick > 0.9) mixInto(target, spectra.whiteRoof, 0.7);
      else if (pick > 0.68) mixInto(target, spectra.paleRoof, 0.75);
      else if (pick > 0.48) mixInto(target, spectra.greyRoof, 0.9);
  }
}
