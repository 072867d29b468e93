import { nearestSettlement, settledAt } from '../base/settled.ts';
import { clamp } from '../easing.ts';
import type { Noise } from '../noise.ts';
import { hash, random } from '../noise.ts';
import { materialPart, zonePart } from '../parts.ts';
import type { Cell, Interval, Turned } from './cells.ts';
import { findInterval, makeCellFinder, setTurn } from './cells.ts';
import type { Detail } from './detail.ts';
import { bandShare } from './detail.ts';
import type { Mixer } from './mixer.ts';

/** What a built-up quarter is made of. */
type Quarter = 'none' | 'old' | 'blocks' | 'houses' | 'works' | 'park';

/** Paints the built-up surface over what is there; false where there is none. */
export type PaintTown = (x: number, y: number, mixer: Mixer) => boolean;

const parts = {
  asphalt: materialPart('asphalt'),
  concrete: materialPart('concrete'),
  tile: materialPart('tile-roof'),
  metal: materialPart('metal-roof'),
  dark: materialPart('dark-roof'),
  lawn: zonePart('lawn'),
  trees: zonePart('valley-broadleaf'),
  conifer: materialPart('conifer'),
  soil: materialPart('pale-soil'),
} as const;

/** Street grid by quarter: distance between streets along and across, half width; side of a lot; metres. */
const plans = {
  old: { alongM: 95, acrossM: 70, halfWidthM: 5.5, lotM: 22 },
  blocks: { alongM: 125, acrossM: 92, halfWidthM: 6.5, lotM: 32 },
  houses: { alongM: 150, acrossM: 68, halfWidthM: 4.2, lotM: 19 },
  works: { alongM: 210, acrossM: 170, halfWidthM: 7.5, lotM: 70 },
  park: { alongM: 700, acrossM: 700, halfWidthM: 3, lotM: 45 },
} as const;

/** A lot's place along one side of its block. */
interface Lot {
  index: number;
  /** Metres from the lot's middle. */
  offM: number;
  sideM: number;
}

/** Divides the ground between two streets into equal lots. */
function findLot(
  positionM: number,
  { index, fromM, toM }: Interval,
  { halfWidthM, lotM }: { readonly halfWidthM: number; readonly lotM: number },
  out: Lot,
): void {
  const innerM = toM - fromM - 2 * halfWidthM;
  const lots = Math.max(1, Math.round(innerM / lotM));
  out.sideM = innerM / lots;
  const at = clamp((positionM - fromM - halfWidthM) / out.sideM, 0, lots - 0.001);
  const lot = Math.floor(at);
  out.index = index * 64 + lot;
  out.offM = (at - lot - 0.5) * out.sideM;
}

/** Makes the painter of towns; it reuses its own working memory. */
export function makeTownPainter(noise: Noise, detail: Detail): PaintTown {
  const seed = noise.salt(82);
  const findQuarter = makeCellFinder({ spacingM: 330, seed: noise.salt(81) });
  const frame: Turned = { u: 0, v: 0, cos: 1, sin: 0 };
  const along: Interval = { index: 0, edgeM: 0, fromM: 0, toM: 0 };
  const across: Interval = { index: 0, edgeM: 0, fromM: 0, toM: 0 };
  const lotU: Lot = { index: 0, offM: 0, sideM: 1 };
  const lotV: Lot = { index: 0, offM: 0, sideM: 1 };
  // Neighbouring pixels mostly share a quarter: its plan is kept until the next one.
  let plannedId = -1;
  let quarter: Quarter = 'none';

  return (x, y, mixer) => {
    const cell = findQuarter(x, y);
    if (cell.id !== plannedId) {
      plannedId = cell.id;
      quarter = planQuarter(cell);
      // One direction for a whole town, a quarter or two off it.
      const of = nearestSettlement(cell.centreX, cell.centreY);
      setTurn(frame, random(of.x, of.y, seed) * 0.12 + (random(cell.id, 2, seed) < 0.25 ? 0.06 : 0));
    }
    if (quarter === 'none') return false;
    const plan = plans[quarter];
    // Streets run through from quarter to quarter of the same direction: measured from the frame's corner.
    frame.u = x * frame.cos + y * frame.sin;
    frame.v = y * frame.cos - x * frame.sin;
    findInterval(frame.u, { stepM: plan.alongM, jitter: 0.3, seed }, along);
    findInterval(frame.v, { stepM: plan.acrossM, jitter: 0.3, seed: seed + 1 }, across);
    findLot(frame.u, along, plan, lotU);
    findLot(frame.v, across, plan, lotV);
    const lot = hash(lotU.index, lotV.index, cell.id);
    mixer.begin(parts.lawn);
    const leafy = random(cell.id, 5, seed);
    if (detail.isFine) paintFineLot(lot, leafy, mixer);
    else paintLot(lot, leafy, mixer);
    const streetM = Math.min(along.edgeM, across.edgeM);
    mixer.coverEvenly(
      parts.asphalt,
      bandShare(streetM - plan.halfWidthM, plan.halfWidthM, detail.sideM) * 0.92,
    );
    mixer.tone *= 1 + (((lot >>> 24) & 0xff) / 256 - 0.5) * 0.3 * (0.3 + 0.7 * detail.of20);
    return true;
  };

  /** Decides for a whole quarter, so that settlements end at streets and not in a mist of houses. */
  function planQuarter(cell: Cell): Quarter {
    const degree = settledAt(cell.centreX, cell.centreY);
    const by = nearestSettlement(cell.centreX, cell.centreY);
    const chance = random(cell.id, 3, seed);
    if (degree < (chance - 0.6) * 0.55) return 'none';
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

  /** One lot seen as a mixture: a roof, a yard, a garden or trees, by the quarter's own chances. */
  function paintLot(lot: number, leafy: number, mixer: Mixer): void {
    // Coarse pixels hold many lots: their chances come together.
    const mean = 1 - 0.75 * detail.of20 - 0.25 * detail.of60;
    const even = (value: number): number => value + (0.5 - value) * mean;
    const pick = even((lot & 0xff) / 256);
    const tone = even(((lot >>> 8) & 0xff) / 256);
    const other = even(((lot >>> 16) & 0xff) / 256);
    switch (quarter) {
      case 'old':
        mixer.begin(parts.concrete);
        mixer.cover(parts.asphalt, 0.35 + 0.4 * tone);
        mixer.cover(pick > 0.78 ? parts.metal : pick > 0.25 ? parts.dark : parts.tile, 0.25 + 0.5 * other);
        if (pick < 0.1) mixer.cover(parts.trees, 0.6);
        return;
      case 'blocks':
        mixer.cover(parts.asphalt, 0.35 + 0.4 * tone);
        mixer.cover(parts.trees, leafy * 0.5 * other);
        mixer.cover(pick > 0.8 ? parts.metal : pick > 0.4 ? parts.dark : parts.concrete, 0.18 + 0.5 * tone);
        return;
      case 'houses':
        mixer.cover(parts.trees, (0.15 + leafy * 0.6) * (1 - tone));
        mixer.cover(parts.conifer, leafy * 0.35 * other);
        mixer.cover(parts.asphalt, 0.12);
        mixer.cover(pick > 0.8 ? parts.tile : parts.dark, pick > 0.22 ? 0.16 + 0.3 * other : 0);
        return;
      case 'works':
        mixer.cover(parts.asphalt, 0.85);
        mixer.cover(parts.concrete, 0.55 * tone);
        mixer.cover(
          pick > 0.72 ? parts.metal : parts.dark,
          (pick > 0.3 ? 0.35 + 0.4 * other : 0) * (1 - mean * 0.4),
        );
        return;
      case 'park':
        mixer.cover(parts.trees, pick > 0.55 ? 0.8 * tone : 0.1);
        mixer.cover(parts.soil, pick < 0.08 ? 0.7 : 0);
        return;
      case 'none':
    }
  }

  /** One lot seen from a metre or two: a roof of its own with a lit and a dark side, a drive, trees. */
  function paintFineLot(lot: number, leafy: number, mixer: Mixer): void {
    const u = lotU.offM;
    const v = lotV.offM;
    const pick = (lot & 0xff) / 256;
    const tone = ((lot >>> 8) & 0xff) / 256;
    const other = ((lot >>> 16) & 0xff) / 256;
    const isPaved = quarter === 'old' || quarter === 'works' || (quarter === 'blocks' && pick > 0.3);
    if (isPaved) mixer.begin(pick > 0.5 ? parts.asphalt : parts.concrete);
    const halfU = lotU.sideM * (isPaved ? 0.36 + 0.1 * tone : 0.24 + 0.1 * tone);
    const halfV = lotV.sideM * (isPaved ? 0.32 + 0.12 * other : 0.2 + 0.1 * other);
    const shiftV = (tone - 0.5) * 0.15 * lotV.sideM;
    const hasRoof = quarter === 'park' ? false : pick > (isPaved ? 0.2 : 0.16);
    // A drive from the house to the street side.
    if (!isPaved && hasRoof && Math.abs(u - halfU * 0.6) < 1.7 && v > 0) mixer.cover(parts.concrete, 0.9);
    const roof = hasRoof
      ? clamp(0.5 + (halfU - Math.abs(u)) / detail.sideM, 0, 1) *
        clamp(0.5 + (halfV - Math.abs(v - shiftV)) / detail.sideM, 0, 1)
      : 0;
    const trees = clamp((noise.value(u / 6 + lot / 7e6, v / 6, 87) - 0.72 + leafy * 0.34) * 6, 0, 1);
    mixer.cover(parts.trees, trees * (isPaved ? 0.25 : 0.95));
    if (roof <= 0) return;
    const metal = isPaved ? pick > 0.74 : pick > 0.95;
    mixer.cover(metal ? parts.metal : other > 0.8 ? parts.tile : parts.dark, roof);
    // Gabled roofs: the half towards the sun is brighter.
    if (!isPaved && roof > 0.5) mixer.tone *= v - shiftV > 0 ? 1.25 : 0.8;
  }
}
