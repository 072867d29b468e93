import type { TypedTree } from '../../bandmath/index.ts';
import type { Grid } from '../../geo/index.ts';
import type { InputPlan } from '../../render/index.ts';

/** One band of a file of indices: an expression and its inputs. */
export interface IndexBand {
  readonly tree: TypedTree;
  /** In the order of the tree's inputs. Their warps are for the whole grid: those of single windows follow from them. */
  readonly inputs: readonly InputPlan[];
}

/** What the pixels of a file of indices are computed of; plain JSON. */
export interface IndexPlan {
  readonly viewId: string;
  readonly sceneVersion: string;
  /** The grid of the file. */
  readonly grid: Grid;
  readonly bands: readonly IndexBand[];
}

/** The value of pixels without data. */
export const INDEX_NODATA = -9999;
