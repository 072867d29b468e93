import type { TypedTree } from '../../bandmath/index.ts';
import type { Grid } from '../../geo/index.ts';
import type { InputPlan, SceneRef } from './input-plan.ts';
import type { SharpenPlan } from './sharpen-plan.ts';

/** Expressions over the bands of a scene, on a grid. Plain JSON. */
export interface PixelPlan extends SceneRef {
  readonly grid: Grid;
  /** In the order of the tree's inputs. */
  readonly inputs: readonly InputPlan[];
  /**
   * The expressions as a typed tree, so that a thread need not parse them again; most trees are smaller than the file
   * names. Constants without a JSON form (NaN, infinities) are also in the tree's key.
   */
  readonly tree: TypedTree;
  /** How the channels are pansharpened; absent if they are not. */
  readonly sharpen?: SharpenPlan;
}
