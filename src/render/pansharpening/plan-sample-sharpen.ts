import type { Scene } from '../../catalog/index.ts';
import type { makePlanRead } from '../plan-inputs.ts';
import { findAsset } from '../plan-inputs.ts';
import type { SharpenPlan } from './sharpen-plan.ts';

/** A Brovey transform on the grid of a sample; other sharpening leaves means as they are, and is not in it. */
export function planSampleSharpen(
  sharpen: SharpenPlan | undefined,
  scene: Scene,
  planRead: ReturnType<typeof makePlanRead>,
): { readonly sharpen?: SharpenPlan } {
  if (sharpen?.kind !== 'composite') return {};
  const { pan } = sharpen;
  const warp = planRead(findAsset(scene, pan.band), 'near');
  return { sharpen: { ...sharpen, pan: { ...pan, warp } } };
}

/** What tells the contrasts of Brovey transforms from those of other pictures of the same bands. */
export function toSharpenKey(sharpen: SharpenPlan | undefined): readonly unknown[] {
  if (sharpen?.kind !== 'composite') return [];
  const { pan, weights } = sharpen;
  return [pan.band, pan.rule, pan.parameters, weights];
}
