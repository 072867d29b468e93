import { parseExpressions } from '../../src/bandmath/index.ts';
import type { Grid } from '../../src/geo/index.ts';
import type { WarpPlan } from '../../src/raster/index.ts';
import type { RenderPlan } from '../../src/render/plan/render-plan.ts';

/** One band of a picture, as it lies in its file. */
export interface BenchBand {
  readonly band: string;
  readonly href: string;
  readonly warp: WarpPlan | null;
}

interface BenchPicture {
  readonly viewId: string;
  readonly grid: Grid;
  readonly bands: readonly BenchBand[];
  readonly format: 'png' | 'jpeg';
}

/** The plan of three bands in natural colours, as the service makes it for Sentinel-2. */
export function toBandsPlan({ viewId, grid, bands, format }: BenchPicture): RenderPlan {
  const names = bands.map(({ band }) => band);
  return {
    viewId,
    sceneVersion: '1',
    grid,
    inputs: bands.map((band) => ({
      ...band,
      bandIndex: 0,
      nodata: 0,
      rule: 'shifted',
      parameters: [-1000],
      table: null,
    })),
    tree: parseExpressions(names.join(), {
      all: names,
      find: (name) => ({ kind: 'band', name, resolutionM: 10 }),
    }),
    stretches: bands.map(() => ({ kind: 'fixed', min: 0, max: 3000 })),
    color: null,
    area: null,
    watermark: null,
    format,
    bytes: 0,
  };
}
