import { smoothStep } from '../../numbers/easing.ts';
import type { Noise } from '../../numbers/noise.ts';
import { spots } from '../../setting.ts';
import type { ErodedGrid } from './erosion.ts';
import { erode } from './erosion.ts';
import { baseGrid, sharedFloats } from './grid.ts';
import { islands, lake, peaks } from './layout.ts';
import type { Point } from './polylines.ts';
import type { River } from './trunk-rivers.ts';
import type { Warp } from './warp.ts';

/** The eroded country on the base grid, bent by the warp. */
export interface ReliefGrid {
  readonly eroded: ErodedGrid;
  /** Heights of `eroded`, and how rough the ground is in between, as metres a metre of slope. */
  readonly heightM: Float32Array;
  readonly steep: Float32Array;
  /** Level of the nearest stretch of the first trunk river, and metres to it. */
  readonly mainLevelM: Float32Array;
  readonly mainAwayM: Float32Array;
  /** By cell of a trunk river's valley floor: where brooks that come there join the river. */
  readonly confluences: ReadonlyMap<number, Confluence>;
  /** True heights from the plan's: peaks are stretched to `summitM`, valleys keep theirs. */
  toHeightM(planM: number): number;
}

/** Height of the highest cell, between those of Glacier Peak and Mount Baker. */
const summitM = 2980;

/** The volcano on top of the range: height and radius of its cone. */
const cone = { x: spots.summit.x, y: spots.summit.y, heightM: 850, radiusM: 6500 } as const;

/** What the relief is made from. */
interface ReliefInput {
  readonly noise: Noise;
  readonly warp: Warp;
  readonly trunks: readonly River[];
  readonly shores: {
    inlandM(x: number, y: number): number;
    lakeEdgeM(x: number, y: number): number;
  };
}

/** Erodes the country down to the sea, the lake and the trunk rivers. */
export function makeReliefGrid({ noise, warp, trunks, shores }: ReliefInput): ReliefGrid {
  const { size, cellM, originM } = baseGrid;
  const count = size * size;
  const isBase = new Uint8Array(count);
  const baseHeightM = new Float64Array(count);
  const steepness = new Float64Array(count);
  const isTrunk = new Uint8Array(count);
  const cellOf = ({ x, y }: Point): number => {
    const col = Math.floor((warp.x(x, y) - originM) / cellM);
    const row = Math.floor((warp.y(x, y) - originM) / cellM);
    return col < 0 || row < 0 || col >= size || row >= size ? -1 : row * size + col;
  };
  for (let cell = 0; cell < count; cell++) {
    const { x, y } = warp.pointOf(cell);
    const inlandM = shores.inlandM(x, y);
    const isLake = shores.lakeEdgeM(x, y) < 0;
    isBase[cell] = inlandM < 0 || isLake ? 1 : 0;
    baseHeightM[cell] = isLake ? lake.levelM : 0;
    steepness[cell] = steepnessOf(noise, x, y) * (0.35 + 0.65 * smoothStep(0, 2500, inlandM));
  }
  for (const { points, levelM } of trunks) {
    for (const [i, point] of points.entries()) {
      const cell = cellOf(point);
      if (cell < 0 || (isBase[cell] === 1 && isTrunk[cell] === 0)) continue;
      isBase[cell] = 1;
      baseHeightM[cell] = levelM[i]!;
      isTrunk[cell] = 1;
    }
  }
  const main = spreadNearest(trunks[0]!, cellOf);
  const confluences = flattenValleys(steepness, trunks, cellOf);
  const eroded = erode({ size, cellM, isBase, baseHeightM, steepness, seed: noise.salt(21) });
  raiseCone(eroded, warp);
  const toHeightM = planStretch(eroded.heightM);
  const heightM = sharedFloats(count);
  for (let cell = 0; cell < count; cell++) heightM[cell] = toHeightM(eroded.heightM[cell]!);
  main.mainLevelM.forEach((level, cell) => {
    main.mainLevelM[cell] = toHeightM(level);
  });
  return { eroded, heightM, steep: toSteepness(heightM), ...main, confluences, toHeightM };
}

/** Builds the volcano, and raises what it would dam so that all still drains the way it did. */
function raiseCone({ heightM, order, receiver }: ErodedGrid, warp: Warp): void {
  const { originM, cellM, size } = baseGrid;
  const coneX = warp.x(cone.x, cone.y);
  const coneY = warp.y(cone.x, cone.y);
  for (const cell of order) {
    // The bend of the grid may leave the cone a little out of round.
    const col = cell % size;
    const dx = (originM + (col + 0.5) * cellM - coneX) / cone.radiusM;
    const dy = (originM + ((cell - col) / size + 0.5) * cellM - coneY) / cone.radiusM;
    const away = Math.sqrt(dx * dx + dy * dy);
    if (away < 1) heightM[cell]! += cone.heightM * (1 - away) * (1 - away) * (1 + 1.4 * away);
    const below = receiver[cell]!;
    if (below !== cell) heightM[cell] = Math.max(heightM[cell]!, heightM[below]! + 0.5);
  }
}

/** A parabola through 0 that keeps low heights and brings the highest cell to `summitM`; it never turns back. */
function planStretch(heightM: Float64Array): (planM: number) => number {
  const top = heightM.reduce((highest, height) => Math.max(highest, height), 1);
  const bend = Math.max((summitM - top) / (top * top), -0.4 / top);
  return (planM) => planM + bend * planM * planM;
}

/** Where brooks that reach a trunk river's valley floor join it: the nearest point of that river. */
interface Confluence {
  readonly point: Point;
  readonly levelM: number;
  /** Square of the cells in between. */
  readonly away2: number;
}

/** Valley floors of the trunk rivers: soft sediment, so gentle for some hundred metres from the river. */
function flattenValleys(
  steepness: Float64Array,
  trunks: readonly River[],
  cellOf: (point: Point) => number,
): ReadonlyMap<number, Confluence> {
  const { size } = baseGrid;
  const floor = new Map<number, Confluence>();
  for (const { points, levelM } of trunks) {
    for (const [i, point] of points.entries()) {
      const cell = cellOf(point);
      if (cell < 0) continue;
      for (let dy = -3; dy <= 3; dy++) {
        for (let dx = -3; dx <= 3; dx++) {
          const next = cell + dy * size + dx;
          const away2 = dx * dx + dy * dy;
          if (next < 0 || next >= size * size || away2 > 10) continue;
          if (away2 < (floor.get(next)?.away2 ?? 99)) floor.set(next, { point, levelM: levelM[i]!, away2 });
        }
      }
    }
  }
  for (const cell of floor.keys()) {
    steepness[cell] = Math.min(steepness[cell]!, 0.6 + steepness[cell]! * 0.06);
  }
  return floor;
}

/** Slope of each cell over its neighbours, limited to what noise on top of it may bear. */
function toSteepness(heightM: Float32Array): Float32Array {
  const { size, cellM } = baseGrid;
  const steep = sharedFloats(size * size);
  for (let row = 1; row < size - 1; row++) {
    for (let col = 1; col < size - 1; col++) {
      const at = row * size + col;
      const dx = (heightM[at + 1]! - heightM[at - 1]!) / (2 * cellM);
      const dy = (heightM[at + size]! - heightM[at - size]!) / (2 * cellM);
      steep[at] = Math.min(0.7, Math.sqrt(dx * dx + dy * dy));
    }
  }
  return steep;
}

/** Carries level and point of a river to all cells around it: two sweeps of a chamfer distance transform. */
function spreadNearest(
  river: River,
  cellOf: (point: Point) => number,
): { mainLevelM: Float32Array; mainAwayM: Float32Array } {
  const { size, cellM } = baseGrid;
  const mainLevelM = sharedFloats(size * size);
  const mainAwayM = sharedFloats(size * size).fill(1e6);
  for (const [i, point] of river.points.entries()) {
    const cell = cellOf(point);
    if (cell < 0) continue;
    mainAwayM[cell] = 0;
    mainLevelM[cell] = river.levelM[i]!;
  }
  const pull = (at: number, from: number, stepM: number): void => {
    if (mainAwayM[from]! + stepM >= mainAwayM[at]!) return;
    mainAwayM[at] = mainAwayM[from]! + stepM;
    mainLevelM[at] = mainLevelM[from]!;
  };
  const slantM = cellM * Math.SQRT2;
  for (let row = 1; row < size - 1; row++) {
    for (let col = 1; col < size - 1; col++) {
      const at = row * size + col;
      pull(at, at - 1, cellM);
      pull(at, at - size, cellM);
      pull(at, at - size - 1, slantM);
      pull(at, at - size + 1, slantM);
    }
  }
  for (let row = size - 2; row > 0; row--) {
    for (let col = size - 2; col > 0; col--) {
      const at = row * size + col;
      pull(at, at + 1, cellM);
      pull(at, at + size, cellM);
      pull(at, at + size + 1, slantM);
      pull(at, at + size - 1, slantM);
    }
  }
  return { mainLevelM, mainAwayM };
}

/** How mountainous a point is: 0 in the plain, 1 in the high range. */
function hillinessOf(noise: Noise, x: number, y: number): number {
  const wander = 8500 * noise.fractal(x / 24000, y / 24000, 4, 20);
  return smoothStep(0, 38000, x - 54500 + wander);
}

/** Steepness of brooks (ks of the stream-power law) at a point: what the relief grows from. */
function steepnessOf(noise: Noise, x: number, y: number): number {
  const hill = hillinessOf(noise, x, y);
  // Harder and softer rock in patches of some kilometres.
  const rock =
    1 + 0.55 * noise.fractal(x / 5200, y / 5200, 4, 25) + 0.4 * noise.gradient(x / 17000, y / 17000, 29);
  let rise = 0.3 + 128 * hill * (1.5 - 0.5 * hill);
  for (const peak of peaks) {
    const dx = x / 1000 - peak.at[0];
    const dy = y / 1000 - peak.at[1];
    const away2 = (dx * dx + dy * dy) / (peak.radiusKm * peak.radiusKm);
    if (away2 < 1) rise += peak.rise * (1 - away2) * (1 - away2);
  }
  for (const island of islands) {
    const dx = (x / 1000 - island.at[0]) / (island.radii[0] * 1.2);
    const dy = (y / 1000 - island.at[1]) / (island.radii[1] * 1.2);
    const away2 = dx * dx + dy * dy;
    if (away2 < 1) rise += island.rise * (1 - away2);
  }
  return rise * rock;
}
