import { sensorByDataset } from '../../../src/sensors/index.ts';
import type { DemoPart } from '../../../world/demo/demo-part.ts';
import { makeRadarPass } from '../../../world/products/sentinel1/plan.ts';
import { frame } from '../../../world/setting.ts';

/** What a plan says about where its images lie, apart from the code that writes them. */
export interface Expectation {
  /** Of the images; null of those that a definition or control points georeference. */
  readonly epsg: number | null;
  /** Upper left corner on the ground and how far files may be off it, for grids that round a window to their own. */
  readonly corner: { readonly x: number; readonly y: number; readonly slackM: number } | null;
  /** Sides of pixels that occur. */
  readonly pixelsM: readonly number[];
  /** Some pixels and where they lie in UTM, for images that only control points georeference. */
  readonly points: readonly {
    readonly col: number;
    readonly row: number;
    readonly x: number;
    readonly y: number;
  }[];
}

const none: Expectation = { epsg: null, corner: null, pixelsM: [], points: [] };
const toCorner = ({ x, y }: { readonly x: number; readonly y: number }, slackM: number) => ({
  x: frame.west + x,
  y: frame.north - y,
  slackM,
});
const sizesOf = (dataset: string) => [
  ...new Set(sensorByDataset(dataset)!.bands.map(({ resolutionM }) => resolutionM)),
];

/** Reads a plan as a customer of the product would. */
export function toExpectation({ kind, plan }: DemoPart): Expectation {
  switch (kind) {
    case 'sentinel2-l1c':
    case 'sentinel2-l2a':
      return { ...none, epsg: 32_610, corner: toCorner(plan.window, 0), pixelsM: [10, 20, 60] };
    case 'landsat': {
      const own = plan.mission.endsWith('mss') ? [60] : [15, 30];
      return { ...none, epsg: 32_610, corner: toCorner(plan.window, Math.max(...own)), pixelsM: own };
    }
    case 'cbers4': {
      const pixelsM = sizesOf(`cbers4${plan.camera.toLowerCase()}`);
      return { ...none, epsg: 32_610, corner: toCorner(plan.window, 0), pixelsM };
    }
    case 'naip': {
      const half = (plan.cropM ?? 0) / 2;
      const corner = toCorner({ x: plan.x - half, y: plan.y - half }, 0.5);
      return { ...none, epsg: 26_910, corner, pixelsM: [1] };
    }
    case 'sentinel1': {
      const { width, height, toLocal } = makeRadarPass(plan);
      const points = [0.05, 0.5, 0.95].flatMap((down) =>
        [0.05, 0.5, 0.95].map((across) => {
          const [col, row] = [Math.floor(across * width), Math.floor(down * height)];
          const [x, y] = toLocal(row, col);
          return { col: col + 0.5, row: row + 0.5, x: frame.west + x, y: frame.north - y };
        }),
      );
      return { ...none, points };
    }
    case 'terrain':
      return { ...none, epsg: 4326 };
    default:
      return none;
  }
}
