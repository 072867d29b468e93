import type { Plane } from '../../../src/bandmath/index.ts';
import { interpretTree, parseExpressions } from '../../../src/bandmath/index.ts';
import type { HostilePlane } from './hostile-planes.ts';
import { SIDE_PX, treeBands, treeLimits, treeNames } from './tree-limits.ts';

/** The planes of one tree: a window of the pool, by the tree's number. */
export function planesOf(pool: readonly HostilePlane[], tree: number): readonly HostilePlane[] {
  return treeBands.map((_, band) => pool[(tree * treeBands.length + band) % pool.length]!);
}

/** What the interpreter makes of some expressions. */
export function evaluateText(text: string, planes: readonly HostilePlane[]): readonly Plane[] {
  const tree = parseExpressions(text, treeNames, treeLimits);
  const used = tree.inputs.map(({ band }) => planes[treeBands.indexOf(band as (typeof treeBands)[number])]!);
  return interpretTree(tree, {
    width: SIDE_PX,
    height: SIDE_PX,
    bands: used.map(({ values }) => values),
    masks: used.map(({ mask }) => mask),
  });
}
