import type { TypedTree } from '../bandmath/index.ts';
import { interpretTree } from '../bandmath/index.ts';
import type { Grid } from '../geo/index.ts';
import type { Allocate, BandPlane, ComputeBands, Kernels, ResultPlane } from '../raster/index.ts';
import type { WarpedInput } from './input-groups.ts';
import type { InputPlan, PixelPlan } from './plan.ts';
import { shownInput } from './plan-expressions.ts';

interface ComputeDeps {
  readonly kernels: Kernels;
  readonly compute: ComputeBands;
  readonly allocate: Allocate;
}

/** Computes the expressions of a plan from its inputs on one grid, each with a mask of its own. */
export function computeChannels(
  { tree, inputs, grid }: PixelPlan,
  warped: readonly WarpedInput[],
  { kernels, compute, allocate }: ComputeDeps,
): readonly ResultPlane[] {
  const planes = inputs.map(
    ({ rule, parameters }, i): BandPlane => ({ ...(warped[i] as WarpedInput), rule, parameters }),
  );
  const count = grid.width * grid.height;
  if (!tree.needsWindow) return compute(allocate, { tree, inputs: planes, count });
  // The rules of the inputs are compiled in any case: there is one place where they are written.
  const values = compute(allocate, { tree: toInputTree(tree), inputs: planes, count });
  return interpret({ tree, grid, values }, kernels, allocate);
}

/** The tree whose expressions are the inputs themselves. */
const toInputTree = ({ inputs }: TypedTree): TypedTree => ({
  nodes: inputs.map((_, input) => ({ op: 'input', type: 'float', input })),
  inputs,
  outputs: inputs.map((_, input) => ({ value: input, absent: null, uses: [input], type: 'band' })),
  key: `inputs ${inputs.length}`,
  costPerPixel: inputs.length,
  needsWindow: false,
});

function interpret(
  { tree, grid, values }: { tree: TypedTree; grid: Grid; values: readonly ResultPlane[] },
  kernels: Kernels,
  allocate: Allocate,
): readonly ResultPlane[] {
  const { width, height } = grid;
  const count = width * height;
  const results = tree.outputs.map(() => ({ valuesAt: allocate(4 * count), maskAt: allocate(count) }));
  const buffer = kernels.buffer();
  const planes = interpretTree(tree, {
    width,
    height,
    bands: values.map(({ valuesAt }) => new Float32Array(buffer, valuesAt, count)),
    masks: values.map(({ maskAt }) => new Uint8Array(buffer, maskAt, count)),
  });
  for (const [i, { valuesAt, maskAt }] of results.entries()) {
    const plane = planes[i];
    if (plane === undefined) continue;
    new Float32Array(buffer, valuesAt, count).set(plane.values);
    new Uint8Array(buffer, maskAt, count).set(plane.mask);
  }
  return results;
}

/** A channel that shows an input as it is, plus a number. */
interface ShiftedChannel extends ResultPlane {
  readonly shift: number;
}

/**
 * The channels of a plan whose expressions are all bands with at most an offset to be taken off; null for others. They
 * need no computing: shifted pixels warp to shifted pixels with every method, so the contrast can be shifted instead.
 */
export function showInputs(
  { tree, inputs }: PixelPlan,
  warped: readonly WarpedInput[],
): readonly ShiftedChannel[] | null {
  const channels: ShiftedChannel[] = [];
  for (const place of tree.outputs.keys()) {
    const shown = shownInput(tree, place);
    if (shown === null) return null;
    const { rule, parameters } = inputs[shown] as InputPlan;
    if (rule !== 'plain' && rule !== 'shifted') return null;
    channels.push({ ...(warped[shown] as WarpedInput), shift: parameters[0] ?? 0 });
  }
  return channels;
}
