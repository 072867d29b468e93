import type { Affine, Grid } from '../../../src/geo/index.ts';
import { tileAt, tileGrid } from '../../../src/geo/index.ts';
import type { GeoreferencedGrid } from '../../../src/proj/index.ts';
import { makePixelMapping, makeProjection } from '../../../src/proj/index.ts';
import type { ResampleMethod } from '../../../src/raster/index.ts';
import { resamplers } from '../../../src/raster/plan-warp.ts';

/** Pixels of a made-up scene: float32 planes and their common mask. */
export interface Scene {
  readonly name: string;
  readonly grid: GeoreferencedGrid;
  readonly bands: readonly Float32Array[];
  readonly mask: Uint8Array;
}

/** One warp to be judged. */
export interface WarpCase {
  readonly name: string;
  readonly scene: Scene;
  readonly target: Grid;
  readonly method: ResampleMethod;
  /** Stored in test/golden/warp for the tests that run without GDAL. */
  readonly isGolden: boolean;
}

/** A reproducible number in [0, 1) for an integer (the finaliser of MurmurHash3). */
function noise(seed: number): number {
  let h = seed | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 2 ** 32;
}

/** Whole numbers like those of a sensor: waves, and noise from pixel to pixel so that a wrong tap shows. */
function makeScene(name: string, grid: GeoreferencedGrid, hasHoles: boolean): Scene {
  const { width, height } = grid;
  const length = width * height;
  const bands = [0, 1].map((band) =>
    new Float32Array(length).map((_, i) => {
      const wave = Math.sin((i % width) / 17 + band) * Math.cos(Math.floor(i / width) / 23);
      return Math.round(3000 + 1500 * wave + 2500 * noise(i * 2 + band + 1));
    }),
  );
  const mask = new Uint8Array(length).fill(1);
  if (hasHoles) {
    for (let i = 0; i < length; i++) {
      const [col, row] = [i % width, Math.floor(i / width)];
      const isLake = Math.hypot(col - width * 0.45, row - height * 0.55) < width / 12;
      // A slanting edge like that of a swath, a lake, and single lost pixels.
      if (col + row / 3 < width / 10 || isLake || noise(i + 77) < 0.01) mask[i] = 0;
    }
  }
  return { name, grid, bands, mask };
}

/** A square target whose pixels span `ratio` source pixels, around a position in the scene given as fractions of its size. */
function targetAt(
  scene: Scene,
  epsg: number,
  ratio: number,
  position: readonly [x: number, y: number],
  size: number,
): Grid {
  const { width, height } = scene.grid;
  const unit: Grid = { epsg, transform: [0, 1, 0, 0, 0, -1], width: 1, height: 1 };
  const mapping = makePixelMapping(unit, scene.grid);
  const [x, y] = mapping.toTarget(width * position[0], height * position[1]);
  const [eastX, eastY] = mapping.toTarget(width * position[0] + 1, height * position[1]);
  const pixel = ratio * Math.hypot(eastX - x, eastY - y);
  return {
    epsg,
    transform: [x - (size / 2) * pixel, pixel, 0, -y + (size / 2) * pixel, 0, -pixel],
    width: size,
    height: size,
  };
}

const zones: readonly (readonly [name: string, epsg: number, transform: Affine])[] = [
  ['lat48', 32636, [600000, 10, 0, 5400000, 0, -10]],
  ['lat70', 32633, [300000, 30, 0, 7900000, 0, -30]],
  ['south', 32736, [300000, 20, 0, 9700000, 0, -20]],
  ['fiji', 32701, [178000, 15, 0, 8120000, 0, -15]],
];
const allRatios = [0.37, 1, 1.27, 1.9, 2, 3.1, 6.3] as const;
const someRatios = [0.37, 1.27, 3.1] as const;
const methods = Object.keys(resamplers) as ResampleMethod[];

/** Every warp that is compared with GDAL. */
export function warpCases(): WarpCase[] {
  const cases: WarpCase[] = [];
  for (const [zone, epsg, transform] of zones) {
    const grid = { epsg, transform, width: 420, height: 360 };
    const scene = makeScene(zone, grid, true);
    for (const targetEpsg of [3857, 4326]) {
      for (const ratio of zone === 'lat48' ? allRatios : someRatios) {
        for (const method of methods) {
          const name = `${zone}-${targetEpsg}-${ratio}-${method}`;
          const corner = targetAt(scene, targetEpsg, ratio, [0.04, 0.97], 96);
          const middle = targetAt(scene, targetEpsg, ratio, [0.5, 0.5], 96);
          cases.push({ name: `${name}-corner`, scene, target: corner, method, isGolden: false });
          cases.push({ name: `${name}-middle`, scene, target: middle, method, isGolden: false });
        }
      }
    }
  }
  cases.push(...farCases(), ...tileCases(), ...alignedCases(), ...goldenCases());
  return cases;
}

const SINUSOIDAL = '+proj=sinu +lon_0=0 +x_0=0 +y_0=0 +R=6371007.181 +units=m +no_defs';

/** Not on the edge of a source pixel, where rounding decides. */
const OFF_CENTRE = [0.503, 0.507] as const;

/** Other reference systems, poles and the antimeridian: source, targets, and a position in the source. */
const farPositions: readonly (readonly [
  name: string,
  system: Pick<GeoreferencedGrid, 'epsg' | 'proj'>,
  transform: Affine,
  targets: readonly number[],
  position: readonly [x: number, y: number],
])[] = [
  ['conus', { epsg: 5070 }, [-800000, 30, 0, 2000000, 0, -30], [3857, 4326, 32613], OFF_CENTRE],
  ['nad83', { epsg: 26910 }, [500000, 1, 0, 4500000, 0, -1], [3857, 4326], OFF_CENTRE],
  ['europe', { epsg: 3035 }, [4300000, 100, 0, 3200000, 0, -100], [3857, 4326, 25832], OFF_CENTRE],
  [
    'modis',
    { epsg: 0, proj: SINUSOIDAL },
    [1111950, 463.3127, 0, 5559752, 0, -463.3127],
    [3857, 4326, 32633],
    OFF_CENTRE,
  ],
  ['arctic', { epsg: 3413 }, [-800000, 250, 0, -900000, 0, -250], [3857, 4326, 3995, 32661], OFF_CENTRE],
  ['pole', { epsg: 3413 }, [-60000, 250, 0, 50000, 0, -250], [3995, 32661], OFF_CENTRE],
  ['antarctic', { epsg: 3031 }, [1200000, 500, 0, 900000, 0, -500], [3857, 4326, 32761], OFF_CENTRE],
  ['dateline60', { epsg: 32660 }, [700000, 20, 0, 7200000, 0, -20], [3857, 4326], [0.341, 0.507]],
  ['dateline1', { epsg: 32601 }, [296000, 20, 0, 7200000, 0, -20], [3857, 4326], [0.701, 0.507]],
  ['negative', { epsg: 32636 }, [500000, 30, 0, -300000, 0, -30], [3857, 4326], OFF_CENTRE],
];

function farCases(): WarpCase[] {
  return farPositions.flatMap(([name, system, transform, targets, position]) => {
    const scene = makeScene(name, { ...system, transform, width: 420, height: 360 }, true);
    return targets.flatMap((epsg) =>
      [0.7, 2.6].flatMap((ratio) => {
        const target = targetAt(scene, epsg, ratio, position, 96);
        return (['near', 'bilinear', 'cubic', 'average', 'mode'] as const).map((method) => {
          return { name: `${name}-${epsg}-${ratio}-${method}`, scene, target, method, isGolden: false };
        });
      }),
    );
  });
}

/** Map tiles of a whole scene, full of data. */
function tileCases(): WarpCase[] {
  const grid: Grid = { epsg: 32636, transform: [600000, 10, 0, 5400000, 0, -10], width: 700, height: 700 };
  const scene = makeScene('tiles', grid, false);
  const [x, y] = makeProjection(32636, 3857).forward(603500, 5396500);
  return [11, 12, 13, 14, 16].flatMap((z) =>
    methods.map((method) => {
      const target = tileGrid(tileAt(z, x, y));
      return { name: `tile-z${z}-${method}`, scene, target, method, isGolden: false };
    }),
  );
}

/** The same reference system on both sides, pixel edges on pixel edges: every rounding error would show. */
function alignedCases(): WarpCase[] {
  const grid: Grid = { epsg: 32636, transform: [600000, 10, 0, 5400000, 0, -10], width: 121, height: 121 };
  const scene = makeScene('aligned', grid, true);
  const shifted = [2.5, 5, 10, 20, 30].flatMap((pixel) =>
    methods.flatMap((method) => {
      // gdalwarp takes the nearest pixel when the grids coincide; every method gives the same then, but this one smooths.
      if (pixel === 10 && method === 'cubicspline') return [];
      const size = Math.ceil(1300 / pixel);
      const target: Grid = {
        epsg: 32636,
        transform: [599950, pixel, 0, 5400050, 0, -pixel],
        width: size,
        height: size,
      };
      // 50 m is not a multiple of 20 or 30, so the pixels are shifted there.
      return [{ name: `aligned-${pixel}m-${method}`, scene, target, method, isGolden: false }];
    }),
  );
  // An odd width halved from the corner: the last centres lie exactly on the far edge.
  const onEdge = methods.map((method) => {
    const transform = [600000, 20, 0, 5400000, 0, -20] as const;
    const target: Grid = { epsg: 32636, transform, width: 64, height: 64 };
    return { name: `far-edge-${method}`, scene, target, method, isGolden: false };
  });
  return [...shifted, ...onEdge];
}

/** Small ones, for the repository. */
function goldenCases(): WarpCase[] {
  const grid: Grid = { epsg: 32636, transform: [600000, 10, 0, 5400000, 0, -10], width: 24, height: 20 };
  const scene = makeScene('golden', grid, true);
  const views = [
    [3857, 0.6],
    [4326, 1.4],
    [3857, 3],
  ] as const;
  return views.flatMap(([epsg, ratio]) =>
    methods.map((method) => ({
      name: `golden-${epsg}-${ratio}-${method}`,
      scene,
      target: targetAt(scene, epsg, ratio, [0.31, 0.63], 12),
      method,
      isGolden: true,
    })),
  );
}

/** Overviews to choose from, for targets around each limit; gdalwarp itself refuses the scene over the antimeridian. */
const measurable = zones.filter(([name]) => name !== 'fiji');
export const levelCases = measurable.flatMap(([name, epsg, transform]) =>
  [3857, 4326].map((targetEpsg) => ({
    name: `${name}-${targetEpsg}`,
    targetEpsg,
    source: { epsg, transform, width: 1000, height: 777 },
    reductions: [2, 4, 8, 16],
    ratios: [0.5, 1.5, 1.99, 2.01, 3.99, 4.01, 7.5, 8.02, 15.9, 16.1, 60],
  })),
);
