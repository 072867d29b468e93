import type { TypedTree } from '../../bandmath/index.ts';
import type { BandFile, LevelWindow, WindowRequest } from '../../blocks/index.ts';
import { toRecord } from './plan-inputs.ts';
import type { InputPlan, SceneRef } from './render-plan.ts';

/** Which pixel of which file, and what is computed of them; plain JSON. */
export interface PointPlan extends SceneRef {
  readonly tree: TypedTree;
  /** In the order of the tree's inputs. */
  readonly inputs: readonly PointInput[];
}

/** One input of the expressions at a point. */
export interface PointInput extends BandFile, Pick<InputPlan, 'rule' | 'parameters' | 'bits' | 'of'> {
  /** The value of the rule's table at the pixel; null without a table. */
  readonly second: number | null;
  /** In the full image; null outside of it, and for a band that the product says measured nothing. */
  readonly pixel: PixelPosition | null;
}

/** Column and row of a pixel, counted from 0. */
export interface PixelPosition {
  readonly x: number;
  readonly y: number;
}

/** The pixel that each input of a point reads; null for one that reads none. */
export const listPointReads = (plan: PointPlan): readonly (WindowRequest | null)[] =>
  plan.inputs.map(({ pixel, ...input }) =>
    pixel === null ? null : toRead(input, { level: 0, window: { ...pixel, width: 1, height: 1 } }, plan),
  );

/** A window of one input. */
export const toRead = (
  input: BandFile & Pick<InputPlan, 'of'>,
  { level, window }: LevelWindow,
  scene: SceneRef,
): WindowRequest => ({
  band: input.band,
  href: input.href,
  bandIndex: input.bandIndex,
  nodata: input.nodata,
  ...(input.sidecars === undefined ? {} : { sidecars: input.sidecars }),
  ...(input.stamp === undefined ? {} : { stamp: input.stamp }),
  record: toRecord(input.of ?? scene),
  read: { level, window },
});
