import type { ColorPlan } from '../../color/index.ts';
import type { Grid } from '../../geo/index.ts';
import type { HeightsPlan } from '../plan/heights-plan.ts';

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
  /** Where the time went, stage by stage. */
  readonly stagesMs: Readonly<Record<string, number>>;
  /** Set if no one else holds the bytes: the sender may free their memory afterwards. */
  readonly isSole?: boolean;
}
