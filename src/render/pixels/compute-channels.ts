import type { TypedTree } from '../../bandmath/index.ts';
import { interpretTree } from '../../bandmath/index.ts';
import type { Grid } from '../../geo/index.ts';
import type { Allocate, BandPlane, Kernels, ResultPlane } from '../../raster/index.ts';
import { shownInput } from '../inputs/plan-expressions.ts';
import type { InputPlan } from '../plan/input-plan.ts';
import type { PixelPlan } from '../plan/pixel-plan.ts';
import type { PixelWork } from './pixel-work.ts';
import type { WarpedInput } from './read-inputs.ts';
import { readInputs } from './read-inputs.ts';

/** The one way from files to values: reads the inputs of a plan, warps them onto its grid and computes its expressions. */
export async function readChannels(plan: PixelPlan, work: PixelWork): Promise<readonly ResultPlane[] | null> {
  const warped = await readInputs(plan, work);
  return warped === null ? null : computeChannels(plan, warped, work);
}

/** Computes the expressions of a plan from its inputs on one grid, each with a mask of its own. */
export function computeChannels(
  { tree, inputs, grid }: PixelPlan,
  warped: readonly WarpedInput[],
  { kernels, compute, allocate }: Pick<PixelWork, 'kernels' | 'compute' | 'allocate'>,
): readonly ResultPlane[] {
  const planes = inputs.map(
    ({ rule, parameters }, i): BandPlane => ({ ...(warped[i] as WarpedInput), rule, parameters }),
  );
  const count = grid.width * grid.height;
  if (!tree.needsWindow) return compute(allocate, { tree, inputs: planes, count });
  // The rules of the inputs are compiled in any case: they are written in one place only.
  const values = compute(allocate, { tree: toInputTree(tree.inputs), inputs: planes, count });
  return interpret({ tree, grid, values }, kernels, allocate);
}

/** The tree whose expressions are the inputs themselves: applies the rules of inputs and nothing else. */
export const toInputTree = (inputs: TypedTree['inputs']): TypedTree => ({
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

/** A channel that shows an input as it was read: its values are (read + shift) * scale. */
export interface LinearChannel extends ResultPlane {
  readonly shift: number;
  /** 1 for numbers that stay whole, which are at least 1 without their offset. */
  readonly scale: number;
}

/**
 * The channels of a plan whose expressions are all bands with linear rules; null for others. They need no computing:
 * linear pixels warp to linear pixels with every method, so the contrast can be changed instead.
 */
export function showInputs(
  { tree, inputs }: PixelPlan,
  warped: readonly WarpedInput[],
): readonly LinearChannel[] | null {
  const channels: LinearChannel[] = [];
  for (const output of tree.outputs.keys()) {
    const shown = shownInput(tree, output);
    if (shown === null) return null;
    const { rule, parameters } = inputs[shown] as InputPlan;
    if (rule !== 'plain' && rule !== 'shifted' && rule !== 'linear') return null;
    const [shift = 0, scale = 1] = parameters;
    channels.push({ ...(warped[shown] as WarpedInput), shift, scale });
  }
  return channels;
}
