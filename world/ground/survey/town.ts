import type { Noise } from '../../numbers/noise.ts';
import { hash, random } from '../../numbers/noise.ts';
import { nearestSettlement, settledAt } from '../base/settled.ts';
import { materialPart } from '../parts.ts';
import type { Cell, Turned } from './cells.ts';
import { findInterval, makeCellFinder, makeInterval, setTurn } from './cells.ts';
import type { Detail } from './detail.ts';
import { bandShare } from './detail.ts';
import type { Mixer } from './mixer.ts';
import { makeMixer } from './mixer.ts';
import type { Quarter } from './town-lots.ts';
import { findLot, makeFineLotPainter, makeLot, paintLot } from './town-lots.ts';

/** Paints the built-up surface over what is there. */
export type PaintTown = (x: number, y: number, mixer: Mixer) => void;

const asphalt = materialPart('asphalt');

/** Street grid by quarter: distance between streets along and across, half width; side of a lot; metres. */
const plans = {
  old: { alongM: 95, acrossM: 70, halfWidthM: 5.5, lotM: 22 },
  blocks: { alongM: 125, acrossM: 92, halfWidthM: 6.5, lotM: 32 },
  houses: { alongM: 150, acrossM: 68, halfWidthM: 4.2, lotM: 19 },
  works: { alongM: 210, acrossM: 170, halfWidthM: 7.5, lotM: 70 },
  park: { alongM: 700, acrossM: 700, halfWidthM: 3, lotM: 45 },
} as const;

/** A sample inside a pixel: metres from its middle along either side, and what it counts for. */
interface Look {
  readonly offM: number;
  readonly weight: number;
}

/**
 * Where pixels are looked at. Lots are smaller than most of them, and a coarse band must be the mean of what a fine one
 * sees, or pansharpening finds roofs that the colours know nothing of: pixels of 20 m are four of 10 m, and those of
 * Landsat's 30 m one of 15 m in their middle and the inner halves of those around it.
 */
function planLooks(sideM: number): { readonly looks: readonly Look[]; readonly lookM: number } {
  if (sideM < 20) return { looks: [{ offM: 0, weight: 1 }], lookM: sideM };
  const lookM = sideM / 2;
  if (sideM < 30) return { looks: [-0.5, 0.5].map((at) => ({ offM: at * lookM, weight: 0.5 })), lookM };
  return { looks: [-1, 0, 1].map((at) => ({ offM: at * lookM, weight: at === 0 ? 0.5 : 0.25 })), lookM };
}

/** Makes the painter of towns; it reuses its own working memory. */
export function makeTownPainter(noise: Noise, detail: Detail): PaintTown {
  const seed = noise.salt(82);
  const findQuarter = makeCellFinder({ spacingM: 330, seed: noise.salt(81) });
  const frame: Turned = { u: 0, v: 0, cos: 1, sin: 0 };
  const along = makeInterval();
  const across = makeInterval();
  const lot = makeLot();
  const { looks, lookM } = planLooks(detail.sideM);
  const paintOneLot = detail.isFine ? makeFineLotPainter(noise, lookM) : paintLot;
  const seen = makeMixer();
  const mean = makeMixer();
  // Neighbouring locations mostly share a quarter: its plan is cached until the next one.
  let plannedId = -1;
  let quarter: Quarter | null = null;

  return (x, y, mixer) => {
    const { edgeM } = enterQuarter(x, y);
    if (looks.length === 1) {
      paintPoint(x, y, mixer);
      return;
    }
    // The farthest looks are as far off as the pixel's corners.
    const isOneQuarter = edgeM > detail.sideM * 0.71;
    if (isOneQuarter && quarter === null) return;
    mean.clear();
    let built = 0;
    for (const right of looks) {
      for (const down of looks) {
        if (!isOneQuarter) enterQuarter(x + right.offM, y + down.offM);
        if (quarter === null) continue;
        paintPoint(x + right.offM, y + down.offM, seen);
        mean.addMixture(seen, right.weight * down.weight);
        built += right.weight * down.weight;
      }
    }
    if (built === 0) return;
    if (built < 1) mean.addMixture(mixer, 1 - built);
    mixer.clear();
    mixer.addMixture(mean, 1);
  };

  function enterQuarter(x: number, y: number): Cell {
    const cell = findQuarter(x, y);
    if (cell.id === plannedId) return cell;
    plannedId = cell.id;
    quarter = planQuarter(cell);
    lot.leafy = random(cell.id, 5, seed);
    // One direction for a whole town, a quarter or two off it.
    const of = nearestSettlement(cell.centreX, cell.centreY);
    setTurn(frame, random(of.x, of.y, seed) * 0.12 + (random(cell.id, 2, seed) < 0.25 ? 0.06 : 0));
    return cell;
  }

  /** Paints a location of the quarter that was entered. */
  function paintPoint(x: number, y: number, mixer: Mixer): void {
    if (quarter === null) return;
    const plan = plans[quarter];
    // Streets run through from quarter to quarter of the same direction: measured from the frame's corner.
    frame.u = x * frame.cos + y * frame.sin;
    frame.v = y * frame.cos - x * frame.sin;
    findInterval(frame.u, { stepM: plan.alongM, jitter: 0.3, seed }, along);
    findInterval(frame.v, { stepM: plan.acrossM, jitter: 0.3, seed: seed + 1 }, across);
    findLot(frame.u, along, plan, lot.u);
    findLot(frame.v, across, plan, lot.v);
    lot.quarter = quarter;
    lot.bits = hash(lot.u.index, lot.v.index, plannedId);
    paintOneLot(lot, mixer);
    const streetM = Math.min(along.edgeM, across.edgeM);
    mixer.coverEvenly(asphalt, bandShare(streetM - plan.halfWidthM, plan.halfWidthM, lookM) * 0.92);
    mixer.tone *= 1 + ((lot.bits >>> 24) / 256 - 0.5) * (detail.isFine ? 0.3 : 0.2);
  }

  /** Decides for a whole quarter, so that settlements end at streets and not in a mist of houses. */
  function planQuarter(cell: Cell): Quarter | null {
    const degree = settledAt(cell.centreX, cell.centreY);
    const by = nearestSettlement(cell.centreX, cell.centreY);
    const chance = random(cell.id, 3, seed);
    if (degree < (chance - 0.6) * 0.55) return null;
    if (by.kind === 'village') {
      if (degree > 0.62 + chance * 0.25) return 'old';
      return degree < 0.3 && chance > 0.84 ? 'works' : chance < 0.06 ? 'park' : 'houses';
    }
    if (degree > 0.8 + chance * 0.14) return 'old';
    const dice = random(cell.id, 4, seed);
    // Works and shops gather in a few zones around the town.
    const zone = noise.gradient(cell.centreX / 1500, cell.centreY / 1500, 86);
    if (degree < 0.62 && dice < 0.03 + zone * 0.8) return 'works';
    if (dice > 0.94) return 'park';
    return dice > 0.98 - degree * 0.6 ? 'blocks' : 'houses';
  }
}
