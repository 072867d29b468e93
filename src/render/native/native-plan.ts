import type { TypedTree } from '../../bandmath/index.ts';
import type { Grid } from '../../geo/index.ts';
import type { InputPlan } from '../plan/input-plan.ts';

/** An expression and its inputs, on the pixels of a scene itself. */
export interface NativeBand {
  readonly tree: TypedTree;
  /** In the order of the tree's inputs. Their warps are for the whole grid: those of single windows follow from them. */
  readonly inputs: readonly InputPlan[];
}

/** The scene and the grid on which expressions are computed: that of its coarsest band, or a part of it. Plain JSON. */
export interface NativeGrid {
  readonly viewId: string;
  readonly sceneVersion: string;
  readonly grid: Grid;
}
