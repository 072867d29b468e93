import type { ColorPlan, PaintedIndexes, PaintedPlanes } from '../../color/index.ts';
import { paintIndexed, toRgbaPlanes } from '../../color/index.ts';
import { encodeJpeg } from '../../formats/jpeg.ts';
import { encodeGreyPng, encodeIndexedPng, encodePng } from '../../formats/png.ts';
import { encodeWebp } from '../../formats/sharp.ts';
import { encodeFloatTiff } from '../../formats/tiff/index.ts';
import type { Grid, Size } from '../../geo/index.ts';
import type { JobContext, JobType } from '../../pool/index.ts';
import { withTransfer } from '../../pool/index.ts';
import type { ApproximateGrid } from '../../proj/index.ts';
import { unlistGrids } from '../../proj/index.ts';
import type { Allocate, Kernels } from '../../raster/index.ts';
import { drawContours } from '../contours/draw-contours.ts';
import type { HeightPlane, HeightTools, HeightWork } from '../heights/height-plane.ts';
import { beginHeights, copyHeights, cropPlane, viewPlane } from '../heights/height-plane.ts';
import { readHeights } from '../heights/read-heights.ts';
import type { Relief } from '../heights/relief.ts';
import { aspectRelief, shadeRelief, slopeRelief } from '../heights/relief.ts';
import { groundSizes } from '../plan/mercator.ts';
import { warpsOf } from '../plan/plan-heights.ts';
import type {
  ReliefFormat,
  TerrainFormat,
  TerrainPlan,
  TerrainProduct,
  TerrainTile,
} from './terrain-plan.ts';

/** The input of the job that draws a tile. */
interface TerrainJob {
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
  return encodeFloatTiff({ bands: [copyHeights(plane, work)], width, height, epsg, transform });
}

/** Heights as colours of a PNG; opaque unless an unknown height is transparent. */
function toRgbPng(
  { kind, unknownM }: { readonly kind: 'terrarium' | 'terrainrgb'; readonly unknownM: number | null },
  plane: HeightPlane,
  { kernels, allocate }: HeightWork,
): Uint8Array<ArrayBuffer> {
  const { width, height, valuesAt, maskAt } = plane;
  const count = width * height;
  const encodeHeights = kind === 'terrarium' ? encodeTerrarium : encodeTerrainRgb;
  const rgbaAt = encodeHeights(kernels, allocate, { valuesAt, maskAt, count, unknownM });
  const isOpaque =
    unknownM !== null || maskAt === 0 || !Buffer.from(kernels.buffer(), maskAt, count).includes(0);
  return encodePng(kernels, allocate, { rgbaAt, width, height, isOpaque });
}

/** Products that are pictures of the relief. */
type ReliefProduct = Extract<TerrainProduct, { readonly kind: 'hillshade' | 'slope' | 'aspect' }>;

/** A painted picture and its size. */
type Painted = (PaintedIndexes | PaintedPlanes) & Size;

/** Paints hillshade, slope or aspect; transparent where it is not known. */
function paintRelief(product: ReliefProduct, relief: Relief, work: HeightWork): Painted {
  const { kernels, allocate } = work;
  const { width, height } = relief;
  const count = width * height;
  switch (product.kind) {
    case 'hillshade': {
      const shadesAt = shadeRelief(kernels, allocate, relief, product);
      if (product.color === null) return { width, height, ...toGrey(shadesAt, count, work) };
      return { width, height, ...paintShades(shadesAt, product.color, { count, work }) };
    }
    case 'slope': {
      const slope = slopeRelief(kernels, allocate, relief);
      if (product.minSlopeDeg > 0) hideGentle(slope, product.minSlopeDeg, { count, work });
      const channel = { ...slope, count, plan: product.color, contrast: ANY_CONTRAST };
      return { width, height, ...paintIndexed(kernels, allocate, channel) };
    }
    case 'aspect': {
      const aspect = aspectRelief(kernels, allocate, relief);
      const channel = { ...aspect, count, plan: product.color, contrast: ANY_CONTRAST };
      return { width, height, ...paintIndexed(kernels, allocate, channel) };
    }
  }
}

/** The colours of relief have ranges of their own: the contrast is not used. */
const ANY_CONTRAST = { min: 0, max: 1 };

/** Grey levels by shade; 0 is transparent. */
const GREYS = Uint8Array.from({ length: 1024 }, (_, i) => (i < 4 ? 0 : i % 4 === 3 ? 255 : i >> 2));

function toGrey(shadesAt: number, count: number, { kernels }: HeightWork): PaintedIndexes {
  const isOpaque = !Buffer.from(kernels.buffer(), shadesAt, count).includes(0);
  return { indexesAt: shadesAt, palette: GREYS, isOpaque };
}

/** Colours shades by thresholds of the values 1 to 255. */
function paintShades(
  shadesAt: number,
  plan: ColorPlan,
  { count, work }: { readonly count: number; readonly work: HeightWork },
): PaintedIndexes | PaintedPlanes {
  const { kernels, allocate } = work;
  const valuesAt = allocate(4 * count);
  const maskAt = allocate(count);
  const shades = new Uint8Array(kernels.buffer(), shadesAt, count);
  new Float32Array(kernels.buffer(), valuesAt, count).set(shades);
  const mask = new Uint8Array(kernels.buffer(), maskAt, count);
  for (let i = 0; i < count; i++) mask[i] = shades[i] === 0 ? 0 : 1;
  return paintIndexed(kernels, allocate, { valuesAt, maskAt, count, plan, contrast: ANY_CONTRAST });
}

function hideGentle(
  slope: { readonly valuesAt: number; readonly maskAt: number },
  minSlopeDeg: number,
  { count, work: { kernels } }: { readonly count: number; readonly work: HeightWork },
): void {
  const values = new Float32Array(kernels.buffer(), slope.valuesAt, count);
  const mask = new Uint8Array(kernels.buffer(), slope.maskAt, count);
  for (let i = 0; i < count; i++) if (values[i]! < minSlopeDeg) mask[i] = 0;
}

/** Encodes a painted picture. */
async function encodeRelief(
  painted: Painted,
  format: ReliefFormat,
  { kernels, allocate }: HeightWork,
): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height, isOpaque } = painted;
  const size = { width, height };
  if ('palette' in painted && format === 'png') {
    const { indexesAt, palette } = painted;
    // Without a palette to send it is smaller still.
    if (palette === GREYS && isOpaque)
      return encodeGreyPng(kernels, allocate, { greyAt: indexesAt, ...size });
    return encodeIndexedPng(kernels, allocate, { indexesAt, palette, ...size });
  }
  const { rgbaAt } =
    'palette' in painted ? toRgbaPlanes(kernels, allocate, { painted, count: width * height }) : painted;
  return encoders[format](kernels, allocate, { rgbaAt, isOpaque, ...size });
}

const encoders = { png: encodePng, jpeg: encodeJpeg, webp: encodeWebp } as const;

/** Heights in the kernels' memory that are to be written as colours. */
interface EncodedHeights {
  /** Float32 heights in metres. */
  readonly valuesAt: number;
  /** A byte per height, 1 where it is known; 0 when all are known. NaN is unknown in any case. */
  readonly maskAt: number;
  readonly count: number;
  /** The height of unknown pixels, which are transparent black when this is null. */
  readonly unknownM: number | null;
}

/**
 * The address of RGBA pixels in terrarium encoding, to the nearest 1/256 m: height = 256 R + G + B / 256 − 32768.
 * Heights outside of −32768 to 32768 m are clamped.
 */
export const encodeTerrarium = (kernels: Kernels, allocate: Allocate, heights: EncodedHeights): number =>
  encode(kernels, allocate, heights, 'encodeTerrarium');

/**
 * The address of RGBA pixels in Mapbox's Terrain-RGB encoding, to the nearest 0.1 m: height = 0.1 × (65536 R + 256 G +
 * B) − 10000. Heights below −10000 m are clamped.
 */
export const encodeTerrainRgb = (kernels: Kernels, allocate: Allocate, heights: EncodedHeights): number =>
  encode(kernels, allocate, heights, 'encodeTerrainRgb');

function encode(
  kernels: Kernels,
  allocate: Allocate,
  { valuesAt, maskAt, count, unknownM }: EncodedHeights,
  kernel: 'encodeTerrarium' | 'encodeTerrainRgb',
): number {
  const rgbaAt = allocate(4 * count);
  kernels.run[kernel](valuesAt, maskAt, rgbaAt, count, Number(unknownM !== null), unknownM ?? 0);
  return rgbaAt;
}
