import { clamp } from '../../numbers/easing.ts';
import type { Noise } from '../../numbers/noise.ts';
import { materialPart, zonePart } from '../parts.ts';
import type { Interval } from './cells.ts';
import type { Mixer } from './mixer.ts';

/** What a built-up quarter is made of. */
export type Quarter = 'old' | 'blocks' | 'houses' | 'works' | 'park';

/** A lot's position along one side of its block. */
export interface LotSide {
  index: number;
  /** Metres from the lot's middle. */
  offM: number;
  sideM: number;
}

/** A lot, and where in it one looks; reused. */
export interface Lot {
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
export const makeLot = (): Lot => ({
  quarter: 'houses',
  bits: 0,
  leafy: 0,
  u: { index: 0, offM: 0, sideM: 1 },
  v: { index: 0, offM: 0, sideM: 1 },
});

/** Divides the ground between two streets into equal lots. */
export function findLot(
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
export function paintLot({ quarter, bits, leafy }: Lot, mixer: Mixer): void {
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
export function makeFineLotPainter(noise: Noise, pixelM: number): (lot: Lot, mixer: Mixer) => void {
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
