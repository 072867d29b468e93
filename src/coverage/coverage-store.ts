import { hash } from 'node:crypto';
import type { Scene } from '../catalog/index.ts';
import { PIXELS_VERSION } from '../render/native/index.ts';

/** A packed cell of a scene's mask. */
export interface StoredCell {
  readonly key: string;
  readonly cell: number;
  /** As `packCell` writes it. */
  readonly pixels: Uint8Array;
}

/** Cells of a scene's mask that are looked for. */
export interface WantedCells {
  readonly key: string;
  readonly cells: readonly number[];
}

/** What is stored of a scene's mask. */
export interface StoredMask {
  readonly key: string;
  /** The description of the mask: plain JSON, as text. */
  readonly mask: string;
}

/**
 * Where cells of masks are stored, so that each is read from its file once: the newest ones, up to a number that the
 * store decides. Any of them may be gone at any time.
 */
export interface CoverageStore {
  /** The descriptions of masks that are stored, by key. */
  findMasks(keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Those of the cells that are stored, in any order. */
  findCells(wanted: readonly WantedCells[]): Promise<readonly StoredCell[]>;
  /** Stores masks and cells, or replaces those of the same keys; all of them or, on failure, none. */
  put(masks: readonly StoredMask[], cells: readonly StoredCell[]): Promise<void>;
}

/** Bump when the same scene gives other cells. */
const COVERAGE_VERSION = 1;

/** The key of a scene's mask: it covers all that its cells depend on. */
export const toMaskKey = ({ viewId, version }: Pick<Scene, 'viewId' | 'version'>): string =>
  hash('sha256', JSON.stringify([COVERAGE_VERSION, PIXELS_VERSION, viewId, version]), 'base64url').slice(
    0,
    27,
  );
