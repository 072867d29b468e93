import type { Summary } from '../numbers/index.ts';

/** What was measured of one expression in one scene; plain JSON. */
export interface Measured {
  /** Null where no pixel counts. */
  readonly statistics: Summary | null;
  /** Pixels of the whole area, also of its part beyond the image. */
  readonly areaPx: number;
  /** Those of them with data, clouds included. */
  readonly validPx: number;
  /** Those of them that are clouds; null where the scene does not say of single pixels. */
  readonly cloudPx: number | null;
  /** The area holds no centre of a pixel, so that the pixels count that it touches. */
  readonly isTouched: boolean;
  /** Pixels in each bin; null if none were ordered. */
  readonly histogram: readonly number[] | null;
}

/** A scene, as the results name it. */
export interface NamedScene {
  readonly viewId: string;
  readonly sceneId: string;
  readonly date: string;
}

/** The statistics of a scene. */
export interface SceneStatistics extends NamedScene {
  /** The share of the area's data that is clouds; null if it is unknown. */
  readonly cloudPercent: number | null;
  /** What a reader should know of the numbers, in short sentences. */
  readonly notes: readonly string[];
  /** One for each expression. */
  readonly values: readonly (Summary | null)[];
  /** One for each expression; null if none were ordered. */
  readonly histograms: readonly (readonly number[])[] | null;
}

/** A scene without statistics, and the reason. */
export interface SceneFailure extends NamedScene {
  readonly code: string;
  readonly message: string;
  readonly notes: readonly string[];
}

/** The statistics of an order, newest scenes first. */
export interface StatisticsResult {
  readonly scenes: readonly SceneStatistics[];
  readonly failures: readonly SceneFailure[];
}
