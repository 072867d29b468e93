import { isAbsolute, join } from 'node:path';
import { tileGrid } from '../../../src/geo/index.ts';
import { makeApproximateGrid } from '../../../src/proj/index.ts';
import { kernelSupport, resamplers } from '../../../src/raster/plan-warp.ts';
import { toUnbounded } from '../../../src/terrain/plan/mercator.ts';
import type { WantedTile } from './choose-tiles.ts';
import type { OpenedDem } from './serve-dem.ts';

/** What the plan of a tile says about one group of files, for the judge to check and to do the same. */
export interface PlannedMosaic {
  readonly method: string;
  /** 0 is the full image, 1 its first overview. */
  readonly files: readonly { readonly path: string; readonly level: number }[];
  /** Cells of the tile, and how far the kernel reaches there: GDAL has one reach for a whole image, we have one a cell. */
  readonly cells: readonly {
    readonly corner: readonly [column: number, row: number];
    readonly sizePx: number;
    readonly reach: readonly [x: number, y: number];
  }[];
  /** How far the kernel reaches when it is not widened. */
  readonly radiusPx: number;
}

/** The plan of the heights of a tile. */
export async function describePlan(
  { tiles }: OpenedDem,
  tile: WantedTile,
  dataDir: string,
): Promise<readonly PlannedMosaic[]> {
  const grid = tileGrid(tile, tile.sizePx);
  const { plan } = await tiles.plan({ grid, product: { kind: 'geotiff' }, isFiltered: false });
  return plan.heights.models.flatMap(({ mosaics }) =>
    mosaics.map(({ warp, pieces }) => {
      const resampler = resamplers[warp.method];
      const { epsg, proj = null, levelTransform: transform, levelSize } = warp;
      const found = makeApproximateGrid(toUnbounded(grid), { epsg, proj, transform, ...levelSize });
      const cells = Array.from({ length: found.cellCount }, (_, i) => {
        const [column, row, sizePx] = found.cells.subarray(3 * i) as unknown as [number, number, number];
        const [ratioX, ratioY] = found.ratios.subarray(2 * i) as unknown as [number, number];
        // Averages reach as far as the target pixel does.
        const reach = resampler.isArea
          ? ([ratioX, ratioY] as const)
          : kernelSupport(resampler, ratioX, ratioY);
        return { corner: [column, row] as const, sizePx, reach };
      });
      const files = pieces.map(({ href, read }) => ({
        path: isAbsolute(href) ? href : join(dataDir, href),
        level: read.level,
      }));
      return { method: warp.method, files, cells, radiusPx: resampler.radiusPx };
    }),
  );
}
