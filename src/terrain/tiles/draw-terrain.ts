import { encodePng } from '../../formats/png.ts';
import { encodeFloatTiff } from '../../formats/tiff/index.ts';
import type { Grid } from '../../geo/index.ts';
import type { JobContext, JobType } from '../../pool/index.ts';
import { withTransfer } from '../../pool/index.ts';
import type { ApproximateGrid } from '../../proj/index.ts';
import { unlistGrids } from '../../raster/index.ts';
import { cropPlane } from '../heights/crop-plane.ts';
import { encodeTerrainRgb, encodeTerrarium } from '../heights/encode-heights.ts';
import type { HeightPlane, HeightTools, HeightWork } from '../heights/height-work.ts';
import { beginHeights, copyHeights, viewPlane } from '../heights/height-work.ts';
import { readHeights } from '../heights/read-heights.ts';
import { groundSizes } from '../plan/mercator.ts';
import { warpsOf } from '../plan/warps-of.ts';
import { drawContours } from './draw-contours.ts';
import { encodeRelief, paintRelief } from './draw-relief.ts';
import type { TerrainFormat, TerrainPlan, TerrainTile } from './terrain-plan.ts';

/** The input of the job that draws a tile. */
export interface TerrainJob {
  /** A `TerrainPlan`. */
  readonly planJson: string;
  /** The approximating grids of the plan's warps in their order, so that they are computed once a tile. */
  readonly grids: readonly (ApproximateGrid | null)[];
}

/** The job of drawing terrain. */
export type TerrainDrawJobs = { terrain: JobType<TerrainJob, TerrainTile> };

/** Builds the drawing of terrain tiles, for one thread. */
export const makeDrawTerrain =
  (tools: HeightTools) =>
  async ({ planJson, grids }: TerrainJob, { signal }: JobContext) => {
    const plan: TerrainPlan = JSON.parse(planJson);
    unlistGrids(warpsOf(plan.heights), grids);
    const work = beginHeights(tools, signal);
    const startedAt = performance.now();
    const heights = await readHeights(plan.heights, work);
    const readAt = performance.now();
    const drawn = await drawProduct(plan, heights, work);
    const stagesMs = { read: readAt - startedAt, relief: performance.now() - readAt };
    const tile: TerrainTile = { ...drawn, stagesMs };
    return withTransfer(tile, [tile.bytes.buffer]);
  };

interface DrawnTile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly format: TerrainFormat;
}

async function drawProduct(
  { product, grid, haloPx }: TerrainPlan,
  heights: HeightPlane,
  work: HeightWork,
): Promise<DrawnTile> {
  switch (product.kind) {
    case 'hillshade':
    case 'slope':
    case 'aspect': {
      const { valuesAt: heightsAt, maskAt } = cropPlane(withoutMask(heights, work), haloPx - 1, work);
      const sizes = groundSizes(grid);
      const { width, height } = grid;
      const relief = { heightsAt, maskAt, width, height, pixelWidthsM: sizes, pixelHeightsM: sizes };
      const bytes = await encodeRelief(paintRelief(product, relief, work), product.format, work);
      return { bytes, format: product.format };
    }
    case 'geotiff':
      return { bytes: toGeotiff(cropPlane(heights, haloPx, work), grid, work), format: 'tiff' };
    case 'terrarium':
    case 'terrainrgb':
      return { bytes: toRgbPng(product, cropPlane(heights, haloPx, work), work), format: 'png' };
    case 'contours': {
      const { values, mask } = viewPlane(work.kernels, heights);
      const { width, height } = heights;
      const bytes = drawContours({ heights: values, mask, width, height }, { ...product, grid, haloPx });
      return { bytes, format: product.format };
    }
  }
}

/** Relief of heights that are all known is computed faster, in two thirds of the time. */
function withoutMask(plane: HeightPlane, { kernels }: HeightWork): HeightPlane {
  const { mask } = viewPlane(kernels, plane);
  // Buffers are searched faster than typed arrays.
  if (mask === null || Buffer.from(mask.buffer, mask.byteOffset, mask.length).includes(0)) return plane;
  return { ...plane, maskAt: 0 };
}

/** Heights as a GeoTIFF. */
function toGeotiff(plane: HeightPlane, grid: Grid, work: HeightWork): Uint8Array<ArrayBuffer> {
  const { width, height, epsg, transform } = grid;
  return encodeFloatTiff({ values: copyHeights(plane, work), width, height, epsg, transform });
}

const encodings = { terrarium: encodeTerrarium, terrainrgb: encodeTerrainRgb } as const;

/** Heights as colours of a PNG; opaque unless an unknown height is transparent. */
function toRgbPng(
  { kind, unknownM }: { readonly kind: 'terrarium' | 'terrainrgb'; readonly unknownM: number | null },
  plane: HeightPlane,
  { kernels, allocate }: HeightWork,
): Uint8Array<ArrayBuffer> {
  const { width, height, valuesAt, maskAt } = plane;
  const count = width * height;
  const rgbaAt = encodings[kind](kernels, allocate, { valuesAt, maskAt, count, unknownM });
  const isOpaque =
    unknownM !== null || maskAt === 0 || !Buffer.from(kernels.buffer(), maskAt, count).includes(0);
  return encodePng(kernels, allocate, { rgbaAt, width, height, isOpaque });
}
