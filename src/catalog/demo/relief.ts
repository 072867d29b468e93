import { clamp, smoothStep } from './easing.ts';
import type { ErodedGrid } from './erosion.ts';
import { erode } from './erosion.ts';
import type { Hydrology } from './hydrology.ts';
import { fractalNoise, gradientNoise } from './noise.ts';

/** The ground: its height, its slope and how it drains. */
export interface Relief {
  /** Writes height (m) and its slope east and south (m per m) into `out`. */
  sample(x: number, y: number, out: GroundSample): void;
  readonly grid: ErodedGrid;
}

/** Reused by callers, so that millions of samples make no garbage. */
export interface GroundSample {
  heightM: number;
  slopeX: number;
  slopeY: number;
}

/** Grid of the eroded relief; it reaches beyond the crop so that its own edges stay out of sight. */
export const reliefGrid = { originX: -1500, originY: -1500, cellM: 60, cols: 282, rows: 392 } as const;

/** How hilly a place is, 0 in the plain and 1 in the ranges: one in the south-west, a lower one in the north-west. */
export function hilliness(x: number, y: number): number {
  const wander = 1500 * fractalNoise(x / 4200, y / 4200, 3, 51);
  const southWest = smoothStep(0, 4300, (y - 11800) * 0.66 - (x - 2600) * 0.6 + wander);
  const northWest = smoothStep(0, 2600, (2500 - y) * 0.75 + (2600 - x) * 0.6 + wander * 0.6);
  return Math.max(southWest, 0.75 * northWest);
}

/** Where a place lies in the eroded grid: bent a little, so that brooks do not run along the grid's eight directions. */
export function toReliefGrid(x: number, y: number): readonly [x: number, y: number] {
  return [
    x + 105 * gradientNoise(x / 640, y / 640, 52) + 22 * gradientNoise(x / 170, y / 170, 53),
    y + 105 * gradientNoise(x / 640, y / 640, 54) + 22 * gradientNoise(x / 170, y / 170, 55),
  ];
}

/** Shapes the ground by running water around the sea, lagoon and river it ends in. */
export function makeRelief(hydrology: Hydrology): Relief {
  const { originX, originY, cellM, cols, rows } = reliefGrid;
  const isBase = new Uint8Array(cols * rows);
  const baseHeightM = new Float64Array(cols * rows);
  const steepness = new Float64Array(cols * rows);
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      const cell = row * cols + col;
      const x = originX + (col + 0.5) * cellM;
      const y = originY + (row + 0.5) * cellM;
      const inlandM = hydrology.inlandM(x, y);
      const isRiver = hydrology.riverEdgeM(x, y) < 30;
      isBase[cell] = inlandM < 0 || isRiver || hydrology.lagoonEdgeM(x, y) < 0 ? 1 : 0;
      // The river falls 2.2 m per kilometre.
      baseHeightM[cell] = isRiver ? Math.max(0, inlandM) * 0.0022 : 0;
      const hill = hilliness(x, y);
      // Harder and softer rock in patches.
      steepness[cell] =
        0.55 + 42 * hill * (0.3 + 0.7 * hill) * (1 + 0.45 * fractalNoise(x / 900, y / 900, 3, 56));
    }
  }
  const grid = erode({ cols, rows, cellM, isBase, baseHeightM, steepness });
  return { grid, sample: makeSampler(toFineGrid(grid.heightM), fineGrid) };
}

/** The grid that pixels are sampled from; it ends past the shore, where the ground is the sea's level. */
const fineGrid = { originX: -240, originY: -240, cellM: 20, cols: 790, rows: 1050 } as const;

/** Bends the eroded grid and adds small roughness on slopes. */
function toFineGrid(eroded: Float64Array): Float32Array {
  const { originX, originY, cellM, cols, rows } = fineGrid;
  const coarse = makeSampler(eroded, reliefGrid);
  const ground = { heightM: 0, slopeX: 0, slopeY: 0 };
  const fine = new Float32Array(cols * rows);
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      const x = originX + (col + 0.5) * cellM;
      const y = originY + (row + 0.5) * cellM;
      const [gx, gy] = toReliefGrid(x, y);
      coarse(gx, gy, ground);
      const steep = Math.sqrt(ground.slopeX * ground.slopeX + ground.slopeY * ground.slopeY);
      const roughM = steep < 0.02 ? 0 : Math.min(steep, 0.5) * 34 * fractalNoise(x / 260, y / 260, 3, 57);
      fine[row * cols + col] = ground.heightM + roughM;
    }
  }
  return fine;
}

interface GridPlace {
  readonly originX: number;
  readonly originY: number;
  readonly cellM: number;
  readonly cols: number;
  readonly rows: number;
}

/** Cubic B-spline over cell centres: smooth in height and slope, so that shading shows no cells. */
function makeSampler(values: Float64Array | Float32Array, place: GridPlace): Relief['sample'] {
  const { originX, originY, cellM, cols, rows } = place;
  const wx = new Float64Array(4);
  const wy = new Float64Array(4);
  const dx = new Float64Array(4);
  const dy = new Float64Array(4);
  return (x, y, out) => {
    const u = clamp((x - originX) / cellM - 0.5, 1, cols - 3);
    const v = clamp((y - originY) / cellM - 0.5, 1, rows - 3);
    const col = Math.floor(u);
    const row = Math.floor(v);
    setWeights(u - col, wx, dx);
    setWeights(v - row, wy, dy);
    let height = 0;
    let slopeX = 0;
    let slopeY = 0;
    for (let j = 0; j < 4; j++) {
      const start = (row + j - 1) * cols + col - 1;
      const a = values[start]!;
      const b = values[start + 1]!;
      const c = values[start + 2]!;
      const d = values[start + 3]!;
      const line = wx[0]! * a + wx[1]! * b + wx[2]! * c + wx[3]! * d;
      height += wy[j]! * line;
      slopeY += dy[j]! * line;
      slopeX += wy[j]! * (dx[0]! * a + dx[1]! * b + dx[2]! * c + dx[3]! * d);
    }
    out.heightM = height;
    out.slopeX = slopeX / cellM;
    out.slopeY = slopeY / cellM;
  };
}

/** Weights of the four neighbours at `t` in [0, 1) between the middle two, and the weights' derivatives. */
function setWeights(t: number, weights: Float64Array, derivatives: Float64Array): void {
  const s = 1 - t;
  weights[0] = (s * s * s) / 6;
  weights[1] = (4 - 6 * t * t + 3 * t * t * t) / 6;
  weights[2] = (4 - 6 * s * s + 3 * s * s * s) / 6;
  weights[3] = (t * t * t) / 6;
  derivatives[0] = -(s * s) / 2;
  derivatives[1] = (3 * t * t - 4 * t) / 2;
  derivatives[2] = (4 * s - 3 * s * s) / 2;
  derivatives[3] = (t * t) / 2;
}
