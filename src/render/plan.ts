import { createHash } from 'node:crypto';
import type { InputRule, TypedTree } from '../bandmath/index.ts';
import type { BandFile } from '../blocks/index.ts';
import type { LookupTable } from '../catalog/index.ts';
import type { ColorPlan } from '../color/index.ts';
import type { Grid, Size } from '../geo/index.ts';
import type { WarpPlan } from '../raster/index.ts';
import type { QualityBits } from '../sensors/index.ts';
import type { ContrastRange } from '../stats/index.ts';
import type { CloudCoverPlan } from './clouds/index.ts';
import type { ClusterPlan } from './clusters/index.ts';
import type { CoverSource } from './intensity/index.ts';
import type { SharpenPlan } from './pansharpening/index.ts';

/** Formats a picture can have. */
export type PictureFormat = 'jpeg' | 'png' | 'webp';

/** Where a scene's values are cut; clouds, being bright, lower the upper end. */
export interface PercentileCut {
  readonly lowPercent: number;
  readonly highPercent: number;
  /** Where it is known from how cloudy the scene is. */
  readonly cover: CoverSource;
}

/**
 * How the contrast of a channel is found: given, or cut at percentiles of the whole scene. A band or expression has a
 * contrast of its own, whatever else is in the picture, and the same as the intensity range says; only colours that are
 * sharpened together are measured together. Samples are planned when a contrast is not known yet.
 */
export type StretchPlan =
  | ({ readonly kind: 'fixed' } & ContrastRange)
  | { readonly kind: 'measured'; readonly cut: PercentileCut }
  | { readonly kind: 'sharpened'; readonly cut: PercentileCut };

/** One input of the picture's expressions: where its pixels come from and what becomes of its numbers first. */
export interface InputPlan extends BandFile {
  readonly rule: InputRule;
  readonly parameters: readonly number[];
  /** What the rule's second plane is filled with, and the size of the image that it counts in; null without one. */
  readonly table: { readonly values: LookupTable; readonly fullSize: Size } | null;
  /** The scene it is of, when it is not the picture's own but an earlier one. */
  readonly of?: { readonly viewId: string; readonly sceneVersion: string };
  /** How stored quality bits become those of the interface, before they are warped. */
  readonly bits?: QualityBits['moves'];
  /** What to read of the file and how to bring it to the grid; null when it has nothing to show there. */
  readonly warp: WarpPlan | null;
  /** The scene has nothing to show of it anywhere. */
  readonly isAbsent?: true;
}

/** Expressions over the bands of a scene, on a grid. */
export interface PixelPlan {
  readonly viewId: string;
  readonly sceneVersion: string;
  readonly grid: Grid;
  /** In the order of the tree's inputs. */
  readonly inputs: readonly InputPlan[];
  /**
   * The expressions themselves: most are smaller than the files they name, and a thread need not read them again.
   * Constants that JSON cannot say (NaN, infinities) are also in its key.
   */
  readonly tree: TypedTree;
  /** How the channels are sharpened; absent when they are not. */
  readonly sharpen?: SharpenPlan;
}

/** The record that names the files of a scene, as blocks are told apart by it. */
export const toRecord = ({ viewId, sceneVersion }: Pick<PixelPlan, 'viewId' | 'sceneVersion'>) => ({
  name: viewId,
  version: sceneVersion,
});

/** All that decides a picture's pixels, as plain JSON: made before any pixel is read, logged, priced and hashed. */
export interface RenderPlan extends PixelPlan {
  /** One for each expression: one is shown grey, three as red, green and blue. */
  readonly stretches: readonly StretchPlan[];
  /** Colours of a single channel; null for grey, and for three channels. */
  readonly color: ColorPlan | null;
  /** Clouds that are painted over; absent when they are not. */
  readonly clouds?: CloudCoverPlan;
  /** Classes that are shown in place of values; absent when they are not. */
  readonly clusters?: ClusterPlan;
  /** Colours of classes by how many are found; absent where a palette says them, or nothing is divided. */
  readonly classColors?: readonly string[];
  /** The area that the picture is cropped to, by its ref; null for all there is. */
  readonly area: string | null;
  /** A text that is written all over the picture; null for none. */
  readonly watermark: string | null;
  readonly format: PictureFormat | 'auto';
  /** Estimated pixel memory of the render. */
  readonly bytes: number;
}

/** Raised whenever equal plans begin to give other pixels: ETags and remembered contrasts of before no longer count. */
export const PIXELS_VERSION = 6;

/** The strong ETag of a plan's picture; also the name equal renders share. */
export const toEtag = (plan: RenderPlan): string => toDigest(`${PIXELS_VERSION} ${JSON.stringify(plan)}`);

/** A short name for a long text. */
export const toDigest = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 32);
