import { badInput } from '../../../src/errors.ts';
import type { SkyPlan } from '../../light/exposure.ts';
import { frame } from '../../setting.ts';

/** A part of the tile's frame, in local metres. */
export interface TileWindow {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The side of the swath: a straight line from the frame's upper to its lower edge, and where the data lie. */
export interface SwathEdge {
  readonly keeps: 'west' | 'east';
  /** Local x at the top and at the bottom of the frame. */
  readonly topX: number;
  readonly bottomX: number;
}

/** One recording of the tile, as all levels of its product need it; plain JSON. */
export interface Sentinel2Plan {
  readonly satellite: 'S2A' | 'S2B' | 'S2C';
  /** When the tile was recorded, in milliseconds since 1970. */
  readonly atMs: number;
  /** Number of the recording among those of its day. */
  readonly sequence: number;
  /** Of the processor: `02.09`, `05.11`; from `04.00` on stored numbers carry an offset and clouds are an image. */
  readonly baseline: string;
  readonly window: TileWindow;
  /** Side of the smallest pixels: bands whose own are larger keep them. 10 when left out. */
  readonly finestM?: number;
  readonly sky: SkyPlan;
  /** Left out when the swath covers the window. */
  readonly swathEdge?: SwathEdge;
  /** Of the detectors' noise. */
  readonly seed: number;
}

/** A Level-1C product, as in the provider's bucket or as the folder that users download. */
export interface Sentinel2L1cPlan extends Sentinel2Plan {
  readonly layout: 'bucket' | 'safe';
}

/** A Level-2A product as COGs with a STAC item. */
export interface Sentinel2L2aPlan extends Sentinel2Plan {
  /** Whether the maker of the COGs subtracted the offset of newer baselines; true when left out. */
  readonly isOffsetApplied?: boolean;
}

/** Pixels of the coarsest bands; windows are whole numbers of them. */
export const COARSEST_M = 60;

/** Since this baseline 1000 is added to stored numbers, so that dark pixels are not cut off at 0. */
export const hasOffset = (baseline: string): boolean => baseline >= '04.00';

/** Side of the pixels of a band whose own have that side. */
export const toPixelM = ({ finestM = 10 }: Sentinel2Plan, ownM: number): number => Math.max(ownM, finestM);

/** Refuses a plan that makes no product. */
export function checkPlan(plan: Sentinel2Plan): void {
  const { x, y, width, height } = plan.window;
  const unitM = toPixelM(plan, COARSEST_M);
  const isWhole = (value: number) => Number.isInteger(value / unitM);
  const fits = x >= 0 && y >= 0 && x + width <= frame.sizeM && y + height <= frame.sizeM;
  if (!(width > 0 && height > 0 && fits && [width, height].every(isWhole))) {
    throw badInput(
      'bad-window',
      `A window lies inside the tile and its sides are multiples of ${unitM} m, not ${JSON.stringify(plan.window)}.`,
    );
  }
  if (!Number.isInteger(unitM / toPixelM(plan, 20)) || !Number.isInteger(unitM / toPixelM(plan, 10))) {
    throw badInput('bad-pixel-size', `Pixels of ${plan.finestM} m do not fill those of ${unitM} m.`);
  }
  if (!/^\d{2}\.\d{2}$/.test(plan.baseline)) {
    throw badInput('bad-baseline', `A baseline is four digits such as 05.11, not ${plan.baseline}.`);
  }
}
