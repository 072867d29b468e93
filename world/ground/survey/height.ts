import { clamp, smoothStep } from '../../numbers/easing.ts';
import type { Noise } from '../../numbers/noise.ts';
import { baseGrid, makeLinearSampler, makeSmoothSampler } from '../base/grid.ts';
import type { GroundBase } from '../base/ground-base.ts';
import { makeStrokeFinder } from '../base/polylines.ts';
import { makeWarp } from '../base/warp.ts';

/** Height and slope of the ground at a location; reused by callers. */
export interface GroundSample {
  heightM: number;
  slopeX: number;
  slopeY: number;
}

/** Samples the relief, blurred to squares of `sideM`. */
export interface Relief {
  sample(x: number, y: number, sideM: number, out: GroundSample): void;
}

/** Finest lattice that heights are worked out on: below it the ground is smooth. */
const finestM = 20;
const tileCells = 32;
const tileNodes = tileCells + 3;
/** Some 20 MB of tiles; then all are forgotten. */
const maxTiles = 4000;

/** Makes the relief: heights on square lattices in tiles, cached while they are near, with a smooth surface through them. */
export function makeRelief(base: GroundBase, noise: Noise, shores: Shores): Relief {
  const heightAt = makeHeights(base, noise, shores);
  const tiles = new Map<number, Float32Array>();
  let lastKey = -1;
  let lastTile: Float32Array = new Float32Array(0);

  const tileOf = (level: number, col: number, row: number): Float32Array => {
    const key = (level * 8192 + row) * 8192 + col;
    if (key === lastKey) return lastTile;
    let tile = tiles.get(key);
    if (tile === undefined) {
      if (tiles.size >= maxTiles) tiles.clear();
      const spacingM = finestM * 2 ** level;
      tile = new Float32Array(tileNodes * tileNodes);
      for (let j = 0; j < tileNodes; j++) {
        for (let i = 0; i < tileNodes; i++) {
          const x = (col * tileCells + i - 1 - offsetNodes) * spacingM;
          const y = (row * tileCells + j - 1 - offsetNodes) * spacingM;
          tile[j * tileNodes + i] = heightAt(x, y, spacingM);
        }
      }
      tiles.set(key, tile);
    }
    lastKey = key;
    lastTile = tile;
    return tile;
  };

  return {
    sample(x, y, sideM, out) {
      let level = 0;
      while (level < 4 && finestM * 2 ** (level + 1) <= sideM * 1.4) level++;
      const spacingM = finestM * 2 ** level;
      const u = x / spacingM + offsetNodes;
      const v = y / spacingM + offsetNodes;
      const nodeX = Math.floor(u);
      const nodeY = Math.floor(v);
      const col = Math.floor(nodeX / tileCells);
      const row = Math.floor(nodeY / tileCells);
      const tile = tileOf(level, col, row);
      interpolate(
        tile,
        (nodeY - row * tileCells) * tileNodes + nodeX - col * tileCells,
        u - nodeX,
        v - nodeY,
        out,
      );
      out.slopeX /= spacingM;
      out.slopeY /= spacingM;
    },
  };
}

/** Rise of the ground away from a river: steepest at its bank, gently into the relief, which has the valley already. */
function bankShape(edgeM: number): number {
  const t = clamp((edgeM - 6) / 150, 0, 1);
  return t * (2 - t);
}

/** Nodes are counted from well outside the frame, so that tile numbers are never negative. */
const offsetNodes = 512;

/** Cubic B-spline through the 4 x 4 nodes whose first one is at `at`. */
function interpolate(tile: Float32Array, at: number, t: number, q: number, out: GroundSample): void {
  const s = 1 - t;
  const w0 = (s * s * s) / 6;
  const w1 = (4 - 6 * t * t + 3 * t * t * t) / 6;
  const w2 = (4 - 6 * s * s + 3 * s * s * s) / 6;
  const w3 = (t * t * t) / 6;
  const d0 = -(s * s) / 2;
  const d1 = (3 * t * t - 4 * t) / 2;
  const d2 = (4 * s - 3 * s * s) / 2;
  const d3 = (t * t) / 2;
  const r = 1 - q;
  let height = 0;
  let slopeX = 0;
  let slopeY = 0;
  for (let j = 0; j < 4; j++) {
    const a = tile[at]!;
    const b = tile[at + 1]!;
    const c = tile[at + 2]!;
    const d = tile[at + 3]!;
    at += tileNodes;
    const line = w0 * a + w1 * b + w2 * c + w3 * d;
    const weight =
      j === 0
        ? (r * r * r) / 6
        : j === 1
          ? (4 - 6 * q * q + 3 * q * q * q) / 6
          : j === 2
            ? (4 - 6 * r * r + 3 * r * r * r) / 6
            : (q * q * q) / 6;
    const tilt =
      j === 0
        ? -(r * r) / 2
        : j === 1
          ? (3 * q * q - 4 * q) / 2
          : j === 2
            ? (4 * r - 3 * r * r) / 2
            : (q * q) / 2;
    height += weight * line;
    slopeY += tilt * line;
    slopeX += weight * (d0 * a + d1 * b + d2 * c + d3 * d);
  }
  out.heightM = height;
  out.slopeX = slopeX;
  out.slopeY = slopeY;
}

/** The height at a node of a lattice: eroded relief, roughness no finer than the lattice shows, waters cut in. */
function makeHeights(
  base: GroundBase,
  noise: Noise,
  shores: Shores,
): (x: number, y: number, spacingM: number) => number {
  const warp = makeWarp(noise);
  const eroded = makeSmoothSampler(base.heightM, baseGrid);
  const steepAt = makeLinearSampler(base.steep, baseGrid);
  const findRiver = makeStrokeFinder(base.rivers);
  const river = { edgeM: 0, halfWidthM: 0, value: 0 };
  return (x, y, spacingM) => {
    const inlandM = shores.inlandM(x, y);
    if (inlandM <= 0) return 0;
    const gridX = warp.x(x, y);
    const gridY = warp.y(x, y);
    let heightM = eroded(gridX, gridY);
    const steep = steepAt(gridX, gridY);
    const octaves = spacingM < 40 ? 5 : spacingM < 80 ? 4 : spacingM < 160 ? 3 : 2;
    if (steep > 0.015) {
      // Crests are sharp and hollows round: folded noise on steep ground.
      const rough = noise.fractal(x / 760, y / 760, octaves, 80);
      heightM += steep * (115 * rough - 52 * Math.abs(rough) + 9);
    }
    // Levees, old channels and low terraces of the plain.
    heightM += Math.min(1.5, heightM * 0.2) * noise.fractal(x / 760, y / 760, Math.min(3, octaves), 86);
    heightM = Math.max(0.25, heightM) * smoothStep(-40, 260, inlandM);
    const lakeEdgeM = shores.lakeEdgeM(x, y);
    if (lakeEdgeM < 400) {
      if (lakeEdgeM <= 0) return base.lakeLevelM;
      heightM = base.lakeLevelM + (heightM - base.lakeLevelM) * smoothStep(0, 400, lakeEdgeM);
    }
    if (findRiver(x, y, river)) {
      heightM = river.value + (heightM - river.value) * bankShape(river.edgeM);
    }
    return heightM;
  };
}

/** Shores of the sea and the lake down to a few metres. */
export interface Shores {
  /** Metres inland from the shore, negative at sea. */
  inlandM(x: number, y: number): number;
  /** Metres outside the lake at its full level, negative on it. */
  lakeEdgeM(x: number, y: number): number;
}

/** Outside of this box the lake's shore is kilometres away. */
const lakeBox = { minX: 58000, maxX: 78000, minY: 45000, maxY: 57000 } as const;
const farFromLakeM = 2000;

/** Makes the shores: the base grid's, with coves and points where they are near. */
export function makeShores(base: GroundBase, noise: Noise): Shores {
  const inland = makeLinearSampler(base.inlandM, baseGrid);
  const lakeEdge = makeLinearSampler(base.lakeEdgeM, baseGrid);
  return {
    inlandM(x, y) {
      const rough = inland(x, y);
      if (rough > 900 || rough < -900) return rough;
      return rough + 150 * noise.fractal(x / 1100, y / 1100, 5, 90);
    },
    lakeEdgeM(x, y) {
      if (x < lakeBox.minX || x > lakeBox.maxX || y < lakeBox.minY || y > lakeBox.maxY) return farFromLakeM;
      const rough = lakeEdge(x, y);
      if (rough > 700 || rough < -700) return rough;
      return rough + 90 * noise.fractal(x / 700, y / 700, 4, 95);
    },
  };
}
