import { clamp, smoothStep, unitVector } from '../../numbers/easing.ts';
import type { Noise } from '../../numbers/noise.ts';
import { makeNoise } from '../../numbers/noise.ts';
import { spots } from '../../setting.ts';
import type { FarmPlan } from './farm-plan.ts';
import { makeFarmPlan } from './farm-plan.ts';
import { baseGrid, makeLinearSampler, sharedFloats, sharedInts, sharpen } from './grid.ts';
import { islands, lake, settledAt, shoreLine } from './layout.ts';
import type { Point, StrokeIndex } from './polylines.ts';
import { makeStrokeFinder, makeStrokeIndex, smoothLine } from './polylines.ts';
import type { ReliefGrid } from './relief-grid.ts';
import { makeReliefGrid } from './relief-grid.ts';
import { makeRoads } from './roads.ts';
import type { River } from './trunk-rivers.ts';
import { makeTrunkRivers } from './trunk-rivers.ts';
import type { Warp } from './warp.ts';
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

/** A brook is drawn where it drains more than this: smaller ones are hidden under trees. */
const catchmentFromM2 = 5_000_000;

/** The rivers and brooks that the relief drains by, from their heads to the sea, the lake or a larger river. */
function makeBrooks({ eroded, confluences, toHeightM }: ReliefGrid, warp: Warp): readonly River[] {
  const { catchmentM2, receiver, order, heightM } = eroded;
  const isBrook = (cell: number): boolean => catchmentM2[cell]! >= catchmentFromM2 && receiver[cell] !== cell;
  const hasBrookAbove = new Uint8Array(receiver.length);
  for (const cell of order) if (isBrook(cell)) hasBrookAbove[receiver[cell]!] = 1;
  const isDrawn = new Uint8Array(receiver.length);
  const rivers: River[] = [];
  for (const head of order) {
    if (!isBrook(head) || hasBrookAbove[head] === 1) continue;
    const cells: number[] = [];
    let cell = head;
    for (; isBrook(cell) && isDrawn[cell] === 0 && !confluences.has(cell); cell = receiver[cell]!) {
      isDrawn[cell] = 1;
      cells.push(cell);
    }
    if (cells.length === 0) continue;
    const locations: Point[] = cells.map(warp.pointOf);
    const levels = cells.map((at) => heightM[at]!);
    // Straight to the river across its valley floor: on the flat the grid would lead it alongside for miles.
    const joined = confluences.get(cell);
    locations.push(joined?.point ?? warp.pointOf(cell));
    levels.push(Math.min(levels.at(-1)!, joined?.levelM ?? heightM[cell]!));
    cells.push(cell);
    rivers.push({
      points: smoothLine(locations, 2),
      levelM: smoothNumbers(levels.map(toHeightM), 2),
      // Width grows with the square root of the catchment, as hydraulic geometry has it.
      halfWidthM: smoothNumbers(
        cells.map((at) => Math.min(22, 0.6 + 0.00095 * Math.sqrt(Math.min(catchmentM2[at]!, 6e8)))),
        2,
      ),
    });
  }
  return rivers;
}

/** Numbers along a line, smoothed as `smoothLine` smooths its locations. */
function smoothNumbers(values: readonly number[], rounds: number): readonly number[] {
  return smoothLine(
    values.map((value) => ({ x: value, y: 0 })),
    rounds,
  ).map(({ x }) => x);
}

/** x of the mainland's shore in kilometres: a smooth curve through the points of the plan. */
function shoreKm(y: number): number {
  let i = 0;
  while (i < shoreLine.length - 2 && y > shoreLine[i + 1]![0]) i++;
  const [y0, x0] = shoreLine[i]!;
  const [y1, x1] = shoreLine[i + 1]!;
  const before = shoreLine[i - 1] ?? shoreLine[i]!;
  const after = shoreLine[i + 2] ?? shoreLine[i + 1]!;
  const slope0 = (x1 - before[1]) / (y1 - before[0]);
  const slope1 = (after[1] - x0) / (after[0] - y0);
  const span = y1 - y0;
  const t = clamp((y - y0) / span, 0, 1);
  const h = t * t * (3 - 2 * t);
  return x0 + (x1 - x0) * h + span * (slope0 * t * (1 - t) * (1 - t) - slope1 * t * t * (1 - t));
}

const turnedIslands = islands.map(({ at, radii, turn }) => {
  const [cos, sin] = unitVector(turn - Math.floor(turn));
  return { at, radii, cos, sin };
});

/** Metres inland from the nearest shore at a point, negative at sea; coves and points down to a kilometre. */
function inlandOf(noise: Noise, x: number, y: number): number {
  const wander = noise.fractal(x / 8000, y / 8000, 5, 10);
  // Around the spot that shows a shore, the shore stays where the plan has it.
  const dx = x - spots.shore.x;
  const dy = y - spots.shore.y;
  const held = 0.12 + 0.88 * smoothStep(1500, 9000, Math.sqrt(dx * dx + dy * dy));
  let inland = (x - shoreKm(y / 1000) * 1000) * 0.85 + 2900 * wander * held;
  for (const { at, radii, cos, sin } of turnedIslands) {
    const east = x / 1000 - at[0];
    const south = y / 1000 - at[1];
    const u = (east * cos + south * sin) / radii[0];
    const v = (south * cos - east * sin) / radii[1];
    const radius = Math.min(radii[0], radii[1]) * 1000;
    const island = (1 - Math.sqrt(u * u + v * v)) * radius + 3300 * wander;
    if (island > inland) inland = island;
  }
  return inland;
}

/** Metres outside the lake's full shore, negative on it; exact to some hundred metres, large far away. */
function lakeEdgeOf(noise: Noise, x: number, y: number): number {
  const [fromX, fromY] = lake.line[0]!;
  const farKm = Math.max(Math.abs(x / 1000 - fromX), Math.abs(y / 1000 - fromY));
  if (farKm > 16) return (farKm - 12) * 1000;
  let nearest = Number.POSITIVE_INFINITY;
  for (let i = 0; i + 1 < lake.line.length; i++) {
    const [ax, ay] = lake.line[i]!;
    const [bx, by] = lake.line[i + 1]!;
    const px = x / 1000 - ax;
    const py = y / 1000 - ay;
    const dx = bx - ax;
    const dy = by - ay;
    const t = clamp((px * dx + py * dy) / (dx * dx + dy * dy), 0, 1);
    nearest = Math.min(nearest, Math.sqrt((px - t * dx) * (px - t * dx) + (py - t * dy) * (py - t * dy)));
  }
  const edge = (nearest - lake.radiusKm) * 1000;
  return edge > 3000 ? edge : edge + 620 * noise.fractal(x / 2600, y / 2600, 4, 15);
}
