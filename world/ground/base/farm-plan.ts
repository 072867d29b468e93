import { smoothStep } from '../../numbers/easing.ts';
import type { Noise } from '../../numbers/noise.ts';
import { hash, random } from '../../numbers/noise.ts';
import { spots } from '../../setting.ts';
import { blocksPerSide, makeMesh, ringOf, slotsOf, slotsPerBlock } from './farm-mesh.ts';
import { sharedFloats, sharedInts } from './grid.ts';
import type { Point } from './polylines.ts';
import { distanceM } from './polylines.ts';

/** Which pieces of land are fields, in memory that threads share. */
export interface FarmPlan {
  readonly mesh: Float32Array;
  readonly meshSeed: number;
  /** By block and slot: number of the field, `woodlot`, `rough`, or 0 where the land is as nature made it. */
  readonly slots: Int32Array;
  /** By field number less 1: block and slot as an index into `slots`. */
  readonly slotOfField: Int32Array;
  /** By field number less 1: middle (x, y), share of dark and of red soil, richness; five numbers each. */
  readonly traits: Float32Array;
}

/** A piece of the farmed plain left to trees, and one left to grass and bushes. */
export const woodlot = -1;
const rough = -2;

/** Numbers of `traits` by field. */
export const traitsPerField = 5;

/** What a farmer needs to know of a point. */
export interface FarmCountry {
  inlandM(x: number, y: number): number;
  lakeEdgeM(x: number, y: number): number;
  heightM(x: number, y: number): number;
  steepAt(x: number, y: number): number;
  settled(x: number, y: number): number;
  riverEdgeM(x: number, y: number): number;
}

/** Decides piece by piece what is tilled: gentle, dry, low ground outside of towns. */
export function makeFarmPlan(noise: Noise, country: FarmCountry): FarmPlan {
  const mesh = makeMesh(noise);
  const meshSeed = noise.salt(63);
  const seed = noise.salt(64);
  const slots = sharedInts(blocksPerSide * blocksPerSide * slotsPerBlock);
  const found: number[] = [];
  const traits: number[] = [];
  for (let block = 0; block < blocksPerSide * blocksPerSide; block++) {
    const first = ringOf(mesh, { block, slot: 0, seed: meshSeed })[0]!;
    if (country.inlandM(first.x, first.y) < -1500 || country.steepAt(first.x, first.y) > 0.2) continue;
    for (const slot of slotsOf(block, meshSeed)) {
      const at = block * slotsPerBlock + slot;
      const ring = ringOf(mesh, { block, slot, seed: meshSeed });
      const middle = middleOf(ring);
      slots[at] = planSlot(ring, middle, random(at, 3, seed));
      if (slots[at] !== 1) continue;
      found.push(at);
      slots[at] = found.length;
      traits.push(middle.x, middle.y, ...soilAt(middle), random(at, 5, seed));
    }
  }
  const slotOfField = sharedInts(found.length);
  slotOfField.set(found);
  const packed = sharedFloats(traits.length);
  packed.set(traits);
  return { mesh, meshSeed, slots, slotOfField, traits: packed };

  function planSlot(ring: readonly Point[], middle: Point, chance: number): number {
    const { x, y } = middle;
    const steep = country.steepAt(x, y);
    const heightM = country.heightM(x, y);
    if (steep > 0.085 || heightM > 240 || country.settled(x, y) > 0.03) return 0;
    for (const corner of ring) {
      // A little inside of the corner: neighbours may share a point with the water's edge.
      const px = corner.x + (x - corner.x) * 0.15;
      const py = corner.y + (y - corner.y) * 0.15;
      if (country.inlandM(px, py) < 110 || country.lakeEdgeM(px, py) < 90) return 0;
      if (country.riverEdgeM(px, py) < 12 || country.settled(px, py) > 0.12) return 0;
      const midX = (corner.x + x) / 2;
      const midY = (corner.y + y) / 2;
      if (country.riverEdgeM(midX, midY) < 12) return 0;
    }
    if (country.riverEdgeM(x, y) < 12) return 0;
    // The spots that show farmland and flooded land have few woods, whatever the seed.
    const woods = noise.fractal(x / 6500, y / 6500, 3, 65) * awayFromSpots(x, y);
    const left = 0.12 + steep * 7 + Math.max(0, woods - 0.06) * 2.6 + Math.max(0, heightM - 50) / 260;
    if (chance >= left) return 1;
    if (steep > 0.05 && chance < left - 0.5) return 0;
    return hash(Math.floor(x), Math.floor(y), seed) % 5 < 3 ? woodlot : rough;
  }

  /** Dark bottom-land near the sea's level, pale terraces above it, red patches towards the hills. */
  function soilAt({ x, y }: Point): readonly [dark: number, red: number] {
    const heightM = country.heightM(x, y);
    const dark = 0.75 - heightM / 90 + 0.8 * noise.fractal(x / 3800, y / 3800, 3, 66);
    const red = heightM / 260 - 0.15 + 0.9 * noise.fractal(x / 5200, y / 5200, 3, 67);
    const darkShare = Math.min(1, Math.max(0, dark));
    return [darkShare, Math.min(1, Math.max(0, red)) * (1 - darkShare)];
  }
}

/** 0 around the spots that farmland is shown at, 1 some kilometres away. */
function awayFromSpots(x: number, y: number): number {
  const farmM = distanceM(spots.farm, { x, y });
  const floodM = distanceM(spots.flood, { x, y });
  return smoothStep(3500, 8000, Math.min(farmM, floodM));
}

/** Mean of a ring's four corners. */
function middleOf(ring: readonly Point[]): Point {
  const [a, b, c, d] = ring as readonly [Point, Point, Point, Point];
  return { x: (a.x + b.x + c.x + d.x) / 4, y: (a.y + b.y + c.y + d.y) / 4 };
}
