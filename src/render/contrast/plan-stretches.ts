import type { BandInput, TypedTree } from '../../bandmath/index.ts';
import type { Scene } from '../../catalog/index.ts';
import type { Stretch } from '../../color/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { chooseDefaultCover } from '../clouds/cover-source.ts';
import { findAsset } from '../inputs/band-file.ts';
import { shownInput } from '../inputs/plan-expressions.ts';
import type { PercentileCut, StretchPlan } from '../plan/render-plan.ts';

interface StretchRequest {
  readonly scene: Scene;
  readonly sensor: Sensor;
  readonly tree: TypedTree;
  /** What the caller wants; null for the scene's own contrast. */
  readonly range: Stretch | null;
  /** The same for each channel; `range` counts for all of them without. */
  readonly ranges?: readonly Stretch[] | undefined;
  /** Replaces the gamma of all ranges. */
  readonly gamma?: number | undefined;
}

/**
 * Plans the default contrast, 2–98 % of the scene with cloud correction: the same as the default intensity range. Finished
 * pictures of 8 bits are shown as they are.
 */
export function planStretches({
  scene,
  sensor,
  tree,
  range,
  ranges,
  gamma,
}: StretchRequest): readonly StretchPlan[] {
  const cut: PercentileCut = { lowPercent: 2, highPercent: 98, cover: chooseDefaultCover(scene, sensor) };
  const curve = gamma === undefined ? {} : { gamma };
  return tree.outputs.map((_, channel): StretchPlan => {
    const wanted = ranges?.[channel] ?? range;
    if (wanted !== null) return { kind: 'fixed', ...wanted, ...curve };
    const shown = shownInput(tree, channel);
    if (shown !== null && sensor.defaultStretch === 'none') {
      const { band } = tree.inputs[shown] as BandInput;
      if (findAsset(scene, band).type === 'uint8') return { kind: 'fixed', min: 0, max: 255, ...curve };
    }
    return { kind: 'measured', cut, ...curve };
  });
}
