import type { Allocate, Kernels } from '../raster/index.ts';
import { checkIndex } from './scene-planes.ts';

/** Pixels that a scene may still change. */
export interface WantedPixels {
  /** A byte per pixel, 1 where it is wanted. */
  readonly wantedAt: number;
  /** How many are. */
  readonly pixels: number;
}

/**
 * Finds the pixels of a picture that a scene may still change: those without a scene or of a later one that are not marked
 * themselves.
 */
export function wantPixels(
  kernels: Kernels,
  allocate: Allocate,
  {
    indexesAt,
    marksAt,
    index,
    count,
  }: {
    /** The index of the scene in each pixel, as `WithIndexes` has it; null if all scenes count everywhere. */
    readonly indexesAt: number | null;
    /** A byte per pixel, other than 0 where the scene shows no ground; null without marks. */
    readonly marksAt: number | null;
    readonly index: number;
    readonly count: number;
  },
): WantedPixels {
  checkIndex(index);
  const wantedAt = allocate(count);
  const pixels = kernels.run.wantPixels(indexesAt ?? 0, marksAt ?? 0, index, count, wantedAt);
  return { wantedAt, pixels };
}
