import type { Plane, TypedTree } from '../../../src/bandmath/index.ts';
import { parseExpressions } from '../../../src/bandmath/index.ts';
import type { BandPlane } from '../../../src/raster/index.ts';
import { loadKernels, makeComputeBands } from '../../../src/raster/index.ts';
import type { HostilePlane } from './hostile-planes.ts';
import { treeBands, treeLimits, treeNames } from './tree-limits.ts';

const kernels = loadKernels();
const compute = makeComputeBands(kernels);

/** What the compiler makes of some expressions; null for those it leaves to the interpreter. */
export function computeText(text: string, planes: readonly HostilePlane[]): readonly Plane[] | null {
  const tree = parseExpressions(text, treeNames, treeLimits);
  return tree.needsWindow ? null : computeTree(tree, planes);
}

function computeTree(tree: TypedTree, planes: readonly HostilePlane[]): readonly Plane[] {
  const allocate = kernels.begin();
  const count = planes[0]?.values.length ?? 0;
  const put = <Numbers extends Float32Array | Uint8Array>(numbers: Numbers): number => {
    const at = allocate(numbers.byteLength);
    const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    new Uint8Array(kernels.buffer(), at, numbers.byteLength).set(bytes);
    return at;
  };
  const inputs = tree.inputs.map(({ band }): BandPlane => {
    const { values, mask } = planes[treeBands.indexOf(band as (typeof treeBands)[number])]!;
    const maskAt = mask === null ? 0 : put(mask);
    return { valuesAt: put(values), maskAt, rule: 'plain', parameters: [], secondAt: 0 };
  });
  return compute(allocate, { tree, inputs, count }).map(({ valuesAt, maskAt }) => ({
    values: new Float32Array(kernels.buffer(), valuesAt, count).slice(),
    mask: new Uint8Array(kernels.buffer(), maskAt, count).slice(),
  }));
}
