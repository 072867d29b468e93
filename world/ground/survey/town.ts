import { clamp } from '../../numbers/easing.ts';
import type { Noise } from '../../numbers/noise.ts';
import { hash, random } from '../../numbers/noise.ts';
import { nearestSettlement, settledAt } from '../base/layout.ts';
import { materialPart, zonePart } from '../parts.ts';
import type { Cell, Interval, Turned } from './cells.ts';
import { findInterval, makeCellFinder, makeInterval, setTurn } from './cells.ts';
import type { Detail } from './detail.ts';
import { bandShare } from './detail.ts';
import type { Mixer } from './mixer.ts';
import { makeMixer } from './mixer.ts';

/** Paints the built-up surface over what is there. */
type PaintTown = (x: number, y: number, mixer: Mixer) => void;

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

/** What a built-up quarter is made of. */
type Quarter = 'old' | 'blocks' | 'houses' | 'works' | 'park';

/** A lot's position along one side of its block. */
interface LotSide {
  index: number;
  /** Metres from the lot's middle. */
  offM: number;
  sideM: number;
}

/** A lot, and where in it one looks; reused. */
interface Lot {
  quarter: Quarter;
  /** Its own random bits. */
  bits: number;
  /** How green its quarter is, 0..1. */
  leafy: number;
  readonly u: LotSide;
  readonly v: LotSide;
}

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

/** Makes a lot to reuse. */
const makeLot = (): Lot => ({
  quarter: 'houses',
  bits: 0,
  leafy: 0,
  u: { index: 0, offM: 0, sideM: 1 },
  v: { index: 0, offM: 0, sideM: 1 },
});

/** Divides the ground between two streets into equal lots. */
function findLot(
  positionM: number,
  { index, fromM, toM }: Interval,
  { halfWidthM, lotM }: { readonly halfWidthM: number; readonly lotM: number },
  out: LotSide,
): void {
  const innerM = toM - fromM - 2 * halfWidthM;
  const lots = Math.max(1, Math.round(innerM / lotM));
  out.sideM = innerM / lots;
  const at = clamp((positionM - fromM - halfWidthM) / out.sideM, 0, lots - 0.001);
  const lot = Math.floor(at);
  out.index = index * 64 + lot;
  out.offM = (at - lot - 0.5) * out.sideM;
}

/** A byte of a lot's bits as a number that keeps to the middle, as no lot is all of one thing: 0.175..0.825. */
const chance = (bits: number, shift: number): number => 0.175 + (0.65 * ((bits >>> shift) & 0xff)) / 256;

/** One lot seen as a mixture: a roof, a yard, a garden or trees, by the quarter's own chances. */
function paintLot({ quarter, bits, leafy }: Lot, mixer: Mixer): void {
  const pick = chance(bits, 0);
  const tone = chance(bits, 8);
  const other = chance(bits, 16);
  mixer.begin(quarter === 'old' ? parts.concrete : parts.lawn);
  switch (quarter) {
    case 'old':
      mixer.cover(parts.asphalt, 0.35 + 0.4 * tone);
      mixer.cover(pick > 0.78 ? parts.metal : pick > 0.25 ? parts.dark : parts.tile, 0.25 + 0.5 * other);
      return;
    case 'blocks':
      mixer.cover(parts.asphalt, 0.35 + 0.4 * tone);
      mixer.cover(parts.trees, leafy * 0.5 * other);
      mixer.cover(pick > 0.8 ? parts.metal : pick > 0.29 ? parts.dark : parts.concrete, 0.18 + 0.5 * tone);
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
      mixer.cover(pick > 0.76 ? parts.metal : parts.dark, pick > 0.3 ? 0.3 + 0.34 * other : 0);
      return;
    case 'park':
      mixer.cover(parts.trees, pick > 0.55 ? 0.8 * tone : 0.1);
  }
}

/** Makes the painter of lots seen from a metre or two: a roof of its own with a lit and a dark side, a drive, trees. */
function makeFineLotPainter(noise: Noise, pixelM: number): (lot: Lot, mixer: Mixer) => void {
  return ({ quarter, bits, leafy, u: { offM: u, sideM: alongM }, v: { offM: v, sideM: acrossM } }, mixer) => {
    const pick = (bits & 0xff) / 256;
    const tone = ((bits >>> 8) & 0xff) / 256;
    const other = ((bits >>> 16) & 0xff) / 256;
    const isPaved = quarter === 'old' || quarter === 'works' || (quarter === 'blocks' && pick > 0.3);
    mixer.begin(isPaved ? (pick > 0.5 ? parts.asphalt : parts.concrete) : parts.lawn);
    const halfU = alongM * (isPaved ? 0.36 + 0.1 * tone : 0.24 + 0.1 * tone);
    const halfV = acrossM * (isPaved ? 0.32 + 0.12 * other : 0.2 + 0.1 * other);
    const shiftV = (tone - 0.5) * 0.15 * acrossM;
    const hasRoof = quarter === 'park' ? false : pick > (isPaved ? 0.2 : 0.16);
    // A drive from the house to the street side.
    if (!isPaved && hasRoof && Math.abs(u - halfU * 0.6) < 1.7 && v > 0) mixer.cover(parts.concrete, 0.9);
    const roof = hasRoof
      ? clamp(0.5 + (halfU - Math.abs(u)) / pixelM, 0, 1) *
        clamp(0.5 + (halfV - Math.abs(v - shiftV)) / pixelM, 0, 1)
      : 0;
    const trees = clamp((noise.value(u / 6 + bits / 7e6, v / 6, 87) - 0.72 + leafy * 0.34) * 6, 0, 1);
    mixer.cover(parts.trees, trees * (isPaved ? 0.25 : 0.95));
    if (roof <= 0) return;
    const metal = isPaved ? pick > 0.74 : pick > 0.95;
    mixer.cover(metal ? parts.metal : other > 0.8 ? parts.tile : parts.dark, roof);
    // Gabled roofs: the half towards the sun is brighter.
    if (!isPaved && roof > 0.5) mixer.tone *= v - shiftV > 0 ? 1.25 : 0.8;
  };
}
