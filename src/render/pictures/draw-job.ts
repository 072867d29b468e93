import type { AreaOutline } from '../../geo/index.ts';
import type { JobType } from '../../pool/index.ts';
import type { WarpGrids } from '../../raster/index.ts';
import type { FittedClusters } from '../clusters/fit-clusters.ts';
import type { ChannelContrast } from '../contrast/find-contrast.ts';
import type { PictureFormat, RenderPlan } from '../plan/render-plan.ts';

/** A finished picture; complete by definition, a render that misses a block is an error. */
export interface Picture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly format: PictureFormat;
  /** Where the time went, stage by stage. */
  readonly stagesMs: Readonly<Record<string, number>>;
  /** Set if no one else holds the bytes: the sender may free their memory afterwards. */
  readonly isSole?: boolean;
}

/** The input of the job that draws a picture. */
export interface DrawJob {
  readonly plan: RenderPlan;
  /** The approximating grids of the plan's inputs, so that they are computed once a picture. */
  readonly grids?: WarpGrids;
  /** One for each channel. */
  readonly contrast: readonly ChannelContrast[];
  /** What lies outside is transparent; null without an area. */
  readonly outline: AreaOutline | null;
  /** The classes that the plan shows; absent without classes. */
  readonly clusters?: FittedClusters;
}

/** The job of drawing. */
export type DrawJobs = { draw: JobType<DrawJob, Picture> };
