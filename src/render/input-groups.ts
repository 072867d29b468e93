import type { ReadWindow } from '../blocks/index.ts';
import type { Allocate, Kernels, SourcePlanes, WarpPlan } from '../raster/index.ts';
import { allocateSource, makeStaging, makeWindowPlane, warpPlanes } from '../raster/index.ts';
import { fillTablePlane, moveBits } from './calibration/index.ts';
import type { InputPlan, PixelPlan } from './plan.ts';
import { toRecord } from './plan.ts';

/** An input in the kernels' memory: its values, a second plane where its rule has one, and its mask. */
interface SourceInput {
  readonly input: InputPlan;
  readonly valuesAt: number;
  /** The values, and behind them those of a table. */
  readonly planeCount: 1 | 2;
  /** 0 where it has data everywhere. */
  readonly maskAt: number;
}

/** Inputs whose windows lie at the same place of equal grids, read into the kernels' memory. */
interface InputGroup {
  readonly members: readonly SourceInput[];
  readonly warp: WarpPlan;
  readonly planeBytes: number;
}

/** An input on the picture's grid. */
export interface WarpedInput {
  readonly valuesAt: number;
  readonly maskAt: number;
  /** The plane of a table; 0 without one. */
  readonly secondAt: number;
}

interface ReadDeps {
  readonly readWindow: ReadWindow;
  readonly kernels: Kernels;
  readonly allocate: Allocate;
  readonly signal: AbortSignal;
}

/**
 * Reads the windows of all inputs; null when one of them has nothing to show, because then nothing is seen. Inputs of
 * one place are laid out together, because finding the positions costs more than sampling.
 */
export async function readGroups(
  { inputs, viewId, sceneVersion }: Pick<PixelPlan, 'inputs' | 'viewId' | 'sceneVersion'>,
  { readWindow, kernels, allocate, signal }: ReadDeps,
): Promise<readonly InputGroup[] | null> {
  const places = groupByPlace(inputs);
  if (places === null) return null;
  const staging = makeStaging(allocate);
  const groups: InputGroup[] = [];
  for (const { warp, inputs: together } of places) {
    const { window } = warp;
    const planeCounts = together.map(({ table }) => (table === null ? 1 : 2));
    const source = allocateSource(
      allocate,
      window,
      planeCounts.reduce((sum, count) => sum + count, 0),
    );
    const members: SourceInput[] = [];
    let { valuesAt } = source;
    for (const [i, input] of together.entries()) {
      const planeCount = planeCounts[i] as 1 | 2;
      const maskAt = allocate(window.width * window.height);
      const plane = makeWindowPlane({ kernels, staging, window, valuesAt, maskAt, nodata: input.nodata });
      await readWindow(
        { ...input, read: warp, record: toRecord(input.of ?? { viewId, sceneVersion }) },
        plane,
        signal,
      );
      if (input.bits !== undefined) {
        const count = window.width * window.height;
        moveBits(new Float32Array(kernels.buffer(), valuesAt, count), input.bits);
      }
      if (input.table !== null) fillTable(kernels, valuesAt + source.planeBytes, { ...input.table, warp });
      members.push({ input, valuesAt, planeCount, maskAt: plane.hasEmpty ? maskAt : 0 });
      valuesAt += planeCount * source.planeBytes;
    }
    groups.push({ members, warp, planeBytes: source.planeBytes });
  }
  return groups;
}

function fillTable(
  kernels: Kernels,
  at: number,
  { values, fullSize, warp }: NonNullable<InputPlan['table']> & { readonly warp: WarpPlan },
): void {
  const { window, levelSize } = warp;
  const plane = new Float32Array(kernels.buffer(), at, window.width * window.height);
  fillTablePlane(plane, { table: values, window, levelSize, fullSize });
}

interface WarpDeps {
  readonly kernels: Kernels;
  readonly allocate: Allocate;
  readonly plan: Pick<PixelPlan, 'grid' | 'inputs'>;
}

/** Brings all inputs to the picture's grid, in the order of the plan. */
export function warpGroups(
  groups: readonly InputGroup[],
  { kernels, allocate, plan }: WarpDeps,
): readonly WarpedInput[] {
  const warped = new Map<InputPlan, WarpedInput>();
  for (const { members, warp, planeBytes } of groups) {
    for (const together of toWarps(kernels, members, warp)) {
      const source: SourcePlanes = {
        valuesAt: together[0]?.valuesAt ?? 0,
        planeBytes,
        bandCount: together.reduce((sum, { planeCount }) => sum + planeCount, 0),
        maskAt: together[0]?.maskAt ?? 0,
      };
      const { bandsAt, maskAt } = warpPlanes(kernels, allocate, { target: plan.grid, plan: warp, source });
      let next = 0;
      for (const { input, planeCount } of together) {
        const secondAt = planeCount === 2 ? (bandsAt[next + 1] as number) : 0;
        warped.set(input, { valuesAt: bandsAt[next] as number, maskAt, secondAt });
        next += planeCount;
      }
    }
  }
  return plan.inputs.map((input) => warped.get(input) as WarpedInput);
}

/** One warp for the group when all masks are equal, as they are but at the edge of a scene; else one an input. */
function toWarps(kernels: Kernels, members: readonly SourceInput[], { window }: WarpPlan) {
  const [{ maskAt } = { maskAt: 0 }, ...others] = members;
  const length = window.width * window.height;
  const mask = Buffer.from(kernels.buffer(), maskAt, length);
  const isSame = (other: SourceInput): boolean =>
    maskAt === 0 || other.maskAt === 0
      ? other.maskAt === maskAt
      : mask.equals(Buffer.from(kernels.buffer(), other.maskAt, length));
  return others.every(isSame) ? [members] : members.map((member) => [member]);
}

interface InputPlace {
  readonly warp: WarpPlan;
  readonly inputs: InputPlan[];
}

function groupByPlace(inputs: readonly InputPlan[]): readonly InputPlace[] | null {
  const places = new Map<string, InputPlace>();
  for (const input of inputs) {
    const { warp } = input;
    if (warp === null) return null;
    const key = JSON.stringify(warp);
    const place = places.get(key);
    if (place === undefined) places.set(key, { warp, inputs: [input] });
    else place.inputs.push(input);
  }
  return [...places.values()];
}
