import type { ColorPlan, Stretch } from '../../color/index.ts';
import type { AreaOutline } from '../../geo/index.ts';
import type { CloudCoverPlan, CoverSource } from './cloud-plan.ts';
import type { PixelPlan } from './pixel-plan.ts';
import { PIXELS_VERSION, toDigest } from './plan-key.ts';

/** Formats a picture can have. */
export type PictureFormat = 'jpeg' | 'png' | 'webp';

/** An area that pictures are cropped to. */
export interface PictureArea {
  /** Identifies the area; its outline never changes. */
  readonly ref: string;
  readonly outline: AreaOutline;
}

/** The percentiles at which a scene's values are cut; clouds are bright and lower the upper one. */
export interface PercentileCut {
  readonly lowPercent: number;
  readonly highPercent: number;
  /** Where the scene's cloud cover is known from. */
  readonly cover: CoverSource;
}

/**
 * How the contrast of a channel is found: given by the caller, or cut at percentiles of the whole scene. The contrast of
 * a band or expression does not depend on the other channels and equals its intensity range; only channels that are
 * sharpened together are measured together. A sample is planned only if the contrast is not known yet.
 */
export type StretchPlan =
  | ({ readonly kind: 'fixed' } & Stretch)
  | { readonly kind: 'measured' | 'sharpened'; readonly cut: PercentileCut; readonly gamma?: number };

/** How a picture is divided into classes of similar pixels. */
export interface ClusterPlan {
  /** The maximum; fewer distinct values give fewer classes. */
  readonly count: number;
  /** Smaller patches join their largest neighbour; 0 retains all. */
  readonly minAreaM2: number;
}

/** All that decides a picture's pixels, as plain JSON: made before any pixel is read, then priced and hashed. */
export interface RenderPlan extends PixelPlan {
  /** One per expression: one is shown grey, three as red, green and blue. */
  readonly stretches: readonly StretchPlan[];
  /** Colours of a single channel; null for grey and for three channels. */
  readonly color: ColorPlan | null;
  /** Clouds that are painted over; absent if none are. */
  readonly clouds?: CloudCoverPlan;
  /** Classes that are shown instead of values; absent if none are. */
  readonly clusters?: ClusterPlan;
  /** Colours of classes by how many are found; absent with a palette and without classes. */
  readonly classColors?: readonly string[];
  /** The ref of the area the picture is cropped to; null for the whole picture. */
  readonly area: string | null;
  /** A text that is written all over the picture; null for none. */
  readonly watermark: string | null;
  readonly format: PictureFormat | 'auto';
  /** Estimated pixel memory of the render. */
  readonly bytes: number;
}

/** The strong ETag of a plan's picture; equal renders share one computation under this name. */
export const toEtag = (plan: RenderPlan): string => toDigest(`${PIXELS_VERSION} ${JSON.stringify(plan)}`);
