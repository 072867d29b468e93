import type { LinearScale } from '../catalog/index.ts';
import type { Stretch } from '../color/index.ts';
import type { AreaOutline, Grid } from '../geo/index.ts';
import type { Summary } from '../numbers/index.ts';
import type { JobType } from '../pool/index.ts';
import type { PlannedGrids } from '../proj/index.ts';
import type { Picture } from '../render/index.ts';
import type { CloudPlan, LookPlan, PixelPlan } from '../render/native/index.ts';
import type { Selection } from './mosaic.ts';

/** A scene on the grid of a mosaic: plain JSON, but for its footprint. */
export interface MosaicScene {
  /** Its position among the candidates. */
  readonly index: number;
  readonly pixels: PixelPlan;
  /** What the selection compares; null if it compares nothing. */
  readonly by: PixelPlan | null;
  /** Which pixels show no ground. */
  readonly masks: readonly CloudPlan[];
  readonly footprint: AreaOutline;
  /** What brings the values of each channel to those of the first scene; null if they are alike. */
  readonly units: readonly LinearScale[] | null;
}

/** Scenes that are put together, and what becomes of them. */
export interface ComposeJob {
  /** The pixels of the result, and as many around them as clouds are widened or edges faded by. */
  readonly grid: Grid;
  readonly padPx: number;
  readonly channels: number;
  readonly scenes: readonly MosaicScene[];
  /** What was computed while the scenes were planned, by the warps of their plans. */
  readonly grids?: PlannedGrids;
  readonly selection: Selection;
  readonly dilatePx: number;
  readonly featherPx: number;
  /** What jobs before this one have filled; null for the first. */
  readonly before: FilledPixels | null;
  /** Scenes of later jobs, which are asked whether they would change a pixel. */
  readonly rest: readonly Pick<MosaicScene, 'index' | 'footprint'>[];
  /** The result is made whatever is missing; otherwise only if no scene of the rest would change it. */
  readonly isLast: boolean;
  readonly result: WantedResult;
}

type WantedResult =
  | {
      /** A picture that is encoded, or the pixels of one. */
      readonly kind: 'picture' | 'painted';
      readonly look: LookPlan;
      readonly contrast: readonly Stretch[];
      readonly outline: AreaOutline | null;
    }
  /** Which scene each pixel comes from, or how many it is made of; colours by index or number, as 0xrrggbb. */
  | { readonly kind: 'sources'; readonly colors: readonly number[]; readonly outline: AreaOutline | null }
  | { readonly kind: 'values'; readonly outline: AreaOutline | null }
  /** Numbers of areas that lie on the grid. */
  | { readonly kind: 'areas'; readonly areas: readonly PlacedArea[] };

/** An area on a larger grid. */
export interface PlacedArea {
  readonly outline: AreaOutline;
  /** The grid that it would have by itself. */
  readonly grid: Grid;
  /** Where that begins in the larger one. */
  readonly corner: { readonly x: number; readonly y: number };
}

/** What a mosaic has in one of several areas. */
export interface AreaNumbers {
  /** One for each channel; null where no scene shows the area. */
  readonly summaries: readonly (Summary | null)[];
  /** The pixels of the area, with and without a value. */
  readonly areaPx: number;
  readonly shares: readonly SceneShare[];
}

/** Pixels of an unfinished mosaic, on the grid of its job. */
export interface FilledPixels {
  readonly channels: readonly Float32Array<ArrayBuffer>[];
  readonly mask: Uint8Array<ArrayBuffer>;
  readonly indexes: Uint16Array<ArrayBuffer>;
}

/** How many pixels of a result come from a scene, or have a part of it. */
export interface SceneShare {
  readonly index: number;
  readonly pixels: number;
}

/** What a job gives. */
export type Composed =
  | {
      readonly kind: 'unfinished';
      readonly filled: FilledPixels;
      /** Which of the rest reach a pixel that is missing or of a later scene, by their indexes. */
      readonly reaching: readonly number[];
      /** Those of them that only graze it: by less than footprints are exact. */
      readonly grazing: readonly number[];
    }
  | ({ readonly kind: 'picture'; readonly shares: readonly SceneShare[] } & Picture)
  | ({ readonly kind: 'painted'; readonly shares: readonly SceneShare[] } & PaintedMosaic)
  | ({ readonly kind: 'values'; readonly shares: readonly SceneShare[] } & MosaicValues)
  | {
      readonly kind: 'areas';
      readonly areas: readonly AreaNumbers[];
      /** Of all areas together. */
      readonly shares: readonly SceneShare[];
    };

/** Red, green, blue and opacity of each pixel of a mosaic. */
export interface PaintedMosaic {
  readonly rgba: Uint8Array<ArrayBuffer>;
}

/** Values of a mosaic on its grid. */
export interface MosaicValues {
  readonly channels: readonly Float32Array<ArrayBuffer>[];
  /** 1 where there is a value. */
  readonly mask: Uint8Array<ArrayBuffer>;
  /** The candidate that each pixel is of; only where a selection takes pixels of one scene. */
  readonly indexes: Uint16Array<ArrayBuffer> | null;
  /** How many scenes show the ground in a pixel; null where scenes are not read when others have filled the picture. */
  readonly counts: Uint16Array<ArrayBuffer> | null;
  /** The pixels of the area, with and without a value; null where none was given. */
  readonly areaPx: number | null;
}

/** Times of the stages of a job, added up over its scenes. */
export interface Stages {
  readonly ms: Readonly<Record<string, number>>;
  end(stage: string): void;
}

/** The job of putting scenes together. */
export type ComposeJobs = {
  compose: JobType<ComposeJob, Composed>;
  'paint-values': JobType<PaintValuesJob, Picture>;
};

/** Values that were put together before, and how they are shown. */
export interface PaintValuesJob {
  readonly channels: readonly Float32Array[];
  readonly mask: Uint8Array;
  readonly look: LookPlan;
  readonly contrast: readonly Stretch[];
  readonly outline: AreaOutline | null;
}
