import { hash } from 'node:crypto';
import type { InputRule, TypedTree } from '../../bandmath/index.ts';
import type { BandFile } from '../../blocks/index.ts';
import type { LookupTable, Scene } from '../../catalog/index.ts';
import type { ColorPlan, Stretch } from '../../color/index.ts';
import type { AreaOutline, Grid, Size } from '../../geo/index.ts';
import type { WarpPlan } from '../../raster/index.ts';
import type { MaskFlag, QualityBits } from '../../sensors/index.ts';

/** All that decides a picture's pixels, as plain JSON: made before any pixel is read, then priced and hashed. */
export interface RenderPlan extends PixelPlan, LookPlan {
  /** One per expression: one is shown grey, three as red, green and blue. */
  readonly stretches: readonly StretchPlan[];
  /** Clouds that are painted over; absent if none are. */
  readonly clouds?: CloudCoverPlan;
  /** Classes that are shown instead of values; absent if none are. */
  readonly clusters?: ClusterPlan;
  /** Colours of classes by how many are found; absent with a palette and without classes. */
  readonly classColors?: readonly string[];
  /** The ref of the area the picture is cropped to; null for the whole picture. */
  readonly area: string | null;
  /** Estimated pixel memory of the render. */
  readonly bytes: number;
}

/** What becomes of the channels of a picture. */
export interface LookPlan {
  readonly grid: Grid;
  /** Colours of a single channel; null for grey and for three channels. */
  readonly color: ColorPlan | null;
  /** A text that is written all over the picture; null for none. */
  readonly watermark: string | null;
  /** The colour behind transparent pixels, `0xrrggbb`; absent if they stay transparent. */
  readonly background?: number;
  readonly format: PictureFormat | 'auto';
}

/** The strong ETag of a plan's picture; equal renders share one computation under this name. */
export const toEtag = (plan: RenderPlan): string => toDigest(`${PIXELS_VERSION} ${JSON.stringify(plan)}`);

/** Bump when pixels change for the same plan: it invalidates ETags and stored contrasts. */
export const PIXELS_VERSION = 7;

/** A short name for a long text. */
export const toDigest = (text: string): string => hash('sha256', text, 'hex').slice(0, 32);

/** A plan and the scene it is of. */
export interface PlannedScene {
  readonly plan: RenderPlan;
  readonly scene: ComparedScene;
}

/** A scene and the one that changes are counted from; that is absent when none is needed, null when none suits. */
export interface ComparedScene extends Scene {
  readonly earlier?: Scene | null;
}

/** Expressions over the bands of a scene, on a grid. Plain JSON. */
export interface PixelPlan extends SceneRef {
  readonly grid: Grid;
  /** In the order of the tree's inputs. */
  readonly inputs: readonly InputPlan[];
  /**
   * The expressions as a typed tree, so that a thread need not parse them again; most trees are smaller than the file
   * names. Constants without a JSON form (NaN, infinities) are also in the tree's key.
   */
  readonly tree: TypedTree;
  /** How the channels are pansharpened; absent if they are not. */
  readonly sharpen?: SharpenPlan;
}

/** One input of the expressions: the file its pixels come from, and how stored numbers become values. Plain JSON. */
export interface InputPlan extends BandFile {
  readonly rule: InputRule;
  readonly parameters: readonly number[];
  /** Fills the rule's second plane, with the size of the image it counts in; null if the rule has none. */
  readonly table: { readonly values: LookupTable; readonly fullSize: Size } | null;
  /** The earlier scene the input belongs to; absent for inputs of the scene itself. */
  readonly of?: SceneRef;
  /** How stored quality bits are moved to the layout of the interface, before they are warped. */
  readonly bits?: QualityBits['moves'];
  /** Speckle is filtered before the warp, with the squared variation of even ground; absent if it is not. */
  readonly speckle?: { readonly noise: number };
  /** What to read of the file and how to warp it; null if the file has no pixel on the grid. */
  readonly warp: WarpPlan | null;
  /** The scene has no data of this input anywhere. */
  readonly isAbsent?: true;
}

/** Identifies one state of a scene. */
export interface SceneRef {
  readonly viewId: string;
  readonly sceneVersion: string;
}

/**
 * How the contrast of a channel is found: given by the caller, or cut at percentiles of the whole scene. The contrast of
 * a band or expression does not depend on the other channels and equals its intensity range; only channels that are
 * sharpened together are measured together. A sample is planned only if the contrast is not known yet.
 */
export type StretchPlan =
  | ({ readonly kind: 'fixed' } & Stretch)
  | { readonly kind: 'measured' | 'sharpened'; readonly cut: PercentileCut; readonly gamma?: number };

/** The percentiles at which a scene's values are cut; clouds are bright and lower the upper one. */
export interface PercentileCut {
  readonly lowPercent: number;
  readonly highPercent: number;
  /** Where the scene's cloud cover is known from. */
  readonly cover: CoverSource;
}

/** Where the cloud cover of a scene, or of a part of it, is known from. */
export type CoverSource =
  | { readonly kind: 'unknown' }
  /** Not a correction where clouds are nodata already: then no value is a cloud. */
  | { readonly kind: 'known'; readonly percent: number; readonly isCorrection: boolean }
  /** Counted pixel by pixel, with or without cirrus. */
  | { readonly kind: 'pixels'; readonly onlyOpaque: boolean };

/** How a picture is divided into classes of similar pixels. */
export interface ClusterPlan {
  /** The maximum; fewer distinct values give fewer classes. */
  readonly count: number;
  /** Smaller patches join their largest neighbour; 0 retains all. */
  readonly minAreaM2: number;
}

/** Formats a picture can have. */
export type PictureFormat = 'jpeg' | 'png' | 'webp';

/** An area that pictures are cropped to. */
export interface PictureArea {
  /** Identifies the area; its outline never changes. */
  readonly ref: string;
  readonly outline: AreaOutline;
}

/** The colour that clouds of a picture are painted with. */
export interface CloudCover {
  /** Six hexadecimal digits. */
  readonly color: string;
  /** All that hides the ground: cirrus and shadows too. */
  readonly withShadows?: true;
}

/** The clouds that are painted over a picture; plain JSON. */
export interface CloudCoverPlan extends Pick<CloudCover, 'color'> {
  /** What each of them marks is painted over. */
  readonly plans: readonly CloudPlan[];
}

/** Which pixels of a grid are clouds, and which file says so; plain JSON. */
export interface CloudPlan {
  readonly source: CloudPixels | CloudOutlines;
  /** Cirrus does not count. */
  readonly onlyOpaque: boolean;
}

/** Bands of an image, warped by nearest neighbour, and the meaning of their values. */
export interface CloudPixels {
  readonly kind: 'pixels';
  readonly inputs: readonly InputPlan[];
  readonly meaning: /** `marks` by input: which of its values are a cloud. */
    | { readonly kind: 'flags'; readonly marks: readonly MaskFlag['marks'][] }
    | { readonly kind: 'classes'; readonly opaque: readonly number[]; readonly cirrus: readonly number[] }
    | {
        readonly kind: 'bits';
        readonly cloudBits: readonly [number, number];
        readonly cirrusBits: readonly [number, number];
      };
}

/** Polygons of a file, rasterised on the grid of the scene's finest band and warped from there. */
export interface CloudOutlines {
  readonly kind: 'polygons';
  readonly href: string;
  readonly epsg: number;
  /** The state of the file; absent if the catalog does not know it. */
  readonly stamp?: string;
  /** Null if the scene does not reach the grid. */
  readonly warp: WarpPlan | null;
}

/** How a picture is sharpened: plain JSON, a part of its plan. */
export type SharpenPlan =
  | {
      /** Weighted Brovey transform of three bands. */
      readonly kind: 'composite';
      readonly pan: InputPlan;
      /** One for each channel. */
      readonly weights: readonly number[];
      readonly limits: ValueLimits;
    }
  | {
      readonly kind: 'pixelwise';
      readonly pan: InputPlan;
      /** Null when the panchromatic band has nothing to show here. */
      readonly low: LowPlan | null;
      readonly channels: readonly SharpenedChannel[];
    };

/** What becomes of a channel: a band takes on detail in proportion to its brightness, to what is computed it is added. */
export type SharpenedChannel =
  | { readonly kind: 'band'; readonly limits: ValueLimits }
  | { readonly kind: 'computed' };

/** What stored numbers can hold, where sharpened ones stay within; null for physical values. */
export type ValueLimits = { readonly min: number; readonly max: number } | null;

/** The local mean of the panchromatic band: averaged onto the grid of the other bands, then warped as those are. */
export interface LowPlan {
  /** The pixels of the other bands that the picture needs. */
  readonly grid: Grid;
  /** From the panchromatic band to those pixels; reads the same window as the band itself. */
  readonly average: WarpPlan;
  /** From those pixels to the picture. */
  readonly warp: WarpPlan;
}
