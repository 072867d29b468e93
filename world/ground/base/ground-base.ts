import { makeNoise } from '../../numbers/noise.ts';
import { makeBrooks } from './brooks.ts';
import type { FarmPlan } from './farm-plan.ts';
import { makeFarmPlan } from './farm-plan.ts';
import { baseGrid, makeLinearSampler, sharedFloats, sharedInts, sharpen } from './grid.ts';
import { lake } from './layout.ts';
import { makeReliefGrid } from './relief-grid.ts';
import { makeRoads } from './roads.ts';
import { settledAt } from './settled.ts';
import { inlandOf, lakeEdgeOf } from './shore.ts';
import type { StrokeIndex } from './stroke-index.ts';
import { makeStrokeFinder, makeStrokeIndex } from './stroke-index.ts';
import type { River } from './trunk-rivers.ts';
import { makeTrunkRivers } from './trunk-rivers.ts';
import { makeWarp } from './warp.ts';

/** What a world works out once: plain data in shared memory, so that one thread makes it for all. */
export interface GroundBase {
  readonly seed: number;
  /** On `baseGrid`: metres inland, metres outside the lake, how settled. */
  readonly inlandM: Float32Array;
  readonly lakeEdgeM: Float32Array;
  readonly settled: Float32Array;
  /** On `baseGrid`, bent by the warp: height (for the smooth sampler), slope, level of the main river near by and metres to it. */
  readonly heightM: Float32Array;
  readonly steep: Float32Array;
  readonly mainLevelM: Float32Array;
  readonly mainAwayM: Float32Array;
  readonly lakeLevelM: number;
  readonly rivers: StrokeIndex;
  readonly roads: StrokeIndex;
  readonly farm: FarmPlan;
  /** Every river downstream: x, y and level of each point; `riverStarts` has each one's first point and the end. */
  readonly riverPoints: Float32Array;
  readonly riverStarts: Int32Array;
}

/** How far from a river its bed and banks reach. */
const riverReachM = 160;
/** Half a coarse pixel and some. */
const roadReachM = 90;

/** Works out the country of a seed: about two seconds. */
export function makeGroundBase(seed: number): GroundBase {
  const noise = makeNoise(seed);
  const { originM, cellM, size } = baseGrid;
  const onGrid = (compute: (x: number, y: number) => number): Float32Array => {
    const values = sharedFloats(size * size);
    for (let cell = 0; cell < values.length; cell++) {
      const col = cell % size;
      values[cell] = compute(originM + (col + 0.5) * cellM, originM + ((cell - col) / size + 0.5) * cellM);
    }
    return values;
  };
  const inlandM = onGrid((x, y) => inlandOf(noise, x, y));
  const lakeEdgeM = onGrid((x, y) => lakeEdgeOf(noise, x, y));
  const settled = onGrid(settledAt);
  const warp = makeWarp(noise);
  const trunks = makeTrunkRivers(noise);
  const inlandAt = makeLinearSampler(inlandM, baseGrid);
  const lakeEdgeAt = makeLinearSampler(lakeEdgeM, baseGrid);
  const shores = { inlandM: inlandAt, lakeEdgeM: lakeEdgeAt };
  const relief = makeReliefGrid({ noise, warp, trunks, shores });
  const rivers: readonly River[] = [
    ...trunks.map((trunk) => ({ ...trunk, levelM: trunk.levelM.map(relief.toHeightM) })),
    ...makeBrooks(relief, warp),
  ];
  const riverIndex = makeStrokeIndex(
    rivers.map(({ points, halfWidthM, levelM }) => ({ points, halfWidthM, valueAt: levelM })),
    riverReachM,
  );
  const steepGrid = makeLinearSampler(relief.steep, baseGrid);
  const heightGrid = makeLinearSampler(relief.heightM, baseGrid);
  const findRiver = makeStrokeFinder(riverIndex);
  const river = { edgeM: 0, halfWidthM: 0, value: 0 };
  /** Metres to the edge of a river that a bridge or a border has to mind. */
  const riverEdgeM = (x: number, y: number): number =>
    findRiver(x, y, river) && river.halfWidthM > 4.5 ? river.edgeM : riverReachM;
  const country = {
    inlandM: inlandAt,
    lakeEdgeM: lakeEdgeAt,
    steepAt: (x: number, y: number) => steepGrid(warp.x(x, y), warp.y(x, y)),
    heightM: (x: number, y: number) => heightGrid(warp.x(x, y), warp.y(x, y)),
    settled: makeLinearSampler(settled, baseGrid),
    riverEdgeM,
    isRiver: (x: number, y: number) => riverEdgeM(x, y) < 180,
  };
  return {
    seed,
    inlandM,
    lakeEdgeM,
    settled,
    heightM: sharpen(relief.heightM, baseGrid),
    steep: relief.steep,
    mainLevelM: relief.mainLevelM,
    mainAwayM: relief.mainAwayM,
    lakeLevelM: relief.toHeightM(lake.levelM),
    rivers: riverIndex,
    roads: makeStrokeIndex(makeRoads(noise, country), roadReachM),
    farm: makeFarmPlan(noise, country),
    ...packRivers(rivers),
  };
}

function packRivers(rivers: readonly River[]): { riverPoints: Float32Array; riverStarts: Int32Array } {
  const riverStarts = sharedInts(rivers.length + 1);
  for (const [i, { points }] of rivers.entries()) riverStarts[i + 1] = riverStarts[i]! + points.length;
  const riverPoints = sharedFloats(riverStarts.at(-1)! * 3);
  let at = 0;
  for (const { points, levelM } of rivers) {
    for (const [i, { x, y }] of points.entries()) {
      riverPoints.set([x, y, levelM[i]!], at);
      at += 3;
    }
  }
  return { riverPoints, riverStarts };
}
