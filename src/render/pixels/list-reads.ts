import type { BandFile, LevelWindow, WindowRequest } from '../../blocks/index.ts';
import type { InputPlan, SceneRef } from '../plan/input-plan.ts';
import { toRecord } from '../plan/input-plan.ts';
import type { PixelPlan } from '../plan/pixel-plan.ts';

/** The windows of files that reading the inputs of a plan will ask for; none if one of them has no pixel on the grid. */
export function listReads(plan: SceneRef & Pick<PixelPlan, 'inputs'>): readonly WindowRequest[] {
  const reads: WindowRequest[] = [];
  for (const input of plan.inputs) {
    if (input.warp === null) return [];
    reads.push(toRead(input, input.warp, plan));
  }
  return reads;
}

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
