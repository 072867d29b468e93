import { createHash } from 'node:crypto';
import type { BesideSuffix } from '../formats/index.ts';
import type { Grid } from '../geo/index.ts';
import type { PixelWindow, WarpPlan } from '../raster/index.ts';
import type { ContrastRange } from '../stats/index.ts';

/** Formats a picture can have. */
export type PictureFormat = 'jpeg' | 'png' | 'webp';

/** Where a scene's values are cut; clouds, being bright, lower the upper end. */
export interface PercentileCut {
  readonly lowPercent: number;
  readonly highPercent: number;
  readonly cloudPercent: number;
}

/** How the contrast of a channel is found: given, or cut at percentiles of the whole scene. */
export type StretchPlan =
  | ({ readonly kind: 'fixed' } & ContrastRange)
  | ({ readonly kind: 'percentile' } & PercentileCut);

/** Pixels of one level of a file: 0 is the full image, 1 its first overview. */
export interface LevelWindow {
  readonly level: number;
  readonly window: PixelWindow;
}

/** One file band to be read; its values mean what is stored plus `shift`. */
export interface BandPlan {
  readonly band: string;
  readonly href: string;
  readonly bandIndex: number;
  readonly nodata: number | null;
  readonly shift: number;
  /** Files beside it that hold pixels of it. */
  readonly beside?: readonly BesideSuffix[];
}

/** One channel of a picture: where its pixels come from and how they become levels. */
export interface ChannelPlan extends BandPlan {
  /** What to read of the file and how to bring it to the grid; null when it does not reach the picture. */
  readonly warp: WarpPlan | null;
  readonly stretch: StretchPlan;
  /** The whole band at a resolution good enough for its contrast. */
  readonly contrastRead: LevelWindow;
}

/** All that decides a picture's pixels, as plain JSON: made before any pixel is read, logged, priced and hashed. */
export interface RenderPlan {
  readonly viewId: string;
  readonly sceneVersion: string;
  readonly grid: Grid;
  readonly channels: readonly ChannelPlan[];
  readonly format: PictureFormat | 'auto';
  /** Estimated pixel memory of the render. */
  readonly bytes: number;
}

/** Raised whenever equal plans begin to give other pixels: ETags and remembered contrasts of before no longer count. */
export const PIXELS_VERSION = 2;

/** The strong ETag of a plan's picture; also the name equal renders share. */
export const toEtag = (plan: RenderPlan): string =>
  createHash('sha256')
    .update(`${PIXELS_VERSION} ${JSON.stringify(plan)}`)
    .digest('hex')
    .slice(0, 32);
