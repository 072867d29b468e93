import { hash } from 'node:crypto';
import type { ColorPlan } from '../../color/index.ts';
import type { Grid } from '../../geo/index.ts';
import { JOIN_REACH_PX } from '../heights/join-models.ts';
import { widenGrid } from '../plan/mercator.ts';
import type { HeightsOptions, HeightsPlan, ModelFiles } from '../plan/plan-heights.ts';
import { planHeights } from '../plan/plan-heights.ts';

/** Formats of tiles that are pictures. */
export type ReliefFormat = 'png' | 'jpeg' | 'webp';

/** Formats of contour lines. */
export type ContourFormat = 'mvt' | 'geojson';

/** What a tile shows; plain JSON. */
export type TerrainProduct =
  | {
      readonly kind: 'hillshade';
      /** Where the light comes from: clockwise from north, and above the horizon. */
      readonly azimuthDeg: number;
      readonly altitudeDeg: number;
      /** Colours of the shades 1 to 255; null for grey. */
      readonly color: ColorPlan | null;
      readonly format: ReliefFormat;
    }
  | {
      readonly kind: 'slope';
      /** Gentler slopes are transparent. */
      readonly minSlopeDeg: number;
      readonly color: ColorPlan;
      readonly format: ReliefFormat;
    }
  | { readonly kind: 'aspect'; readonly color: ColorPlan; readonly format: ReliefFormat }
  | { readonly kind: 'geotiff' }
  | {
      readonly kind: 'terrarium' | 'terrainrgb';
      /** The height that is written where none is known; null leaves those pixels transparent. */
      readonly unknownM: number | null;
    }
  | { readonly kind: 'contours'; readonly intervalM: number; readonly format: ContourFormat };

/** All that decides a terrain tile, as plain JSON: made before any pixel is read, then priced and hashed. */
export interface TerrainPlan {
  /** The pixels of the tile. */
  readonly grid: Grid;
  readonly product: TerrainProduct;
  /** Heights of the tile and of the pixels around it that the product needs. */
  readonly heights: HeightsPlan;
  /** Pixels of heights on each side of the tile. */
  readonly haloPx: number;
}

/** Formats of finished tiles. */
export type TerrainFormat = ReliefFormat | ContourFormat | 'tiff';

/** A finished tile; complete by definition. */
export interface TerrainTile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly format: TerrainFormat;
  /** The duration of each stage. */
  readonly stagesMs: Readonly<Record<string, number>>;
  /** Set if no one else holds the bytes: the sender may free their memory afterwards. */
  readonly isSole?: boolean;
}

/** Bump when pixels change for the same plan: it invalidates ETags. */
const TERRAIN_VERSION = 2;

/** Pixels around a tile that a product looks at: the eight neighbours of a pixel, or the cells of lines that leave the tile. */
const PRODUCT_HALO_PX: Readonly<Record<TerrainProduct['kind'], number>> = {
  hillshade: 1,
  slope: 1,
  aspect: 1,
  geotiff: 0,
  terrarium: 0,
  terrainrgb: 0,
  // The buffer of a vector tile, and a pixel for the corners of its outermost cells.
  contours: 5,
};

/** Pixels of heights around a tile: more where models join, because their border is smoothed. */
export const haloOf = (product: TerrainProduct, models: number): number =>
  PRODUCT_HALO_PX[product.kind] + (models > 1 ? JOIN_REACH_PX : 0);

/** Decides everything about a tile but reads no pixel. */
export function planTerrain(
  request: { readonly grid: Grid; readonly product: TerrainProduct },
  models: readonly ModelFiles[],
  options: HeightsOptions,
): TerrainPlan {
  const { grid, product } = request;
  const haloPx = haloOf(product, models.length);
  const heights = planHeights(widenGrid(grid, haloPx), models, options);
  return { grid, product, heights, haloPx };
}

/** The strong ETag of a plan's tile, from the plan as JSON; equal renders share one computation under this name. */
export const toTerrainEtag = (planJson: string): string =>
  hash('sha256', `terrain ${TERRAIN_VERSION} ${planJson}`, 'hex').slice(0, 32);
