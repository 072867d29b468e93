import type { PaintedIndexes, PaintedPlanes } from '../../color/index.ts';
import type { ReadClouds } from '../clouds/read-clouds.ts';
import type { PixelWork } from '../pixels/pixel-work.ts';
import type { SourceGroup, WarpedInput } from '../pixels/read-inputs.ts';
import type { DrawJob } from './draw-job.ts';
import type { ShownPlanes } from './shown-planes.ts';

/** A picture in the making, in the kernels' memory: each step of drawing takes one and gives the next. */
export interface Canvas {
  readonly job: DrawJob;
  /** Pixels of the picture. */
  readonly count: number;
  /** 1 inside the picture's area; null without an area. */
  readonly inside: Uint8Array | null;
  /** The bands as read; null if nothing is shown of them. */
  readonly sources: readonly SourceGroup[] | null;
  /** The bands on the picture's grid; null if nothing is shown of them. */
  readonly inputs: readonly WarpedInput[] | null;
  /** 1 where all bands have data; null if no clouds are painted. */
  readonly ground: Uint8Array | null;
  /** What is painted; null where there is nothing to show. */
  readonly shown: ShownPlanes | null;
  /** The pixels in colour, once they are painted. */
  readonly painted: PaintedIndexes | PaintedPlanes | null;
}

/** What the steps of drawing work with. */
export interface DrawWork extends PixelWork {
  readonly readClouds: ReadClouds;
}

/** One step of drawing. */
export type DrawStep = (canvas: Canvas, work: DrawWork) => Canvas | Promise<Canvas>;

/** The canvas of a job before the first step. */
export const toCanvas = (job: DrawJob): Canvas => ({
  job,
  count: job.plan.grid.width * job.plan.grid.height,
  inside: null,
  sources: null,
  inputs: null,
  ground: null,
  shown: null,
  painted: null,
});
